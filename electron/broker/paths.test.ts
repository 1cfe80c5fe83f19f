import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlatformFacts } from '../engine/facts';
import { createPaths, hostPlatform, type Paths } from './paths';

const numRuns = process.env.GATEHOUSE_DEEP === undefined ? 300 : 10_000;
const WINDOWS: PlatformFacts = { separator: '\\', caseSensitive: false };

describe('on this disk', () => {
  let root: string;
  let paths: Paths;
  /** Below the temporary root. */
  const at = (...names: readonly string[]): string => join(root, ...names);
  const canonical = (raw: string, base: string | null = at('app')): string | null => paths.canonical(raw, base).path;

  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'paths-')));
    for (const directory of ['app/src/deep', 'app/private', 'app/real', 'ext/deep', 'home/me/.ssh', 'app/a b'])
      mkdirSync(at(directory), { recursive: true });
    for (const file of ['app/src/a.ts', 'app/private/v.txt', 'ext/s.txt', 'home/me/.ssh/id']) writeFileSync(at(file), 'x');
    const links: readonly (readonly [string, string])[] = [
      ['app/link', at('ext/deep')],
      ['app/notes.md', at('app/private/v.txt')],
      ['app/l1', at('app/l2')],
      ['app/l2', 'l3'],
      ['app/l3', at('app/private')],
      ['app/up', '..'],
      ['app/dangling', at('app/private/new.txt')],
      ['app/dangling-dir', 'private/later'],
      ['app/loop-a', 'loop-b'],
      ['app/loop-b', 'loop-a'],
      ['app/self', 'self'],
      ['app/tilde', '~/x'],
      ['app/file-link', 'src/a.ts'],
      ['home/alias', 'me'],
    ];
    for (const [name, target] of links) symlinkSync(target, at(name));
    paths = createPaths({ home: at('home/alias') });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('expands the home folder, itself canonical', () => {
    expect(paths.home).toBe(at('home/me'));
    expect(canonical('~')).toBe(at('home/me'));
    expect(canonical('~/.ssh/id')).toBe(at('home/me/.ssh/id'));
    expect(canonical('~/new')).toBe(at('home/me/new'));
    expect(canonical('a~/x')).toBe(at('app/a~/x'));
    expect(canonical('./~/x')).toBe(at('app/~/x'));
    expect(canonical('~nobody-of-that-name/x')).toBeNull();
    if (process.platform === 'linux') expect(canonical('~root/x')).toBe('/root/x');
  });

  const landings: readonly (readonly [string, string])[] = [
    ['src/a.ts', 'app/src/a.ts'],
    ['./src//a.ts', 'app/src/a.ts'],
    ['src/./deep/../a.ts', 'app/src/a.ts'],
    ['nothing/../src/a.ts', 'app/src/a.ts'],
    ['nothing/at/all', 'app/nothing/at/all'],
    ['nothing/../../ext/s.txt', 'ext/s.txt'],
    ['../app/src/', 'app/src'],
    ['../../../../../../../../../..', ''],
    ['', 'app'],
    ['.', 'app'],
    ['a b/\u00fc', 'app/a b/\u00fc'],
    ['notes.md', 'app/private/v.txt'],
    ['l1/x', 'app/private/x'],
    ['l1/v.txt', 'app/private/v.txt'],
    ['link/x', 'ext/deep/x'],
    ['link/../s.txt', 'ext/s.txt'],
    ['link/../x', 'ext/x'],
    ['link/../../app/link/y', 'ext/deep/y'],
    ['up/ext/s.txt', 'ext/s.txt'],
    ['nothing/../link/../x', 'ext/x'],
    ['dangling', 'app/private/new.txt'],
    ['dangling-dir/a/b', 'app/private/later/a/b'],
    ['dangling-dir/../x', 'app/private/x'],
    ['src/a.ts/x', 'app/src/a.ts/x'],
    ['src/a.ts/..', 'app/src'],
    ['tilde', 'app/~/x'],
  ];
  it.each(landings)('%j lands at %j', (raw, expected) => {
    const wanted = expected === '' ? '/' : at(expected);
    expect(canonical(raw)).toBe(wanted);
    if (!raw.startsWith('.') && raw !== '') expect(canonical(`${at('app')}/${raw}`, null)).toBe(wanted);
  });

  const unresolved: readonly (readonly [string, string])[] = [
    ['a loop of links', 'loop-a'],
    ['a loop on the way', 'loop-a/x'],
    ['a link to itself', 'self/../x'],
    ['a NUL character', 'a\0b'],
    ['half a surrogate pair', 'a\uD800'],
    ['a name that is too long', 'x'.repeat(300)],
    ['a path that is too long', 'abc/'.repeat(3000)],
  ];
  it.each(unresolved)('%s leads nowhere', (_name, raw) => {
    const landed = paths.canonical(raw, at('app'));
    expect(landed.path).toBeNull();
    expect(landed).toHaveProperty('reason');
  });

  it('resolves nothing relative without a directory', () => {
    expect(canonical('a', null)).toBeNull();
    expect(canonical('~/a', null)).toBe(at('home/me/a'));
    expect(canonical('/', null)).toBe('/');
  });

  it('says what exists', () => {
    expect(paths.canonical('src/a.ts', at('app'))).toEqual({ path: at('app/src/a.ts'), exists: true });
    expect(paths.canonical('file-link', at('app'))).toEqual({ path: at('app/src/a.ts'), exists: true });
    expect(paths.canonical('dangling', at('app'))).toEqual({ path: at('app/private/new.txt'), exists: false });
    expect(paths.canonical('link/../s.txt', at('app'))).toEqual({ path: at('ext/s.txt'), exists: true });
    expect(paths.isDirectory(at('app/link'))).toBe(true);
    expect(paths.isDirectory(at('app/src/a.ts'))).toBe(false);
    expect(paths.isDirectory(at('app/nothing'))).toBe(false);
  });

  it('also tells where a path lands for who tidies it first', () => {
    expect(paths.tidied('link/../x', at('app'))).toEqual({ path: at('app/x'), exists: false });
    expect(paths.tidied(`${at('app')}/link/../src`, null)).toEqual({ path: at('app/src'), exists: true });
    expect(paths.tidied('../ext/s.txt', at('app'))).toEqual({ path: at('ext/s.txt'), exists: true });
    expect(paths.tidied('~/../x', at('app'))?.path).toBe(at('home/x'));
    expect(paths.tidied('src/a..b', at('app'))).toBeNull();
    expect(paths.tidied('/../x', null)?.path).toBe('/x');
  });

  it('follows a link that is changed from one call to the next', () => {
    symlinkSync(at('app/real'), at('app/moving'));
    expect(canonical('moving/x')).toBe(at('app/real/x'));
    rmSync(at('app/moving'));
    symlinkSync(at('app/private'), at('app/moving'));
    expect(canonical('moving/x')).toBe(at('app/private/x'));
    rmSync(at('app/moving'));
  });

  describe('the prefix of a pattern', () => {
    it('is made canonical where it exists, up to the first name with a star', () => {
      expect(paths.canonicalPrefix(`${at('app/link')}/*`)).toBe(`${at('ext/deep')}/*`);
      expect(paths.canonicalPrefix(`${at('app/link')}/new/*.ts`)).toBe(`${at('ext/deep/new')}/*.ts`);
      expect(paths.canonicalPrefix(`${at('app/li')}*/x`)).toBe(`${at('app/li')}*/x`);
      expect(paths.canonicalPrefix('~/.ssh/*')).toBe(`${at('home/me/.ssh')}/*`);
      expect(paths.canonicalPrefix(at('app/notes.md'))).toBe(at('app/private/v.txt'));
      expect(paths.canonicalPrefix('/*')).toBe('/*');
      expect(paths.canonicalPrefix('~/*')).toBe(`${at('home/me')}/*`);
    });
    it('stays as it is when it is relative or leads nowhere', () => {
      for (const pattern of ['src/*', '*', '*.env', '', `${at('app/loop-a')}/*`, 'a~/*', '/a\0/*'])
        expect(paths.canonicalPrefix(pattern)).toBe(pattern);
    });
    it('of a relative one is a link when one stands there', () => {
      expect(paths.linkAt(at('app'), 'link')).toEqual({ at: at('app/link'), to: at('ext/deep') });
      expect(paths.linkAt(at('app'), 'l1')).toEqual({ at: at('app/l1'), to: at('app/private') });
      expect(paths.linkAt(at('app'), 'src')).toBeNull();
      expect(paths.linkAt(at('app'), 'nothing')).toBeNull();
      expect(paths.linkAt(at('app'), 'loop-a')).toBeNull();
    });
  });

  it('answers within 50 ms of computing for a path of 5,000 segments', () => {
    const hostile = [
      'a/'.repeat(5000),
      './'.repeat(5000),
      '../'.repeat(5000),
      'src/../'.repeat(2500),
      'link/../../app/'.repeat(1200),
      `${'x/'.repeat(1999)}y`,
      'nothing/../'.repeat(2500),
    ];
    for (const raw of hostile) {
      paths.canonical(raw, at('app'));
      const before = process.cpuUsage();
      paths.canonical(raw, at('app'));
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000, raw.slice(0, 20)).toBeLessThan(50);
    }
  });

  describe('whatever the spelling (spec 15.3)', () => {
    const targets = [
      'src/a.ts',
      'src/deep',
      'private/v.txt',
      'private/none/x',
      'l1/v.txt',
      'l1/none',
      'link',
      'link/x',
      'notes.md',
      'dangling',
      'a b/x',
      'up/ext/s.txt',
    ];
    /** Segments that lead back to where they began, below any directory of the tree or in `app`. */
    const detours = fc.constantFrom('./', '', '/', '././', '//');
    const fromApp = fc.constantFrom(
      '',
      './',
      'src/../',
      'src/deep/../../',
      '../app/',
      'real/.././',
      'nothing/../',
      'up/app/',
      'link/../../app/',
      './/./',
    );

    it('a path lands at the same place', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...targets),
          fc.array(fromApp, { maxLength: 4 }),
          fc.array(detours, { minLength: 8, maxLength: 8 }),
          fc.boolean(),
          fc.constantFrom('', '/', '/.'),
          (target, starts, between, isAbsolute, end) => {
            const spelled = target
              .split('/')
              .map((segment, index) => (index === 0 ? segment : `${between[index]}/${segment}`.replace(/^\/+/, '/')))
              .join('/')
              .replace(/^\/+/, '');
            const raw = `${isAbsolute ? `${at('app')}/` : ''}${starts.join('')}${spelled}${end}`;
            expect(canonical(raw), raw).toBe(canonical(target));
          },
        ),
        { numRuns },
      );
    });

    it('what exists lands where the system says', () => {
      const steps = fc.constantFrom(
        'src',
        'deep',
        'a.ts',
        'private',
        'v.txt',
        'link',
        'l1',
        'l2',
        'up',
        'app',
        'ext',
        's.txt',
        '..',
        '.',
        '',
        'real',
        'notes.md',
        'dangling',
        'loop-a',
      );
      fc.assert(
        fc.property(fc.array(steps, { maxLength: 8 }), (names) => {
          const raw = `${at('app')}/${names.join('/')}`;
          let real: string | null = null;
          try {
            real = realpathSync.native(raw);
          } catch {
            // Nothing there: what is appended has no oracle.
          }
          if (real !== null) expect(paths.canonical(raw, null)).toEqual({ path: real, exists: true });
        }),
        { numRuns },
      );
    });

    it('a canonical path is its own canonical path', () => {
      const names = fc.constantFrom('src', 'link', 'l1', 'up', '..', 'none', 'dangling-dir', 'x y', 'app', 'ext');
      fc.assert(
        fc.property(fc.array(names, { maxLength: 8 }), (list) => {
          const landed = canonical(list.join('/'));
          if (landed !== null) expect(canonical(landed, null)).toBe(landed);
        }),
        { numRuns },
      );
    });
  });
});

