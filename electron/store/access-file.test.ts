import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeAccess, defaultsOf, parseAccess, readAccess, withDefault, withoutDefault } from './access-file';
import { FILES, prepareFolder } from './data-folder';
import * as make from './samples';

let folder: ReturnType<typeof make.temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = make.temporaryFolder();
  prepareFolder(folder.dataDir);
  path = join(folder.dataDir, FILES.access);
});
afterEach(() => {
  folder.clean();
});

const table = (text: string) => {
  const parsed = parseAccess(text);
  if (!parsed.ok) throw new Error(parsed.failure.message);
  return parsed.value;
};

describe('access.json', () => {
  test('a missing file has no defaults', () => {
    const read = readAccess(folder.dataDir);
    expect(read.ok && defaultsOf(read.value, '/app')).toEqual({ entries: [], skipped: [] });
  });

  test('entries are those of the root alone, in their order', () => {
    const read = table('{"/app": [{"path": "/ref", "mode": "read"}, {"path": "/out", "mode": "write"}], "/other": [{"path": "/x", "mode": "read"}]}');
    expect(defaultsOf(read, '/app').entries).toEqual([
      { path: '/ref', mode: 'read' },
      { path: '/out', mode: 'write' },
    ]);
    expect(defaultsOf(read, '/app/').entries).toEqual([]);
  });

  test.each(['{corrupt', '[]', '{"/app": {}}', '"x"', 'null', ''])('a damaged file (%j) is a failure and is never written over', (text) => {
    writeFileSync(path, text);
    expect(readAccess(folder.dataDir)).toMatchObject({ ok: false, failure: { code: 'invalid', subject: 'access.json' } });
    expect(changeAccess(folder.dataDir, (read) => withDefault(read, '/app', { path: '/x', mode: 'read' })).ok).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('an entry that cannot be used is skipped with a failure of its own and stays in the file', () => {
    const bad = [{ path: '/out', mode: 'sometimes' }, { mode: 'read' }, 'x', { path: '', mode: 'read' }];
    writeFileSync(path, JSON.stringify({ '/app': [...bad, { path: '/ref', mode: 'read', note: 'mine' }] }));
    const changed = changeAccess(folder.dataDir, (read) => {
      const found = defaultsOf(read, '/app');
      expect(found.entries).toEqual([{ path: '/ref', mode: 'read' }]);
      expect(found.skipped).toHaveLength(4);
      expect(found.skipped[0]?.message).toContain('sometimes');
      return withDefault(read, '/app', { path: '/new', mode: 'write' });
    });
    expect(changed.ok).toBe(true);
    expect(JSON.parse(readFileSync(path, 'utf8'))['/app']).toEqual([
      ...bad,
      { path: '/ref', mode: 'read', note: 'mine' },
      { path: '/new', mode: 'write' },
    ]);
  });

  test('adding a path that is there changes its mode in its place; removing takes every entry of it', () => {
    const before = table('{"/app": [{"path": "/a", "mode": "read"}, {"path": "/b", "mode": "read"}, {"path": "/a", "mode": "write"}]}');
    const added = withDefault(before, '/app', { path: '/a', mode: 'write' });
    expect(added.get('/app')).toEqual([
      { path: '/a', mode: 'write' },
      { path: '/b', mode: 'read' },
    ]);
    const removed = withoutDefault(before, '/app', '/a');
    expect([removed.removed, removed.table.get('/app')]).toEqual([true, [{ path: '/b', mode: 'read' }]]);
    expect(withoutDefault(before, '/app', '/zzz').removed).toBe(false);
    expect(withoutDefault(table('{"/app": [{"path": "/a", "mode": "read"}]}'), '/app', '/a').table.has('/app')).toBe(false);
  });

  test('is written whole and private, and comes back', () => {
    const changed = changeAccess(folder.dataDir, (read) => withDefault(read, '/app', { path: '/x y', mode: 'write' }));
    expect(changed.ok).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const read = readAccess(folder.dataDir);
    expect(read.ok && defaultsOf(read.value, '/app').entries).toEqual([{ path: '/x y', mode: 'write' }]);
  });

  test('is not touched when nothing changes', () => {
    expect(changeAccess(folder.dataDir, (read) => read).ok).toBe(true);
    expect(() => statSync(path)).toThrow();
  });
});
