import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Activity } from '../../shared/model';
import type { ActivityFilter, Store } from './contract';
import type { StateEvent } from './events';
import * as make from './samples';
import { openStore } from './store';

let folder: ReturnType<typeof make.temporaryFolder>;
let store: Store;

const open = () => openStore({ dataDir: folder.dataDir, now: () => make.START_MS });
const put = async (...events: StateEvent[]): Promise<void> => {
  const result = store.commit(events);
  if (!result.applied) throw new Error(`refused: ${result.reason} ${result.id}`);
  await result.durable;
};
const texts = async (chunks: AsyncIterable<string>): Promise<string> => {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
};
const all = async (filter: ActivityFilter = {}): Promise<readonly Activity[]> => {
  const lines = (await texts(store.activity.export('jsonl', filter))).trim();
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line));
};
const note = (type: string, seconds: number, fields: Partial<StateEvent> = {}): StateEvent => ({
  ...make.event(type),
  at: make.timeAt(seconds),
  ...fields,
});

beforeEach(() => {
  folder = make.temporaryFolder();
  store = open().store;
});
afterEach(() => {
  store.close();
  folder.clean();
});

describe('an entry', () => {
  test('says what happened, to whom, why, and what was written', async () => {
    await put(make.event('session.opened', { put: 'session', value: make.session('s1', { agent: 'codex' }) }));
    await put({ ...make.event('request.received', { put: 'request', value: make.request('r1', 's1') }), session_id: 's1', request_id: 'r1' });
    await put({ ...make.event('request.settled', { settle: 'r1', decision: make.decision({ note: 'fine' }) }), session_id: 's1', request_id: 'r1' });
    const [settled] = (await store.activity.list({ type: 'request.settled' })).items;
    expect(settled).toMatchObject({ type: 'request.settled', agent: 'codex', cause: 'human', session_id: 's1', request_id: 'r1' });
    expect(settled?.data).toMatchObject({ writes: [{ settle: 'r1', decision: { note: 'fine' } }] });
  });

  test('of a change holds the fields that changed', async () => {
    const session = make.session('s1');
    await put(make.event('session.opened', { put: 'session', value: session }));
    await put(make.event('session.turned', { put: 'session', value: { ...session, state: 'idle' } }));
    const [turned] = (await store.activity.list({ type: 'session.turned' })).items;
    expect(turned?.data).toEqual({ writes: [{ put: 'session', id: 's1', changed: { state: 'idle' } }] });
  });

  test('has secrets masked and says how many, while the record keeps its input', async () => {
    const token = `ghp_${'aB3x'.repeat(9)}`;
    await put(make.event('session.opened', { put: 'session', value: make.session('s1') }));
    const input = { command: `curl -H "Authorization: Bearer ${token}" https://example.com`, password: 'hunter2!' };
    await put({
      ...make.event('request.received', { put: 'request', value: make.request('r1', 's1', { input, units: [] }) }),
      summary: `Asked to run curl with ${token}`,
    });
    expect(store.request('r1')?.input).toEqual(input);
    const log = `${await texts(store.activity.export('jsonl', {}))}${await texts(store.activity.export('csv', {}))}`;
    expect(log).not.toContain(token);
    expect(log).not.toContain('hunter2!');
    const [entry] = (await store.activity.list({ type: 'request.received' })).items;
    expect(entry?.data).toMatchObject({ masked: 2, writes: [{ value: { input: { password: '[masked: key name]' } } }] });
    expect(entry?.summary).toContain('[masked: github]');
  });

  test('of a huge request is bounded and says what was left out', async () => {
    await put(make.event('session.opened', { put: 'session', value: make.session('s1') }));
    const content = 'x'.repeat(900_000);
    const units = Array.from({ length: 10_000 }, (_, index) => ({
      text: `echo ${index}`,
      words: ['echo', String(index)],
      assignments: [],
      opaque: false,
    }));
    await put(make.event('request.received', { put: 'request', value: make.request('r1', 's1', { input: { content }, units }) }));
    const [entry] = (await store.activity.list({ type: 'request.received' })).items;
    const text = JSON.stringify(entry?.data);
    expect(text.length).toBeLessThan(70_000);
    expect(text).toContain(`900000 characters, sha256 ${createHash('sha256').update(content).digest('hex')}`);
    expect(entry?.data).toMatchObject({ shortened: expect.any(Number) });
    expect(store.request('r1')?.units).toHaveLength(10_000);
  });

  test('deep nesting is left out, not followed', async () => {
    let facts: { [key: string]: unknown } = {};
    for (let depth = 0; depth < 500; depth += 1) facts = { inner: facts };
    await put({ ...make.event('thing.happened'), facts: facts as never });
    expect(JSON.stringify((await store.activity.list({ type: 'thing.happened' })).items[0]?.data)).toContain('nested too deep');
  });
});

