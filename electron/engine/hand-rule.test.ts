// Rules written by hand in an answer (spec 13): they cover the call at hand, and nothing slips in with them.

import { describe, expect, it } from 'vitest';
import { afterwards, refusal, writes } from './answer-samples';
import { call, reading, redirect, rule, running, writing } from './samples';

const ofSession = { scope: 'session' } as const;

describe('a rule by hand', () => {
  const gh = running(['gh issue create --title one']);

  it('is remembered as it was written when it covers the call', () => {
    const verdict = afterwards(gh, { ...ofSession, rule: { surface: 'Bash', pattern: 'gh issue *' } });
    expect(verdict(running(['gh issue list']))).toBe('allow');
    expect(verdict(running(['gh pr list']))).toBe('require');
    expect(writes(gh, { ...ofSession, rule: { surface: 'Bash', pattern: 'gh issue *' } }).grants).toMatchObject([
      { surface: 'Bash', pattern: 'gh issue *', match: 'wildcard', width: 'rule' },
    ]);
  });

  it('is refused when something of the call would still ask', () => {
    expect(refusal(gh, { ...ofSession, rule: { surface: 'Bash', pattern: 'gh pr *' } })).toBe('rule');
    expect(refusal(gh, { ...ofSession, rule: { surface: 'Shell', pattern: '*' } })).toBe('rule');
    expect(refusal(running(['gh issue list', 'make']), { ...ofSession, rule: { surface: 'Bash', pattern: 'gh issue *' } })).toBe('rule');
    expect(refusal(reading('/ext/a'), { ...ofSession, rule: { surface: 'external_directory', pattern: '/ext/*' } })).toBe('rule');
  });

  it('takes the redirect of its command along, as narrow as it gets', () => {
    const verdict = afterwards(running(['gh issue list'], [redirect('issues.txt')]), {
      ...ofSession,
      rule: { surface: 'Bash', pattern: 'gh issue *' },
    });
    expect(verdict(running(['gh issue view 1'], [redirect('issues.txt')]))).toBe('allow');
    expect(verdict(running(['gh issue view 1'], [redirect('src/a.ts')]))).toBe('require');
  });

  it('takes the outside check of its path along, where it names a place; else only this path', () => {
    const inPlace = afterwards(reading('/ext/ref/a'), { ...ofSession, rule: { surface: 'Read', pattern: '/ext/ref/*' } });
    expect(inPlace(reading('/ext/ref/b'))).toBe('allow');
    expect(inPlace(reading('/ext/b'))).toBe('require');
    expect(inPlace(writing('/ext/ref/a'))).toBe('require');
    const anywhere = afterwards(reading('/ext/ref/a'), { ...ofSession, rule: { surface: 'Read', pattern: '*' } });
    expect(anywhere(reading('/ext/ref/a'))).toBe('allow');
    expect(anywhere(reading('/ext/ref/b'))).toBe('require');
  });

  it('for outside paths covers the access of the call and no other', () => {
    const rules = [rule({ tool_pattern: 'Read', action: 'allow' }), rule({ tool_pattern: 'Write', action: 'allow' })];
    const verdict = afterwards(reading('/ext/a'), { ...ofSession, rule: { surface: 'external_directory', pattern: '/ext/*' } }, { rules });
    expect(verdict(reading('/ext/b'))).toBe('allow');
    expect(verdict(writing('/ext/b'))).toBe('require');
  });

  it('becomes a rule of the group with `always`, unless it would get ahead of a deny', () => {
    const byHand = { scope: 'always', rule: { surface: 'Bash', pattern: 'gh *' } } as const;
    expect(writes(gh, byHand).rules).toMatchObject([{ tool_pattern: 'Bash', command_pattern: 'gh *', path_pattern: null }]);
    expect(writes(writing('src/a'), { scope: 'always', rule: { surface: '@fs_write', pattern: 'src/*' } }).rules).toMatchObject([
      { tool_pattern: '@fs_write', path_pattern: 'src/*', command_pattern: null },
    ]);
    expect(writes(call({ tool: 'mcp__mail__send' }), { scope: 'always', rule: { surface: 'mcp__mail__*', pattern: '*' } }).rules).toMatchObject([
      { tool_pattern: 'mcp__mail__*', path_pattern: null, command_pattern: null },
    ]);
    const asks = rule({ tool_pattern: 'Bash', action: 'require', priority: 10 });
    const denies = rule({ tool_pattern: 'Bash', command_pattern: 'gh repo delete *', action: 'deny', priority: 20 });
    expect(refusal(gh, byHand, { rules: [asks, denies] })).toBe('rule');
    expect(refusal(gh, { ...byHand, rule: { surface: 'Bash', pattern: 'gh issue *' } }, { rules: [asks, denies] })).toBe('taken');
    expect(refusal(call({ tool: 'deploy' }), { scope: 'always', rule: { surface: '*', pattern: '*' } })).toBe('rule');
  });

  it('does not stand beside a choice, and lifts nothing that is offered once only', () => {
    expect(refusal(gh, { ...ofSession, choice: 'exact', rule: { surface: 'Bash', pattern: 'gh *' } })).toBe('choice');
    expect(refusal(running(['git push -f']), { ...ofSession, rule: { surface: 'Bash', pattern: 'git *' } })).toBe('scope');
  });
});
