import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, AGENT, Bench, operator, outcome } from './test-bench';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('opening', () => {
  it('makes an explicit cwd the canonical root, whatever its spelling', async () => {
    bench.dirs('app/sub');
    bench.link('alias', bench.app);
    for (const cwd of [bench.app, bench.path('alias'), `${bench.path('app/sub')}/../`]) {
      expect((await bench.open({ cwd })).root).toBe(bench.app);
    }
  });

  it('without a cwd takes the configured workspace of the agent', async () => {
    await bench.ok('settings.update', { agent_workspaces: { 'claude-code': bench.ext } });
    expect(await bench.ok('session.open', { agent: 'claude-code' }, AGENT)).toMatchObject({ root: bench.ext, cwd: bench.ext });
    expect(await bench.ok('session.open', { agent: 'other' }, AGENT)).toMatchObject({ root: null, cwd: null });
  });

  it('takes a folder of the project as working directory only', async () => {
    const project = await bench.ok('project.create', { name: 'Site', folder: bench.ext });
    const session = await bench.open({ project_id: project.id }, ADMIN);
    expect([session.root, session.effective.working_directory]).toEqual([bench.app, bench.ext]);
  });

  it('refuses a cwd that is not absolute', async () => {
    expect(await bench.fails('session.open', { agent: 'x', cwd: 'app' }, AGENT)).toMatchObject({ code: 'invalid', subject: 'cwd' });
  });

  it.each([
    ['run_context', { run_context: { allow_fs_writes: ['/'] } }],
    ['mode', { mode: 'guarded' as const }],
    ['allow_read', { allow_read: ['/'] }],
    ['allow_write', { allow_write: ['/'] }],
    ['project_id', { project_id: 'any' }],
    ['ticket_id', { ticket_id: 'any' }],
  ])('by an agent that gives itself %s is refused', async (subject, more) => {
    expect(await bench.fails('session.open', { agent: 'x', ...more }, AGENT)).toMatchObject({ code: 'forbidden', subject });
  });

  it.each([{ mode: 'full' as const }, { run_context: { permission_mode: 'full' as const } }])('in mode full needs the admin: %o', async (more) => {
    expect((await bench.fails('session.open', { agent: 'x', ...more }, operator('operator.write'))).code).toBe('forbidden');
    await bench.ok('session.open', { agent: 'x', ...more }, ADMIN);
  });

  it('names the field of an unknown group, project and ticket', async () => {
    const refused = [
      [{ run_context: { security_group: 'nope' } }, 'run_context.security_group'],
      [{ project_id: 'nope' }, 'project_id'],
      [{ ticket_id: 'nope' }, 'ticket_id'],
    ] as const;
    for (const [more, subject] of refused)
      expect(await bench.fails('session.open', { agent: 'x', ...more })).toMatchObject({ code: 'invalid', subject });
  });

  it('in an archived project is refused', async () => {
    const project = await bench.ok('project.create', { name: 'Old' });
    await bench.ok('project.update', { id: project.id, archived: true });
    expect((await bench.fails('session.open', { agent: 'x', project_id: project.id })).code).toBe('conflict');
    expect((await bench.fails('ticket.create', { project_id: project.id, title: 'T' })).code).toBe('conflict');
  });

  it('samples the machine when the run context asks for it, and not otherwise', async () => {
    const sampled = await bench.open({ run_context: { homeostat: true } }, ADMIN);
    expect(sampled.homeostat).toMatchObject({ pending: 0, memory: { total_bytes: expect.any(Number) } });
    expect((await bench.open()).homeostat).toBeNull();
  });
});

describe('opening again with the same external id', () => {
  it('joins the live session, also from another directory', async () => {
    const first = await bench.open({ external_id: 'run-1' });
    const again = await bench.open({ external_id: 'run-1', cwd: bench.ext });
    expect([again.id, again.root, again.cwd]).toEqual([first.id, bench.app, bench.app]);
  });

  it('opens a new one for another agent, and after the first has ended', async () => {
    const first = await bench.open({ external_id: 'run-1' });
    const other = await bench.open({ external_id: 'run-1', agent: 'codex' });
    await bench.ok('session.end', { session_id: first.id }, AGENT);
    const next = await bench.open({ external_id: 'run-1' });
    expect(new Set([first.id, other.id, next.id]).size).toBe(3);
  });

  it('is refused when it would change what a person gives', async () => {
    const first = await bench.open({ external_id: 'run-1', mode: 'guarded' }, ADMIN);
    expect((await bench.open({ external_id: 'run-1', mode: 'guarded' }, ADMIN)).id).toBe(first.id);
    const failure = await bench.fails('session.open', { agent: 'claude-code', external_id: 'run-1', mode: 'read-only' });
    expect(failure).toMatchObject({ code: 'conflict', subject: { session_id: first.id, field: 'mode' } });
  });
});

