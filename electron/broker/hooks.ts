// Hooks of a run context (spec 12): programs that judge a call before it runs (`pre_tool`), or only hear of things
// (`post_tool`, `session_end`). Owns what a hook is handed and what its ending means; the verdict is the engine's.

import type { Hook, JsonObject, Session } from '../../shared/model';
import type { HookEvent } from '../../shared/terms';
import type { CallFacts, HookOutcome } from '../engine/facts';
import { matchesTool } from '../engine/match';
import { cleanEnvironment, type Ending, existingDirectory, type ProgramHost, type Running, startProgram } from './processes';

export const DEFAULT_TIMEOUT_S = 10;
/** Spec 12: characters of output at most. */
export const MAX_OUTPUT_CHARS = 4_000;

const DENY = 2;
const ASK = 3;

/** What a hook reads on standard input, as one JSON object. */
export interface HookPayload {
  readonly event: HookEvent;
  readonly tool: string | null;
  readonly input: JsonObject | null;
  readonly cwd: string | null;
  readonly session: JsonObject;
  readonly request?: JsonObject;
  readonly result?: JsonObject;
}

/** Hooks of `event` that are for this call; without a call, those of the event. */
export function hooksFor(hooks: readonly Hook[], event: HookEvent, call: CallFacts | null): readonly Hook[] {
  return hooks.filter(
    (hook) => hook.event === event && (call === null || hook.tools === undefined || hook.tools.some((pattern) => matchesTool(pattern, call))),
  );
}

export function sessionPayload(session: Session, mode: string | null): JsonObject {
  const { id, agent, source, external_id, title, project_id, ticket_id, parent_id, root, headless } = session;
  return { id, agent, source, external_id, title, project_id, ticket_id, parent_id, root, mode, headless };
}

/** In order; the first denial ends it. An ask is kept while later hooks may still deny. */
export async function runPreToolHooks(hooks: readonly Hook[], payload: HookPayload, host: ProgramHost): Promise<HookOutcome> {
  let asked: HookOutcome | null = null;
  for (const hook of hooks) {
    const outcome = outcomeOf(hook, await runHook(hook, payload, host).ending);
    if (outcome.outcome === 'deny') return outcome;
    if (outcome.outcome === 'require') asked ??= outcome;
  }
  return asked ?? { outcome: 'pass' };
}

/** Hooks that only observe, one after the other. What they answer changes nothing. */
export async function runObservingHooks(hooks: readonly Hook[], payload: HookPayload, host: ProgramHost): Promise<readonly Ending[]> {
  const endings: Ending[] = [];
  for (const hook of hooks) endings.push(await runHook(hook, payload, host).ending);
  return endings;
}

function runHook(hook: Hook, payload: HookPayload, host: ProgramHost): Running {
  const running = startProgram({
    command: hook.command,
    cwd: existingDirectory(payload.cwd, host.home),
    env: cleanEnvironment(host.env),
    stdin: `${JSON.stringify(payload)}\n`,
    timeoutMs: (hook.timeout_s ?? DEFAULT_TIMEOUT_S) * 1000,
    maxChars: MAX_OUTPUT_CHARS,
    keep: 'head',
    after: host.after,
  });
  host.started(running);
  return running;
}

/** Spec 12: exit 0 goes on, 2 denies with its output as the reason, 3 asks; anything else denies. INVARIANT: none allows. */
export function outcomeOf(hook: Hook, ending: Ending): HookOutcome {
  const { command } = hook;
  const said = ending.output.trim();
  const denied = (reason: string): HookOutcome => ({ outcome: 'deny', command, reason: said === '' ? reason : `${reason} It said: ${said}` });
  switch (ending.ended) {
    case 'exited':
      if (ending.code === 0) return { outcome: 'pass' };
      if (ending.code === DENY) return { outcome: 'deny', command, reason: said };
      if (ending.code === ASK) return { outcome: 'require', command, reason: said };
      return denied(`The hook failed with exit code ${ending.code}.`);
    case 'killed':
      return denied(`The hook was ended by ${ending.signal}.`);
    case 'timed_out':
      return denied(`The hook took longer than ${hook.timeout_s ?? DEFAULT_TIMEOUT_S} s.`);
    case 'not_started':
      return denied(`The hook could not be started: ${ending.reason}.`);
  }
}
