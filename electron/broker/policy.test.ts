import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prioritiesFor } from './rules';
import { ADMIN, Bench, outcome } from './test-bench';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('a change of policy', () => {
  it('settles what it decides of what waits, in every session, and leaves the rest', async () => {
    const [one, two] = [await bench.open(), await bench.open()];
    const [first, second, other] = [await bench.write(one, 'a'), await bench.write(two, 'a'), await bench.bash(one, 'ls')];
    await bench.rule({ tool_pattern: 'Write', action: 'deny' });
    expect([outcome(await bench.get(first)), outcome(await bench.get(second)), outcome(await bench.get(other))]).toEqual([
      'denied rule',
      'denied rule',
      'pending',
    ]);
  });

  it('names in the log what it settled', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await bench.rule({ tool_pattern: 'Write', action: 'allow' });
    const { items } = await bench.ok('activity.list', { type: 'rule.created' });
    expect(items[0]?.data).toMatchObject({ facts: { settled: [request.id] } });
  });

  it('and an answer at the same moment settle a request once', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    const [deny, rule] = await Promise.all([
      bench.call('request.resolve', { id: request.id, digest: request.digest, action: 'deny' }),
      bench.call('rule.create', { tool_pattern: 'Write', action: 'allow' }),
    ]);
    expect([deny.ok, rule.ok]).toEqual([true, true]);
    expect(outcome(await bench.get(request))).toBe('denied human');
  });

  it.each([
    ['rule', () => bench.rule({ tool_pattern: 'Write', action: 'allow' }), 'allowed rule'],
    ['hard rule', () => bench.rule({ tool_pattern: 'Write', action: 'deny', hard: true }), 'denied floor'],
    [
      'default of the agent',
      () => bench.ok('settings.update', { run_context_defaults: { agents: { 'claude-code': { allow_fs_writes: ['.'] } } } }),
      'allowed run_context',
    ],
    ['protected path', () => bench.ok('settings.update', { protected_paths: { extra: [bench.app] } }), 'denied floor'],
  ])('by a %s settles what waits', async (_, change, expected) => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await change();
    expect(outcome(await bench.get(request))).toBe(expected);
  });

  it('of the session settles what waits: mode, run context, group', async () => {
    const settled = async (change: (id: string) => Promise<unknown>) => {
      const session = await bench.open();
      const request = await bench.write(session, 'a');
      await change(session.id);
      return outcome(await bench.get(request));
    };
    const context = (run_context: object) => (session_id: string) =>
      bench.ok('run_context.set', { target: { owner: 'session', session_id }, run_context });
    await bench.ok('group.create', { id: 'strict', name: 'Strict' });
    await bench.rule({ group_id: 'strict', tool_pattern: 'Write', action: 'deny' });
    expect(await settled((session_id) => bench.ok('session.mode', { session_id, mode: 'guarded' }))).toBe('allowed mode');
    expect(await settled((session_id) => bench.ok('session.mode', { session_id, mode: 'read-only' }))).toBe('denied mode');
    expect(await settled(context({ allow_fs_writes: ['.'] }))).toBe('allowed run_context');
    expect(await settled(context({ security_group: 'strict' }))).toBe('denied rule');
    expect(await settled(context({ withheld: ['Write'] }))).toBe('denied withheld');
    expect(await settled(context({ outbox: ['Write'] }))).toBe('staged outbox');
  });

  it('of a project settles what waits in its sessions', async () => {
    const project = await bench.ok('project.create', { name: 'Site', folder: bench.app });
    const session = await bench.open({ project_id: project.id }, ADMIN);
    const request = await bench.write(session, 'logs/x');
    await bench.ok('run_context.set', { target: { owner: 'project', project_id: project.id }, run_context: { allow_fs_writes: ['logs'] } });
    expect(outcome(await bench.get(request))).toBe('allowed run_context');
  });

  it('does not touch what is settled', async () => {
    const rule = await bench.rule({ tool_pattern: 'Write', action: 'allow' });
    const request = await bench.write(await bench.open(), 'a');
    await bench.ok('rule.update', { id: rule.id, action: 'deny' });
    expect(outcome(await bench.get(request))).toBe('allowed rule');
  });

  it('does not let through what a hook had asked about', async () => {
    const session = await bench.open({ run_context: { hooks: [{ event: 'pre_tool', command: 'exit 3' }] } }, ADMIN);
    const request = await bench.write(session, 'a');
    await bench.rule({ tool_pattern: 'Write', action: 'allow' });
    expect((await bench.get(request)).status).toBe('pending');
    await bench.rule({ tool_pattern: 'Write', action: 'deny', priority: 1 });
    expect(outcome(await bench.get(request))).toBe('denied rule');
  });

  it('does not let through what hooks that came with it have not heard of', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    const target = { owner: 'session' as const, session_id: session.id };
    await bench.ok('run_context.set', { target, run_context: { allow_fs_writes: ['.'], hooks: [{ event: 'pre_tool', command: 'exit 2' }] } });
    expect((await bench.get(request)).status).toBe('pending');
  });

  it('does not let a call through unseen whose link leads elsewhere by now', async () => {
    bench.dirs('app/real', 'app/other');
    bench.link('app/link', bench.path('app/real'));
    const session = await bench.open();
    const request = await bench.write(session, 'link/a');
    bench.link('app/link', bench.path('app/other'));
    await bench.rule({ tool_pattern: 'Write', action: 'allow' });
    expect((await bench.get(request)).status).toBe('pending');
  });
});

