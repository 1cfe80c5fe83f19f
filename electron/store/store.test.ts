import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Batch, CommitResult, Store } from './contract';
import { StoreUnavailable } from './contract';
import type { StateEvent } from './events';
import * as make from './samples';
import { openStore } from './store';

let folder: ReturnType<typeof make.temporaryFolder>;
let nowMs: number;
let store: Store;

const open = () => openStore({ dataDir: folder.dataDir, now: () => nowMs });
const reopen = (): Store => {
  store.close();
  store = open().store;
  return store;
};
const put = async (...events: StateEvent[]): Promise<void> => {
  const result = store.commit(events);
  if (!result.applied) throw new Error(`refused: ${result.reason} ${result.id}`);
  await result.durable;
};
const refusal = (result: CommitResult) => (result.applied ? null : { reason: result.reason, id: result.id });

beforeEach(() => {
  folder = make.temporaryFolder();
  nowMs = make.START_MS;
  store = open().store;
});
afterEach(() => {
  store.close();
  folder.clean();
});

describe('first start', () => {
  test('the folder and every file in it are private to the person', () => {
    expect(statSync(folder.dataDir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder.dataDir)) expect([name, statSync(join(folder.dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  test('the group default and the rules of spec 5.5 are there, in their order', () => {
    expect([...store.live.groups.keys()]).toEqual(['default']);
    const rules = [...store.live.rules.values()].map((rule) => [rule.tool_pattern, rule.path_pattern, rule.action, rule.hard, rule.priority]);
    expect(rules).toContainEqual(['@fs_any', 'secrets/*', 'deny', true, 5]);
    expect(rules).toContainEqual(['*', null, 'require', false, 999999]);
    expect([...store.live.rules.values()].every((rule) => rule.created_by === 'seed' && rule.group_id === 'default')).toBe(true);
    const ids = [...store.live.rules.keys()];
    expect(ids).toEqual([...ids].sort());
  });

  test('a rule that the person deleted is not seeded again', async () => {
    const [first] = store.live.rules.keys();
    await put(make.event('rule.deleted', { remove: 'rule', id: String(first) }));
    const before = [...store.live.rules.values()];
    expect([...reopen().live.rules.values()]).toEqual(before);
  });

  test('a start that was cut short in the making is made again, whole', () => {
    store.close();
    writeFileSync(join(folder.dataDir, 'gatehouse.db.creating'), 'first');
    writeFileSync(join(folder.dataDir, 'gatehouse.db'), '');
    const opened = open();
    store = opened.store;
    expect(opened.problems).toEqual([]);
    expect(store.live.rules.size).toBe(8);
  });
});

describe('an unusable data folder', () => {
  test('is a typed failure that names the folder', () => {
    const blocked = join(folder.dataDir, 'file', 'data');
    writeFileSync(join(folder.dataDir, 'file'), '');
    expect(() => openStore({ dataDir: blocked, now: () => nowMs })).toThrow(StoreUnavailable);
    try {
      openStore({ dataDir: blocked, now: () => nowMs });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      expect(error.failure).toMatchObject({ code: 'storage', subject: blocked });
      expect(error.failure.message).toContain(blocked);
    }
  });

  test('a folder that others can read is made private', () => {
    store.close();
    const wide = join(folder.dataDir, 'wide');
    mkdirSync(wide, { mode: 0o755 });
    store = openStore({ dataDir: wide, now: () => nowMs }).store;
    expect(statSync(wide).mode & 0o777).toBe(0o700);
  });

  test('a second store on the same folder is refused as in use', () => {
    expect(() => open()).toThrow(expect.objectContaining({ failure: expect.objectContaining({ code: 'in_use', subject: folder.dataDir }) }));
  });
});

describe('commit', () => {
  beforeEach(() => put(make.event('session.opened', { put: 'session', value: make.session('s1') })));

  test('the live state has it at once, listeners have it after the disk', async () => {
    const batches: Batch[] = [];
    const unsubscribe = store.subscribe((batch) => batches.push(batch));
    const before = store.revision;
    const result = store.commit([make.event('request.received', { put: 'request', value: make.request('r1', 's1') })]);
    expect(store.live.pending.has('r1')).toBe(true);
    expect(batches).toEqual([]);
    expect(store.revision).toBe(before);
    if (result.applied) await result.durable;
    expect(batches.map((batch) => batch.revision)).toEqual([before + 1]);
    unsubscribe();
    await put(make.event('request.received', { put: 'request', value: make.request('r2', 's1') }));
    expect(batches).toHaveLength(1);
  });

  test('commits of one turn reach listeners as one batch, in order', async () => {
    const batches: Batch[] = [];
    store.subscribe((batch) => batches.push(batch));
    for (const id of ['r1', 'r2', 'r3']) store.commit([make.event(`received.${id}`, { put: 'request', value: make.request(id, 's1') })]);
    await store.flushed();
    expect(batches.map((batch) => batch.events.map((event) => event.type))).toEqual([['received.r1', 'received.r2', 'received.r3']]);
    expect([...store.live.pending.keys()]).toEqual(['r1', 'r2', 'r3']);
  });

  test('flushed is settled when nothing waits and pends while something does', async () => {
    await store.flushed();
    store.commit([make.event('request.received', { put: 'request', value: make.request('r1', 's1') })]);
    let isTold = false;
    store.subscribe(() => {
      isTold = true;
    });
    await store.flushed();
    expect(isTold).toBe(true);
  });

  test('a listener that throws keeps nobody else from being told', async () => {
    const thrown: unknown[] = [];
    const handlers = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => thrown.push(error));
    store.subscribe(() => {
      throw new Error('listener');
    });
    let told = 0;
    store.subscribe(() => {
      told += 1;
    });
    await put(make.event('project.created', { put: 'project', value: make.project('p1') }));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    for (const handler of handlers) process.on('uncaughtException', handler);
    expect(told).toBe(1);
    expect(thrown).toEqual([new Error('listener')]);
  });

  test('INVARIANT: a request is settled once; the second answer changes nothing', async () => {
    await put(make.event('request.received', { put: 'request', value: make.request('r1', 's1') }));
    const allow = make.event('request.settled', { settle: 'r1', decision: make.decision() });
    const deny = make.event(
      'request.settled',
      { put: 'rule', value: make.rule('x1') },
      { settle: 'r1', decision: make.decision({ status: 'denied', note: 'no' }) },
    );
    const first = store.commit([allow]);
    const second = store.commit([deny]);
    expect(first.applied).toBe(true);
    expect(refusal(second)).toEqual({ reason: 'not_pending', id: 'r1' });
    expect(store.live.rules.has('x1')).toBe(false);
    await store.flushed();
    expect(reopen().request('r1')).toMatchObject({ status: 'allowed', decision: { cause: 'human' }, trace: null });
    expect(store.live.pending.has('r1')).toBe(false);
    expect(store.live.rules.has('x1')).toBe(false);
  });

  test('1,000 races between two operators have one winner each', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `r${index}`);
    for (const id of ids) store.commit([make.event('request.received', { put: 'request', value: make.request(id, 's1') })]);
    await store.flushed();
    const answers = ids.flatMap((id) => [
      { id, status: 'allowed' as const },
      { id, status: 'denied' as const },
    ]);
    for (let at = answers.length - 1; at > 0; at -= 1) {
      const other = (at * 7919) % (at + 1);
      const [one, two] = [answers[at], answers[other]];
      if (one && two) [answers[at], answers[other]] = [two, one];
    }
    const winners = new Map<string, string>();
    for (const { id, status } of answers) {
      const result = store.commit([make.event('request.settled', { settle: id, decision: make.decision({ status }) })]);
      if (result.applied) {
        expect(winners.has(id)).toBe(false);
        winners.set(id, status);
      } else expect(refusal(result)).toEqual({ reason: 'not_pending', id });
    }
    await store.flushed();
    expect(winners.size).toBe(1000);
    reopen();
    for (const [id, status] of winners) expect(store.request(id)?.status).toBe(status);
  });

  test('a refused commit leaves no trace in state, tables or log', async () => {
    const before = (await store.activity.list({})).items.length;
    const result = store.commit([
      make.event('group.created', { put: 'group', value: make.group('g1') }),
      make.event('rule.created', { put: 'rule', value: make.rule('x1', { group_id: 'nowhere' }) }),
    ]);
    expect(refusal(result)).toEqual({ reason: 'conflict', id: 'x1' });
    expect(store.live.groups.has('g1')).toBe(false);
    expect((await store.activity.list({})).items).toHaveLength(before);
    await put(make.event('project.created', { put: 'project', value: make.project('p1') }));
    expect(await store.activity.verify()).toMatchObject({ intact: true, entries: before + 1 });
    expect(reopen().live.groups.has('g1')).toBe(false);
    expect((await store.activity.verify()).intact).toBe(true);
  });

  test('a call id belongs to one request of its session', async () => {
    await put(make.event('request.received', { put: 'request', value: make.request('r1', 's1', { call_id: 'c' }) }));
    const again = store.commit([make.event('request.received', { put: 'request', value: make.request('r2', 's1', { call_id: 'c' }) })]);
    expect(refusal(again)).toEqual({ reason: 'conflict', id: 'r1' });
    expect(store.requestByCall('s1', 'c')?.id).toBe('r1');
    expect(store.requestByCall('s1', 'other')).toBeUndefined();
  });

  test('call ids that differ only after a NUL or by a lone surrogate are different calls', async () => {
    const calls = ['c', 'c\0a', 'c\0b', '\ud800', '\udbff', '\u0001"c"'];
    for (const [index, call_id] of calls.entries()) {
      await put(make.event('request.received', { put: 'request', value: make.request(`r${index}`, 's1', { call_id }) }));
    }
    reopen();
    for (const [index, call_id] of calls.entries()) expect(store.requestByCall('s1', call_id)).toMatchObject({ id: `r${index}`, call_id });
  });

  test('a put changes what waits, and neither settles nor reopens', async () => {
    const waiting = make.request('r1', 's1');
    await put(make.event('request.received', { put: 'request', value: waiting }));
    await put(make.event('request.detached', { put: 'request', value: { ...waiting, detached: true } }));
    expect(store.live.pending.get('r1')?.detached).toBe(true);
    const settledByPut = { ...waiting, status: 'allowed' as const, decision: make.decision() };
    expect(refusal(store.commit([make.event('x.y', { put: 'request', value: settledByPut })]))).toEqual({ reason: 'conflict', id: 'r1' });
    await put(make.event('request.settled', { settle: 'r1', decision: make.decision() }));
    expect(refusal(store.commit([make.event('x.y', { put: 'request', value: waiting })]))).toEqual({ reason: 'not_pending', id: 'r1' });
    expect(store.live.pending.has('r1')).toBe(false);
  });

  test('what waits keeps its order of arrival across a restart, whatever its ids', async () => {
    for (const id of ['r9', 'r1', 'r5']) await put(make.event('request.received', { put: 'request', value: make.request(id, 's1') }));
    await put(make.event('request.detached', { put: 'request', value: make.request('r9', 's1', { detached: true }) }));
    expect([...store.live.pending.keys()]).toEqual(['r9', 'r1', 'r5']);
    expect([...reopen().live.pending.keys()]).toEqual(['r9', 'r1', 'r5']);
  });

  test('a request that rules settled at once is never pending', async () => {
    const settled = make.request('r1', 's1', { status: 'denied', decision: make.decision({ status: 'denied', cause: 'rule' }), trace: null });
    await put(make.event('request.settled', { put: 'request', value: settled }));
    expect(store.live.pending.size).toBe(0);
    expect(store.request('r1')).toEqual(settled);
  });

  test('a mistake of ours throws and leaves nothing behind', async () => {
    const wrong = make.event(
      'rule.created',
      { put: 'group', value: make.group('g1') },
      { put: 'rule', value: make.rule('x1', { action: 'alow' as never }) },
    );
    expect(() => store.commit([wrong])).toThrow(/CHECK/);
    await put(make.event('project.created', { put: 'project', value: make.project('p1') }));
    reopen();
    expect([...store.live.groups.keys()]).toEqual(['default']);
    expect((await store.activity.verify()).intact).toBe(true);
  });

  test('a removal of what is gone is refused; what went by a cascade of the same commit is not', async () => {
    await put(make.event('group.created', { put: 'group', value: make.group('g1') }, { put: 'rule', value: make.rule('x1', { group_id: 'g1' }) }));
    await put(make.event('group.deleted', { remove: 'group', id: 'g1' }, { remove: 'rule', id: 'x1' }));
    expect(refusal(store.commit([make.event('rule.deleted', { remove: 'rule', id: 'x1' })]))).toEqual({ reason: 'conflict', id: 'x1' });
  });

  test('history keeps its session: a session with requests is not removed', async () => {
    await put(make.event('request.received', { put: 'request', value: make.request('r1', 's1') }));
    expect(refusal(store.commit([make.event('session.removed', { remove: 'session', id: 's1' })]))).toEqual({ reason: 'conflict', id: 's1' });
  });
});

describe('counters', () => {
  test('hits and use add up, survive a restart, and a stale copy that is put back loses none', async () => {
    const staleRule = make.rule('x1');
    const staleSession = make.session('s1');
    await put(make.event('a.b', { put: 'rule', value: staleRule }, { put: 'session', value: staleSession }));
    for (let count = 0; count < 3; count += 1) {
      store.commit([make.event('request.settled', { hit: ['x1', 'gone'], at: make.timeAt(count) }, { use: 's1', tool_calls: 1, cost_usd: 0.5 })]);
    }
    await put(
      make.event('a.c', { put: 'rule', value: { ...staleRule, note: 'edited' } }, { put: 'session', value: { ...staleSession, title: 'edited' } }),
    );
    const rule = { ...staleRule, note: 'edited', hits: 3, last_hit_at: make.timeAt(2) };
    const session = { ...staleSession, title: 'edited', usage: { turns: 0, tool_calls: 3, output_tokens: 0, cost_usd: 1.5 } };
    expect([store.live.rules.get('x1'), store.live.sessions.get('s1')]).toEqual([rule, session]);
    reopen();
    expect([store.live.rules.get('x1'), store.live.sessions.get('s1')]).toEqual([rule, session]);
  });

  test('a session that comes back after memory let it go has its usage', async () => {
    await put(make.event('a.b', { put: 'session', value: make.session('s1') }, { use: 's1', turns: 4 }));
    await put(make.event('a.b', { put: 'session', value: make.session('s1', { state: 'ended', ended_at: make.timeAt(0) }) }));
    nowMs += 2 * 3_600_000;
    reopen();
    expect(store.live.sessions.has('s1')).toBe(false);
    expect(store.session('s1')?.usage.turns).toBe(4);
    await put(make.event('session.resumed', { put: 'session', value: make.session('s1') }, { use: 's1', turns: 1 }));
    expect(reopen().live.sessions.get('s1')?.usage.turns).toBe(5);
  });
});

describe('mail, steering, outbox, jobs', () => {
  beforeEach(() => put(make.event('session.opened', { put: 'session', value: make.session('s1') }, { put: 'session', value: make.session('s2') })));

  test('INVARIANT: a message is handed out once', async () => {
    await put(
      make.event('mail.sent', { put: 'mail', value: make.mail('m1', 's1') }, { put: 'mail', value: make.mail('m2', 's2') }),
      make.event('session.steered', { put: 'steering', value: make.steering('t1', 's1') }),
    );
    expect(store.undelivered('s1')).toEqual({ mail: [make.mail('m1', 's1')], steering: [make.steering('t1', 's1')] });
    const deliver = make.event(
      'inbox.read',
      { deliver: 'mail', ids: ['m1'], at: make.timeAt(1) },
      { deliver: 'steering', ids: ['t1'], at: make.timeAt(1) },
    );
    await put(deliver);
    expect(refusal(store.commit([deliver]))).toEqual({ reason: 'conflict', id: 'm1' });
    expect(reopen().undelivered('s1')).toEqual({ mail: [], steering: [] });
    expect(store.undelivered('s2').mail.map((mail) => mail.id)).toEqual(['m2']);
  });

  test('mail to a session that is not there is refused', () => {
    expect(refusal(store.commit([make.event('mail.sent', { put: 'mail', value: make.mail('m1', 'nobody') })]))).toEqual({
      reason: 'conflict',
      id: 'm1',
    });
  });

  test('INVARIANT: a staged call is released or rejected once', async () => {
    await put(make.event('call.staged', { put: 'outbox', value: make.outboxItem('o1', 's1') }));
    const edited = make.outboxItem('o1', 's1', { edited_input: { to: 'bob@example.com' } });
    await put(make.event('call.edited', { put: 'outbox', value: edited }));
    const release = make.event('call.released', { finish: 'o1', state: 'released', note: null, at: make.timeAt(5) });
    const reject = make.event('call.rejected', { finish: 'o1', state: 'rejected', note: 'no', at: make.timeAt(5) });
    expect(store.commit([release]).applied).toBe(true);
    expect(refusal(store.commit([reject]))).toEqual({ reason: 'conflict', id: 'o1' });
    expect(refusal(store.commit([release]))).toEqual({ reason: 'conflict', id: 'o1' });
    const released = { ...edited, state: 'released' as const, settled_at: make.timeAt(5) };
    expect(store.live.outbox.get('o1')).toEqual(released);
    expect(refusal(store.commit([make.event('x.y', { put: 'outbox', value: edited })]))).toEqual({ reason: 'conflict', id: 'o1' });
    await put(make.event('call.ran', { put: 'outbox', value: { ...released, result: { ok: true } } }));
    expect(reopen().live.outbox.get('o1')).toEqual({ ...released, result: { ok: true } });
  });

  test('a job knows its last run, and forgets all of them when it goes', async () => {
    await put(make.event('job.created', { put: 'job', value: make.job('j1') }));
    const first = make.jobRun('u1', 'j1', { started_at: make.timeAt(10) });
    const second = make.jobRun('u2', 'j1', { started_at: make.timeAt(20) });
    await put(make.event('job.started', { put: 'job_run', value: first }));
    await put(make.event('job.started', { put: 'job_run', value: second }));
    await put(make.event('job.ended', { put: 'job_run', value: { ...first, outcome: 'failed' } }));
    await put(make.event('job.updated', { put: 'job', value: make.job('j1', { enabled: false }) }));
    expect(store.live.jobs.get('j1')).toMatchObject({ enabled: false, last_run: second });
    reopen();
    expect(store.live.jobs.get('j1')).toMatchObject({ enabled: false, last_run: second });
    expect(store.jobRuns('j1').map((run) => [run.id, run.outcome])).toEqual([
      ['u2', 'running'],
      ['u1', 'failed'],
    ]);
    await put(make.event('job.deleted', { remove: 'job', id: 'j1' }));
    expect(store.jobRuns('j1')).toEqual([]);
    expect(store.jobRun('u1')).toBeUndefined();
  });
});

describe('questions to the disk', () => {
  test('requests come newest first in pages that neither repeat nor skip', async () => {
    await put(make.event('a.b', { put: 'session', value: make.session('s1') }, { put: 'session', value: make.session('s2') }));
    for (let index = 0; index < 25; index += 1) {
      const value = make.request(`r${index}`, index % 5 === 0 ? 's2' : 's1', {
        tool: index % 2 === 0 ? 'Read' : 'Bash',
        created_at: make.timeAt(index),
      });
      store.commit([make.event('request.received', { put: 'request', value })]);
      if (index < 20)
        store.commit([make.event('request.settled', { settle: value.id, decision: make.decision({ status: index < 10 ? 'denied' : 'allowed' }) })]);
    }
    await store.flushed();
    const ids: string[] = [];
    let before: string | undefined;
    do {
      const page = store.requests({ limit: 7, before });
      ids.push(...page.items.map((request) => request.id));
      before = page.next ?? undefined;
    } while (before !== undefined);
    expect(ids).toEqual(Array.from({ length: 25 }, (_, index) => `r${24 - index}`));
    const found = (filter: Parameters<Store['requests']>[0]) => store.requests(filter).items.map((request) => request.id);
    expect(found({ status: 'pending' })).toEqual(['r24', 'r23', 'r22', 'r21', 'r20']);
    expect(found({ settled: true, limit: 2 })).toEqual(['r19', 'r18']);
    expect(found({ session_id: 's2', status: 'denied' })).toEqual(['r5', 'r0']);
    expect(found({ tool: 'Read', since: make.timeAt(22) })).toEqual(['r24', 'r22']);
    expect(found({ agent: 'codex' })).toEqual([]);
    expect(found({ before: 'nonsense' })).toEqual([]);
  });

  test('sessions are found by who they belong to, newest first', async () => {
    await put(
      make.event(
        'a.b',
        { put: 'session', value: make.session('s1', { project_id: 'p1', external_id: 'abc' }) },
        { put: 'session', value: make.session('s2', { project_id: 'p1', parent_id: 's1', ended_at: make.timeAt(0), state: 'ended' }) },
        { put: 'session', value: make.session('s3', { agent: 'codex', external_id: 'abc' }) },
      ),
    );
    const found = (filter: Parameters<Store['sessionsOf']>[0]) => store.sessionsOf(filter).map((session) => session.id);
    expect(found({ project_id: 'p1' })).toEqual(['s2', 's1']);
    expect(found({ project_id: 'p1', ended: false })).toEqual(['s1']);
    expect(found({ parent_id: 's1' })).toEqual(['s2']);
    expect(found({ agent: 'codex', external_id: 'abc' })).toEqual(['s3']);
  });
});
