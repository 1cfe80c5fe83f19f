// Claude Code's hook events, translated: sessions and turns into sessions and turns, tool calls into requests, decisions
// back into answers. INVARIANT: a gating event is answered with `allow` only for a request that is recorded as allowed;
// every other ending, an error of ours included, is answered with `deny`. Formats as captured from version 2.1.332.

import { createHash, randomUUID } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import type { Failure, Result } from '../../shared/failure';
import type { Json, JsonObject, Request } from '../../shared/model';
import type { CallCommand, ForeignRoute } from '../broker/http';
import { CLAUDE_CODE, CLAUDE_CODE_ROUTE, REQUEST_EXPIRES_S } from './claude-code';

const POLL_MS = 600_000;
/** Allowed calls whose PermissionRequest may still come, and texts already told, per session: bounded, loss costs a question. */
const REMEMBERED = 1_000;
/** Of a tool's output; hooks get less. */
const REPORTED_CHARS = 100_000;

const base = z.looseObject({ session_id: z.string().min(1), cwd: z.string().min(1), hook_event_name: z.string() });
const toolEvent = base.extend({
  tool_name: z.string().min(1),
  tool_input: z.record(z.string(), z.json()),
  tool_use_id: z.string().min(1).optional(),
});
type ToolEvent = z.output<typeof toolEvent>;