describe('links on disk', () => {
  it('are looked at for every decision where a relative pattern begins', async () => {
    bench.dirs('ext/one', 'ext/two');
    bench.link('app/private', bench.path('ext/one'));
    await bench.rule({ tool_pattern: '@fs_any', path_pattern: 'private/*', action: 'deny', hard: true });
    await bench.rule({ tool_pattern: '*', action: 'allow' });
    const session = await bench.open();
    expect(outcome(await bench.submit(session, 'Read', { file_path: 'private/x' }))).toBe('denied floor');
    bench.link('app/private', bench.path('ext/two'));
    expect(outcome(await bench.submit(session, 'Read', { file_path: 'private/x' }))).toBe('denied floor');
  });

  it('are looked at for every decision where an absolute pattern leads through one', async () => {
    bench.dirs('ext/one', 'ext/two');
    bench.link('closed', bench.path('ext/one'));
    await bench.rule({ tool_pattern: '@fs_any', path_pattern: `${bench.path('closed')}/*`, action: 'deny', hard: true });
    await bench.rule({ tool_pattern: '*', action: 'allow' });
    const session = await bench.open();
    expect(outcome(await bench.submit(session, 'Read', { file_path: bench.path('closed/x') }))).toBe('denied floor');
    bench.link('closed', bench.path('ext/two'));
    expect(outcome(await bench.submit(session, 'Read', { file_path: bench.path('closed/x') }))).toBe('denied floor');
  });
});

describe('groups', () => {
  it('keep the name of default, and default itself', async () => {
    expect((await bench.fails('group.update', { id: 'default', name: 'Mine' })).code).toBe('conflict');
    expect((await bench.fails('group.delete', { id: 'default', force: true })).code).toBe('conflict');
    expect(await bench.ok('group.update', { id: 'default', description: 'Ours' })).toMatchObject({ name: 'Default', description: 'Ours' });
  });

  it('have unique ids, made from the name when none is given', async () => {
    expect((await bench.ok('group.create', { name: 'Über Team!' })).id).toBe('uber-team');
    expect((await bench.ok('group.create', { name: 'Über Team!' })).id).toBe('uber-team-2');
    expect((await bench.fails('group.create', { id: 'uber-team', name: 'Again' })).code).toBe('conflict');
  });

  it('in use are deleted by force only, and name who uses them', async () => {
    await bench.ok('group.create', { id: 'used', name: 'Used' });
    const project = await bench.ok('project.create', { name: 'Lighthouse' });
    await bench.ok('run_context.set', { target: { owner: 'project', project_id: project.id }, run_context: { security_group: 'used' } });
    const session = await bench.open({ project_id: project.id }, ADMIN);
    expect(await bench.fails('group.delete', { id: 'used' })).toMatchObject({ code: 'in_use', subject: { used_by: ['project Lighthouse'] } });
    expect((await bench.ok('group.delete', { id: 'used', force: true })).used_by).toEqual(['project Lighthouse']);
    // It counts as a group without rules then, and the session says so.
    expect((await bench.ok('session.get', { session_id: session.id })).effective.warnings.join()).toContain('used');
    expect(outcome(await bench.write(session, 'a'))).toBe('pending');
  });

  it('are copied with their rules in one transaction', async () => {
    await bench.ok('group.create', { id: 'source', name: 'Source' });
    for (const action of ['deny', 'allow'] as const) await bench.rule({ group_id: 'source', tool_pattern: action, action });
    const copy = await bench.ok('group.duplicate', { id: 'source', new_id: 'copy', name: 'Copy' });
    expect(copy).toMatchObject({ id: 'copy', name: 'Copy' });
    const rules = async (group_id: string) => (await bench.ok('rule.list', { group_id })).items;
    expect((await rules('copy')).map((rule) => rule.tool_pattern)).toEqual(['deny', 'allow']);
    const ids = [...(await rules('copy')), ...(await rules('source'))].map((rule) => rule.id);
    expect(new Set(ids).size).toBe(4);
  });
});