describe('on another platform', () => {
  const paths = createPaths({ home: 'C:\\Users\\me', platform: WINDOWS });
  const table: readonly (readonly [string, string | null])[] = [
    ['a.txt', 'C:\\work\\a.txt'],
    ['a/b\\..\\c', 'C:\\work\\a\\c'],
    ['..\\..\\x', 'C:\\x'],
    ['\\x', 'C:\\x'],
    ['d:/x', 'D:\\x'],
    ['~/x', 'C:\\Users\\me\\x'],
    ['\\\\?\\C:\\x', 'C:\\x'],
    ['secrets.\\key::$DATA', 'C:\\work\\secrets\\key'],
    ['\\\\server\\share\\x', '\\\\server\\share\\x'],
    ['SECRET~1\\key', null],
    ['nul', null],
    ['C:x', null],
  ];
  it.each(table)('%j lands at %j, without asking a disk', (raw, expected) => {
    expect(paths.canonical(raw, 'C:\\work').path).toBe(expected);
  });
  it('keeps patterns in the spelling of the platform', () => {
    expect(paths.canonicalPrefix('c:/data/*')).toBe('C:\\data\\*');
    expect(paths.canonicalPrefix('~/x/*')).toBe('C:\\Users\\me\\x\\*');
    expect(paths.canonicalPrefix('src/*')).toBe('src/*');
  });
});

it('knows this machine', () => {
  expect(hostPlatform().separator).toBe(process.platform === 'win32' ? '\\' : '/');
});
