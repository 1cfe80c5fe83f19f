import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, Bench, operator, outcome } from './test-bench';
import { turns } from './test-clock';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

const OTHER_DIGEST = 'a'.repeat(64);

describe('an answer', () => {
  it('is recorded with who, when and for how long', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    const { decision } = await bench.approve(request, {}, { ...ADMIN, door: 'window' });
    expect(decision).toMatchObject({
      status: 'allowed',
      cause: 'human',
      scope: 'once',
      resolved_by: 'person:window',
      resolved_at: '2026-12-01T08:00:00.000Z',
    });
  });

  it('carries its note to the agent', async () => {
    const session = await bench.open();
    const denied = await bench.deny(await bench.bash(session, 'rm x'), { note: 'wrong file, use build/' });
    expect(denied.decision).toMatchObject({ note: 'wrong file, use build/', message: expect.stringContaining('wrong file, use build/') });
    const allowed = await bench.approve(await bench.write(session, 'a'), { note: 'only this once' });
    expect(allowed.decision).toMatchObject({ note: 'only this once', message: expect.stringContaining('only this once') });
  });

  it('needs the digest of what was shown', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    const other = await bench.write(session, 'b');
    for (const digest of [other.digest, OTHER_DIGEST]) {
      expect((await bench.fails('request.resolve', { id: request.id, digest, action: 'approve' })).code).toBe('stale');
    }
    const without = await bench.broker.call('request.resolve', { id: request.id, action: 'approve' }, ADMIN);
    expect(without).toMatchObject({ ok: false, failure: { code: 'invalid', subject: 'digest' } });
    expect((await bench.get(request)).status).toBe('pending');
  });

  it('to an unknown request is not found', async () => {
    expect((await bench.fails('request.resolve', { id: 'nope', digest: OTHER_DIGEST, action: 'deny' })).code).toBe('not_found');
  });

  it('given twice is success, another one is refused with the winner', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    const first = await bench.deny(request);
    expect((await bench.deny(request)).decision).toEqual(first.decision);
    const other = await bench.fails('request.resolve', { id: request.id, digest: request.digest, action: 'approve' });
    expect(other).toMatchObject({ code: 'settled', subject: { status: 'denied', cause: 'human', resolved_by: 'person:http' } });
  });

  it('with another scope is another answer', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await bench.approve(request);
    const failure = await bench.fails('request.resolve', { id: request.id, digest: request.digest, action: 'approve', scope: 'session' });
    expect(failure.code).toBe('settled');
    expect((await bench.ok('session_rule.list', { session_id: session.id })).items).toEqual([]);
  });

  it('to what a rule has settled is refused with the rule as the winner', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await bench.rule({ tool_pattern: 'Write', action: 'allow' });
    const failure = await bench.fails('request.resolve', { id: request.id, digest: request.digest, action: 'approve' });
    expect(failure).toMatchObject({ code: 'settled', subject: { status: 'allowed', cause: 'rule' } });
  });

  it('needs the scope for approvals, which writing does not imply', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    const answer = { id: request.id, digest: request.digest, action: 'approve' as const };
    expect((await bench.fails('request.resolve', answer, operator('operator.write', 'operator.read'))).code).toBe('forbidden');
    expect(outcome(await bench.ok('request.resolve', answer, operator('operator.approvals')))).toBe('allowed human');
  });

  it('is stale when a link has come to lead elsewhere, and the request is shown anew', async () => {
    bench.dirs('app/real', 'app/other');
    bench.link('app/link', bench.path('app/real'));
    const session = await bench.open();
    const request = await bench.write(session, 'link/a');
    bench.link('app/link', bench.path('app/other'));
    expect((await bench.fails('request.resolve', { id: request.id, digest: request.digest, action: 'approve' })).code).toBe('stale');
    const [shown] = (await bench.ok('inbox.list', {})).items;
    expect(shown?.paths[0]?.canonical).toBe(bench.path('app/other/a'));
    expect(shown?.digest).not.toBe(request.digest);
    if (shown) expect(outcome(await bench.approve(shown))).toBe('allowed human');
  });

  it('cannot allow what is denied by now', async () => {
    bench.dirs('app/real', 'ext/.ssh');
    bench.link('app/link', bench.path('app/real'));
    const session = await bench.open();
    const request = await bench.write(session, 'link/a');
    bench.link('app/link', bench.path('ext/.ssh'));
    const failure = await bench.fails('request.resolve', { id: request.id, digest: request.digest, action: 'approve' });
    expect(failure).toMatchObject({ code: 'settled', subject: { status: 'denied', cause: 'floor' } });
  });

  it('names what an allowed search has to skip', async () => {
    const session = await bench.open();
    const request = await bench.submit(session, 'Grep', { pattern: 'x', path: bench.ext });
    expect((await bench.approve(request)).decision?.exclude).toContain('secrets');
  });
});

