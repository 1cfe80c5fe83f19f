// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../shared/failure';
import type { Request } from '../../shared/model';
import { useAnswers } from '../answer';
import { App } from '../app';
import { watchFocus } from '../arming';
import { LINGER_MS, useInbox, watchLeaving } from '../inbox-view';
import { listenToKeys } from '../keyboard';
import { ARMING_MS } from '../keys';
import { watchQueueFocus } from '../parts/queue-focus';
import { attach, useStore } from '../store';
import { furnishDom } from '../testing/dom';
import { requestSample, sessionSample, settledSample, snapshotSample } from '../testing/samples';
import { type ScriptedBridge, scriptedBridge } from '../testing/scripted-bridge';

const waiting = (id: string, minute: number, over: Partial<Request> = {}): Request =>
  requestSample({
    id,
    digest: id.repeat(64).slice(0, 64),
    input: { command: `npm run ${id}` },
    created_at: `2026-12-01T10:0${minute}:00.000Z`,
    ...over,
  });
const HIGH = {
  risk: { level: 'high', facts: [{ key: 'forced_push', level: 'high', text: 'Overwrites the history of `origin main`. Others may lose commits.' }] },
} as const;

let bridge: ScriptedBridge;
let ends: (() => void)[] = [];

async function open(...pending: readonly Request[]): Promise<void> {
  bridge = scriptedBridge(snapshotSample({ pending, sessions: [sessionSample({ pending: pending.length })] }), {
    'request.resolve': (given) => {
      const request = pending.find((one) => one.id === given.id) ?? requestSample();
      const status = given.action === 'approve' ? 'allowed' : 'denied';
      const settled = settledSample(request, { status, note: given.note ?? null });
      bridge.push({ put: 'request', value: settled });
      return ok(settled);
    },
    'request.scopes': () => ok({ items: [] }),
  });
  ends = [watchLeaving(), watchFocus(), watchQueueFocus(), listenToKeys(), attach(bridge)];
  render(<App />);
  await settle();
}

/** Promises under way, and what React draws for them. */
const settle = (): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(0)));
const pass = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
const push = (...requests: readonly Request[]): Promise<void> =>
  act(async () => {
    bridge.push(...requests.map((value) => ({ put: 'request', value }) as const));
    await vi.advanceTimersByTimeAsync(0);
  });
