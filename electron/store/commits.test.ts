import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ActivityAppender } from './activity-log';
import { verifyActivity } from './activity-verify';
import { Committer } from './commits';
import { Connection } from './connection';
import { StorageFailed } from './contract';
import { FILES } from './data-folder';
import type { StateEvent } from './events';
import { emptyState, type MutableState } from './live';
import { loadState } from './load';
import * as make from './samples';
import { openSettings } from './settings';
import { openStore } from './store';

let folder: ReturnType<typeof make.temporaryFolder>;
beforeEach(() => {
  folder = make.temporaryFolder();
});
afterEach(() => {
  folder.clean();
});

const big = (id: string) =>
  make.event('request.received', { put: 'request', value: make.request(id, 's1', { input: { text: 'z'.repeat(20_000) } }) });

describe('when the disk refuses', () => {
  let connection: Connection;
  let state: MutableState;
  let committer: Committer;
  let activity: ActivityAppender;
  let durable: (readonly StateEvent[])[];
  let undone: StorageFailed[];

  beforeEach(async () => {
    const { store } = openStore({ dataDir: folder.dataDir, now: () => make.START_MS });
    store.commit([make.event('session.opened', { put: 'session', value: make.session('s1') })]);
    await store.flushed();
    store.close();
    connection = new Connection(join(folder.dataDir, FILES.database));
    const settings = openSettings(folder.dataDir, make.START_MS).file;
    state = emptyState(settings.initial);
    loadState(connection, state, make.START_MS);
    activity = new ActivityAppender(connection);
    durable = [];
    undone = [];
    committer = new Committer({
      connection,
      state,
      activity,
      settings,
      now: () => make.START_MS,
      onDurable: (events) => durable.push(events),
      onUndone: (failure) => undone.push(failure),
    });
  });
  afterEach(() => {
    connection.close();
  });

  const fillDisk = (): void => {
    const row = connection.get('SELECT page_count AS pages FROM pragma_page_count');
    connection.exec(`PRAGMA max_page_count = ${Number(row?.pages) + 8}`);
  };
  const freeDisk = (): void => {
    connection.exec('PRAGMA max_page_count = 1000000');
  };

  test('the whole group is undone: whoever waits is refused, nobody is told, the live state is what the disk has', async () => {
    fillDisk();
    const results = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'].map((id) => committer.commit([big(id)]));
    const outcomes = await Promise.allSettled(results.map((result) => (result.applied ? result.durable : null)));
    expect(outcomes.filter((outcome) => outcome.status === 'rejected').length).toBeGreaterThan(0);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'StorageFailed', failure: { code: 'storage' } });
    }
    expect(undone.length).toBeGreaterThan(0);
    expect(undone[0]?.failure.message).toMatch(/could not be saved: .*full/);
    const told = durable.flat().map((event) => event.type);
    expect([...state.pending.keys()]).toHaveLength(told.length);
    const onDisk = emptyState(state.settings);
    loadState(connection, onDisk, make.START_MS);
    expect([...state.pending.keys()]).toEqual([...onDisk.pending.keys()]);
    expect(await verifyActivity(connection, activity.head)).toMatchObject({ intact: true });
  });

  test('a commit that comes first in its group and fails with it is refused too', async () => {
    fillDisk();
    const small = committer.commit([make.event('project.created', { put: 'project', value: make.project('p1') })]);
    for (const id of ['r1', 'r2', 'r3', 'r4']) committer.commit([big(id)]);
    expect(small.applied).toBe(true);
    if (small.applied) await expect(small.durable).rejects.toThrow(StorageFailed);
    expect(state.projects.has('p1')).toBe(false);
  });

  test('later commits work again, and the chain has no hole', async () => {
    fillDisk();
    for (const id of ['r1', 'r2', 'r3', 'r4']) committer.commit([big(id)]);
    await committer.flushed().catch(() => undefined);
    freeDisk();
    const result = committer.commit([big('r9')]);
    if (result.applied) await result.durable;
    expect(state.pending.has('r9')).toBe(true);
    expect(durable.at(-1)?.map((event) => event.type)).toEqual(['request.received']);
    expect(await verifyActivity(connection, activity.head)).toMatchObject({ intact: true });
  });

  test('an answer that did not reach the disk leaves the request waiting', async () => {
    const received = committer.commit([make.event('request.received', { put: 'request', value: make.request('r1', 's1') })]);
    if (received.applied) await received.durable;
    fillDisk();
    const settled = committer.commit([make.event('request.settled', { settle: 'r1', decision: make.decision() })]);
    for (const id of ['r2', 'r3', 'r4', 'r5']) committer.commit([big(id)]);
    if (settled.applied) await expect(settled.durable).rejects.toThrow(StorageFailed);
    expect(state.pending.get('r1')).toMatchObject({ status: 'pending', decision: null });
  });
});

