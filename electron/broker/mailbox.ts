// Messages to a running session (spec 12): mail from other sessions, handed out at turn boundaries, and a person's steering,
// handed out with the next tool result or prompt. Each exactly once. INVARIANT: no message approves anything.

import { fail, ok, type Result } from '../../shared/failure';
import type { Mail, Session, Steering } from '../../shared/model';
import { MAX_MAIL_BYTES } from '../../shared/schemas';
import { actorOf, type Caller } from './caller';
import type { Core } from './core';
import { liveSession } from './lookup';

/** Waiting messages that a session can have; more are refused, none is dropped. */
export const MAX_PENDING = 50;

/** Mail that lay there when the current turn began: what came later waits for its end. By session. */
export type MailAtTurn = Map<string, ReadonlySet<string>>;

export function sendMail(core: Core, from: Session, to: string, body: string, caller: Caller): Result<Mail> {
  const recipient = liveSession(core, to);
  if (!recipient.ok) return recipient;
  if (body.trim() === '') return fail('invalid', 'The field `body` is blank.', { hint: 'Write something.', subject: 'body' });
  if (Buffer.byteLength(body, 'utf8') > MAX_MAIL_BYTES) {
    return fail('invalid', 'The field `body` is longer than 64 KiB.', { hint: 'Send a shorter message, or the name of a file.', subject: 'body' });
  }
  const policy = core.standings.of(recipient.value).effective.values.mail ?? 'accept';
  if (policy === 'refuse') {
    return fail('conflict', `The session \`${to}\` takes no mail.`, { hint: 'Go on without it.', subject: { mail: policy } });
  }
  const waiting = core.store.undelivered(to).mail;
  const duplicate = waiting.find((mail) => mail.from === from.id && mail.body === body);
  if (duplicate !== undefined) return ok(duplicate);
  if (waiting.length >= MAX_PENDING) return full(to);
  const mail: Mail = { id: core.newId('mail'), from: from.id, to, body, created_at: core.nowIso() };
  const result = core.commit([
    {
      type: 'mail.sent',
      at: mail.created_at,
      actor: actorOf(caller, from.id),
      session_id: from.id,
      summary: `A message of ${Buffer.byteLength(body, 'utf8')} bytes was sent to another session.`,
      writes: [{ put: 'mail', value: mail }],
    },
  ]);
  return result.applied ? ok(mail) : fail('conflict', 'The message could not be stored.', { hint: 'Send it again.' });
}

const full = (to: string) =>
  fail('limit', `The session \`${to}\` has ${MAX_PENDING} messages waiting.`, {
    hint: 'Wait until it has read them.',
    subject: { pending: MAX_PENDING },
  });

/** Blanks are dropped. */
export function steer(core: Core, session: Session, text: string, caller: Caller): Result<Steering | { readonly dropped: true }> {
  if (text.trim() === '') return ok({ dropped: true });
  if (core.store.undelivered(session.id).steering.length >= MAX_PENDING) return full(session.id);
  const steering: Steering = { id: core.newId('steer'), session_id: session.id, text, created_at: core.nowIso() };
  const result = core.commit([
    {
      type: 'session.steered',
      at: steering.created_at,
      actor: actorOf(caller),
      session_id: session.id,
      summary: 'A person queued text for the session.',
      writes: [{ put: 'steering', value: steering }],
    },
  ]);
  return result.applied ? ok(steering) : fail('conflict', 'The text could not be stored.', { hint: 'Send it again.' });
}

export interface Delivered {
  readonly steering: readonly Steering[];
  readonly mail: readonly Mail[];
}

/** What the session has not been handed yet and may have now. INVARIANT (spec 12): marked as delivered before it is handed out. */
export function takeMessages(core: Core, session: Session, atTurn: MailAtTurn, caller: Caller): Result<Delivered> {
  const { steering, mail } = core.store.undelivered(session.id);
  const policy = core.standings.of(session).effective.values.mail ?? 'accept';
  const due = atTurn.get(session.id);
  const handed = policy === 'accept' ? mail.filter((one) => session.state !== 'turn' || due?.has(one.id) === true) : [];
  if (steering.length + handed.length === 0) return ok({ steering: [], mail: [] });
  const at = core.nowIso();
  const result = core.commit([
    {
      type: 'messages.delivered',
      at,
      actor: actorOf(caller, session.id),
      session_id: session.id,
      summary: `${steering.length} texts of the person and ${handed.length} messages were handed to the session.`,
      writes: [
        { deliver: 'steering', ids: steering.map((one) => one.id), at },
        { deliver: 'mail', ids: handed.map((one) => one.id), at },
      ],
    },
  ]);
  // Somebody else was handed them in between: they are not handed out twice.
  return ok(result.applied ? { steering, mail: handed } : { steering: [], mail: [] });
}

/** A turn begins or ends (spec 13: only this sets the session's state). */
export function markTurn(core: Core, atTurn: MailAtTurn, sessionId: string, state: Session['state']): void {
  if (state === 'turn') atTurn.set(sessionId, new Set(core.store.undelivered(sessionId).mail.map((mail) => mail.id)));
  else atTurn.delete(sessionId);
}
