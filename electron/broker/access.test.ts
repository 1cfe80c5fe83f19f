import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccessEntry } from '../../shared/model';
import { ADMIN, AGENT, Bench, outcome } from './test-bench';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
  bench.dirs('ext/ref', 'ext/out', 'ext/.ssh', 'app/vendor');
});
afterEach(() => bench.close());

const ref = () => bench.path('ext/ref');
const shortly = (entries: readonly AccessEntry[]) => entries.map(({ path, mode }) => `${path.slice(bench.dir.length + 1)} ${mode}`);
const listOf = async (id: string) => shortly((await bench.ok('access.list', { session_id: id })).items);
const tableText = (table: object) => writeFileSync(bench.path('data/access.json'), JSON.stringify(table));
const fileText = () => readFileSync(bench.path('data/access.json'), 'utf8');

describe('adding', () => {
  it('is in force at once, for what waits as well', async () => {
    const session = await bench.open();
    const [read, write] = [await bench.submit(session, 'Read', { file_path: `${ref()}/x` }), await bench.write(session, `${ref()}/x`)];
    await bench.ok('access.add', { session_id: session.id, path: ref(), mode: 'read' });
    expect([outcome(await bench.get(read)), outcome(await bench.get(write))]).toEqual(['allowed directory', 'denied directory']);
  });

  it('replaces the mode of the same place, however it is spelled', async () => {
    bench.link('ext/alias', ref());
    const session = await bench.open();
    await bench.ok('access.add', { session_id: session.id, path: ref(), mode: 'read' });
    const { items } = await bench.ok('access.add', { session_id: session.id, path: bench.path('ext/alias'), mode: 'write' });
    expect(items).toEqual([{ path: ref(), mode: 'write', source_path: bench.path('ext/alias'), origin: 'session' }]);
  });

  it('keeps no typed path where it is the canonical one, with or without a slash behind', async () => {
    const session = await bench.open();
    for (const path of [ref(), `${ref()}/`]) {
      const { items } = await bench.ok('access.add', { session_id: session.id, path, mode: 'read' });
      expect(items[0]).not.toHaveProperty('source_path');
    }
  });

  it('refuses what is missing, a file, a credential path, and a link to one', async () => {
    bench.file('ext/file.txt');
    bench.link('ext/keys', bench.path('ext/.ssh'));
    const session = await bench.open();
    for (const name of ['ext/missing', 'ext/file.txt', 'ext/.ssh', 'ext/keys', 'data']) {
      const failure = await bench.fails('access.add', { session_id: session.id, path: bench.path(name), mode: 'read' });
      expect(failure).toMatchObject({ code: 'invalid', subject: 'path' });
    }
  });

  it.each(['turn', 'compaction'] as const)('is refused during a %s, and reading is not', async (state) => {
    const session = await bench.open();
    await bench.ok('session.turn', { session_id: session.id, state }, AGENT);
    expect((await bench.fails('access.add', { session_id: session.id, path: ref(), mode: 'read' })).code).toBe('busy');
    expect((await bench.fails('access.remove', { session_id: session.id, path: ref() })).code).toBe('busy');
    expect(await listOf(session.id)).toEqual([]);
    await bench.ok('session.turn', { session_id: session.id, state: 'idle' }, AGENT);
    await bench.ok('access.add', { session_id: session.id, path: ref(), mode: 'read' });
  });
});

describe('removing', () => {
  it('finds an entry by its typed path first: a retargeted link revokes what it made', async () => {
    bench.dirs('ext/one', 'ext/two');
    bench.link('ext/link', bench.path('ext/one'));
    const session = await bench.open();
    await bench.ok('access.add', { session_id: session.id, path: bench.path('ext/link'), mode: 'read' });
    await bench.ok('access.add', { session_id: session.id, path: bench.path('ext/two'), mode: 'write' });
    bench.link('ext/link', bench.path('ext/two'));
    await bench.ok('access.remove', { session_id: session.id, path: bench.path('ext/link') });
    expect(await listOf(session.id)).toEqual(['ext/two write']);
  });

  it('finds it by its canonical path, and when directory or link are gone', async () => {
    bench.link('ext/link', ref());
    const session = await bench.open();
    const add = () => bench.ok('access.add', { session_id: session.id, path: bench.path('ext/link'), mode: 'read' });
    await add();
    await bench.ok('access.remove', { session_id: session.id, path: ref() });
    await add();
    rmSync(bench.path('ext/link'));
    await bench.ok('access.remove', { session_id: session.id, path: bench.path('ext/link') });
    bench.link('ext/link', ref());
    await add();
    rmSync(ref(), { recursive: true });
    await bench.ok('access.remove', { session_id: session.id, path: ref() });
    expect(await listOf(session.id)).toEqual([]);
    expect((await bench.fails('access.remove', { session_id: session.id, path: ref() })).code).toBe('not_found');
  });

  it('gives a root back what a read entry below took', async () => {
    await bench.rule({ tool_pattern: 'Write', action: 'allow' });
    const session = await bench.open({ allow_read: [bench.path('app/vendor')] }, ADMIN);
    expect(outcome(await bench.write(session, 'vendor/x'))).toBe('denied directory');
    await bench.ok('access.remove', { session_id: session.id, path: bench.path('app/vendor') });
    expect(outcome(await bench.write(session, 'vendor/x'))).toBe('allowed rule');
  });
});

