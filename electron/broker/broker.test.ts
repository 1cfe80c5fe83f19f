import { mkdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS, type CommandName } from '../../shared/commands';
import type { Change, Changes } from '../../shared/projection';
import { TOKEN_SCOPES } from '../../shared/terms';
import { ADMIN, AGENT, Bench, operator, outcome } from './test-bench';
import { turns } from './test-clock';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

const NAMES = Object.keys(COMMANDS) as CommandName[];

describe('the dispatcher', () => {
  it('has a handler for every command but those of the agents on this machine', async () => {
    for (const name of NAMES.filter((one) => !one.startsWith('agent.'))) {
      const result = await bench.broker.call(name, { nonsense: 1 }, ADMIN);
      expect([name, result.ok ? 'ok' : result.failure.code]).toEqual([name, 'invalid']);
    }
    expect((await bench.fails('agent.list', {})).code).toBe('unsupported');
  });

  it('refuses whoever lacks the scope, before it looks at the input', async () => {
    for (const name of NAMES) {
      const { scope } = COMMANDS[name];
      for (const held of TOKEN_SCOPES) {
        const result = await bench.broker.call(name, { nonsense: 1 }, { scopes: new Set([held]), door: 'http', name: 'x' });
        const isAllowed = held === scope || held === 'operator.admin' || scope === 'agent';
        expect([name, held, !result.ok && result.failure.code === 'forbidden']).toEqual([name, held, !isAllowed]);
      }
    }
  });

  it.each([
    ['session.open', { agent: 'x', colour: 'red' }, 'colour'],
    ['session.open', { agent: 'x', run_context: { allow_everything: true } }, 'run_context.allow_everything'],
    ['session.open', { agent: 'x', run_context: { hooks: [{ event: 'pre-tool', command: 'true' }] } }, 'run_context.hooks.0.event'],
    ['run_context.set', { target: { owner: 'session', session_id: 's' }, run_context: { budget: { max_turns: 'ten' } } }, 'budget.max_turns'],
    ['rule.create', { tool_pattern: 'x', action: 'deny', priority: 'high' }, 'priority'],
    ['rule.create', { tool_pattern: 'x', action: 'deny', hard: 'yes' }, 'hard'],
    ['request.submit', { session_id: 's', call_id: 'k', input: {} }, 'tool'],
    ['session.turn', { session_id: 's', state: 'dreaming' }, 'state'],
    ['request.resolve', { id: 'r', action: 'approve', digest: 'a'.repeat(64), choice: [{ unit: 'x', width: 'wide' }] }, 'choice.0.width'],
    ['settings.update', { reviewer: { type: 'command' } }, 'reviewer.command'],
  ] as const)('names the field of a wrong %s: %j', async (name, input, subject) => {
    const result = await bench.broker.call(name, input, ADMIN);
    expect(result).toMatchObject({ ok: false, failure: { code: 'invalid', subject, message: expect.stringContaining(subject) } });
  });

  it('answers with a failure, not an exception, when the disk refuses, and lets nothing through', async () => {
    await bench.rule({ tool_pattern: 'Read', action: 'allow' });
    const session = await bench.open();
    const waits = await bench.write(session, 'a');
    // The settings file cannot be written, and commits of one turn of the event loop reach the disk together or not at all.
    const refusesSettings = bench.path('data/settings.json');
    rmSync(refusesSettings, { force: true });
    mkdirSync(refusesSettings);
    const together = await Promise.all([
      bench.call('settings.update', { theme: 'dark' }),
      bench.call('request.submit', { session_id: session.id, call_id: 'k', tool: 'Read', input: { file_path: 'a' } }, AGENT),
      bench.call('request.resolve', { id: waits.id, digest: waits.digest, action: 'approve' }),
    ]);
    expect(together.map((result) => (result.ok ? 'ok' : result.failure.code))).toEqual(['storage', 'storage', 'storage']);
    expect(await bench.ok('health.get', {})).toMatchObject({ status: 'degraded', problems: [{ code: 'storage_failed' }] });
    rmSync(refusesSettings, { recursive: true });
    expect((await bench.ok('inbox.list', {})).items.map((request) => request.id)).toEqual([waits.id]);
    expect((await bench.ok('settings.get', {})).theme).toBe('system');
    expect(outcome(await bench.approve(waits))).toBe('allowed human');
    expect((await bench.ok('health.get', {})).status).toBe('ok');
  });

  it('answers nothing more once it is closed', async () => {
    await bench.broker.close();
    expect((await bench.fails('health.get', {})).code).toBe('unavailable');
  });
});

describe('settings', () => {
  it('are changed part by part and settle what waits', async () => {
    expect(await bench.ok('settings.update', { theme: 'dark' })).toMatchObject({ theme: 'dark', keep_in_tray: true });
    expect((await bench.fails('settings.update', { theme: 'dark' }, operator('operator.write'))).code).toBe('forbidden');
    const failure = await bench.fails('settings.update', { run_context_defaults: { agents: { x: { security_group: 'nope' } } } });
    expect(failure).toMatchObject({ code: 'invalid', subject: 'run_context_defaults.agents.x.security_group' });
  });

  it('give agents and sources their defaults, the agent first', async () => {
    await bench.ok('settings.update', {
      run_context_defaults: { agents: { bot: { withheld: ['A'] } }, sources: { cron: { withheld: ['B'], phase: 'plan' } } },
    });
    const { effective } = await bench.open({ agent: 'bot', source: 'cron' });
    expect(effective.fields.withheld).toMatchObject({
      value: ['A'],
      origin: 'agent_default',
      replaced: [{ value: ['B'], origin: 'source_default' }],
    });
    expect(effective.fields.phase).toMatchObject({ value: 'plan', origin: 'source_default' });
  });
});

