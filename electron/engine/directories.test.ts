import { describe, expect, it } from 'vitest';
import type { AccessEntry } from '../../shared/model';
import { directoryEntry, directoryMode, isInsideBoundary, isInsideRoots, isInsideWritableBoundary, readEntryBelow } from './directories';
import { MAC, POSIX, ROOT, session, WINDOWS } from './samples';

const entries = (...list: readonly (readonly [string, 'read' | 'write'])[]): readonly AccessEntry[] => list.map(([path, mode]) => ({ path, mode }));

describe('the most specific entry wins (spec 10)', () => {
  it.each([
    ['outside of all', '/ext/x', [], null],
    ['the implicit root is writable', `${ROOT}/a`, [], 'write'],
    ['an entry', '/ext/ref/a', [['/ext/ref', 'read']], 'read'],
    ['on directory boundaries', '/ext/ref-2/a', [['/ext/ref', 'read']], null],
    [
      'write below read',
      '/ext/data/frozen/x',
      [
        ['/ext/data', 'read'],
        ['/ext/data/frozen', 'write'],
      ],
      'write',
    ],
    [
      'read below write',
      '/ext/data/frozen/x',
      [
        ['/ext/data/frozen', 'read'],
        ['/ext/data', 'write'],
      ],
      'read',
    ],
    [
      'whatever the order',
      '/ext/data/y',
      [
        ['/ext/data/frozen', 'write'],
        ['/ext/data', 'read'],
      ],
      'read',
    ],
    ['an explicit read on the root', `${ROOT}/a`, [[ROOT, 'read']], 'read'],
    ['an explicit read on a child of the root', `${ROOT}/vendor/a`, [[`${ROOT}/vendor`, 'read']], 'read'],
    ['and the rest of the root stays writable', `${ROOT}/src/a`, [[`${ROOT}/vendor`, 'read']], 'write'],
    ['the root is more specific than a directory above it', `${ROOT}/a`, [['/home', 'read']], 'write'],
    ['beside the root the directory above it counts', '/home/ada/other', [['/home', 'read']], 'read'],
  ] as const)('%s', (_name, path, list, expected) => {
    expect(directoryMode(path, session({ access: entries(...list) }))).toBe(expected);
  });

  it('follows the case rules of the platform', () => {
    expect(directoryEntry('/EXT/a', entries(['/ext', 'read']), MAC)?.mode).toBe('read');
    expect(directoryEntry('/EXT/a', entries(['/ext', 'read']), POSIX)).toBeNull();
    expect(directoryEntry('c:\\EXT\\a', entries(['C:\\ext', 'read']), WINDOWS)?.mode).toBe('read');
  });

  it('finds a read-only directory below one that would be moved', () => {
    expect(readEntryBelow('/ext', entries(['/ext/ref', 'read']), POSIX)?.path).toBe('/ext/ref');
    expect(readEntryBelow('/ext', entries(['/ext/ref', 'write']), POSIX)).toBeNull();
    expect(readEntryBelow('/ext/r', entries(['/ext/ref', 'read']), POSIX)).toBeNull();
  });
});

describe('roots and boundary (spec 4, 11)', () => {
  const facts = session({
    workingDirectory: '/site',
    access: entries(['/ext/out', 'write'], ['/ext/ref', 'read']),
    writeRoots: ['/ext/rcw'],
    readRoots: ['/ext/rcr', '/ext/one.txt'],
  });
  it.each([
    [`${ROOT}/a`, true, true, true],
    ['/site/a', true, true, true],
    ['/ext/out/a', false, true, true],
    ['/ext/ref/a', false, true, false],
    ['/ext/rcw/a', false, true, true],
    ['/ext/rcr/a', false, true, false],
    ['/ext/one.txt', false, true, false],
    ['/ext/one.txt2', false, false, false],
    ['/ext/a', false, false, false],
  ])('%s: inside the roots %s, inside the boundary %s, writable there %s', (path, roots, boundary, writable) => {
    expect(isInsideRoots(path, facts)).toBe(roots);
    expect(isInsideBoundary(path, facts)).toBe(boundary);
    expect(isInsideWritableBoundary(path, facts)).toBe(writable);
  });

  it('is empty for a session without any directory', () => {
    const none = session({ root: null });
    expect(isInsideRoots('/a', none)).toBe(false);
    expect(isInsideBoundary('/a', none)).toBe(false);
  });
});