describe('a managed worktree', () => {
  it('has its checkout as root, the nested cwd as cwd, and works in mode workspace', async () => {
    bench.file('app/.git', 'gitdir: elsewhere');
    bench.dirs('app/deep/er');
    const session = await bench.open({ cwd: bench.path('app/deep/er'), worktree: true }, ADMIN);
    expect([session.root, session.cwd, session.mode]).toEqual([bench.app, bench.path('app/deep/er'), 'workspace']);
  });

  it('opened by an agent has no mode by itself', async () => {
    bench.dirs('app/.git', 'app/deep');
    const session = await bench.open({ cwd: bench.path('app/deep'), worktree: true });
    expect([session.root, session.mode]).toEqual([bench.app, null]);
  });

  it('keeps a mode that was given', async () => {
    const session = await bench.open({ worktree: true, mode: 'read-only' }, ADMIN);
    expect(session.mode).toBe('read-only');
  });
});

describe('a child', () => {
  const child = (parent: { readonly id: string }, more = {}, caller = AGENT) =>
    bench.ok('session.open', { agent: 'claude-code', parent_id: parent.id, ...more }, caller);

  it('inherits root, mode, project and headlessness', async () => {
    const project = await bench.ok('project.create', { name: 'Site' });
    const parent = await bench.open({ mode: 'guarded', project_id: project.id, headless: true }, ADMIN);
    expect(await child(parent)).toMatchObject({ root: bench.app, mode: 'guarded', project_id: project.id, headless: true });
  });

  it('of full works in workspace, and its child too, unless a person gives it full', async () => {
    const parent = await bench.open({ mode: 'full' }, ADMIN);
    const first = await child(parent);
    expect([first.mode, (await child(first)).mode]).toEqual(['workspace', 'workspace']);
    expect((await bench.ok('session.mode', { session_id: first.id, mode: 'full' })).mode).toBe('full');
  });

  it('follows its parent when that is narrowed later', async () => {
    const parent = await bench.open({ mode: 'guarded' }, ADMIN);
    const one = await child(parent);
    expect(outcome(await bench.write(one, 'a'))).toBe('allowed mode');
    await bench.ok('session.mode', { session_id: parent.id, mode: 'read-only' });
    expect(outcome(await bench.write(one, 'b'))).toBe('denied mode');
  });

  it('of an agent cannot take what it inherits to another place', async () => {
    const parent = await bench.open({ mode: 'guarded' }, ADMIN);
    bench.dirs('app/sub');
    expect(await child(parent, { cwd: bench.path('app/sub') })).toMatchObject({ root: bench.app, cwd: bench.path('app/sub') });
    const failure = await bench.fails('session.open', { agent: 'x', parent_id: parent.id, cwd: bench.ext }, AGENT);
    expect(failure).toMatchObject({ code: 'forbidden', subject: 'cwd' });
    expect(await child(parent, { cwd: bench.ext }, ADMIN)).toMatchObject({ root: bench.ext, mode: 'guarded' });
  });

  it('pays from the budget of its parent, whoever of them calls', async () => {
    await bench.rule({ tool_pattern: '*', action: 'allow' });
    const parent = await bench.open({ run_context: { budget: { max_tool_calls: 2 } } }, ADMIN);
    const [one, two] = [await child(parent), await child(parent)];
    expect(outcome(await bench.write(one, 'a'))).toBe('allowed rule');
    expect(outcome(await bench.write(two, 'b'))).toBe('allowed rule');
    expect(outcome(await bench.write(one, 'c'))).toBe('denied budget');
    expect(outcome(await bench.write(parent, 'd'))).toBe('denied budget');
    expect(outcome(await bench.write(await child(parent), 'e'))).toBe('denied budget');
  });

  it('is cancelled with its parent, and one that is opened later is born cancelled', async () => {
    const parent = await bench.open();
    const one = await child(parent);
    const waiting = await bench.write(one, 'a');
    await bench.ok('session.cancel', { session_id: parent.id });
    expect(outcome(await bench.get(waiting))).toBe('blocked cancelled');
    expect(outcome(await bench.write(one, 'b'))).toBe('denied cancelled');
    expect(outcome(await bench.write(await child(parent), 'c'))).toBe('denied cancelled');
  });

  it('of an unknown or ended parent is refused', async () => {
    expect((await bench.fails('session.open', { agent: 'x', parent_id: 'nope' }, AGENT)).code).toBe('not_found');
    const parent = await bench.open();
    await bench.ok('session.end', { session_id: parent.id }, AGENT);
    expect((await bench.fails('session.open', { agent: 'x', parent_id: parent.id }, AGENT)).code).toBe('conflict');
  });

  it('stays under what its parent could not do when the parent has ended, also after a restart', async () => {
    const parent = await bench.open({ run_context: { phase: 'plan' } }, ADMIN);
    const one = await child(parent);
    await bench.ok('session.end', { session_id: parent.id }, AGENT);
    await bench.restart(2 * 3_600_000);
    expect(outcome(await bench.write(one, 'a'))).toBe('denied phase');
  });
});