describe('edited input', () => {
  it('is handed to the agent and recorded beside the original', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    const input = { file_path: 'b', content: 'y' };
    const allowed = await bench.approve(request, { input });
    expect(allowed.decision?.input).toEqual(input);
    expect(allowed.input).toEqual({ file_path: 'a', content: 'x' });
  });

  it('that is the same is no edit', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    const allowed = await bench.approve(request, { input: { content: 'x', file_path: 'a' } });
    expect(allowed.decision).not.toHaveProperty('input');
  });

  it('that a rule denies is refused, and the request waits on', async () => {
    await bench.rule({ tool_pattern: 'Write', path_pattern: 'locked/*', action: 'deny', reason: 'not there' });
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    const failure = await bench.fails('request.resolve', {
      id: request.id,
      digest: request.digest,
      action: 'approve',
      input: { file_path: 'locked/a', content: 'x' },
    });
    expect(failure).toMatchObject({ code: 'invalid', subject: 'input', message: expect.stringContaining('not there') });
    expect((await bench.get(request)).status).toBe('pending');
  });

  it('is heard by the hooks before it is released', async () => {
    const hook = bench.file('hook.sh', 'if grep -q needle; then echo found; exit 2; fi\nexit 0\n');
    const session = await bench.open({ run_context: { hooks: [{ event: 'pre_tool', command: `sh ${hook}` }] } }, ADMIN);
    const request = await bench.write(session, 'a');
    const failure = await bench.fails('request.resolve', {
      id: request.id,
      digest: request.digest,
      action: 'approve',
      input: { file_path: 'a', content: 'needle' },
    });
    expect(failure).toMatchObject({ code: 'invalid', subject: 'input', message: expect.stringContaining('found') });
  });

  it('that was answered meanwhile is refused with the winner', async () => {
    const slow = bench.file('slow.sh', `while [ ! -e ${bench.path('go')} ]; do sleep 0.02; done\nexit 0\n`);
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await bench.ok('run_context.set', {
      target: { owner: 'session', session_id: session.id },
      run_context: { hooks: [{ event: 'pre_tool', command: `sh ${slow}` }] },
    });
    const edited = bench.call('request.resolve', {
      id: request.id,
      digest: request.digest,
      action: 'approve',
      input: { file_path: 'b', content: 'x' },
    });
    await turns();
    await bench.deny(request);
    bench.file('go');
    expect(await edited).toMatchObject({ ok: false, failure: { code: 'settled', subject: { status: 'denied' } } });
  });
});

