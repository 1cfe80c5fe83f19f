// One command that a screen sends: whether it is under way, what went wrong, and why it cannot be sent now. Buttons take
// `blocked` from here, so that none looks usable while main cannot be reached.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CommandName, Draft, Output } from '../shared/commands';
import type { Failure, Result } from '../shared/failure';
import { invoke, useStore } from './store';

export const OFFLINE = 'Gatehouse cannot be reached.';

/** Why nothing can be sent now; null when it can. */
export const useOffline = (): string | null => useStore((state) => (state.connection === 'connected' ? null : OFFLINE));

export interface Command {
  run<N extends CommandName>(name: N, input: Draft<N>): Promise<Result<Output<N>>>;
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  forget(): void;
  readonly blocked: string | null;
}

export function useCommand(): Command {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const offline = useOffline();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const run = useCallback(async <N extends CommandName>(name: N, input: Draft<N>): Promise<Result<Output<N>>> => {
    setIsBusy(true);
    setFailure(null);
    const result = await invoke(name, input);
    if (isShown.current) {
      setIsBusy(false);
      setFailure(result.ok ? null : result.failure);
    }
    return result;
  }, []);
  const forget = useCallback(() => setFailure(null), []);
  return { run, isBusy, failure, forget, blocked: offline ?? (isBusy ? 'Under way.' : null) };
}

/** What a command answers now, asked again whenever `key` changes. `value` stays while it is asked again. */
export function useAsked<N extends CommandName>(
  name: N,
  input: Draft<N> | null,
  key: unknown = null,
): { readonly value: Output<N> | null; readonly failure: Failure | null; again(): void } {
  const [state, setState] = useState<{ readonly value: Output<N> | null; readonly failure: Failure | null }>({ value: null, failure: null });
  const [turn, setTurn] = useState(0);
  const isOnline = useStore((one) => one.connection === 'connected');
  const asked = input === null ? null : JSON.stringify(input);
  const question = useMemo(() => (asked === null || !isOnline ? null : { asked, key, turn }), [asked, isOnline, key, turn]);
  useEffect(() => {
    if (question === null) return;
    let isCurrent = true;
    void invoke(name, JSON.parse(question.asked) as Draft<N>).then((result) => {
      if (isCurrent) setState((before) => (result.ok ? { value: result.value, failure: null } : { value: before.value, failure: result.failure }));
    });
    return () => {
      isCurrent = false;
    };
  }, [name, question]);
  const again = useCallback(() => setTurn((one) => one + 1), []);
  return { ...state, again };
}
