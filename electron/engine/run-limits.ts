// Steps 1 to 3 of spec 4: what the run itself forbids before any place or rule is looked at, and which calls change something.

import type { CallFacts, CeilingUse, SessionFacts } from './facts';
import { longName } from './match';

export type RunRefusal =
  | { readonly step: 1; readonly cause: 'cancelled' }
  | { readonly step: 1; readonly cause: 'budget'; readonly use: CeilingUse }
  | { readonly step: 2; readonly cause: 'phase' }
  | { readonly step: 3; readonly cause: 'withheld'; readonly name: string };

/** Null: the run goes on. A cancelled run first, then its budget, the phase, withheld tools. */
export function refusedByRun(call: CallFacts, session: SessionFacts): RunRefusal | null {
  return runStopped(session) ?? phaseForbids(call, session) ?? toolWithheld(call, session);
}

function runStopped(session: SessionFacts): RunRefusal | null {
  if (session.cancelled) return { step: 1, cause: 'cancelled' };
  for (const use of session.budget) if (use.used >= use.limit) return { step: 1, cause: 'budget', use };
  return null;
}

/** Spec 4: plan lets only read and search pass; a call that writes a path or runs a command is neither, whatever its kind. */
function phaseForbids(call: CallFacts, session: SessionFacts): RunRefusal | null {
  return session.phase === 'plan' && !isReadOnlyCall(call) ? { step: 2, cause: 'phase' } : null;
}

function isReadOnlyCall(call: CallFacts): boolean {
  return (call.kind === 'read' || call.kind === 'search') && !runsOrWrites(call);
}

export function runsOrWrites(call: CallFacts): boolean {
  return call.executes || call.units.length > 0 || call.paths.some((path) => path.access === 'write' || path.deletes === true);
}

function toolWithheld(call: CallFacts, session: SessionFacts): RunRefusal | null {
  for (const name of session.withheld) if (isWithheld(name, call)) return { step: 3, cause: 'withheld', name };
  return null;
}

/** Step 3: the exact registered name (in either MCP spelling), or the bare suffix after a `__` or `:`. */
export function isWithheld(name: string, call: Pick<CallFacts, 'tool' | 'mcp'>): boolean {
  if (call.mcp !== null && name === `${call.mcp.server}:${call.mcp.tool}`) return true;
  return [call.tool, longName(call)].some((tool) => tool === name || tool.endsWith(`__${name}`) || tool.endsWith(`:${name}`));
}

export function isMutation(kind: CallFacts['kind']): boolean {
  switch (kind) {
    case 'read':
    case 'search':
    case 'fetch':
      return false;
    case 'edit':
    case 'delete':
    case 'execute':
    case 'message':
    case 'other':
      return true;
  }
}
