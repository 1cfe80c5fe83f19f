// The window's door: only our page gets in, every command reaches the broker with the person's rights, nothing throws.

import type { BrowserWindow } from 'electron';
import { afterEach, expect, it } from 'vitest';
import { ok } from '../../shared/failure';
import type { Changes } from '../../shared/projection';
import type { Broker } from '../broker/broker';
import { invokeMain } from './electron-stub';
import { openWindowDoor, type WindowDoor } from './ipc';
import { PAGE_ORIGIN } from './page';
import { aClock, aSnapshot } from './samples';

let door: WindowDoor | null = null;
afterEach(() => door?.close());

/** A window and a broker that write down what reaches them. */
function setUp() {
  const clock = aClock();
  const sent: [string, unknown][] = [];
  const calls: unknown[] = [];
  const faults: string[] = [];
  const listeners = new Set<(changes: Changes) => void>();
  const webContents = { send: (channel: string, value: unknown) => sent.push([channel, value]) };
  const window = { isDestroyed: () => false, webContents } as unknown as BrowserWindow;
  const broker = {
    async call(name: string, input: unknown, caller: { readonly scopes: ReadonlySet<string>; readonly door: string }) {
      calls.push([name, input, [...caller.scopes], caller.door]);
      if (name === 'rule.list') throw new Error('a mistake of ours');
      return ok({ items: [] });
    },
    snapshot: async () => aSnapshot(),
    onChanges(listener: (changes: Changes) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Broker;
  door = openWindowDoor({ broker, clock, window: () => window, pageOrigin: PAGE_ORIGIN, onFault: (_error, where) => faults.push(where) });
  const ours = { sender: webContents, senderFrame: { url: `${PAGE_ORIGIN}/`, parent: null } };
  const change = (revision: number) => {
    for (const listener of listeners) listener({ revision, changes: [] });
  };
  return { door, clock, sent, calls, faults, ours, change, listeners };
}

it('hands a command to the broker with the rights of the person at the window', async () => {
  const { ours, calls } = setUp();
  expect(await invokeMain('gatehouse:invoke', ours, 'inbox.list', {})).toEqual({ ok: true, value: { items: [] } });
  expect(calls).toEqual([['inbox.list', {}, ['operator.admin'], 'window']]);
});

it.each([
  ['another page', (ours: object) => ({ ...ours, senderFrame: { url: 'https://example.test/', parent: null } })],
  ['a frame inside our page', (ours: object) => ({ ...ours, senderFrame: { url: `${PAGE_ORIGIN}/`, parent: {} } })],
  ['another window', (ours: object) => ({ ...ours, sender: {} })],
  ['a frame that is gone', (ours: object) => ({ ...ours, senderFrame: null })],
])('refuses %s on every channel', async (_who, changed) => {
  const { ours, calls, sent } = setUp();
  for (const channel of ['gatehouse:invoke', 'gatehouse:snapshot']) {
    expect(await invokeMain(channel, changed(ours), 'inbox.list', {})).toMatchObject({ ok: false, failure: { code: 'forbidden' } });
  }
  expect(await invokeMain('gatehouse:pick-folder', changed(ours))).toBeNull();
  expect([calls, sent]).toEqual([[], []]);
});

it.each([['constructor'], ['toString'], ['__proto__'], [''], [42], [null]])('knows no command %j', async (name) => {
  const { ours, calls } = setUp();
  expect(await invokeMain('gatehouse:invoke', ours, name, {})).toMatchObject({ ok: false, failure: { code: 'not_found' } });
  expect(calls).toEqual([]);
});

it('answers a mistake of ours with a fault and reports it', async () => {
  const { ours, faults } = setUp();
  expect(await invokeMain('gatehouse:invoke', ours, 'rule.list', {})).toMatchObject({ ok: false, failure: { code: 'fault' } });
  expect(faults).toEqual(['gatehouse:invoke']);
});

it('sends changes to a page once it has asked for its snapshot, and to no page that has left', async () => {
  const { ours, change, sent, clock } = setUp();
  change(1);
  const asked = invokeMain('gatehouse:snapshot', ours);
  change(7);
  change(8);
  expect(await asked).toMatchObject({ ok: true, value: { revision: 7 } });
  // Nothing before the answer has left.
  expect(sent).toEqual([]);
  clock.advance(0);
  change(9);
  clock.advance(20);
  door?.pageLeft();
  change(10);
  clock.advance(20);
  expect(sent).toEqual([
    ['gatehouse:changes', [{ revision: 8, changes: [] }]],
    ['gatehouse:changes', [{ revision: 9, changes: [] }]],
  ]);
});

it('keeps a nudge for a window that is still loading', async () => {
  const { ours, sent, clock } = setUp();
  door?.nudge({ show: 'inbox', request_id: 'r1' });
  expect(sent).toEqual([]);
  await invokeMain('gatehouse:snapshot', ours);
  clock.advance(1);
  expect(sent).toEqual([['gatehouse:nudge', { show: 'inbox', request_id: 'r1' }]]);
});

it('lets go of everything when it closes', () => {
  const { listeners } = setUp();
  door?.close();
  expect(listeners.size).toBe(0);
});
