import { describe, expect, it } from 'vitest';
import type { SurfaceRule } from '../../shared/model';
import { deriveApprovalPattern, evaluate } from './evaluate';

const list = (...rules: readonly [string, string, SurfaceRule['action']][]): readonly SurfaceRule[] =>
  rules.map(([surface, pattern, action]) => ({ surface, pattern, action }));

describe('evaluate (spec 5.6)', () => {
  it('is require without a match, or what it is told to be', () => {
    expect(evaluate('Bash', 'ls', [])).toBe('require');
    expect(evaluate('Bash', 'ls', list(['Read', '*', 'allow']))).toBe('require');
    expect(evaluate('Bash', 'ls', [], 'deny')).toBe('deny');
  });
  it('takes the last match', () => {
    const rules = list(['*', '*', 'require'], ['Bash', 'git *', 'allow'], ['Bash', 'git push *', 'deny']);
    expect(evaluate('Bash', 'git status', rules)).toBe('allow');
    expect(evaluate('Bash', 'git push origin', rules)).toBe('deny');
    expect(evaluate('Bash', 'git push', rules)).toBe('deny');
    expect(evaluate('Bash', 'gitk', rules)).toBe('require');
    expect(evaluate('Read', 'git push', rules)).toBe('require');
  });
  it('lets a later allow stand over an earlier deny', () => {
    expect(evaluate('Bash', 'rm x', list(['Bash', 'rm *', 'deny'], ['Bash', 'rm x', 'allow']))).toBe('allow');
  });
  it('matches surfaces and values plainly: no classes, no directory boundaries', () => {
    expect(evaluate('Write', '/a/bc', list(['Write', '/a/b*', 'allow']))).toBe('allow');
    expect(evaluate('Write', '/a/b', list(['Write', '/a/b/*', 'allow']))).toBe('require');
    expect(evaluate('Write', '/a', list(['@fs_write', '*', 'allow']))).toBe('require');
    expect(evaluate('mcp__mail__send', '', list(['mcp__*', '*', 'allow']))).toBe('allow');
  });
});

describe('deriveApprovalPattern (spec 7)', () => {
  it.each([
    ['/a/b/', '/a/b/*'],
    ['/a/b/c.txt', '/a/b/*'],
    ['/c.txt', '/*'],
    ['/', '/*'],
    ['//', '/*'],
    ['notes.txt', './*'],
    ['C:\\a\\b.txt', 'C:\\a\\*'],
    ['C:\\a\\', 'C:\\a\\*'],
    ['C:\\', 'C:\\*'],
    ['C:/a/b.txt', 'C:/a/*'],
  ])('%s becomes %s', (path, pattern) => {
    expect(deriveApprovalPattern(path)).toBe(pattern);
  });
});
