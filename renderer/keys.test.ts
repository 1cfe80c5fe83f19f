import { describe, expect, it } from 'vitest';
import { ARMING_MS, type Arming, bindingFor, KEYS, type Press } from './keys';

const arming: Arming = { shownAtMs: 1_000, focusedAtMs: 0, lettersOn: true };
const press = (over: Partial<Press> = {}): Press => ({ key: 'a', mod: false, repeat: false, inField: false, inQueue: true, nowMs: 5_000, ...over });

describe('a key in the queue', () => {
  it('decides when the item was seen long enough', () => {
    expect(bindingFor(press(), arming)).toBe('allow');
    expect(bindingFor(press({ key: 'd' }), arming)).toBe('deny');
  });

  it.each<[string, Partial<Press>, Partial<Arming>]>([
    ['while another field has focus', { inField: true }, {}],
    ['while the queue has no focus', { inQueue: false }, {}],
    ['on auto-repeat', { repeat: true }, {}],
    ['before the item was seen for 400 ms', { nowMs: 1_000 + ARMING_MS - 1 }, {}],
    ['before the window had focus for 400 ms', { nowMs: 5_000 }, { focusedAtMs: 5_000 - ARMING_MS + 1 }],
    ['when single letters are turned off', {}, { lettersOn: false }],
  ])('decides nothing %s', (_when, pressOver, armingOver) => {
    for (const key of ['a', 'd', 'f', 's']) expect(bindingFor(press({ key, ...pressOver }), { ...arming, ...armingOver })).toBeNull();
  });

  it('holds the confirming key to the same arming', () => {
    const confirm = press({ key: 'Enter', mod: true });
    expect(bindingFor(confirm, arming)).toBe('confirm');
    expect(bindingFor({ ...confirm, nowMs: 1_100 }, arming)).toBeNull();
    expect(bindingFor({ ...confirm, repeat: true }, arming)).toBeNull();
  });

  it('never takes a letter with a modifier for the letter', () => {
    expect(bindingFor(press({ key: 'a', mod: true }), arming)).toBeNull();
  });
});

describe('the key table', () => {
  it('gives no key two meanings', () => {
    const keys = KEYS.flatMap((one) => one.keys as readonly string[]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