describe('resuming', () => {
  const flags = () => ({ allow_read: [bench.path('ext/ref')] });
  beforeEach(() => bench.dirs('ext/ref', 'ext/out', 'ext/def'));

  it('restores what was saved, also when it is missing now, with flags on top and no defaults', async () => {
    const session = await bench.open(flags(), ADMIN);
    await bench.ok('access_defaults.add', { root: bench.app, path: bench.path('ext/def'), mode: 'read' });
    await bench.ok('session.end', { session_id: session.id }, AGENT);
    const { rmSync } = await import('node:fs');
    rmSync(bench.path('ext/ref'), { recursive: true });
    const resumed = await bench.ok('session.open', { agent: 'claude-code', resume: session.id, allow_write: [bench.path('ext/out')] });
    expect(resumed.id).toBe(session.id);
    expect(resumed.access.map(({ path, mode }) => [path, mode])).toEqual([
      [bench.path('ext/ref'), 'read'],
      [bench.path('ext/out'), 'write'],
    ]);
    expect(resumed.ended_at).toBeNull();
  });

  it('does not resolve a saved entry again', async () => {
    bench.dirs('ext/one', 'ext/two');
    bench.link('ext/link', bench.path('ext/one'));
    const session = await bench.open({ allow_read: [bench.path('ext/link')] }, ADMIN);
    await bench.ok('session.end', { session_id: session.id }, AGENT);
    bench.link('ext/link', bench.path('ext/two'));
    const resumed = await bench.ok('session.open', { agent: 'claude-code', resume: session.id });
    expect(resumed.access.map((entry) => entry.path)).toEqual([bench.path('ext/one')]);
  });

  it('is refused by a saved list that is not sound, and changes nothing', async () => {
    const session = await bench.open(flags(), ADMIN);
    await bench.ok('session.end', { session_id: session.id }, AGENT);
    const ended = bench.store.session(session.id);
    if (!ended) throw new Error('gone');
    const path = bench.path('ext/ref');
    const broken = {
      ...ended,
      access: [
        { path, mode: 'read' as const },
        { path, mode: 'write' as const },
      ],
    };
    bench.store.commit([
      { type: 'test.broken', at: ended.created_at, actor: 'test', summary: 'broken', writes: [{ put: 'session', value: broken }] },
    ]);
    const failure = await bench.fails('session.open', { agent: 'claude-code', resume: session.id });
    expect(failure.code).toBe('conflict');
    expect(bench.store.session(session.id)?.ended_at).not.toBeNull();
  });

  it('keeps the session where it was', async () => {
    const session = await bench.open();
    await bench.ok('session.end', { session_id: session.id }, AGENT);
    const failure = await bench.fails('session.open', { agent: 'claude-code', resume: session.id, cwd: bench.ext }, AGENT);
    expect(failure).toMatchObject({ code: 'invalid', subject: { field: 'cwd' } });
    expect((await bench.open({ resume: session.id })).root).toBe(bench.app);
  });

  it('does not lift a cancellation', async () => {
    const session = await bench.open();
    await bench.ok('session.cancel', { session_id: session.id });
    await bench.ok('session.end', { session_id: session.id }, AGENT);
    await bench.open({ resume: session.id });
    expect(outcome(await bench.write(session, 'a'))).toBe('denied cancelled');
  });

  it('lets wall time begin anew', async () => {
    await bench.rule({ tool_pattern: '*', action: 'allow' });
    const session = await bench.open({ run_context: { budget: { max_wall_s: 60 } } }, ADMIN);
    bench.clock.jump(59_000);
    expect(outcome(await bench.write(session, 'a'))).toBe('allowed rule');
    bench.clock.jump(1_000);
    expect(outcome(await bench.write(session, 'b'))).toBe('denied budget');
    await bench.ok('session.end', { session_id: session.id }, AGENT);
    await bench.open({ resume: session.id });
    expect(outcome(await bench.write(session, 'c'))).toBe('allowed rule');
  });
});