describe('the hash chain', () => {
  const fill = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1)
      store.commit([note(`thing.number${index}`, index, { summary: `Number ${index} ✓ \ud800 \0 end` })]);
    await store.flushed();
  };
  const tampered = async (sql: string) => {
    store.close();
    make.tamper(folder.dataDir, sql);
    const opened = open();
    store = opened.store;
    return { problems: opened.problems.map((problem) => problem.code), ...(await store.activity.verify()) };
  };

  test('can be recomputed from an export by anyone', async () => {
    await fill(5);
    let previous = '0'.repeat(64);
    for (const { hash, ...entry } of await all()) {
      expect(
        createHash('sha256')
          .update(`${previous}\n${canonicalize(entry)}`)
          .digest('hex'),
      ).toBe(hash);
      previous = hash;
    }
    expect(await store.activity.verify()).toEqual({ intact: true, entries: 6, first_break: null, detail: 'All 6 entries are as they were written.' });
  });

  test('holds across restarts, refused commits and 1,000 entries', async () => {
    await fill(600);
    store.commit([note('thing.refused', 0, { writes: [{ remove: 'rule', id: 'gone' }] })]);
    store.close();
    store = open().store;
    await fill(400);
    expect(await store.activity.verify()).toMatchObject({ intact: true, entries: 1001 });
  });

  const CHANGES: readonly [name: string, sql: string, firstBreak: number, detail: RegExp][] = [
    ['an edited summary', "UPDATE activity SET summary = 'nothing' WHERE seq = 5", 5, /Entry 5 \(thing.number3/],
    ['an edited time', "UPDATE activity SET at = '2020-01-01T00:00:00.000Z' WHERE seq = 5", 5, /Entry 5/],
    ['edited data', `UPDATE activity SET data = replace(data, 'writes', 'wrItes') WHERE seq = 7`, 7, /Entry 7/],
    ['data that reads the same', `UPDATE activity SET data = data || ' ' WHERE seq = 7`, 7, /Entry 7/],
    ['an edited session', "UPDATE activity SET session_id = 'other' WHERE seq = 4", 4, /Entry 4/],
    ['an edited cause', "UPDATE activity SET cause = 'human' WHERE seq = 4", 4, /Entry 4/],
    ['an edited filing time', 'UPDATE activity SET clock = 0 WHERE seq = 6', 6, /filed under another time/],
    ['an edited hash', "UPDATE activity SET hash = replace(hash, substr(hash, 1, 1), 'z') WHERE seq = 6", 6, /Entry 6/],
    ['a removed entry', 'DELETE FROM activity WHERE seq = 6', 6, /Entry 6 is missing/],
    ['removed entries', 'DELETE FROM activity WHERE seq BETWEEN 3 AND 5', 3, /Entries 3 to 5 are missing/],
    ['a removed first entry', 'DELETE FROM activity WHERE seq = 1', 1, /Entry 1 is missing/],
    [
      'swapped entries',
      'UPDATE activity SET seq = 1000 WHERE seq = 4; UPDATE activity SET seq = 4 WHERE seq = 5; UPDATE activity SET seq = 5 WHERE seq = 1000',
      4,
      /Entry 4/,
    ],
    ['a gap that was closed', 'DELETE FROM activity WHERE seq = 4; UPDATE activity SET seq = seq - 1 WHERE seq > 4', 4, /Entry 4/],
  ];
  test.each(CHANGES)('finds %s and names the place', async (_name, sql, firstBreak, detail) => {
    await fill(10);
    const result = await tampered(sql);
    expect(result).toMatchObject({ intact: false, first_break: firstBreak, detail: expect.stringMatching(detail) });
  });

  const ENDS: readonly [name: string, sql: string, firstBreak: number, detail: RegExp][] = [
    ['a cut end', 'DELETE FROM activity WHERE seq > 8', 9, /Entries 9 to 11 are missing/],
    ['an emptied log', 'DELETE FROM activity', 1, /Entries 1 to 11 are missing/],
    ['a cut end whose record was set back', 'DELETE FROM activity WHERE seq > 8; UPDATE activity_head SET seq = 8', 9, /Entry 9/],
    [
      'a forged last entry',
      'INSERT INTO activity SELECT 12, at, clock, type, actor, session_id, request_id, agent, cause, summary, data, hash FROM activity WHERE seq = 11',
      12,
      /Entry 12/,
    ],
    ['an edited record of the end', "UPDATE activity_head SET hash = replace(hash, substr(hash, 1, 1), 'z')", 12, /Entry 12/],
  ];
  test.each(ENDS)('finds %s at the next start, says so, and goes on logging', async (_name, sql, firstBreak, detail) => {
    await fill(10);
    const result = await tampered(sql);
    expect(result).toMatchObject({ problems: ['log_broken'], intact: false, first_break: firstBreak, detail: expect.stringMatching(detail) });
    await put(note('thing.after', 100));
    expect((await store.activity.list({ type: 'thing.after' })).items).toHaveLength(1);
    expect((await store.activity.list({ type: 'log.broken' })).items).toHaveLength(1);
    expect(await store.activity.verify()).toMatchObject({ intact: false, first_break: firstBreak });
    store.close();
    expect(() => {
      make.raw(folder.dataDir, 'DELETE FROM activity');
    }).toThrow(/append-only/);
    store = open().store;
  });

  test('the database itself refuses to edit, remove or insert before the end', async () => {
    await fill(3);
    store.close();
    const refused = (sql: string): unknown => {
      try {
        make.raw(folder.dataDir, sql);
      } catch (error) {
        return error instanceof Error ? error.message : error;
      }
      return null;
    };
    expect(refused("UPDATE activity SET summary = ''")).toMatch(/append-only/);
    expect(refused('DELETE FROM activity')).toMatch(/append-only/);
    expect(
      refused(
        'INSERT OR REPLACE INTO activity SELECT 1, at, clock, type, actor, session_id, request_id, agent, cause, summary, data, hash FROM activity WHERE seq = 2',
      ),
    ).toMatch(/append-only/);
    store = open().store;
  });
});

