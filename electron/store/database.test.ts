import { existsSync, readdirSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withBareConnection } from './connection';
import { StoreUnavailable } from './contract';
import { FILES } from './data-folder';
import { suspect } from './database';
import { APPLICATION_ID, MIGRATIONS, type Migration, migrate } from './migrations';
import * as make from './samples';
import { openStore } from './store';

let folder: ReturnType<typeof make.temporaryFolder>;
let path: string;
const open = (migrations?: readonly Migration[]) =>
  openStore({ dataDir: folder.dataDir, now: () => make.START_MS, ...(migrations ? { migrations } : {}) });

/** A store with a rule, a waiting request and some history, closed. */
async function filled(requests = 1): Promise<void> {
  const { store } = open();
  store.commit([
    make.event('rule.created', { put: 'rule', value: make.rule('x1', { tool_pattern: 'Write' }) }),
    make.event('session.opened', { put: 'session', value: make.session('s1') }),
  ]);
  for (let index = 0; index < requests; index += 1)
    store.commit([make.event('request.received', { put: 'request', value: make.request(`r${index}`, 's1') })]);
  await store.flushed();
  store.close();
}

beforeEach(() => {
  folder = make.temporaryFolder();
  path = join(folder.dataDir, FILES.database);
});
afterEach(() => {
  folder.clean();
});

describe('a damaged database', () => {
  const scribble = (from: number, length: number): void => {
    const bytes = readFileSync(path);
    bytes.fill(0x5a, from, from + length);
    writeFileSync(path, bytes);
  };
  const DAMAGES: readonly [name: string, damage: () => void][] = [
    ['text where the database was', () => writeFileSync(path, 'this is no database: marker-1\n'.repeat(60))],
    ['an empty file', () => truncateSync(path, 0)],
    ['a file cut in the middle', () => truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096)],
    ['an overwritten page of a table', () => scribble(4096 * 3, 4096 * 6)],
    ['an overwritten header', () => scribble(0, 100)],
    ['a missing table', () => make.raw(folder.dataDir, 'PRAGMA foreign_keys = OFF; DROP TABLE rules')],
    ['a record that is no JSON', () => make.raw(folder.dataDir, "PRAGMA ignore_check_constraints = ON; UPDATE rules SET body = 'x' WHERE id = 'x1'")],
    [
      'a rule with an action that does not exist',
      () =>
        make.raw(folder.dataDir, "PRAGMA ignore_check_constraints = ON; UPDATE rules SET body = replace(body, 'allow', 'permit') WHERE id = 'x1'"),
    ],
    [
      'a record of another shape',
      () => make.raw(folder.dataDir, "PRAGMA ignore_check_constraints = ON; INSERT INTO projects (id, body) VALUES ('p1', '[]')"),
    ],
  ];
  test.each(DAMAGES)('%s: is moved aside unchanged, and a new one asks for everything', async (_name, damage) => {
    await filled();
    damage();
    const bytes = readFileSync(path);
    const { store, problems } = open();
    expect(problems.map((problem) => problem.code)).toEqual(['database_damaged']);
    const aside = readdirSync(folder.dataDir).find((name) => /^gatehouse\.db\.damaged-2026-01-02T03-04-05Z$/.test(name));
    expect(aside).toBeDefined();
    expect(problems[0]?.message).toContain(String(aside));
    expect(readFileSync(join(folder.dataDir, String(aside))).equals(bytes)).toBe(true);
    expect(statSync(join(folder.dataDir, String(aside))).mode & 0o777).toBe(0o600);
    const actions = [...store.live.rules.values()].map((rule) => rule.action);
    expect(actions).not.toContain('allow');
    expect(actions).toContain('require');
    expect(store.live.pending.size).toBe(0);
    store.close();
    const again = open();
    expect(again.problems).toEqual([]);
    expect([...again.store.live.rules.values()].map((rule) => rule.action)).toEqual(actions);
    again.store.close();
  });

  test('a second one in the same second does not overwrite the first', () => {
    for (const text of ['first', 'second']) {
      writeFileSync(join(folder.dataDir, '..', 'x'), '');
      const { store } = existsSync(path) ? { store: null } : open();
      store?.close();
      writeFileSync(path, `${text} damage`.repeat(200));
      open().store.close();
    }
    const asides = readdirSync(folder.dataDir).filter((name) => name.includes('.damaged-'));
    expect(asides.map((name) => readFileSync(join(folder.dataDir, name), 'utf8').slice(0, 5)).sort()).toEqual(['first', 'secon']);
  });

  test('a log whose database is gone is kept aside as well', async () => {
    await filled();
    writeFileSync(`${path}-wal`, 'left over');
    renameSync(path, `${path}.gone`);
    const { store, problems } = open();
    expect(problems.map((problem) => problem.code)).toEqual(['database_damaged']);
    expect(readdirSync(folder.dataDir).filter((name) => name.endsWith('-wal') && name.includes('.damaged-'))).toHaveLength(1);
    store.close();
  });

  test('a database of a later version is moved aside and named so', async () => {
    await filled();
    make.raw(folder.dataDir, 'PRAGMA user_version = 999');
    const { store, problems } = open();
    expect(problems.map((problem) => problem.code)).toEqual(['database_newer']);
    expect([...store.live.rules.values()].map((rule) => rule.action)).not.toContain('allow');
    store.close();
  });

  test('a database of another program is moved aside, not filled', () => {
    const { store } = open();
    store.close();
    renameSync(path, `${path}.old`);
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE notes (text TEXT)');
    other.close();
    const opened = open();
    expect(opened.problems[0]?.message).toContain('no database of Gatehouse');
    opened.store.close();
  });

  test('a sound one opens with everything in it', async () => {
    await filled(50);
    const { store, problems } = open();
    expect(problems).toEqual([]);
    expect(store.live.pending.size).toBe(50);
    expect(store.live.rules.has('x1')).toBe(true);
    store.close();
    expect(readdirSync(folder.dataDir)).toEqual([FILES.database]);
  });

  test('a mark that the disk called it damaged is cleared by the full check', async () => {
    await filled();
    suspect(folder.dataDir);
    const { store, problems } = open();
    expect(problems).toEqual([]);
    expect(readdirSync(folder.dataDir).filter((name) => name.endsWith('.suspect'))).toEqual([]);
    store.close();
  });
});