describe('rules', () => {
  it('refuse a second one for everything with another action in the same group', async () => {
    const first = await bench.rule({ tool_pattern: '*', action: 'require', priority: 999_999 });
    expect(await bench.fails('rule.create', { tool_pattern: '*', action: 'allow' })).toMatchObject({
      code: 'invalid',
      subject: { rule_id: first.id },
    });
    await bench.rule({ tool_pattern: '*', action: 'require' });
    await bench.rule({ tool_pattern: '*', action: 'allow', path_pattern: 'tmp/*' });
    await bench.ok('group.create', { id: 'other', name: 'Other' });
    await bench.rule({ tool_pattern: '*', action: 'allow', group_id: 'other' });
    const off = await bench.rule({ tool_pattern: '*', action: 'deny', enabled: false });
    expect((await bench.fails('rule.update', { id: off.id, enabled: true })).code).toBe('invalid');
    expect((await bench.fails('rule.update', { id: off.id, enabled: true, path_pattern: null })).code).toBe('invalid');
    await bench.ok('rule.update', { id: off.id, enabled: true, path_pattern: 'x/*' });
  });

  it('are changed field by field, and null clears a field', async () => {
    const rule = await bench.rule({ tool_pattern: 'Bash', command_pattern: 'git *', action: 'allow', note: 'kept' });
    const changed = await bench.ok('rule.update', { id: rule.id, command_pattern: null, priority: 5 });
    expect(changed).toMatchObject({ command_pattern: null, priority: 5, note: 'kept', tool_pattern: 'Bash', created_by: 'user' });
  });

  it('count what they decided, also through an edit', async () => {
    const rule = await bench.rule({ tool_pattern: 'Write', action: 'allow' });
    const session = await bench.open();
    for (const path of ['a', 'b']) await bench.write(session, path);
    await bench.ok('rule.update', { id: rule.id, note: 'seen' });
    const [listed] = (await bench.ok('rule.list', {})).items;
    expect(listed).toMatchObject({ hits: 2, last_hit_at: expect.any(String), note: 'seen' });
  });

  it('run out by the clock', async () => {
    await bench.rule({ tool_pattern: 'Write', action: 'allow', expires_at: new Date(bench.clock.now() + 60_000).toISOString() });
    const session = await bench.open();
    expect(outcome(await bench.write(session, 'a'))).toBe('allowed rule');
    bench.clock.jump(60_000);
    expect(outcome(await bench.write(session, 'b'))).toBe('pending');
  });

  it('are put in another order by naming exactly the rules of the group', async () => {
    const first = await bench.rule({ tool_pattern: 'Write', action: 'allow', priority: 100 });
    const second = await bench.rule({ tool_pattern: 'Write', action: 'deny', priority: 100 });
    const third = await bench.rule({ tool_pattern: '*', action: 'require', priority: 999_999 });
    const session = await bench.open();
    expect(outcome(await bench.write(session, 'a'))).toBe('allowed rule');
    const ids = [second.id, first.id, third.id];
    const { items } = await bench.ok('rule.reorder', { group_id: 'default', ids });
    expect(items.map((rule) => rule.id)).toEqual(ids);
    expect(outcome(await bench.write(session, 'b'))).toBe('denied rule');
    for (const wrong of [
      [second.id, first.id],
      [...ids, 'nope'],
      [first.id, first.id, third.id],
    ]) {
      expect(await bench.fails('rule.reorder', { group_id: 'default', ids: wrong })).toMatchObject({ code: 'invalid', subject: 'ids' });
    }
  });

  it('of an unknown group are refused, and unknown ones are not found', async () => {
    expect(await bench.fails('rule.create', { group_id: 'nope', tool_pattern: 'x', action: 'deny' })).toMatchObject({
      code: 'invalid',
      subject: 'group_id',
    });
    expect((await bench.fails('rule.update', { id: 'nope', action: 'deny' })).code).toBe('not_found');
    expect((await bench.fails('rule.delete', { id: 'nope' })).code).toBe('not_found');
  });
});

describe('dealing out priorities', () => {
  it.each([
    [
      [
        ['b', 2],
        ['a', 1],
      ],
      [1, 2],
    ],
    [
      [
        ['b', 5],
        ['a', 5],
      ],
      [5, 6],
    ],
    [
      [
        ['a', 5],
        ['b', 5],
      ],
      [5, 5],
    ],
    [
      [
        ['c', 5],
        ['b', 5],
        ['a', 5],
        ['d', 6],
      ],
      [5, 6, 7, 8],
    ],
  ] as const)('gives %j the numbers %j', (rules, expected) => {
    expect(prioritiesFor(rules.map(([id, priority]) => ({ id, priority })))).toEqual(expected);
  });
});