describe('forking', () => {
  it('copies the settings and neither directories nor answers', async () => {
    bench.dirs('ext/ref');
    const session = await bench.open(
      { mode: 'guarded', run_context: { withheld: ['Bash'] }, allow_read: [bench.path('ext/ref')], external_id: 'run-1' },
      ADMIN,
    );
    const fork = await bench.ok('session.fork', { session_id: session.id });
    expect(fork).toMatchObject({ root: bench.app, mode: 'guarded', run_context: { withheld: ['Bash'] }, access: [], external_id: null });
    expect(fork.cancel_token).not.toBe(session.cancel_token);
  });

  it('of a full session by someone who could not give full works in workspace', async () => {
    const session = await bench.open({ mode: 'full' }, ADMIN);
    const fork = await bench.ok('session.fork', { session_id: session.id }, operator('operator.write'));
    expect([fork.mode, fork.notices.length]).toEqual(['workspace', 1]);
    expect((await bench.ok('session.fork', { session_id: session.id }, ADMIN)).mode).toBe('full');
  });
});

describe('a caller that is bound to its sessions', () => {
  it('neither reads, withdraws nor uses what belongs to others', async () => {
    const [mine, theirs] = [await bench.open(), await bench.open()];
    const request = await bench.write(theirs, 'a');
    const bound = { ...AGENT, door: 'websocket' as const, sessionIds: new Set([mine.id]) };
    expect((await bench.fails('request.get', { id: request.id }, bound)).code).toBe('not_found');
    expect((await bench.fails('request.withdraw', { id: request.id }, bound)).code).toBe('not_found');
    for (const attempt of [
      bench.fails('request.submit', { session_id: theirs.id, call_id: 'k', tool: 'Read', input: {} }, bound),
      bench.fails('session.inbox', { session_id: theirs.id }, bound),
      bench.fails('session.context', { session_id: theirs.id }, bound),
      bench.fails('session.end', { session_id: theirs.id }, bound),
    ]) {
      expect((await attempt).code).toBe('not_found');
    }
    expect((await bench.get(request)).status).toBe('pending');
    await bench.ok('session.context', { session_id: mine.id }, bound);
  });
});

describe('what an agent is told', () => {
  it('is its prompt, directories and settings', async () => {
    bench.dirs('ext/ref');
    const run_context = { system_prompt: ['One.', 'Two.'], compact_at_tokens: 9_000, phase: 'plan' as const };
    const session = await bench.open({ run_context, mode: 'guarded', allow_read: [bench.path('ext/ref')] }, ADMIN);
    const told = await bench.ok('session.context', { session_id: session.id }, AGENT);
    expect(told).toMatchObject({
      system_prompt: 'One.\n\nTwo.',
      compact_at_tokens: 9_000,
      mode: 'guarded',
      phase: 'plan',
      working_directory: bench.app,
    });
    expect(told.directories).toContain(`${bench.path('ext/ref')} (read only)`);
  });

  it('refreshes at the next turn, and so does what is hidden', async () => {
    const session = await bench.open();
    const tools = async () => (await bench.ok('session.tools', { session_id: session.id, names: ['Bash'] }, AGENT)).tools[0]?.hidden;
    const prompt = async () => (await bench.ok('session.context', { session_id: session.id }, AGENT)).system_prompt;
    const turn = (state: 'turn' | 'idle') => bench.ok('session.turn', { session_id: session.id, state }, AGENT);
    await turn('turn');
    await bench.rule({ tool_pattern: 'Bash', action: 'deny' });
    await bench.ok('run_context.set', { target: { owner: 'session', session_id: session.id }, run_context: { system_prompt: ['New.'] } });
    expect([await tools(), await prompt()]).toEqual([false, null]);
    // The gate itself does not wait for a turn.
    expect(outcome(await bench.bash(session, 'ls'))).toBe('denied rule');
    await turn('turn');
    expect([await tools(), await prompt()]).toEqual([true, 'New.']);
    await turn('idle');
    expect([await tools(), await prompt()]).toEqual([true, 'New.']);
  });
});