describe('lists', () => {
  beforeEach(async () => {
    await put(
      make.event('session.opened', { put: 'session', value: make.session('s1', { agent: 'codex' }) }, { put: 'session', value: make.session('s2') }),
    );
    for (let index = 0; index < 40; index += 1) {
      store.commit([
        note(index % 4 === 0 ? 'request.settled' : 'request.received', index * 60, {
          session_id: index % 3 === 0 ? 's1' : 's2',
          request_id: `r${index >> 1}`,
          summary: `Ran npm run task-${index} in café_folder`,
          facts: { file: `src/Deep.Path/file${index}.test.ts` },
        }),
      ]);
    }
    await store.flushed();
  });
  const summaries = async (filter: ActivityFilter): Promise<readonly string[]> =>
    (await store.activity.list({ limit: 1000, ...filter })).items.map((entry) => entry.summary.replace(/^Ran npm run task-(\d+).*$/, '$1'));

  test('are newest first and their pages neither repeat nor skip', async () => {
    const seqs: number[] = [];
    let before: string | undefined;
    do {
      const page = await store.activity.list({ limit: 7, before });
      expect(page.items.length).toBeLessThanOrEqual(7);
      seqs.push(...page.items.map((entry) => entry.seq));
      before = page.next ?? undefined;
    } while (before !== undefined);
    expect(seqs).toEqual(Array.from({ length: 42 }, (_, index) => 42 - index));
  });

  test('filter by session, request, type, agent and together', async () => {
    expect(await summaries({ request_id: 'r3' })).toEqual(['7', '6']);
    expect(await summaries({ session_id: 's1', type: 'request.settled' })).toEqual(['36', '24', '12', '0']);
    expect((await summaries({ agent: 'codex' })).length).toBe(15);
    expect(await summaries({ agent: 'nobody' })).toEqual([]);
    expect(await summaries({ before: 'nonsense' })).toEqual([]);
  });

  test('filter by time, inclusive, whatever the offset it is written in', async () => {
    expect(await summaries({ since: make.timeAt(37 * 60) })).toEqual(['39', '38', '37']);
    expect(await summaries({ since: make.timeAt(3 * 60), until: make.timeAt(5 * 60) })).toEqual(['5', '4', '3']);
    const shifted = new Date(make.START_MS + 38 * 60_000 + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    expect(await summaries({ since: shifted })).toEqual(['39', '38']);
  });

  test('find entries by time also after the clock was set back', async () => {
    await put(note('thing.later', 5 * 60, { summary: 'back in time' }));
    await put(note('thing.later', 41 * 60, { summary: 'on again' }));
    expect(await summaries({ since: make.timeAt(4 * 60 + 1), until: make.timeAt(5 * 60) })).toEqual(['back in time', '5']);
    expect(await summaries({ since: make.timeAt(40 * 60) })).toEqual(['on again']);
    expect(await summaries({ until: make.timeAt(0), type: 'request.settled' })).toEqual(['0']);
  });

  test('search words, beginnings of words and phrases with punctuation, in summaries and data', async () => {
    expect(await summaries({ search: 'task-17' })).toEqual(['17']);
    expect(await summaries({ search: 'NPM task-3', limit: 3 })).toEqual(['39', '38', '37']);
    expect(await summaries({ search: 'deep.path/file8.test' })).toEqual(['8']);
    expect(await summaries({ search: 'cafe_fol task-5' })).toEqual(['5']);
    expect(await summaries({ search: 'task-5 nowhere' })).toEqual([]);
    expect(await summaries({ search: '"!! *' })).toEqual([]);
    expect(await summaries({ search: 'task-1', session_id: 's1', type: 'request.settled' })).toEqual(['12']);
    expect(await summaries({ search: ' ' })).toHaveLength(42);
  });

  test('search what was logged a moment ago, and the newest of many', async () => {
    for (let index = 0; index < 600; index += 1) store.commit([note('bulk.added', 3000, { summary: `bulk needle${index % 300}` })]);
    await store.flushed();
    await put(note('thing.new', 4000, { summary: 'needle7' }));
    expect(await summaries({ search: 'needle7' })).toHaveLength(1 + 2 + 2 * 10);
    expect(await summaries({ search: 'needle7', limit: 2 })).toEqual(['needle7', 'bulk needle79']);
    expect(await store.activity.verify()).toMatchObject({ intact: true });
  });

  test('a search index that is damaged is made again', async () => {
    await summaries({ search: 'task-5' });
    store.close();
    make.tamper(folder.dataDir, 'DROP TABLE activity_search; UPDATE activity_head SET searchable = 10');
    store = open().store;
    expect(await summaries({ search: 'task-17' })).toEqual(['17']);
  });
});

describe('an export', () => {
  test('has the same entries in both formats, oldest first, filtered alike', async () => {
    for (let index = 0; index < 1200; index += 1) store.commit([note(index % 2 === 0 ? 'even.added' : 'odd.added', index)]);
    await store.flushed();
    const entries = await all({ type: 'odd.added' });
    expect(entries).toHaveLength(600);
    expect(entries.map((entry) => entry.seq)).toEqual([...entries.map((entry) => entry.seq)].sort((one, other) => one - other));
    const csv = (await texts(store.activity.export('csv', { type: 'odd.added' }))).trim().split('\n');
    expect(csv[0]).toBe('seq,at,type,agent,cause,actor,session_id,request_id,summary,data,hash');
    expect(csv).toHaveLength(601);
  });

  test('neutralises cells that a spreadsheet would run', async () => {
    await put(note('thing.happened', 0, { summary: '=HYPERLINK("http://example.com","x")', actor: '+1', session_id: '@SUM(1)' }));
    const csv = await texts(store.activity.export('csv', { type: 'thing.happened' }));
    expect(csv).toContain(`"'=HYPERLINK(`);
    expect(csv).toContain(`,'+1,'@SUM(1),`);
  });
});
