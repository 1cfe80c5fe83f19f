// Calls, places and traces in words, for the command line, the dial of scopes and replay. Takes what the engine decided and adds
// nothing to it.

import type { RequestPath, TraceStep } from '../../shared/model';
import type { Cause, VerdictKind } from '../../shared/terms';
import type { CallFacts, SessionFacts } from './facts';
import { comparable, within } from './path-text';
import { clip } from './trace';

/** A path as a person knows it: below the root or the home folder without it, `.` for the root itself. Long ones keep both ends. */
export function placeText(path: string, session: Pick<SessionFacts, 'root' | 'platform' | 'protectedPlaces'>): string {
  const { root, platform, protectedPlaces } = session;
  return clip(below(root, path, platform, '.') ?? below(protectedPlaces.home, path, platform, '~') ?? path);
}

function below(base: string | null, path: string, platform: SessionFacts['platform'], itself: '.' | '~'): string | null {
  // Cut by length only where folding leaves lengths alone, so that a name is never shown cut in the wrong place.
  if (base === null || comparable(base, platform).length !== base.length) return null;
  if (!within(comparable(base, platform), comparable(path, platform)) || comparable(path, platform).length !== path.length) return null;
  if (path.length === base.length) return itself;
  const rest = path.slice(base.length).replace(/^[\\/]/, '');
  return itself === '.' ? rest : `~${platform.separator}${rest}`;
}

/** What a call is about, in one line without its whole input: `Bash npm test && make`, `Write src/a.ts`, `WebFetch example.com`. */
export function callText(call: CallFacts, session: Pick<SessionFacts, 'root' | 'platform' | 'protectedPlaces'>): string {
  return clip([call.tool, ...objectsOf(call, session)].join(' '));
}

function objectsOf(call: CallFacts, session: Pick<SessionFacts, 'root' | 'platform' | 'protectedPlaces'>): readonly string[] {
  const own = call.units.filter((unit) => unit.wrapped_by === undefined);
  if (own.length > 0) return [own.map((unit) => unit.text).join(' && ')];
  if (call.paths.length > 0) return [[...new Set(call.paths.map((path) => pathText(path, session)))].join(', ')];
  return call.hosts.length > 0 ? [call.hosts.join(', ')] : [];
}

const pathText = (path: RequestPath, session: Pick<SessionFacts, 'root' | 'platform' | 'protectedPlaces'>): string =>
  placeText(path.canonical ?? path.raw, session);

// ------------------------------------------------------------------ traces

/** What `traceText` reads: a ruling, a decision, a simulation. */
export interface Traced {
  readonly verdict: VerdictKind;
  readonly cause: Cause | null;
  readonly message?: string;
  readonly trace: readonly TraceStep[];
}

/**
 * A trace to be read from top to bottom: the verdict and its cause, what the agent is told, then one line for each step with
 * number, name, outcome and what was compared. A step that looked at several checks has one line for each, numbered from 1.
 */
export function traceText({ verdict, cause, message, trace }: Traced): readonly string[] {
  const lines = [cause === null ? `${VERDICT_TEXT[verdict]}: a person decides` : `${VERDICT_TEXT[verdict]} (${cause})`];
  if (message !== undefined && message !== '') lines.push(...message.split('\n').map((line) => `  ${line}`));
  const width = Math.max(0, ...trace.map((step) => step.name.length));
  for (const step of trace) lines.push(stepText(step, width));
  return lines;
}

/** `require` reads Ask wherever a person sees it (spec 1). */
const VERDICT_TEXT: Readonly<Record<VerdictKind, string>> = { allow: 'Allow', deny: 'Deny', require: 'Ask', stage: 'Stage' };

const OUTCOME_TEXT: Readonly<Record<TraceStep['outcome'], string>> = {
  allow: 'allow',
  deny: 'deny',
  require: 'ask',
  stage: 'stage',
  pass: 'pass',
  skipped: 'not run',
};

function stepText(step: TraceStep, width: number): string {
  const check = step.check === undefined ? '' : `[${step.check + 1}] `;
  return `  ${String(step.step).padStart(2)} ${step.name.padEnd(width)}  ${OUTCOME_TEXT[step.outcome].padEnd(7)}  ${check}${step.compared}`;
}
