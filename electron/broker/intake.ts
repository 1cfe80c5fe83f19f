// Intake (spec 3): a tool call as it was received becomes facts: named, classified, its paths canonical, its shell text in units.
// Decides nothing and stores nothing.

import type { Result } from '../../shared/failure';
import type { JsonObject, Request } from '../../shared/model';
import type { Access, Kind } from '../../shared/terms';
import type { CallFacts } from '../engine/facts';
import type { Paths } from './paths';

export interface CallToTakeIn {
  readonly tool: string;
  readonly input: JsonObject;
  readonly cwd?: string | null;
  readonly kind?: Kind;
  readonly paths?: readonly (string | { readonly path: string; readonly access: Access })[];
  readonly hosts?: readonly string[];
}
export interface SessionPlace {
  readonly agent: string;
  readonly source: string;
  readonly root: string | null;
  /** Effective working directory, canonical. */
  readonly workingDirectory: string | null;
  /** Engine's `namesDeniedSegment` for this session's group: such operands are looked at even when nothing exists there. */
  readonly namesDeniedSegment?: (segment: string) => boolean;
}

/** Never throws. `invalid` for input that is nested too deeply to be read. */
export declare function takeIn(draft: CallToTakeIn, session: SessionPlace, paths: Paths): Result<CallFacts>;
/** The facts of a recorded request, for re-decision: nothing is resolved again. */
export declare function recall(request: Request): CallFacts;
/** SHA-256 (hex) over session, tool, canonical input, cwd and canonical paths (spec 2). */
export declare function digestOf(
  sessionId: string,
  tool: string,
  input: JsonObject,
  cwd: string | null,
  canonicalPaths: readonly (string | null)[],
): string;