describe('a remembered answer', () => {
  it('is listed with the request it came from, holds, and asks again when it is revoked', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await bench.approve(request, { scope: 'session' });
    const [rule] = (await bench.ok('session_rule.list', { session_id: session.id })).items;
    expect(rule).toMatchObject({ surface: 'Write', action: 'allow', scope: 'session', request_id: request.id });
    expect(outcome(await bench.write(session, 'a'))).toBe('allowed session_rule');
    await bench.ok('session_rule.revoke', { session_id: session.id, id: rule?.id ?? '' });
    expect(outcome(await bench.write(session, 'a'))).toBe('pending');
    expect((await bench.fails('session_rule.revoke', { session_id: session.id, id: rule?.id ?? '' })).code).toBe('not_found');
  });

  it('dies with its session', async () => {
    const session = await bench.open();
    await bench.approve(await bench.write(session, 'a'), { scope: 'session' });
    await bench.ok('session.end', { session_id: session.id }, ADMIN);
    await bench.ok('session.open', { agent: 'claude-code', resume: session.id });
    expect(outcome(await bench.write(session, 'a'))).toBe('pending');
    expect((await bench.ok('grant.list', {})).items).toEqual([]);
  });

  it('for a time runs out by the clock', async () => {
    const session = await bench.open();
    await bench.approve(await bench.bash(session, 'npm test'), { scope: 'timed', duration_s: 900 });
    bench.clock.jump(899_000);
    expect(outcome(await bench.bash(session, 'npm test'))).toBe('allowed session_rule');
    bench.clock.jump(1_000);
    expect(outcome(await bench.bash(session, 'npm test'))).toBe('pending');
    expect((await bench.ok('grant.list', { session_id: session.id })).items).toEqual([]);
  });

  it('of a project holds for its sessions and can be revoked', async () => {
    const project = await bench.ok('project.create', { name: 'Site', folder: bench.app });
    const open = () => bench.open({ project_id: project.id }, ADMIN);
    const session = await open();
    await bench.approve(await bench.bash(session, 'npm test'), { scope: 'project' });
    expect(outcome(await bench.bash(await open(), 'npm test'))).toBe('allowed grant');
    expect(outcome(await bench.bash(await bench.open(), 'npm test'))).toBe('pending');
    const { items } = await bench.ok('grant.list', { project_id: project.id });
    for (const grant of items) await bench.ok('grant.revoke', { id: grant.id });
    expect(outcome(await bench.bash(await open(), 'npm test'))).toBe('pending');
  });

  it('for always is a rule that names its request, and takes effect for other sessions', async () => {
    const session = await bench.open();
    const request = await bench.bash(session, 'npm test');
    const allowed = await bench.approve(request, { scope: 'always' });
    const rule = (await bench.ok('rule.list', {})).items.find((one) => one.created_by === `request:${request.id}`);
    expect(rule?.id).toBe(allowed.decision?.rule_id);
    expect(outcome(await bench.bash(await bench.open(), 'npm test'))).toBe('allowed rule');
    await bench.ok('rule.delete', { id: rule?.id ?? '' });
    expect(outcome(await bench.bash(session, 'npm test'))).toBe('pending');
  });

  it('releases what else waits for the same, in the same transaction', async () => {
    const session = await bench.open();
    const [first, same, other] = [await bench.write(session, 'a'), await bench.write(session, 'a'), await bench.write(session, 'b')];
    await bench.approve(first, { scope: 'session' });
    expect(outcome(await bench.get(same))).toBe('allowed session_rule');
    expect((await bench.get(other)).status).toBe('pending');
    const { items } = await bench.ok('activity.list', { request_id: first.id, type: 'request.settled' });
    expect(JSON.stringify(items[0]?.data)).toContain(same.id);
  });

  it('that denies holds for the session', async () => {
    const session = await bench.open();
    await bench.deny(await bench.bash(session, 'rm x'), { scope: 'session', note: 'never that' });
    const denied = await bench.bash(session, 'rm x');
    expect(denied.status).toBe('denied');
    expect(denied.decision?.message).toContain('never that');
    expect(outcome(await bench.bash(session, 'npm test'))).toBe('pending');
  });

  it('that is not offered is refused, and the request stays', async () => {
    const session = await bench.open();
    const command = await bench.bash(session, 'git push --force origin main');
    expect((await bench.fails('request.resolve', { id: command.id, digest: command.digest, action: 'approve', scope: 'session' })).code).toBe(
      'invalid',
    );
    const file = await bench.write(session, 'a');
    const wrong = { id: file.id, digest: file.digest, action: 'approve' as const };
    expect((await bench.fails('request.resolve', { ...wrong, scope: 'session', choice: 'program' })).code).toBe('invalid');
    expect((await bench.fails('request.resolve', { ...wrong, scope: 'project' })).code).toBe('invalid');
    expect((await bench.get(file)).status).toBe('pending');
  });

  it('is not offered where a hook asked', async () => {
    const session = await bench.open({ run_context: { hooks: [{ event: 'pre_tool', command: 'exit 3' }] } }, ADMIN);
    const request = await bench.write(session, 'a');
    const { items } = await bench.ok('request.scopes', { id: request.id });
    expect(items.map((offer) => offer.scope)).toEqual(['once']);
    expect((await bench.fails('request.resolve', { id: request.id, digest: request.digest, action: 'approve', scope: 'session' })).code).toBe(
      'invalid',
    );
  });
});

describe('the scopes that are offered', () => {
  it('are narrowest first while it waits, and none once it is settled', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'src/a');
    const offers = (await bench.ok('request.scopes', { id: request.id })).items;
    expect(offers.map((offer) => offer.scope)).toEqual(['once', 'timed', 'session', 'always']);
    await bench.approve(request);
    expect((await bench.ok('request.scopes', { id: request.id })).items).toEqual([]);
  });
});
