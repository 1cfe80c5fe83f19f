// skeleton: signatures first, filled in the next commits.

import type { Access, Kind } from '../../shared/terms';
import type { PlatformFacts } from './facts';

export interface ToolSubject {
  readonly tool: string;
  readonly mcp: { readonly server: string; readonly tool: string } | null;
  readonly kind: Kind;
  readonly executes: boolean;
  /** Set for a path check: class tokens match it by its access, whatever the tool. */
  readonly access?: Access;
}
export interface PathBases {
  readonly root: string | null;
  readonly workingDirectory: string | null;
  readonly home: string;
  readonly platform: PlatformFacts;
}
export function matchesWildcard(_pattern: string, _text: string): boolean {
  throw new Error('not built yet');
}
export function matchesTool(_pattern: string, _call: ToolSubject): boolean {
  throw new Error('not built yet');
}
export function matchesPath(_pattern: string, _canonicalPath: string, _bases: PathBases): boolean {
  throw new Error('not built yet');
}
export function isWithin(_dir: string, _path: string, _platform: PlatformFacts): boolean {
  throw new Error('not built yet');
}
