// A bridge for tests and for looking at screens: it holds a snapshot, answers commands as a test says, and lets the test push
// changes. Never imported by what ships.

import type { CommandName, Draft, Output } from '../../shared/commands';
import { fail, ok, type Result } from '../../shared/failure';
import type { Change, Changes, Nudge, Snapshot } from '../../shared/projection';
import type { ConnectedBridge, Connection } from '../bridge';

export type Answers = { readonly [N in CommandName]?: (input: Draft<N>) => Result<Output<N>> | Promise<Result<Output<N>>> };

export interface ScriptedBridge extends ConnectedBridge {
  /** Every command that was sent, in order. */
  readonly sent: readonly { readonly name: CommandName; readonly input: unknown }[];
  /** One batch with the next revision. */
  push(...changes: readonly Change[]): void;
  nudge(nudge: Nudge): void;
  setConnection(connection: Connection): void;
}

export function scriptedBridge(snapshot: Snapshot, answers: Answers = {}): ScriptedBridge {
  const changeListeners = new Set<(changes: Changes) => void>();
  const nudgeListeners = new Set<(nudge: Nudge) => void>();
  const connectionListeners = new Set<(connection: Connection) => void>();
  const sent: { name: CommandName; input: unknown }[] = [];
  let { revision } = snapshot;
  let connection: Connection = 'connected';
  const listen = <T>(listeners: Set<T>, listener: T): (() => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  return {
    sent,
    door: 'window',
    platform: 'linux',
    async invoke<N extends CommandName>(name: N, input: Draft<N>): Promise<Result<Output<N>>> {
      sent.push({ name, input });
      const answer = answers[name] as ((input: Draft<N>) => Result<Output<N>> | Promise<Result<Output<N>>>) | undefined;
      return answer === undefined ? fail('not_found', `The script has no answer to \`${name}\`.`) : answer(input);
    },
    snapshot: () => Promise.resolve(ok({ ...snapshot, revision })),
    onChanges: (listener) => listen(changeListeners, listener),
    onNudge: (listener) => listen(nudgeListeners, listener),
    pickFolder: () => Promise.resolve(null),
    onConnection(listener) {
      listener(connection);
      return listen(connectionListeners, listener);
    },
    push(...changes) {
      revision += 1;
      for (const listener of changeListeners) listener({ revision, changes });
    },
    nudge(nudge) {
      for (const listener of nudgeListeners) listener(nudge);
    },
    setConnection(next) {
      connection = next;
      for (const listener of connectionListeners) listener(next);
    },
  };
}