describe('creation flags', () => {
  it('are the whole seed and are not saved', async () => {
    await bench.ok('access_defaults.add', { root: bench.app, path: ref(), mode: 'read' });
    const session = await bench.open({ allow_write: [bench.path('ext/out')] }, ADMIN);
    expect(shortly(session.access)).toEqual(['ext/out write']);
    expect(shortly((await bench.ok('access_defaults.list', { root: bench.app })).items)).toEqual(['ext/ref read']);
  });

  it('may be relative to the working directory', async () => {
    const session = await bench.open({ allow_read: ['vendor', '../ext/ref'] }, ADMIN);
    expect(shortly(session.access)).toEqual(['app/vendor read', 'ext/ref read']);
  });

  it('with both modes for one directory are refused, naming the field', async () => {
    bench.link('ext/alias', ref());
    const failure = await bench.fails('session.open', { agent: 'x', cwd: bench.app, allow_read: [ref()], allow_write: [bench.path('ext/alias')] });
    expect(failure).toMatchObject({ code: 'invalid', subject: 'allow_write.0' });
  });

  it('with a missing directory or a credential path are refused', async () => {
    for (const name of ['ext/missing', 'ext/.ssh']) {
      const failure = await bench.fails('session.open', { agent: 'x', cwd: bench.app, allow_read: [bench.path(name)] });
      expect(failure).toMatchObject({ code: 'invalid', subject: 'allow_read.0' });
    }
  });
});

describe('defaults', () => {
  it('are keyed by the canonical root', async () => {
    bench.link('alias', bench.app);
    await bench.ok('access_defaults.add', { root: bench.path('alias'), path: ref(), mode: 'read' });
    expect(shortly((await bench.open({ cwd: bench.path('alias') })).access)).toEqual(['ext/ref read']);
    expect((await bench.open({ cwd: bench.ext })).access).toEqual([]);
  });

  it('join this session when they are added, and leave only this one when they are removed', async () => {
    const one = await bench.open();
    await bench.ok('access_defaults.add', { root: bench.app, path: ref(), mode: 'read', session_id: one.id });
    const two = await bench.open();
    expect([await listOf(one.id), await listOf(two.id)]).toEqual([['ext/ref read'], ['ext/ref read']]);
    await bench.ok('access_defaults.remove', { root: bench.app, path: ref(), session_id: one.id });
    expect([await listOf(one.id), await listOf(two.id)]).toEqual([[], ['ext/ref read']]);
    expect((await bench.ok('access_defaults.list', { root: bench.app })).items).toEqual([]);
  });

  it('are not written while the session they should join is busy', async () => {
    const session = await bench.open();
    await bench.ok('session.turn', { session_id: session.id, state: 'turn' }, AGENT);
    const add = { root: bench.app, path: ref(), mode: 'read' as const, session_id: session.id };
    expect((await bench.fails('access_defaults.add', add)).code).toBe('busy');
    expect((await bench.ok('access_defaults.list', { root: bench.app })).items).toEqual([]);
  });

  it('that cannot be used are skipped with a notice and left in the file', async () => {
    const missing = bench.path('ext/missing');
    tableText({
      [bench.app]: [
        { path: ref(), mode: 'read' },
        { path: missing, mode: 'write' },
        { path: bench.path('ext/.ssh'), mode: 'read' },
        { path: bench.path('ext/out'), mode: 'sometimes' },
      ],
    });
    const session = await bench.open();
    expect(shortly(session.access)).toEqual(['ext/ref read']);
    expect(session.notices).toHaveLength(3);
    await bench.ok('access_defaults.add', { root: bench.app, path: bench.path('app/vendor'), mode: 'read' });
    for (const kept of ['missing', '.ssh', 'sometimes']) expect(fileText()).toContain(kept);
  });

  it('with two modes for one directory give nothing and a notice', async () => {
    bench.link('ext/alias', ref());
    tableText({
      [bench.app]: [
        { path: ref(), mode: 'read' },
        { path: bench.path('ext/alias'), mode: 'write' },
        { path: bench.path('ext/out'), mode: 'read' },
      ],
    });
    const session = await bench.open();
    expect([session.access, session.notices.length]).toEqual([[], 1]);
  });

  it('in a damaged file give nothing and a notice, and the file is never written over', async () => {
    writeFileSync(bench.path('data/access.json'), '{corrupt');
    const session = await bench.open();
    expect([session.access, session.notices.length]).toEqual([[], 1]);
    expect((await bench.fails('access_defaults.add', { root: bench.app, path: ref(), mode: 'read' })).subject).toBe('access.json');
    expect(fileText()).toBe('{corrupt');
  });
});
