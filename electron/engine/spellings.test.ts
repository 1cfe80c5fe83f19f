import { describe, expect, it } from 'vitest';
import type { PlatformFacts } from './facts';
import { collapseParents, fromPosixShell, hasLoneSurrogate, joinPath, spellPath } from './spellings';

const LINUX: PlatformFacts = { separator: '/', caseSensitive: true };
const WINDOWS: PlatformFacts = { separator: '\\', caseSensitive: false };

/** The path spelled anew, or `!` and the problem. */
function anew(raw: string, platform: PlatformFacts): string {
  const spelled = spellPath(raw, platform);
  if ('problem' in spelled) return `! ${spelled.problem}`;
  const start = spelled.form === 'home' ? `~${spelled.user ?? ''}${platform.separator}` : spelled.prefix;
  return joinPath(start, spelled.segments, platform);
}

describe('on POSIX', () => {
  const table: readonly (readonly [string, string])[] = [
    ['/a/b', '/a/b'],
    ['/a//b/./c/', '/a/b/c'],
    ['//a', '/a'],
    ['/', '/'],
    ['a/../b', 'a/../b'],
    ['./a', 'a'],
    ['.', ''],
    ['', ''],
    ['~', '~/'],
    ['~/x//y', '~/x/y'],
    ['~bob/x', '~bob/x'],
    ['a~/b', 'a~/b'],
    ['~$notes.docx', '~$notes.docx'],
    ['./~/x', '~/x'],
    ['C:\\x', 'C:\\x'],
    ['a\nb', 'a\nb'],
    ['a b/\u00fc', 'a b/\u00fc'],
  ];
  it.each(table)('%j names %j', (raw, expected) => {
    expect(anew(raw, LINUX)).toBe(expected);
  });
  it.each(['a\0b', '\uD800', 'a\uDC00b', 'x\uD800y'])('%j names nothing', (raw) => {
    expect(anew(raw, LINUX)).toMatch(/^! /);
  });
  it('keeps what stands in a folder called ~', () => {
    expect(spellPath('./~/x', LINUX)).toMatchObject({ form: 'relative', segments: ['~', 'x'] });
  });
});

describe('on Windows', () => {
  const table: readonly (readonly [string, string])[] = [
    ['C:\\a\\b', 'C:\\a\\b'],
    ['c:/a//b/.', 'C:\\a\\b'],
    ['C:\\', 'C:\\'],
    ['\\a', '\\a'],
    ['a/b\\c', 'a\\b\\c'],
    ['..\\x', '..\\x'],
    ['~\\x', '~\\x'],
    ['~/x', '~\\x'],
    ['\\\\?\\C:\\a', 'C:\\a'],
    ['\\\\.\\C:\\a', 'C:\\a'],
    ['\\??\\C:\\a', 'C:\\a'],
    ['//?/C:/a', 'C:\\a'],
    ['\\\\server\\share\\a', '\\\\server\\share\\a'],
    ['//server/share/a', '\\\\server\\share\\a'],
    ['\\\\?\\UNC\\server\\share\\a', '\\\\server\\share\\a'],
    ['\\\\localhost\\c$\\a', 'C:\\a'],
    ['\\\\127.0.0.1\\C$\\a', 'C:\\a'],
    ['secrets. \\key', 'secrets\\key'],
    ['key.', 'key'],
    ['key   ', 'key'],
    ['key:stream', 'key'],
    ['key::$DATA', 'key'],
    ['secrets::$INDEX_ALLOCATION\\key', 'secrets\\key'],
    ['PROGRA~1\\x', 'PROGRA~1\\x'],
    ['console\\nul1', 'console\\nul1'],
  ];
  it.each(table)('%j names %j', (raw, expected) => {
    expect(anew(raw, WINDOWS)).toBe(expected);
  });

  const refused = [
    'C:a',
    'C:',
    'nul',
    'a\\CON',
    'aux.txt',
    'COM1',
    'com\u00b9.log',
    'LPT9.x',
    'conin$',
    '\\\\.\\PhysicalDrive0',
    '\\\\.\\pipe\\x',
    '\\\\?\\GLOBALROOT\\Device\\x',
    '\\\\?\\Volume{0}\\x',
    '\\\\?\\C:\\a\\..\\b',
    '\\\\?\\C:\\a.',
    '\\\\server',
    'a\\ \\b',
    'a|b',
    'a<b',
    'a*b',
    'a\u0001b',
    'a\0b',
    '\uD800',
  ];
  it.each(refused)('%j names nothing that could be judged', (raw) => {
    expect(anew(raw, WINDOWS)).toMatch(/^! /);
  });

  it('marks short names, which are other names for something', () => {
    expect(spellPath('C:\\PROGRA~1\\x', WINDOWS)).toMatchObject({ hasShortName: true });
    expect(spellPath('C:\\a~b\\x', WINDOWS)).toMatchObject({ hasShortName: false });
  });
  it('reads the drives of POSIX shells', () => {
    expect(fromPosixShell('/c/Users/me', WINDOWS)).toBe('C:\\Users/me');
    expect(fromPosixShell('/cygdrive/d', WINDOWS)).toBe('D:\\');
    expect(fromPosixShell('/code', WINDOWS)).toBe('/code');
    expect(fromPosixShell('/c/Users', LINUX)).toBe('/c/Users');
  });
});

it('takes `..` out of what is named before it', () => {
  expect(collapseParents(['a', '..', 'b'])).toEqual(['b']);
  expect(collapseParents(['..', 'a', 'b', '..', '..', '..', 'c'])).toEqual(['..', '..', 'c']);
});

it('finds halves of surrogate pairs only', () => {
  expect(hasLoneSurrogate('a\u{1F600}b')).toBe(false);
  expect(hasLoneSurrogate('\u{1F600}\uD83D')).toBe(true);
});
