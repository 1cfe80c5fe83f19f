import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandName, Draft } from '../../shared/commands';
import { type Broker, createBroker } from '../broker/broker';
import type { Caller } from '../broker/caller';
import type { CallCommand, ForeignRoute } from '../broker/http';
import { createPaths } from '../broker/paths';
import { openStore, type Store } from '../store/store';
import { claudeCodeHooks } from './claude-code-hooks';

const AGENT: Caller = { scopes: new Set(['agent']), door: 'hook', name: 'agent' };
const ADMIN: Caller = { scopes: new Set(['operator.admin']), door: 'http', name: 'operator' };

let folder: string;
let store: Store;
let broker: Broker;
let route: ForeignRoute;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-hooks-')));
  const dataDir = join(folder, 'data');
  ({ store } = openStore({ dataDir, now: Date.now }));
  broker = createBroker({ store, paths: createPaths({ home: join(folder, 'home') }), now: Date.now, dataDir, version: '0' });
  route = claudeCodeHooks();
});
afterEach(async () => {
  await broker.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const call: CallCommand = (name, input) => broker.call(name, input, AGENT);
const operate = async <N extends CommandName>(name: N, input: Draft<N>) => {
  const result = await broker.call(name, input, ADMIN);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};
const event = (name: string, more: object = {}) => ({ hook_event_name: name, session_id: 'claude-1', cwd: folder, ...more });
const tool = (name: string, id: string | undefined, command = 'touch MARKER') =>
  event(name, { tool_name: 'Bash', tool_input: { command }, prompt_id: 'p1', ...(id === undefined ? {} : { tool_use_id: id }) });
const send = (body: unknown, signal = new AbortController().signal) => route.handle(body, new URLSearchParams(), call, signal);
const rule = (action: 'allow' | 'deny', reason = '') => operate('rule.create', { tool_pattern: 'Bash', action, priority: 1, reason });

/** Answers the one request that waits, as soon as it does. */
async function answer(input: Partial<Draft<'request.resolve'>>): Promise<void> {
  for (;;) {
    const [waiting] = (await operate('inbox.list', {})).items;
    if (waiting !== undefined) {
      await operate('request.resolve', { action: 'approve', ...input, id: waiting.id, digest: waiting.digest });
      return;
    }
  }
}

describe('a PreToolUse event', () => {
  it('is allowed by a rule without a person', async () => {
    await rule('allow');
    expect(await send(tool('PreToolUse', 't1'))).toMatchObject({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } });
  });

  it('is denied by a rule, and the model reads the reason', async () => {
    await rule('deny', 'Use the make target.');
    expect(await send(tool('PreToolUse', 't1'))).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('Use the make target.') },
    });
  });

  it('waits for the person, whose note reaches the model', async () => {
    const [output] = await Promise.all([send(tool('PreToolUse', 't1')), answer({ action: 'deny', note: 'not in this ticket' })]);
    expect(output).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('not in this ticket') },
    });
  });

  it.each([
    ['no object', 'x'],
    ['an event without its tool', event('PreToolUse')],
    ['an event without a session', { hook_event_name: 'PreToolUse', tool_name: 'Bash' }],
    ['a tool input of the wrong type', { ...tool('PreToolUse', 't1'), tool_input: 'ls' }],
  ])('that cannot be read (%s) is denied', async (_what, body) => {
    await rule('allow');
    expect(await send(body)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  it('whose caller hangs up is answered with a denial, and its request waits on', async () => {
    const hangUp = new AbortController();
    hangUp.abort();
    const output = await route.handle(
      tool('PreToolUse', 't1'),
      new URLSearchParams(),
      (name, input) => broker.call(name, input, { ...AGENT, signal: hangUp.signal }),
      hangUp.signal,
    );
    expect(output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect((await operate('inbox.list', {})).items).toHaveLength(1);
  });

  it('is denied when the gate fails', async () => {
    const output = await route.handle(
      tool('PreToolUse', 't1'),
      new URLSearchParams(),
      () => Promise.reject(new Error('broken')),
      new AbortController().signal,
    );
    expect(output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });
});

describe('a PermissionRequest event', () => {
  it('for the call that was just allowed is allowed once, and asks for the next', async () => {
    await Promise.all([send(tool('PreToolUse', 't1')), answer({})]);
    expect(await send(tool('PermissionRequest', undefined))).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'allow' } } });
    const [output] = await Promise.all([send(tool('PermissionRequest', undefined)), answer({ action: 'deny' })]);
    expect(output).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
  });

  it('is not allowed by an earlier call that has run since', async () => {
    await Promise.all([send(tool('PreToolUse', 't1')), answer({})]);
    await send(tool('PostToolUse', 't1'));
    const [output] = await Promise.all([send(tool('PermissionRequest', undefined)), answer({ action: 'deny' })]);
    expect(output).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
  });

  it('is a call of its own each time, also with the same input and prompt', async () => {
    const [first] = await Promise.all([send(tool('PermissionRequest', undefined)), answer({})]);
    expect(first).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'allow' } } });
    const [second] = await Promise.all([send(tool('PermissionRequest', undefined)), answer({ action: 'deny' })]);
    expect(second).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
  });

  it('is withdrawn here when a later event shows that the terminal answered it', async () => {
    const asked = send(tool('PermissionRequest', undefined));
    for (let waiting = 0; waiting === 0; ) waiting = (await operate('inbox.list', {})).items.length;
    await send(event('Stop'));
    expect(await asked).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
    expect((await operate('inbox.list', {})).items).toEqual([]);
  });
});

describe('events that only observe', () => {
  it('hand over instructions once, and steering once', async () => {
    await operate('settings.update', { run_context_defaults: { agents: { 'claude-code': { system_prompt: ['Prefer small commits.'] } } } });
    const first = await send(event('UserPromptSubmit', { prompt: 'go' }));
    expect(first).toMatchObject({ hookSpecificOutput: { additionalContext: expect.stringContaining('Prefer small commits.') } });
    const [session] = (await operate('session.list', {})).items;
    await operate('session.steer', { session_id: session?.id ?? '', text: 'focus on the parser' });
    const second = await send(event('UserPromptSubmit', { prompt: 'go on' }));
    expect(JSON.stringify(second)).toContain('focus on the parser');
    expect(JSON.stringify(second)).not.toContain('Prefer small commits.');
    expect(await send(event('UserPromptSubmit', { prompt: 'and on' }))).toBeNull();
  });

  it('end the session', async () => {
    await send(event('UserPromptSubmit', { prompt: 'go' }));
    await send(event('SessionEnd', { reason: 'other' }));
    expect((await operate('session.list', {})).items.map((one) => one.state)).toEqual(['ended']);
  });
});
