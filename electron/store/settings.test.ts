import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FILES, prepareFolder } from './data-folder';
import * as make from './samples';
import { DEFAULT_SETTINGS, openSettings } from './settings';
import { openStore } from './store';

let folder: ReturnType<typeof make.temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = make.temporaryFolder();
  prepareFolder(folder.dataDir);
  path = join(folder.dataDir, FILES.settings);
});
afterEach(() => {
  folder.clean();
});
const open = () => openSettings(folder.dataDir, make.START_MS);
const asides = () => readdirSync(folder.dataDir).filter((name) => name.includes('.damaged-'));

describe('settings', () => {
  test('without a file are the defaults, and no file is written', () => {
    const { file, problem } = open();
    expect([file.initial, problem]).toEqual([DEFAULT_SETTINGS, null]);
    expect(existsSync(path)).toBe(false);
  });

  test('come back as they were written, in a private file', () => {
    const changed = {
      ...DEFAULT_SETTINGS,
      notifications: 'none' as const,
      run_context_defaults: { agents: { codex: { withheld: ['Bash'] }, 'a.b': {} }, sources: { cron: { permission_mode: 'read-only' as const } } },
      protected_paths: { extra: ['/data/private'], lifted: [] },
    };
    open().file.write(changed);
    expect(open()).toMatchObject({ file: { initial: changed }, problem: null });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('keep the keys of a later version and do not use them', () => {
    writeFileSync(path, JSON.stringify({ theme: 'dark', from_the_future: { x: 1 } }));
    const { file, problem } = open();
    expect([file.initial, problem]).toEqual([{ ...DEFAULT_SETTINGS, theme: 'dark' }, null]);
    file.write({ ...file.initial, theme: 'light' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ theme: 'light', from_the_future: { x: 1 } });
  });

  test.each(['{"theme": "dark"', '[]', 'null', '"x"', '\0\0\0', ''])(
    'a damaged file (%j) is set aside, reported, and replaced by nothing',
    (text) => {
      writeFileSync(path, text);
      const { file, problem } = open();
      expect(file.initial).toEqual(DEFAULT_SETTINGS);
      expect(problem).toMatchObject({ code: 'settings_damaged' });
      expect(asides()).toHaveLength(1);
      expect(problem?.message).toContain(asides()[0]);
      expect(readFileSync(join(folder.dataDir, String(asides()[0])), 'utf8')).toBe(text);
      expect(existsSync(path)).toBe(false);
    },
  );

  test('a value that cannot be used costs that value only, and a copy is kept', () => {
    const text = JSON.stringify({ theme: 'pink', keep_in_tray: false, protected_paths: { lifted: 'all' } });
    writeFileSync(path, text);
    const { file, problem } = open();
    expect(file.initial).toEqual({ ...DEFAULT_SETTINGS, keep_in_tray: false });
    expect(problem?.message).toMatch(/`theme`, `protected_paths`/);
    expect(readFileSync(join(folder.dataDir, String(asides()[0])), 'utf8')).toBe(text);
  });

  test('a damaged file does not keep the store from opening', () => {
    writeFileSync(path, '{');
    const { store, problems } = openStore({ dataDir: folder.dataDir, now: () => make.START_MS });
    expect(problems.map((problem) => problem.code)).toEqual(['settings_damaged']);
    expect(store.live.settings).toEqual(DEFAULT_SETTINGS);
    store.close();
  });

  test('names of an object prototype are ordinary keys', () => {
    writeFileSync(path, '{"__proto__": {"theme": "dark"}, "run_context_defaults": {"agents": {"constructor": {"phase": "plan"}}, "sources": {}}}');
    const { file } = open();
    expect(file.initial.theme).toBe('system');
    expect(Object.entries(file.initial.run_context_defaults.agents)).toEqual([['constructor', { phase: 'plan' }]]);
  });
});
