// The one listener for keys. Parts say what a binding of the table does while they are on screen; the last one to say so
// wins. Owns where a press began and the pairs; the rules are in keys.ts.

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { armingNow, noteKey } from './arming';
import { bindingFor, type KeyId, type Prefix, type Press, prefixOf } from './keys';

type Act = (event: KeyboardEvent) => void;

const acts = new Map<KeyId, { readonly current: Act }[]>();
const watchers = new Set<() => void>();
let known: readonly KeyId[] = [];

function changed(): void {
  known = [...acts.keys()];
  for (const watcher of watchers) watcher();
}

/** While the calling part is shown and `isOn`, the binding does this. */
export function useKey(id: KeyId, act: Act, isOn = true): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (!isOn) return;
    acts.set(id, [...(acts.get(id) ?? []), latest]);
    changed();
    return () => {
      const rest = (acts.get(id) ?? []).filter((one) => one !== latest);
      if (rest.length === 0) acts.delete(id);
      else acts.set(id, rest);
      changed();
    };
  }, [id, isOn]);
}

/** Bindings that do something at this moment, for the palette. */
export const useLiveKeys = (): readonly KeyId[] =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => known,
  );

/** Does what the binding would do, as the palette's entries do. */
export function act(id: KeyId): void {
  acts.get(id)?.at(-1)?.current(new KeyboardEvent('keydown'));
}

/** Starts to listen. Returns what ends it. */
export function listenToKeys(): () => void {
  let prefix: Prefix | null = null;
  const onKey = (event: KeyboardEvent): void => {
    take(event);
    noteKey();
  };
  const take = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
    // A dialog has its own keys, and what is under it has none.
    if (event.target instanceof Element && event.target.closest('[role=dialog], [role=alertdialog]') !== null) return;
    const press = pressOf(event);
    const id = bindingFor(press, armingNow(), prefix);
    prefix = id === null ? prefixOf(press) : null;
    const acting = id === null ? undefined : acts.get(id)?.at(-1);
    if (acting === undefined) return;
    event.preventDefault();
    acting.current(event);
  };
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}

export function pressOf(event: KeyboardEvent): Press {
  const target = event.target instanceof Element ? event.target : null;
  return {
    key: event.key,
    mod: event.ctrlKey || event.metaKey,
    shift: event.shiftKey,
    alt: event.altKey,
    repeat: event.repeat,
    inField: isField(target),
    onControl: target?.closest('button, a, input, summary, [role=radio], [role=tab], [role=menuitem]') != null,
    inList: target?.closest('[role=listbox]') != null && !isField(target),
    inQueue: target?.closest('[data-queue]') != null,
    nowMs: performance.now(),
  };
}

/** A place where letters are text: a field, a select, anything editable. Boxes and radio buttons take no text. */
function isField(target: Element | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
