// The one table of keys: behaviour, key caps, the `?` sheet and the palette read it. Owns when a plain letter may act:
// with the queue in focus, freshly pressed, on something that has been seen.

export type Where = 'inbox' | 'anywhere';
export interface KeyBinding {
  readonly id: string;
  /** As `KeyboardEvent.key`; `Mod+` is Command on macOS and Control elsewhere. */
  readonly keys: readonly string[];
  readonly does: string;
  readonly where: Where;
}

export const KEYS = [
  { id: 'next', keys: ['j', 'ArrowDown'], does: 'Next request', where: 'inbox' },
  { id: 'previous', keys: ['k', 'ArrowUp'], does: 'Previous request', where: 'inbox' },
  { id: 'detail', keys: ['Enter', 'ArrowRight'], does: 'Go to the detail', where: 'inbox' },
  { id: 'back', keys: ['Escape', 'ArrowLeft'], does: 'Back to the list, close, keep the request', where: 'inbox' },
  { id: 'allow', keys: ['a'], does: 'Allow once (low and medium risk)', where: 'inbox' },
  { id: 'scopes', keys: ['s'], does: 'Choose a scope', where: 'inbox' },
  { id: 'deny', keys: ['d'], does: 'Deny', where: 'inbox' },
  { id: 'deny_note', keys: ['f'], does: 'Deny with note', where: 'inbox' },
  { id: 'confirm', keys: ['Mod+Enter'], does: 'Allow a high-risk request after acknowledging, send a note', where: 'inbox' },
  { id: 'trace', keys: ['t'], does: 'Show the trace', where: 'inbox' },
  { id: 'palette', keys: ['Mod+k'], does: 'Command palette', where: 'anywhere' },
  { id: 'sheet', keys: ['?'], does: 'This list', where: 'anywhere' },
] as const satisfies readonly KeyBinding[];
export type KeyId = (typeof KEYS)[number]['id'];

/** A request, or the window, must have been in view so long before a letter decides (Ruderman; ux 13). */
export const ARMING_MS = 400;

export interface Press {
  readonly key: string;
  readonly mod: boolean;
  readonly repeat: boolean;
  /** The event began in a text field, a select or the like. */
  readonly inField: boolean;
  /** The list or its detail has focus. */
  readonly inQueue: boolean;
  readonly nowMs: number;
}
export interface Arming {
  /** When the selected item became visible in the detail. */
  readonly shownAtMs: number;
  /** When the window last gained focus. */
  readonly focusedAtMs: number;
  readonly lettersOn: boolean;
}

/** Which binding a press means; null when it means none, or may not act now. Deciding keys are held to the arming rules. */
export function bindingFor(press: Press, arming: Arming): KeyId | null {
  if (press.repeat) return null;
  const name = press.mod ? `Mod+${press.key}` : press.key;
  const binding = KEYS.find((one) => (one.keys as readonly string[]).includes(name));
  if (binding === undefined) return null;
  if (binding.where === 'anywhere') return press.mod || !press.inField ? binding.id : null;
  if (!press.inQueue) return null;
  if (press.mod) return isArmed(press, arming) ? binding.id : null;
  if (press.inField) return null;
  if (!DECIDING.has(binding.id)) return binding.id;
  return arming.lettersOn && isArmed(press, arming) ? binding.id : null;
}

/** INVARIANT (ux 13): no key decides about what has been shown, or in a window that has had focus, for less than ARMING_MS. */
export const isArmed = (press: Pick<Press, 'nowMs'>, arming: Arming): boolean =>
  press.nowMs - arming.shownAtMs >= ARMING_MS && press.nowMs - arming.focusedAtMs >= ARMING_MS;

const DECIDING: ReadonlySet<KeyId> = new Set(['allow', 'deny', 'deny_note', 'scopes']);

export function keyCap(id: KeyId, isMac: boolean): string {
  const [first = ''] = KEYS.find((one) => one.id === id)?.keys ?? [];
  return first.replace('Mod+', isMac ? '⌘' : 'Ctrl+').replace(/^([a-z])$/, (letter) => letter.toUpperCase());
}
