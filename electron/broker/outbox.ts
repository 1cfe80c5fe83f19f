// Staged calls (spec 12): a person edits, rejects or releases them. A release runs steps 1 to 8 again and happens at most once:
// Gatehouse runs the call itself where it is the executor, else the agent gets a one-call grant and a message.

import { fail, ok, type Result } from '../../shared/failure';
import type { Json, JsonObject, OutboxItem, Steering } from '../../shared/model';
import { releasedMessage } from '../engine/messages';
import type { Write } from '../store/events';
import { actorOf, type Caller } from './caller';
import type { Core } from './core';
import type { Executor } from './deps';
import { draftOf, judgeWhole } from './gate';
import { liveSession } from './lookup';
import { inputToSend, isSameInput } from './outbox-item';

/** Newest first. */
export const outboxItems = (core: Core): readonly OutboxItem[] => [...core.live.outbox.values()].reverse();

function findItem(core: Core, id: string): Result<OutboxItem> {
  const item = core.live.outbox.get(id) ?? core.store.outboxItem(id);
  return item === undefined ? fail('not_found', `There is no staged call \`${id}\`.`, { subject: 'id' }) : ok(item);
}

function waitingItem(core: Core, id: string): Result<OutboxItem> {
  const item = findItem(core, id);
  return !item.ok || item.value.state === 'waiting' ? item : settledAlready(item.value);
}

const settledAlready = (item: Pick<OutboxItem, 'state'>) =>
  fail('settled', `The staged call was ${item.state} already.`, { hint: 'Look at it in the list.', subject: { status: item.state } });

/** The original arguments stay beside the edited ones. */
export function editStaged(core: Core, id: string, input: JsonObject, caller: Caller): Result<OutboxItem> {
  const item = waitingItem(core, id);
  if (!item.ok) return item;
  const edited: OutboxItem = { ...item.value, edited_input: isSameInput(input, item.value.input) ? null : input };
  const result = core.commit([event(core, 'outbox.edited', item.value, 'was edited', caller, [{ put: 'outbox', value: edited }])]);
  return result.applied ? ok(edited) : again(core, id);
}

export function rejectStaged(core: Core, id: string, note: string | null, caller: Caller): Result<OutboxItem> {
  const item = waitingItem(core, id);
  if (!item.ok) return item;
  const at = core.nowIso();
  const text = `A person rejected the draft of \`${item.value.tool}\`: it was not sent.${note === null ? '' : ` Their note: ${note}`}`;
  const writes: Write[] = [{ finish: id, state: 'rejected', note, at }, ...messageTo(core, item.value, text)];
  const result = core.commit([event(core, 'outbox.rejected', item.value, 'was rejected', caller, writes)]);
  return result.applied ? findItem(core, id) : again(core, id);
}

/** Spec 15.9: zero times before release, at most once after. Failures: `settled` when it is over, `conflict` when it is denied by now. */
export async function releaseStaged(core: Core, id: string, caller: Caller): Promise<Result<OutboxItem>> {
  const item = waitingItem(core, id);
  if (!item.ok) return item;
  const request = core.store.request(item.value.request_id);
  if (request === undefined) return fail('not_found', 'The request of this staged call is gone.', { subject: 'id' });
  const judged = await judgeWhole(core, {
    session: () => liveSession(core, item.value.session_id),
    draft: { ...draftOf(request), input: inputToSend(item.value) },
    isCounted: true,
    requestId: request.id,
    withReviewer: false,
  });
  if (!judged.ok) return judged;
  const { ruling, standing } = judged.value;
  if (ruling.verdict === 'deny') {
    return fail('conflict', `The staged call cannot be released: ${ruling.message}`, {
      hint: 'Change what denies it, edit the call, or reject it.',
      subject: { cause: ruling.cause ?? 'rule' },
    });
  }
  const now = waitingItem(core, id);
  if (!now.ok) return now;
  if (!isSameInput(inputToSend(now.value), inputToSend(item.value))) {
    return fail('conflict', 'The staged call was edited while it was being released.', { hint: 'Look at it again, then release it.', subject: 'id' });
  }
  const executor = core.deps.executorOf?.(now.value, standing.session) ?? null;
  return executor === null ? grantOnce(core, now.value, caller) : runOnce(core, now.value, executor, caller);
}

function grantOnce(core: Core, item: OutboxItem, caller: Caller): Result<OutboxItem> {
  const edited = item.edited_input === null ? '' : ` The person edited them: ${JSON.stringify(item.edited_input)}`;
  const writes: Write[] = [
    { finish: item.id, state: 'released', note: null, at: core.nowIso() },
    ...messageTo(core, item, `${releasedMessage(item.tool)}${edited}`),
  ];
  const result = core.commit([event(core, 'outbox.released', item, 'was released: the agent may make the call once', caller, writes)]);
  return result.applied ? findItem(core, item.id) : again(core, item.id);
}

/** INVARIANT (spec 15.9): the disk knows that it was released before it runs, so no crash makes it run twice. */
async function runOnce(core: Core, item: OutboxItem, executor: Executor, caller: Caller): Promise<Result<OutboxItem>> {
  const at = core.nowIso();
  const released: OutboxItem = { ...item, state: 'released', settled_at: at, result: { state: 'running' } };
  const writes: Write[] = [
    { finish: item.id, state: 'released', note: null, at },
    { put: 'outbox', value: released },
  ];
  const started = core.commit([event(core, 'outbox.released', item, 'was released and is run', caller, writes)]);
  if (!started.applied) return again(core, item.id);
  await started.durable;
  let result: Json;
  try {
    result = { state: 'done', output: await executor(inputToSend(item)) };
  } catch (error) {
    result = { state: 'failed', error: error instanceof Error ? error.message : String(error) };
  }
  const done = core.commit([event(core, 'outbox.run', item, 'was run', caller, [{ put: 'outbox', value: { ...released, result } }])]);
  return done.applied ? ok({ ...released, result }) : again(core, item.id);
}

/** A run that a crash cut off: nobody knows how far it came, so it is said and not repeated. */
export function recoverOutbox(core: Core): void {
  for (const item of [...core.live.outbox.values()]) {
    if (!isRunning(item.result)) continue;
    const { session_id, request_id, summary } = item;
    const result = core.commit([
      {
        type: 'outbox.interrupted',
        at: core.nowIso(),
        actor: 'gate',
        session_id,
        request_id,
        summary: `The staged call ${summary} was cut off while it ran.`,
        writes: [{ put: 'outbox', value: { ...item, result: { state: 'interrupted' } } }],
      },
    ]);
    if (result.applied) result.durable.catch(() => undefined);
  }
}

const isRunning = (result: Json): boolean => typeof result === 'object' && result !== null && 'state' in result && result.state === 'running';

/** Somebody else was first. */
function again(core: Core, id: string): Result<OutboxItem> {
  const item = findItem(core, id);
  return item.ok ? settledAlready(item.value) : item;
}

function messageTo(core: Core, item: OutboxItem, text: string): readonly Write[] {
  const steering: Steering = { id: core.newId('steer'), session_id: item.session_id, text, created_at: core.nowIso() };
  return [{ put: 'steering', value: steering }];
}

function event(core: Core, type: string, item: OutboxItem, what: string, caller: Caller, writes: readonly Write[]) {
  return {
    type,
    at: core.nowIso(),
    actor: actorOf(caller),
    session_id: item.session_id,
    request_id: item.request_id,
    summary: `The staged call ${item.summary} ${what}.`,
    writes,
  };
}
