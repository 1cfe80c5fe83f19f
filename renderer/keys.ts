// The one table of keys: what each does and where it works. Pure. The dispatcher, the key caps, the `?` sheet and the palette
// all read it. Owns the rule that a letter can only decide while the queue has focus and about something that has been seen.

/** `lists`: while a list has focus. `inbox`: while the queue (its list or its detail) has focus. `anywhere`: outside of fields. */
export type Where = 'lists' | 'inbox' | 'anywhere';
export interface KeyBinding {
  readonly id: string;
  /**
   * As `KeyboardEvent.key`, letters in lower case. `Mod+` is Command on macOS and Control elsewhere; two keys with a blank
   * between them are pressed one after the other.
   */
  readonly keys: readonly string[];
  readonly does: string;
  readonly where: Where;
  /** Answers, or begins to answer, a request: held to the arming rules. */
  readonly decides?: true;
}

export const KEYS = [
  { id: 'next', keys: ['j', 'ArrowDown'], does: 'Next', where: 'lists' },
  { id: 'previous', keys: ['k', 'ArrowUp'], does: 'Previous', where: 'lists' },
  { id: 'open', keys: ['Enter', 'ArrowRight'], does: 'Go to the detail', where: 'lists' },
  { id: 'first', keys: ['Home'], does: 'First', where: 'lists' },
  { id: 'last', keys: ['End'], does: 'Last', where: 'lists' },

  { id: 'allow', keys: ['a'], does: 'Allow once (low and medium risk)', where: 'inbox', decides: true },
  { id: 'scopes', keys: ['s'], does: 'Choose a scope, then 1 to 9', where: 'inbox', decides: true },
  { id: 'pick', keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], does: 'Answer with that scope', where: 'inbox', decides: true },
  { id: 'deny', keys: ['d'], does: 'Deny', where: 'inbox', decides: true },
  { id: 'deny_note', keys: ['f'], does: 'Deny with note', where: 'inbox', decides: true },
  { id: 'confirm', keys: ['Mod+Enter'], does: 'Allow a high risk after acknowledging; send the note', where: 'inbox', decides: true },
  { id: 'acknowledge', keys: [' '], does: 'Acknowledge a high risk', where: 'inbox', decides: true },
  { id: 'aside', keys: ['h'], does: 'Put aside until something changes', where: 'inbox' },
  { id: 'view', keys: ['u'], does: 'Unified or split diff', where: 'inbox' },
  { id: 'trace', keys: ['t'], does: 'Show the trace', where: 'inbox' },
  { id: 'back', keys: ['Escape', 'ArrowLeft'], does: 'Back to the list; close; keep the request', where: 'inbox' },

  { id: 'go_inbox', keys: ['g i'], does: 'Go to Inbox', where: 'anywhere' },
  { id: 'go_sessions', keys: ['g s'], does: 'Go to Sessions', where: 'anywhere' },
  { id: 'go_projects', keys: ['g p'], does: 'Go to Projects', where: 'anywhere' },
  { id: 'go_groups', keys: ['g r'], does: 'Go to Groups', where: 'anywhere' },
  { id: 'go_directories', keys: ['g d'], does: 'Go to Directories', where: 'anywhere' },
  { id: 'go_activity', keys: ['g a'], does: 'Go to Activity', where: 'anywhere' },
  { id: 'go_agents', keys: ['g n'], does: 'Go to Agents', where: 'anywhere' },
  { id: 'go_settings', keys: ['g ,'], does: 'Go to Settings', where: 'anywhere' },
  { id: 'palette', keys: ['Mod+k'], does: 'Command palette', where: 'anywhere' },
  { id: 'search', keys: ['Mod+f'], does: 'Search this screen', where: 'anywhere' },
  { id: 'hold', keys: ['Mod+Shift+h'], does: 'Hold or release all questions', where: 'anywhere' },
  { id: 'sheet', keys: ['?'], does: 'Keys', where: 'anywhere' },
] as const satisfies readonly KeyBinding[];
export type KeyId = (typeof KEYS)[number]['id'];

export const binding = (id: KeyId): KeyBinding => KEYS.find((one) => one.id === id) ?? KEYS[0];

/** A request, or the window, must have been in view so long before a key decides (Ruderman; ux 13). */
export const ARMING_MS = 400;
/** The second key of a pair has to follow within this time. */
export const PAIR_MS = 1_500;