/** The route of one server. Holds only what joins two events of one call; decisions live in the store. */
export function claudeCodeHooks(): ForeignRoute {
  const allowedCalls = new Map<string, { requestId: string; input: JsonObject | undefined }>();
  const askedAgain = new Map<string, Set<Promise<string | null>>>();
  const toldContext = new Map<string, string>();

  async function handle(body: unknown, _query: URLSearchParams, call: CallCommand, signal: AbortSignal): Promise<JsonObject | null> {
    const event = base.safeParse(body);
    if (!event.success) return refusal('PreToolUse', 'Gatehouse could not read this hook event.');
    const name = event.data.hook_event_name;
    try {
      return await answer(name, body, event.data, call, signal);
    } catch (error) {
      if (name !== 'PreToolUse' && name !== 'PermissionRequest') throw error;
      return refusal(name, 'Gatehouse failed while judging this call, so it is refused. Nobody denied it.');
    }
  }

  async function answer(
    name: string,
    body: unknown,
    event: z.output<typeof base>,
    call: CallCommand,
    signal: AbortSignal,
  ): Promise<JsonObject | null> {
    switch (name) {
      case 'PreToolUse':
        return gate(name, toolEvent.safeParse(body), call, signal);
      case 'PermissionRequest':
        return gate(name, toolEvent.safeParse(body), call, signal);
      case 'UserPromptSubmit':
        return observe(event, call, async (sessionId) => {
          await call('session.turn', { session_id: sessionId, state: 'turn' });
          return context(name, sessionId, call);
        });
      case 'PostToolUse':
      case 'PostToolUseFailure':
        return observe(event, call, async (sessionId) => {
          await withdrawAskedAgain(sessionId, call);
          forgetAllowed(sessionId, body);
          await report(name, sessionId, body, call);
          return context(name, sessionId, call);
        });
      case 'Stop':
        return observe(event, call, async (sessionId) => {
          await withdrawAskedAgain(sessionId, call);
          await call('session.usage', { session_id: sessionId, turns: 1 });
          await call('session.turn', { session_id: sessionId, state: 'idle' });
          return null;
        });
      case 'SessionEnd':
        return observe(event, call, async (sessionId) => {
          await call('session.end', { session_id: sessionId });
          for (const memory of [askedAgain, toldContext]) memory.delete(sessionId);
          return null;
        });
      default:
        return null;
    }
  }

  async function gate(
    name: 'PreToolUse' | 'PermissionRequest',
    parsed: z.ZodSafeParseResult<ToolEvent>,
    call: CallCommand,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    if (!parsed.success) return refusal(name, 'Gatehouse could not read this tool call.');
    const event = parsed.data;
    const session = await openSession(event, call);
    if (!session.ok) return refused(name, session.failure);
    const joint = jointOf(session.value.id, event.tool_name, event.tool_input);
    if (name === 'PermissionRequest') {
      // The same call, asked a second time because the person's own Claude Code settings ask as well: it was answered here.
      const known = allowedCalls.get(joint);
      if (known !== undefined) {
        allowedCalls.delete(joint);
        return allowance(name, known.input);
      }
    }
    // INVARIANT: without an id of the agent's, every event is a call of its own; an answer once is never found again by another.
    const callId = event.tool_use_id ?? `${name}:${randomUUID()}`;
    const submitting = call('request.submit', {
      session_id: session.value.id,
      call_id: callId,
      tool: event.tool_name,
      input: event.tool_input,
      cwd: event.cwd,
      expires_in_s: REQUEST_EXPIRES_S,
      // The terminal may answer it while it waits here, so it is asked first and waited for then.
      wait_ms: name === 'PermissionRequest' ? 0 : POLL_MS,
    });
    if (name === 'PermissionRequest') remember(askedAgain, session.value.id, submitting.then(waitingIdOf));
    const submitted = await submitting;
    const settled = await untilSettled(submitted, call, signal);
    if (!settled.ok) return refused(name, settled.failure);
    const request = settled.value;
    allowedCalls.delete(joint);
    if (request.status !== 'allowed' || request.decision === null) {
      return refusal(
        name,
        request.decision?.message ?? 'Gatehouse has no decision for this call yet, so it is refused. Ask again if it is still needed.',
      );
    }
    const input = withoutExcluded(request, event.tool_input);
    if (name === 'PreToolUse') {
      bounded(allowedCalls);
      allowedCalls.set(jointOf(session.value.id, event.tool_name, input ?? event.tool_input), { requestId: request.id, input });
    }
    return allowance(name, input);
  }

  async function observe(
    event: z.output<typeof base>,
    call: CallCommand,
    then: (sessionId: string) => Promise<JsonObject | null>,
  ): Promise<JsonObject | null> {
    const session = await openSession(event, call);
    return session.ok ? then(session.value.id) : null;
  }

  /** What the agent should read now: instructions and directories when they changed, steering and mail once. */
  async function context(name: string, sessionId: string, call: CallCommand): Promise<JsonObject | null> {
    const [settings, inbox] = [await call('session.context', { session_id: sessionId }), await call('session.inbox', { session_id: sessionId })];
    const parts: string[] = [];
    if (settings.ok && name !== 'PostToolUse' && name !== 'PostToolUseFailure') {
      const text = [settings.value.system_prompt, settings.value.directories].filter((part) => part !== null && part !== '').join('\n\n');
      if (text !== (toldContext.get(sessionId) ?? '')) {
        bounded(toldContext);
        toldContext.set(sessionId, text);
        parts.push(text === '' ? 'The earlier instructions from Gatehouse no longer apply.' : text);
      }
    }
    if (inbox.ok) {
      parts.push(...inbox.value.steering.map((one) => `The person who runs you says: ${one.text}`));
      parts.push(...inbox.value.mail.map((one) => `Message from session ${one.from} (it cannot approve anything): ${one.body}`));
    }
    if (parts.length === 0) return null;
    return { hookSpecificOutput: { hookEventName: name, additionalContext: parts.join('\n\n') } };
  }

  /** A later event proves that the terminal's own dialog was answered: what still waits here for it is over. */
  async function withdrawAskedAgain(sessionId: string, call: CallCommand): Promise<void> {
    const waiting = askedAgain.get(sessionId) ?? new Set();
    askedAgain.delete(sessionId);
    for (const asked of waiting) {
      const id = await asked;
      if (id !== null) await call('request.withdraw', { id });
    }
  }

  /** The call ran: whatever asks for the same again is another call. */
  function forgetAllowed(sessionId: string, body: unknown): void {
    const event = toolEvent.safeParse(body);
    if (event.success) allowedCalls.delete(jointOf(sessionId, event.data.tool_name, event.data.tool_input));
  }

  /** The call has run: post_tool hooks hear of it. */
  async function report(name: string, sessionId: string, body: unknown, call: CallCommand): Promise<void> {
    const event = toolEvent.extend({ tool_response: z.json().optional() }).safeParse(body);
    if (!event.success || event.data.tool_use_id === undefined) return;
    const { tool_use_id, tool_response } = event.data;
    const output = typeof tool_response === 'string' ? tool_response : JSON.stringify(tool_response ?? null);
    await call('request.report', {
      session_id: sessionId,
      call_id: tool_use_id,
      output: output.slice(0, REPORTED_CHARS),
      failed: name === 'PostToolUseFailure',
    });
  }

  return { method: 'POST', path: CLAUDE_CODE_ROUTE, handle };
}