describe('history', () => {
  it('has every call and answer, chained, and can be searched by request', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await bench.deny(request, { note: 'not that' });
    const { items } = await bench.ok('activity.list', { request_id: request.id });
    expect(items.map((entry) => [entry.type, entry.actor, entry.cause])).toEqual([
      ['request.settled', 'person:http', 'human'],
      ['request.received', `agent:${session.id}`, null],
    ]);
    expect(await bench.ok('activity.verify', {})).toMatchObject({ intact: true });
  });

  it('lists requests newest first, page by page', async () => {
    const session = await bench.open();
    for (const path of ['a', 'b', 'c']) await bench.write(session, path);
    const first = await bench.ok('request.list', { session_id: session.id, limit: 2 });
    expect(first.items.map((request) => request.input.file_path)).toEqual(['c', 'b']);
    const second = await bench.ok('request.list', { session_id: session.id, limit: 2, before: first.next ?? '' });
    expect(second.items.map((request) => request.input.file_path)).toEqual(['a']);
  });
});

describe('what a window is told', () => {
  /** A window: a snapshot, then the changes, by name and id. */
  async function watch() {
    await turns();
    const snapshot = await bench.broker.snapshot();
    const batches: Changes[] = [];
    bench.broker.onChanges((changes) => batches.push(changes));
    const changes = async (): Promise<readonly Change[]> => {
      await turns();
      return batches.flatMap((batch) => batch.changes);
    };
    return { snapshot, batches, changes };
  }

  it('begins with what waits, the last decisions, sessions and records', async () => {
    const session = await bench.open();
    const waits = await bench.write(session, 'a');
    const denied = await bench.deny(await bench.write(session, 'b'));
    const snapshot = await bench.broker.snapshot();
    expect(snapshot.pending.map((request) => request.id)).toEqual([waits.id]);
    expect(snapshot.recent.map((request) => request.id)).toEqual([denied.id]);
    expect(snapshot.sessions).toMatchObject([{ id: session.id, pending: 1, effective_mode: null }]);
    expect(snapshot.groups.map((group) => group.id)).toEqual(['default']);
    expect(snapshot.health).toMatchObject({ status: 'ok', pending: 1 });
  });

  it('goes on in numbered batches without a gap', async () => {
    const { snapshot, batches, changes } = await watch();
    const session = await bench.open();
    await bench.write(session, 'a');
    await changes();
    expect(batches.length).toBeGreaterThan(0);
    expect(batches.map((batch) => batch.revision)).toEqual(batches.map((_, index) => snapshot.revision + 1 + index));
  });

  it('has a request as it waits, is left, and is decided', async () => {
    const { changes } = await watch();
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await turns();
    await bench.clock.advance(5_000);
    await bench.deny(request);
    const told = (await changes()).flatMap((change) => ('put' in change && change.put === 'request' ? [change.value] : []));
    expect(told.map((one) => [one.status, one.detached])).toEqual([
      ['pending', false],
      ['pending', true],
      ['denied', false],
    ]);
  });

  it('has the sessions that a change of their project concerns', async () => {
    const project = await bench.ok('project.create', { name: 'Site' });
    const session = await bench.open({ project_id: project.id }, ADMIN);
    const { changes } = await watch();
    await bench.ok('run_context.set', { target: { owner: 'project', project_id: project.id }, run_context: { phase: 'plan' } });
    const views = (await changes()).flatMap((change) => ('put' in change && change.put === 'session' ? [change.value] : []));
    expect(views.map((view) => [view.id, view.effective.values.phase])).toEqual([[session.id, 'plan']]);
  });

  it('has what goes along with a record that is deleted', async () => {
    const project = await bench.ok('project.create', { name: 'Site' });
    const ticket = await bench.ok('ticket.create', { project_id: project.id, title: 'T' });
    await bench.ok('group.create', { id: 'team', name: 'Team' });
    const rule = await bench.rule({ group_id: 'team', tool_pattern: 'x', action: 'deny' });
    const { changes } = await watch();
    await bench.ok('project.delete', { id: project.id });
    await bench.ok('group.delete', { id: 'team' });
    const removed = (await changes()).flatMap((change) => ('remove' in change ? [`${change.remove} ${change.id}`] : []));
    expect(removed.sort()).toEqual([`group team`, `project ${project.id}`, `rule ${rule.id}`, `ticket ${ticket.id}`]);
  });

  it('has remembered answers as they come and go', async () => {
    const session = await bench.open();
    const { changes } = await watch();
    await bench.approve(await bench.write(session, 'a'), { scope: 'session' });
    await turns();
    await bench.ok('session.end', { session_id: session.id }, AGENT);
    const grants = (await changes()).filter(
      (change) => ('put' in change && change.put === 'grant') || ('remove' in change && change.remove === 'grant'),
    );
    expect(grants.map((change) => ('put' in change ? 'put' : 'remove'))).toEqual(['put', 'remove']);
  });
});
