// Answering a request: the one way from a press to main. Nothing is shown as decided before main says so; a failure is kept
// beside the request it is about. After an answer of one's own the selection goes on to the next that waits.

import { create } from 'zustand';
import type { Draft } from '../shared/commands';
import type { Failure } from '../shared/failure';
import type { Request } from '../shared/model';
import { inboxRows, nextWaiting } from './inbox-rows';
import { select, useInbox } from './inbox-view';
import { invoke, projectionNow } from './store';

export type Answer = Omit<Draft<'request.resolve'>, 'id' | 'digest'>;

interface Answers {
  /** Requests whose answer is under way, with its action. */
  readonly sending: ReadonlyMap<string, Answer['action']>;
  /** Why the last answer to a request was not taken. */
  readonly failures: ReadonlyMap<string, Failure>;
  /** Requests that this window has answered. */
  readonly given: ReadonlySet<string>;
}

export const useAnswers = create<Answers>(() => ({ sending: new Map(), failures: new Map(), given: new Set() }));

const withEntry = <V>(map: ReadonlyMap<string, V>, id: string, value: V | null): ReadonlyMap<string, V> => {
  const next = new Map(map);
  if (value === null) next.delete(id);
  else next.set(id, value);
  return next;
};

/** True once main has taken it. One answer at a time for each request. */
export async function answer(request: Request, given: Answer): Promise<boolean> {
  if (useAnswers.getState().sending.has(request.id)) return false;
  useAnswers.setState(({ sending, failures }) => ({
    sending: withEntry(sending, request.id, given.action),
    failures: withEntry(failures, request.id, null),
  }));
  const result = await invoke('request.resolve', { ...given, id: request.id, digest: request.digest });
  useAnswers.setState(({ sending, failures, given: known }) => ({
    sending: withEntry(sending, request.id, null),
    // Another answer was first: what it was is shown by the request itself.
    failures: withEntry(failures, request.id, result.ok || result.failure.code === 'settled' ? null : result.failure),
    given: result.ok ? new Set([...known, request.id]) : known,
  }));
  if (result.ok && useInbox.getState().selectedId === request.id) {
    const { lingering, aside, asideIsOpen } = useInbox.getState();
    const rows = inboxRows({ pending: projectionNow().pending.values(), lingering, aside, asideIsOpen });
    select(nextWaiting(rows, request.id) ?? request.id);
  }
  return result.ok;
}

/** The same answer to each of these, one after the other. Stops at none: what fails says so beside its request. */
export async function answerAll(requests: readonly Request[], given: Answer): Promise<void> {
  for (const request of requests) await answer(request, given);
}

export function forgetFailure(id: string): void {
  useAnswers.setState(({ failures }) => ({ failures: withEntry(failures, id, null) }));
}