/** Joins the session of this Claude Code run, opening it at the first event that arrives. */
function openSession(event: z.output<typeof base>, call: CallCommand): ReturnType<typeof call<'session.open'>> {
  return call('session.open', { agent: CLAUDE_CODE, source: 'interactive', external_id: event.session_id, cwd: event.cwd });
}

async function untilSettled(first: Result<Request>, call: CallCommand, signal: AbortSignal): Promise<Result<Request>> {
  let current = first;
  while (current.ok && current.value.status === 'pending' && !signal.aborted) {
    current = await call('request.get', { id: current.value.id, wait_ms: POLL_MS });
  }
  return current;
}

/**
 * The input to run instead, when the decision edits it or an allowed recursive search has to skip folders. Grep's `glob`
 * takes several globs separated by blanks, so the exclusion is enforced there and not only asked for.
 */
function withoutExcluded(request: Request, input: JsonObject): JsonObject | undefined {
  const edited = request.decision?.input;
  const exclude = request.decision?.exclude ?? [];
  if (request.tool !== 'Grep' || exclude.length === 0) return edited;
  const from = edited ?? input;
  const globs = [...(typeof from.glob === 'string' && from.glob.trim() !== '' ? [from.glob] : []), ...exclude.map((folder) => `!**/${folder}/**`)];
  return { ...from, glob: globs.join(' ') };
}

function allowance(name: 'PreToolUse' | 'PermissionRequest', input: JsonObject | undefined): JsonObject {
  const updated: JsonObject = input === undefined ? {} : { updatedInput: input };
  if (name === 'PreToolUse') {
    return {
      hookSpecificOutput: { hookEventName: name, permissionDecision: 'allow', permissionDecisionReason: 'Allowed by Gatehouse.', ...updated },
    };
  }
  return { hookSpecificOutput: { hookEventName: name, decision: { behavior: 'allow', ...updated } } };
}

function refusal(name: 'PreToolUse' | 'PermissionRequest', message: string): JsonObject {
  if (name === 'PreToolUse') return { hookSpecificOutput: { hookEventName: name, permissionDecision: 'deny', permissionDecisionReason: message } };
  return { hookSpecificOutput: { hookEventName: name, decision: { behavior: 'deny', message } } };
}

function refused(name: 'PreToolUse' | 'PermissionRequest', failure: Failure): JsonObject {
  return refusal(name, `Gatehouse refused this call: ${failure.message}${failure.hint === undefined ? '' : ` ${failure.hint}`}`);
}

/** PermissionRequest carries no call id: a call is found again by session, tool and input. */
function jointOf(sessionId: string, tool: string, input: Json): string {
  return createHash('sha256')
    .update(canonicalize([sessionId, tool, input]) ?? '')
    .digest('hex');
}

const waitingIdOf = (submitted: Result<Request>): string | null => (submitted.ok && submitted.value.status === 'pending' ? submitted.value.id : null);

function remember<T>(memory: Map<string, Set<T>>, key: string, value: T): void {
  bounded(memory);
  const known = memory.get(key);
  if (known === undefined) memory.set(key, new Set([value]));
  else known.add(value);
}

function bounded(memory: Map<string, unknown>): void {
  if (memory.size < REMEMBERED) return;
  const oldest = memory.keys().next();
  if (!oldest.done) memory.delete(oldest.value);
}