export interface Press {
  /** As `KeyboardEvent.key`. */
  readonly key: string;
  readonly mod: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly repeat: boolean;
  /** It began in a text field, a select or the like. */
  readonly inField: boolean;
  /** It began where Space or Enter press something: a button, a link, a box. */
  readonly onControl: boolean;
  readonly inList: boolean;
  /** The queue, list or detail, has focus. */
  readonly inQueue: boolean;
  readonly nowMs: number;
}
export interface Arming {
  /** When the selected item became visible in the detail. */
  readonly shownAtMs: number;
  /** When the window last gained focus. */
  readonly focusedAtMs: number;
  /** When the key before this one was pressed. */
  readonly typedAtMs: number;
  /** Single letters work (a setting). */
  readonly lettersOn: boolean;
}
/** A first key of a pair that was pressed. */
export interface Prefix {
  readonly key: string;
  readonly atMs: number;
}

/** True once the item has been shown, and the window has had focus, for ARMING_MS. */
export const isArmed = (nowMs: number, arming: Pick<Arming, 'shownAtMs' | 'focusedAtMs'>): boolean =>
  nowMs - arming.shownAtMs >= ARMING_MS && nowMs - arming.focusedAtMs >= ARMING_MS;

/**
 * Whether this press may decide about what is shown. INVARIANT (ux 13): never in a field (a modifier excepted, which sends what
 * was written there), never on repeat, never outside of the queue, never within ARMING_MS of the item appearing or the window
 * gaining focus; as a plain key never when those are turned off, and never in the run of another text: a key that follows the
 * one before it within ARMING_MS is typing.
 */
export function mayAct(press: Press, arming: Arming): boolean {
  if (press.repeat || press.alt || !press.inQueue || !isArmed(press.nowMs, arming)) return false;
  if (press.mod) return true;
  return !press.inField && arming.lettersOn && press.nowMs - arming.typedAtMs >= ARMING_MS;
}

/** Which binding a press means; null when it means none, or may not act now. */
export function bindingFor(press: Press, arming: Arming, prefix: Prefix | null = null): KeyId | null {
  if (press.repeat && !(press.inList && REPEATING.has(press.key))) return null;
  if (press.alt) return null;
  const name = nameOf(press);
  const paired = prefix !== null && press.nowMs - prefix.atMs <= PAIR_MS && !press.mod ? `${prefix.key} ${name}` : null;
  const found: KeyBinding | undefined = (paired === null ? undefined : findBy(paired)) ?? findBy(name);
  if (found === undefined) return null;
  const id = found.id as KeyId;
  if (!press.mod && press.inField && press.key !== 'Escape') return null;
  if (isPlain(found) && !arming.lettersOn && isCharacter(press.key)) return null;
  switch (found.where) {
    case 'anywhere':
      return id;
    case 'lists':
      return press.inList ? id : null;
    case 'inbox':
      if (!press.inQueue || ((press.key === ' ' || press.key === 'ArrowLeft') && press.onControl)) return null;
      return found.decides !== true || mayAct(press, arming) ? id : null;
  }
}

/** The first key of a pair, to be remembered for the next press; null when this is none. */
export function prefixOf(press: Press): Prefix | null {
  if (press.mod || press.alt || press.inField || press.repeat) return null;
  const key = press.key.toLowerCase();
  return KEYS.some((one) => (one.keys as readonly string[]).some((name) => name.startsWith(`${key} `))) ? { key, atMs: press.nowMs } : null;
}

/** Keys that may be held down to walk a list. */
const REPEATING: ReadonlySet<string> = new Set(['j', 'k', 'ArrowDown', 'ArrowUp']);

const isPlain = (one: KeyBinding): boolean => !one.keys.some((name) => name.startsWith('Mod+'));
const isCharacter = (key: string): boolean => key.length === 1 && key !== ' ';

const findBy = (name: string): KeyBinding | undefined => KEYS.find((one) => (one.keys as readonly string[]).includes(name));

function nameOf({ key, mod, shift }: Press): string {
  const plain = key.length === 1 ? key.toLowerCase() : key;
  if (mod) return `Mod+${shift ? 'Shift+' : ''}${plain}`;
  // A capital is another key than its letter; signs such as `?` need Shift on most keyboards.
  return shift && /^[a-z]$/.test(plain) ? `Shift+${plain}` : plain;
}

const CAPS: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Enter: 'Enter',
};

/** One spelling of a key as it stands on the keyboard: `A`, `Ctrl+Enter`, `⌘K`, `G then I`. */
export function capOf(name: string, isMac: boolean): string {
  return name
    .split(/(?<=.) (?=.)/)
    .map((part) => {
      const mod = part.startsWith('Mod+') ? (isMac ? '⌘' : 'Ctrl+') : '';
      const rest = part.replace('Mod+', '');
      const shift = rest.startsWith('Shift+') ? (isMac ? '⇧' : 'Shift+') : '';
      const key = rest.replace('Shift+', '');
      return `${mod}${shift}${CAPS[key] ?? (key.length === 1 ? key.toUpperCase() : key)}`;
    })
    .join(' then ');
}

/** The first spelling of a binding. */
export const keyCap = (id: KeyId, isMac: boolean): string => capOf(binding(id).keys[0] ?? '', isMac);