describe('settings', () => {
  const path = (): string => join(folder.dataDir, FILES.settings);
  const changed = make.event('settings.changed');

  test('are in the file when the commit is durable, and in the log', async () => {
    const { store } = openStore({ dataDir: folder.dataDir, now: () => make.START_MS });
    const result = store.commit([{ ...changed, writes: [{ settings: { ...store.live.settings, theme: 'dark' } }] }]);
    expect(store.live.settings.theme).toBe('dark');
    if (result.applied) await result.durable;
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toMatchObject({ theme: 'dark' });
    store.close();
    const again = openStore({ dataDir: folder.dataDir, now: () => make.START_MS }).store;
    expect(again.live.settings.theme).toBe('dark');
    expect((await again.activity.list({ type: 'settings.changed' })).items).toHaveLength(1);
    again.close();
  });

  test('a change that cannot be written is refused, and nothing of its group is kept', async () => {
    const { store } = openStore({ dataDir: folder.dataDir, now: () => make.START_MS });
    // A folder where the file should be: no file can be renamed over it.
    mkdirSync(join(path(), 'in the way'), { recursive: true });
    const before = store.live.settings;
    const result = store.commit([
      { ...changed, writes: [{ settings: { ...before, theme: 'dark' } }, { put: 'project', value: make.project('p1') }] },
    ]);
    if (result.applied) await expect(result.durable).rejects.toThrow(StorageFailed);
    expect(store.live.settings).toEqual(before);
    expect(store.live.projects.has('p1')).toBe(false);
    expect(store.problems.map((problem) => problem.code)).toEqual(['storage_failed']);
    const next = store.commit([make.event('project.created', { put: 'project', value: make.project('p2') })]);
    if (next.applied) await next.durable;
    expect(store.problems).toEqual([]);
    store.close();
  });

  test('a file that was edited while the program was closed is used, and the log says so', async () => {
    const first = openStore({ dataDir: folder.dataDir, now: () => make.START_MS }).store;
    const result = first.commit([{ ...changed, writes: [{ settings: { ...first.live.settings, theme: 'dark' } }] }]);
    if (result.applied) await result.durable;
    first.close();
    writeFileSync(path(), JSON.stringify({ theme: 'light' }));
    const second = openStore({ dataDir: folder.dataDir, now: () => make.START_MS }).store;
    expect(second.live.settings.theme).toBe('light');
    const entries = (await second.activity.list({ type: 'settings.changed' })).items;
    expect(entries[0]?.summary).toBe('The settings file was changed while Gatehouse was closed.');
    second.close();
  });
});

// A disk that is really full, or really read-only, needs a file system of its own, which only root may mount.
describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('on a real disk that', () => {
  const mount = (...options: string[]): boolean => spawnSync('mount', [...options, folder.dataDir]).status === 0;
  let isMounted = false;
  beforeEach(() => {
    mkdirSync(folder.dataDir, { recursive: true });
    isMounted = mount('-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'tmpfs');
  });
  afterEach(() => {
    if (isMounted) spawnSync('umount', ['-l', folder.dataDir]);
  });

  test('is full commits are refused with the reason, what was acknowledged stays, and space brings it back', async (context) => {
    if (!isMounted) return context.skip();
    const { store } = openStore({ dataDir: folder.dataDir, now: () => make.START_MS });
    store.commit([make.event('session.opened', { put: 'session', value: make.session('s1') })]);
    await store.flushed();
    const kept: string[] = [];
    let failure: unknown = null;
    for (let index = 0; index < 200 && failure === null; index += 1) {
      const result = store.commit([big(`r${index}`)]);
      if (!result.applied) throw new Error('refused');
      await result.durable.then(
        () => kept.push(`r${index}`),
        (error: unknown) => {
          failure = error;
        },
      );
    }
    expect(failure).toMatchObject({ failure: { code: 'storage' } });
    expect([...store.live.pending.keys()]).toEqual(kept);
    expect(store.problems.map((problem) => problem.code)).toContain('storage_failed');
    expect(mount('-o', 'remount,size=8m')).toBe(true);
    const after = store.commit([big('after')]);
    if (after.applied) await after.durable;
    store.close();
    const again = openStore({ dataDir: folder.dataDir, now: () => make.START_MS });
    expect(again.problems).toEqual([]);
    expect([...again.store.live.pending.keys()]).toEqual([...kept, 'after']);
    expect(await again.store.activity.verify()).toMatchObject({ intact: true });
    again.store.close();
  });

  test('is read-only a start is a typed failure that names the folder and the reason', (context) => {
    if (!isMounted || !mount('-o', 'remount,ro')) return context.skip();
    expect(() => openStore({ dataDir: folder.dataDir, now: () => make.START_MS })).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({ code: 'storage', subject: folder.dataDir, message: expect.stringMatching(/read-only/) }),
      }),
    );
  });
});
