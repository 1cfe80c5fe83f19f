import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expandGlob } from './globs';
import { createPaths, type Paths } from './paths';

let root: string;
let paths: Paths;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'globs-')));
  for (const directory of ['src/deep', 'secrets', '.ssh', 'many']) mkdirSync(join(root, directory), { recursive: true });
  for (const file of ['a.ts', 'b.ts', 'c.js', '[x].ts', 'a-b', '.env', 'src/a.ts', 'src/deep/z.ts', 'secrets/key', '.ssh/id_rsa', 'a*b'])
    writeFileSync(join(root, file), '');
  for (let index = 0; index < 400; index++) writeFileSync(join(root, 'many', `f${index}`), '');
  writeFileSync(join(root, 'many', 'zz-wanted'), '');
  symlinkSync('/etc', join(root, 'many', 'zz-link'));
  paths = createPaths({ home: root });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const expand = (pattern: string): readonly string[] =>
  expandGlob(pattern, root, paths, (name) => name === 'zz-wanted')
    .found.map((path) => path.slice(root.length + 1))
    .sort();

describe('a wildcard', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['*.ts', ['[x].ts', 'a.ts', 'b.ts']],
    ['?.ts', ['a.ts', 'b.ts']],
    ['[ab].ts', ['a.ts', 'b.ts']],
    ['[!a].ts', ['b.ts']],
    ['[^a].ts', ['b.ts']],
    ['[a-c].?s', ['a.ts', 'b.ts', 'c.js']],
    ['[[:alpha:]].js', ['c.js']],
    ['[[:digit:]].js', []],
    ['[]x].ts', []],
    ['\\[x\\].*', ['[x].ts']],
    ['a\\*b*', ['a*b']],
    ['a[-]b', ['a-b']],
    ['.*', ['.env', '.ssh']],
    ['.s*/id*', ['.ssh/id_rsa']],
    ['*/key', ['secrets/key']],
    ['*/none', []],
    ['*/../c.js', ['many/../c.js', 'secrets/../c.js', 'src/../c.js']],
    ['*/*.ts', ['src/a.ts']],
    ['./*.js', ['c.js']],
    ['src/../*.js', ['c.js']],
    ['~/*.js', ['c.js']],
    ['nothing/*', []],
    ['*.js/*', []],
    ['[', []],
  ];
  it.each(table)('%j stands for %j', (pattern, expected) => {
    expect(expand(pattern)).toEqual(expected);
  });

  it('begins in the literal directory before it', () => {
    expect(expandGlob('/etc/pass*', root, paths, () => false).directory).toBe('/etc/');
    expect(expandGlob('*.ts', root, paths, () => false).directory).toBe('');
    expect(expandGlob('src/a*', null, paths, () => false)).toEqual({ found: [], directory: 'src/' });
  });

  it('stands for a bounded number of names, and beyond it for links and what a rule names', () => {
    const found = expand('many/*');
    expect(found.length).toBeLessThanOrEqual(202);
    expect(found).toContain('many/zz-link');
    expect(found).toContain('many/zz-wanted');
  });

  it('is quick whatever it looks like', () => {
    const before = process.cpuUsage();
    expand(`${'*a'.repeat(100)}*b`);
    expand('*/'.repeat(50));
    expand(`${'['.repeat(1000)}*`);
    expand(`${'['.repeat(3000)}]*`);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(100);
  });
});
