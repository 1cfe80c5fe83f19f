import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ARMING_MS, type Arming, bindingFor, capOf, KEYS, type KeyBinding, keyCap, mayAct, PAIR_MS, type Press, prefixOf } from './keys';

const arming: Arming = { shownAtMs: 1_000, focusedAtMs: 0, typedAtMs: 0, lettersOn: true };
const press = (over: Partial<Press> = {}): Press => ({
  key: 'a',
  mod: false,
  shift: false,
  alt: false,
  repeat: false,
  inField: false,
  onControl: false,
  inList: false,
  inQueue: true,
  nowMs: 5_000,
  ...over,
});
const DECIDING = (KEYS as readonly KeyBinding[]).filter((one) => one.decides === true);

describe('a key in the queue', () => {
  it('decides when the item was seen long enough', () => {
    expect(bindingFor(press(), arming)).toBe('allow');
    expect(bindingFor(press({ key: 'd' }), arming)).toBe('deny');
    expect(bindingFor(press({ key: 'D' }), arming)).toBe('deny');
  });

  it.each<[string, Partial<Press>, Partial<Arming>]>([
    ['while a field has focus', { inField: true }, {}],
    ['while the queue has no focus', { inQueue: false }, {}],
    ['on auto-repeat', { repeat: true }, {}],
    ['before the item was seen for 400 ms', { nowMs: 1_000 + ARMING_MS - 1 }, {}],
    ['before the window had focus for 400 ms', {}, { focusedAtMs: 5_000 - ARMING_MS + 1 }],
    ['in the run of another text', {}, { typedAtMs: 5_000 - ARMING_MS + 1 }],
    ['when single letters are turned off', {}, { lettersOn: false }],
    ['with Shift held', { shift: true }, {}],
    ['with Alt held', { alt: true }, {}],
  ])('decides nothing %s', (_when, pressOver, armingOver) => {
    const keys = pressOver.shift === true ? ['a', 'd', 'f', 's'] : ['a', 'd', 'f', 's', '1', '9'];
    for (const key of keys) expect(bindingFor(press({ key, ...pressOver }), { ...arming, ...armingOver })).toBeNull();
  });

  it('decides nothing in a burst of typing, however long it lasts after the item appeared', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 1 }), fc.integer({ min: 1, max: ARMING_MS - 1 })), { maxLength: 60 }),
        (keys) => {
          let nowMs = 900;
          let typedAtMs = 880;
          for (const [key, gapMs] of keys) {
            nowMs += gapMs;
            const id = bindingFor(press({ key, nowMs }), { ...arming, typedAtMs });
            expect(DECIDING.map((one) => one.id)).not.toContain(id);
            typedAtMs = nowMs;
          }
        },
      ),
    );
  });

  it('confirms with a modifier from the field of the note, right after typing, and never on repeat or too early', () => {
    const confirm = press({ key: 'Enter', mod: true, inField: true });
    expect(bindingFor(confirm, { ...arming, typedAtMs: 4_990 })).toBe('confirm');
    expect(bindingFor({ ...confirm, nowMs: 1_100 }, arming)).toBeNull();
    expect(bindingFor({ ...confirm, repeat: true }, arming)).toBeNull();
    expect(bindingFor({ ...confirm, inQueue: false }, arming)).toBeNull();
  });

  it('never takes a letter with a modifier for the letter', () => {
    expect(bindingFor(press({ key: 'a', mod: true }), arming)).toBeNull();
  });

  it('leaves Space and the left arrow to a control that has focus', () => {
    expect(bindingFor(press({ key: ' ' }), arming)).toBe('acknowledge');
    expect(bindingFor(press({ key: ' ', onControl: true }), arming)).toBeNull();
    expect(bindingFor(press({ key: 'ArrowLeft', onControl: true }), arming)).toBeNull();
  });

  it('lets Escape out of a field', () => {
    expect(bindingFor(press({ key: 'Escape', inField: true }), arming)).toBe('back');
  });

  it('agrees with mayAct for every deciding binding', () => {
    fc.assert(
      fc.property(
        fc.record({
          mod: fc.boolean(),
          repeat: fc.boolean(),
          inField: fc.boolean(),
          inQueue: fc.boolean(),
          nowMs: fc.integer({ min: 0, max: 3_000 }),
        }),
        fc.boolean(),
        fc.constantFrom('a', 'd', 'Enter', ' ', '3'),
        (over, lettersOn, key) => {
          const pressed = press({ key, ...over });
          const id = bindingFor(pressed, { ...arming, lettersOn });
          if (DECIDING.some((one) => one.id === id)) expect(mayAct(pressed, { ...arming, lettersOn })).toBe(true);
        },
      ),
    );
  });
});

describe('keys of lists', () => {
  it('walk while a list has focus, held down as well', () => {
    expect(bindingFor(press({ key: 'j', inList: true, inQueue: false }), arming)).toBe('next');
    expect(bindingFor(press({ key: 'ArrowUp', inList: true, repeat: true }), arming)).toBe('previous');
    expect(bindingFor(press({ key: 'Enter', inList: true, repeat: true }), arming)).toBeNull();
    expect(bindingFor(press({ key: 'j' }), arming)).toBeNull();
  });
});

describe('pairs', () => {
  const second = press({ key: 'a', inQueue: false });

  it('go to a screen when the second key follows in time', () => {
    const prefix = prefixOf(press({ key: 'g', inQueue: false, nowMs: 4_500 }));
    expect(prefix).toEqual({ key: 'g', atMs: 4_500 });
    expect(bindingFor(second, arming, prefix)).toBe('go_activity');
    expect(bindingFor({ ...second, nowMs: 4_500 + PAIR_MS + 1 }, arming, prefix)).toBeNull();
    expect(bindingFor({ ...second, inField: true }, arming, prefix)).toBeNull();
  });

  it('win over the letter alone', () => {
    expect(bindingFor(press({ key: 'd', nowMs: 5_000 }), arming, { key: 'g', atMs: 4_000 })).toBe('go_directories');
  });

  it('do not begin in a field', () => {
    expect(prefixOf(press({ key: 'g', inField: true }))).toBeNull();
    expect(prefixOf(press({ key: 'x' }))).toBeNull();
  });
});

describe('the key table', () => {
  it('gives no key two meanings', () => {
    const keys = KEYS.flatMap((one) => one.keys as readonly string[]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('writes keys as they stand on the keyboard', () => {
    expect(keyCap('confirm', false)).toBe('Ctrl+Enter');
    expect(keyCap('confirm', true)).toBe('⌘Enter');
    expect(keyCap('hold', false)).toBe('Ctrl+Shift+H');
    expect(keyCap('go_settings', false)).toBe('G then ,');
    expect(keyCap('acknowledge', false)).toBe('Space');
    expect(capOf('ArrowDown', false)).toBe('↓');
  });
});