const list = () => screen.getByRole('listbox', { name: 'Requests' });
const selected = () => within(list()).getByRole('option', { selected: true }).textContent;
const button = (name: string) => screen.getByRole('button', { name });
async function key(name: string, more: KeyboardEventInit = {}, on: Element = document.activeElement ?? document.body): Promise<void> {
  fireEvent.keyDown(on, { key: name, ...more });
  await settle();
}
const answers = (): readonly unknown[] => bridge.sent.filter(({ name }) => name === 'request.resolve').map(({ input }) => input);

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
    now: Date.parse('2026-12-01T10:10:00Z'),
  });
  furnishDom();
  window.location.hash = '#/';
  useStore.setState({ projection: null, connection: 'connecting', nudge: null });
  useInbox.setState({ selectedId: null, lingering: [], aside: new Map(), asideIsOpen: false, notes: new Map() });
  useAnswers.setState({ sending: new Map(), failures: new Map(), given: new Set() });
  // The person looks at the window.
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});
afterEach(() => {
  cleanup();
  for (const end of ends) end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the inbox', () => {
  it('decides by key only once the request has been in view for 400 ms, and answers what was shown', async () => {
    await open(waiting('a', 1));
    list().focus();
    await pass(ARMING_MS - 10);
    await key('a');
    expect(answers()).toEqual([]);
    // The press itself was typing: silence first.
    await pass(ARMING_MS);
    await key('a');
    expect(answers()).toEqual([{ id: 'a', digest: waiting('a', 1).digest, action: 'approve', scope: 'once' }]);
  });

  it('begins no answer either before it has been in view so long', async () => {
    await open(waiting('a', 1));
    list().focus();
    await pass(ARMING_MS - 10);
    await key('f');
    expect(screen.queryByRole('textbox', { name: 'Tell the agent' })).toBeNull();
    await pass(ARMING_MS);
    await key('f');
    expect(screen.getByRole('textbox', { name: 'Tell the agent' })).toBeTruthy();
  });

  it('holds its buttons for as long', async () => {
    await open(waiting('a', 1));
    fireEvent.click(button('Allow once'));
    fireEvent.click(button('Deny'));
    expect(answers()).toEqual([]);
    await pass(ARMING_MS + 20);
    fireEvent.click(button('Deny'));
    await settle();
    expect(answers()).toHaveLength(1);
  });

  it('arms anew when the window gains focus', async () => {
    await open(waiting('a', 1));
    list().focus();
    await pass(1_000);
    act(() => void window.dispatchEvent(new Event('focus')));
    await key('d');
    expect(answers()).toEqual([]);
    expect(button('Deny').getAttribute('aria-disabled')).toBe('true');
  });

  it('keeps selection, detail and arming where they are when something arrives', async () => {
    await open(waiting('b', 2));
    list().focus();
    await pass(1_000);
    await push(waiting('c', 3), waiting('0', 4, { session_id: 's0' }));
    expect(selected()).toContain('npm run b');
    expect(screen.getByRole('region', { name: 'Claude Code wants to run a command' }).textContent).toContain('npm run b');
    await key('d');
    expect(answers()).toMatchObject([{ id: 'b', action: 'deny' }]);
  });

  it('goes on to the next after an answer, unarmed, and keeps the row with its outcome for a second', async () => {
    await open(waiting('a', 1), waiting('b', 2));
    list().focus();
    await pass(1_000);
    await key('a');
    expect(selected()).toContain('npm run b');
    expect(within(list()).getAllByRole('option')[0]?.textContent).toContain('Allowed by a person');
    await key('a');
    expect(answers()).toHaveLength(1);
    await pass(LINGER_MS + 20);
    expect(within(list()).getAllByRole('option')).toHaveLength(1);
    expect(document.activeElement).toBe(list());
  });

  it('keeps focus in the detail when the button that was pressed goes', async () => {
    await open(waiting('a', 1), waiting('b', 2));
    await pass(1_000);
    button('Deny').focus();
    fireEvent.click(button('Deny'));
    await settle();
    expect(selected()).toContain('npm run b');
    expect(document.activeElement?.closest('[data-queue]')).not.toBeNull();
  });

  it('shows what was settled elsewhere with its decision and without answers', async () => {
    await open(waiting('a', 1), waiting('b', 2));
    await pass(1_000);
    await push(settledSample(waiting('a', 1), { status: 'denied', resolved_by: 'person:cli' }));
    await pass(LINGER_MS + 20);
    expect(screen.queryByRole('button', { name: 'Allow once' })).toBeNull();
    expect(screen.getAllByText('Denied by a person.').length).toBeGreaterThan(0);
    expect(screen.getByText(/A person at the command line/)).toBeTruthy();
    // What waits is still there to be chosen.
    expect(within(list()).getAllByRole('option')).toHaveLength(1);
  });

  it('keeps what the agent stopped waiting for until it is dismissed', async () => {
    await open(waiting('a', 1));
    await pass(1_000);
    await push(settledSample(waiting('a', 1), { status: 'blocked', cause: 'withdrawn', resolved_by: 'gate' }));
    await pass(10 * LINGER_MS);
    expect(screen.getByText('The agent stopped waiting.')).toBeTruthy();
    fireEvent.click(button('Dismiss'));
    await settle();
    expect(screen.queryByRole('listbox', { name: 'Requests' })).toBeNull();
  });

  it('takes no plain key for a high risk, and allows it only after it was acknowledged', async () => {
    await open(waiting('a', 1, HIGH));
    list().focus();
    await pass(1_000);
    await key('a');
    expect(answers()).toEqual([]);
    await pass(1_000);
    await key('Enter', { ctrlKey: true });
    expect(answers()).toEqual([]);
    expect(screen.getByRole('region', { name: /^Overwrites the history of origin main/ })).toBeTruthy();
    fireEvent.click(screen.getByRole('checkbox', { name: /I have read it/ }));
    await key('Enter', { ctrlKey: true });
    expect(answers()).toMatchObject([{ id: 'a', action: 'approve' }]);
  });

  it('decides nothing by what is typed into the note, and sends it with the modifier', async () => {
    await open(waiting('a', 1));
    list().focus();
    await pass(1_000);
    await key('f');
    const note = screen.getByRole('textbox', { name: 'Tell the agent' });
    expect(document.activeElement).toBe(note);
    for (const letter of ['a', 'd', ' ', '1']) {
      await pass(1_000);
      await key(letter, {}, note);
    }
    expect(answers()).toEqual([]);
    fireEvent.change(note, { target: { value: 'Use the script.' } });
    await key('Enter', { ctrlKey: true }, note);
    expect(answers()).toMatchObject([{ id: 'a', action: 'deny', note: 'Use the script.' }]);
  });

  it('closes the note by Escape, keeps the request and what was written', async () => {
    await open(waiting('a', 1), waiting('b', 2));
    list().focus();
    await pass(1_000);
    await key('f');
    fireEvent.change(screen.getByRole('textbox', { name: 'Tell the agent' }), { target: { value: 'half' } });
    list().focus();
    await key('j', {}, list());
    expect(screen.queryByRole('textbox', { name: 'Tell the agent' })).toBeNull();
    await key('k', {}, list());
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Tell the agent' }).value).toBe('half');
    await key('Escape', {}, screen.getByRole('textbox', { name: 'Tell the agent' }));
    expect(screen.queryByRole('textbox', { name: 'Tell the agent' })).toBeNull();
    expect(answers()).toEqual([]);
  });

  it('asks to reread what changed while it was read', async () => {
    await open(waiting('a', 1));
    list().focus();
    await pass(1_000);
    await push(waiting('a', 1, { digest: 'f'.repeat(64), paths: [{ raw: 'x', canonical: '/etc/x', access: 'write', origin: 'operand' }] }));
    expect(screen.getByRole('alert').textContent).toContain('This changed while you were reading.');
    expect(screen.getByRole('alert').textContent).toContain('Now: write /etc/x');
    await key('a');
    expect(screen.queryByRole('button', { name: 'Allow once' })).toBeNull();
    fireEvent.click(button('Reread'));
    await pass(1_000);
    fireEvent.click(button('Allow once'));
    await settle();
    expect(answers()).toMatchObject([{ id: 'a', digest: 'f'.repeat(64) }]);
  });

  it('shows no button as usable while Gatehouse cannot be reached', async () => {
    await open(waiting('a', 1));
    list().focus();
    await pass(1_000);
    act(() => bridge.setConnection('connecting'));
    expect(screen.getByRole('alert').textContent).toContain('Gatehouse cannot be reached.');
    for (const name of ['Allow once', 'Deny', 'Deny with note']) expect(button(name).getAttribute('aria-disabled')).toBe('true');
    await key('d');
    fireEvent.click(button('Allow once'));
    expect(answers()).toEqual([]);
    act(() => bridge.setConnection('connected'));
    await pass(1_000);
    expect(button('Deny').getAttribute('aria-disabled')).toBe('false');
  });

  it('says beside the request why an answer was not taken', async () => {
    await open(waiting('a', 1));
    await pass(1_000);
    bridge.invoke = async () => ({
      ok: false,
      failure: { code: 'stale', message: 'What this call would touch has changed.', hint: 'Read it again.' },
    });
    fireEvent.click(button('Allow once'));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('What this call would touch has changed.');
    expect(selected()).toContain('npm run a');
  });

  it('puts a request aside and brings it back when it changes', async () => {
    await open(waiting('a', 1), waiting('b', 2));
    list().focus();
    await pass(1_000);
    await key('h');
    expect(selected()).toContain('npm run b');
    expect(within(list()).getAllByRole('option')).toHaveLength(1);
    await push(waiting('a', 1, { digest: 'e'.repeat(64) }));
    expect(within(list()).getAllByRole('option')).toHaveLength(2);
    expect(selected()).toContain('npm run b');
  });

  it('is shown by a notification on its request, unarmed', async () => {
    await open(waiting('a', 1), waiting('b', 2));
    await pass(1_000);
    window.location.hash = '#/settings';
    await pass(50);
    act(() => bridge.nudge({ show: 'inbox', request_id: 'b' }));
    await pass(50);
    expect(selected()).toContain('npm run b');
    expect(button('Allow once').getAttribute('aria-disabled')).toBe('true');
    expect(document.title).toBe('(2) Gatehouse');
  });
});