describe('migrations', () => {
  const versionOf = (): unknown => withBareConnection(path, (bare) => bare.values('user_version', 'pragma_user_version')[0]);
  const second: Migration = {
    version: 2,
    sql: "ALTER TABLE projects ADD COLUMN colour TEXT; UPDATE projects SET colour = 'green'; CREATE TABLE extras (id TEXT PRIMARY KEY) STRICT;",
  };
  const third: Migration = { version: 3, sql: "UPDATE projects SET body = json_set(body, '$.name', 'third')" };

  test('versions count up from 1 without a gap', () => {
    expect(MIGRATIONS.map((migration) => migration.version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  test('a database of version 1 is brought to the last version with its records', async () => {
    const { store } = open();
    store.commit([make.event('project.created', { put: 'project', value: make.project('p1') })]);
    await store.flushed();
    store.close();
    const opened = open([...MIGRATIONS, second, third]);
    expect(opened.problems).toEqual([]);
    expect(opened.store.live.projects.get('p1')?.name).toBe('third');
    expect(await opened.store.activity.verify()).toMatchObject({ intact: true });
    opened.store.close();
    expect(versionOf()).toBe(3);
    expect(open([...MIGRATIONS, second, third]).store.live.projects.get('p1')?.name).toBe('third');
  });

  test('a step that fails leaves the database at its version and says so, and nothing is moved aside', async () => {
    await filled();
    const broken: Migration = { version: 3, sql: 'CREATE TABLE later (id TEXT); INSERT INTO nowhere VALUES (1)' };
    expect(() => open([...MIGRATIONS, second, broken])).toThrow(StoreUnavailable);
    expect(versionOf()).toBe(1);
    expect(readdirSync(folder.dataDir)).toEqual([FILES.database]);
    const { store, problems } = open();
    expect(problems).toEqual([]);
    expect(store.live.rules.has('x1')).toBe(true);
    store.close();
  });

  test('a new database has the last version and the mark of the program', () => {
    open().store.close();
    expect(versionOf()).toBe(MIGRATIONS.length);
    withBareConnection(path, (bare) => {
      expect(bare.values('application_id', 'pragma_application_id')).toEqual([APPLICATION_ID]);
      expect(migrate(bare)).toBe('current');
      expect(
        bare.values(
          'name',
          "sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE %' AND name NOT LIKE 'activity_search%' AND sql NOT LIKE '%STRICT%'",
        ),
      ).toEqual([]);
    });
  });
});
