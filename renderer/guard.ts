// Keeps unsaved changes from being lost by going elsewhere: while a form is guarded, going away waits for the person's word.
// Owns the hash of the address; knows nothing of what is edited.

import { useEffect } from 'react';
import { useHashLocation } from 'wouter/use-hash-location';
import { create } from 'zustand';

interface Target {
  readonly path: string;
  readonly replace: boolean;
}
interface Guard {
  /** What would be lost, in words; null while nothing would. */
  readonly what: string | null;
  /** Where the person wanted to go. */
  readonly target: Target | null;
}

export const useGuard = create<Guard>(() => ({ what: null, target: null }));

/** While `isDirty`, going away asks first. `what`: `the run context of shop`. */
export function useUnsaved(what: string, isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    useGuard.setState({ what });
    return () => useGuard.setState({ what: null });
  }, [what, isDirty]);
}

function set({ path, replace }: Target): void {
  const hash = `#${path}`;
  if (window.location.hash === hash) return;
  if (replace) {
    window.history.replaceState(null, '', hash);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  } else window.location.hash = path;
}

/** Goes to a screen, by the guard. */
export function goTo(path: string, options: { readonly replace?: boolean } = {}): void {
  const target = { path, replace: options.replace ?? false };
  if (useGuard.getState().what === null) set(target);
  else useGuard.setState({ target });
}

export const stay = (): void => useGuard.setState({ target: null });

export function leave(): void {
  const { target } = useGuard.getState();
  useGuard.setState({ what: null, target: null });
  if (target !== null) set(target);
}

/** For wouter: the hash, and going by the guard. */
export function useGuardedLocation(): [string, (path: string, options?: { readonly replace?: boolean }) => void] {
  const [path] = useHashLocation();
  return [path, goTo];
}
useGuardedLocation.hrefs = (href: string) => `#${href}`;
