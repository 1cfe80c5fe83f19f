// When the request in view appeared, and when the window last gained focus: what the arming rule of keys.ts compares. Kept out
// of React's state, so that a press reads the times of its own moment.

import { useEffect, useLayoutEffect, useState } from 'react';
import { ARMING_MS, type Arming, isArmed } from './keys';
import { useStore } from './store';

let shownAtMs = Number.NEGATIVE_INFINITY;
let focusedAtMs = Number.NEGATIVE_INFINITY;
let typedAtMs = Number.NEGATIVE_INFINITY;
const watchers = new Set<() => void>();

export const armingNow = (): Arming => ({
  shownAtMs,
  focusedAtMs,
  typedAtMs,
  lettersOn: useStore.getState().projection?.settings.single_letter_keys ?? false,
});

export function noteKey(): void {
  typedAtMs = performance.now();
}

/** Starts to note when the window gains focus or is shown again. Returns what ends it. */
export function watchFocus(): () => void {
  shownAtMs = focusedAtMs = typedAtMs = Number.NEGATIVE_INFINITY;
  const gained = (): void => {
    focusedAtMs = performance.now();
    for (const watcher of watchers) watcher();
  };
  const shown = (): void => {
    if (document.visibilityState === 'visible') gained();
  };
  window.addEventListener('focus', gained);
  document.addEventListener('visibilitychange', shown);
  return () => {
    window.removeEventListener('focus', gained);
    document.removeEventListener('visibilitychange', shown);
  };
}

/** True once what `version` names has been in view for ARMING_MS: a click in flight decides nothing either. */
export function useArmed(version: string): boolean {
  const [armed, setArmed] = useState<string | null>(null);
  useLayoutEffect(() => {
    let timer = 0;
    const arm = (): void => {
      setArmed(null);
      window.clearTimeout(timer);
      timer = window.setTimeout(check, ARMING_MS);
    };
    const check = (): void => {
      // A timer may ring a little early by the other clock.
      if (isArmed(performance.now(), { shownAtMs, focusedAtMs })) setArmed(version);
      else timer = window.setTimeout(check, 10);
    };
    shownAtMs = performance.now();
    arm();
    watchers.add(arm);
    return () => {
      window.clearTimeout(timer);
      watchers.delete(arm);
    };
  }, [version]);
  useEffect(
    () => () => {
      // Nothing in view: nothing to decide about.
      shownAtMs = performance.now();
    },
    [],
  );
  return armed === version;
}
