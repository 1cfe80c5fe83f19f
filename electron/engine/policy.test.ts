import { describe, expect, it } from 'vitest';
import type { Rule } from '../../shared/model';
import { decide } from './decide';
import { compilePolicy } from './policy';
import { call, HOME, NOW, POSIX, policy, ROOT, reading, rule, running, session, unit, writing } from './samples';

const verdictWith = (compiled: ReturnType<typeof policy>, facts: Parameters<typeof decide>[0], nowMs = NOW): string =>
  decide(facts, session(), compiled, nowMs).verdict;

describe('compilePolicy', () => {
  it('makes the prefix of an absolute pattern canonical, and that of a home pattern', () => {
    const canonicalPrefix = (pattern: string): string => pattern.replace('/link/', '/real/').replace(`${HOME}/alias/`, '/real/');
    for (const path_pattern of ['/link/x/*', '~/alias/x/*', '/link/x/a']) {
      const compiled = compilePolicy([rule({ tool_pattern: 'Write', path_pattern, action: 'deny' })], {
        platform: POSIX,
        home: HOME,
        canonicalPrefix,
      });
      expect(verdictWith(compiled, writing('/real/x/a'))).toBe('deny');
      expect(verdictWith(compiled, writing('/real/xx/a'))).toBe('require');
    }
  });

  it('judges expiry when a call is decided', () => {
    const compiled = policy([rule({ tool_pattern: 'Write', action: 'allow', expires_at: new Date(NOW).toISOString() })]);
    expect(verdictWith(compiled, writing('a'), NOW - 1)).toBe('allow');
    expect(verdictWith(compiled, writing('a'), NOW)).toBe('require');
  });

  it('a time that cannot be read ends no denial and begins no allow', () => {
    expect(verdictWith(policy([rule({ tool_pattern: 'Write', action: 'deny', expires_at: 'soon' })]), writing('a'))).toBe('deny');
    expect(verdictWith(policy([rule({ tool_pattern: 'Write', action: 'allow', expires_at: 'soon' })]), writing('a'))).toBe('require');
  });

  it('keeps the rules it was given', () => {
    const rules = [rule({ tool_pattern: 'a', action: 'deny', enabled: false }), rule({ tool_pattern: 'b', action: 'allow' })];
    expect(policy(rules).rules).toEqual(rules);
  });
});

/** CPU time; the best of several is compared: a neighbour on the machine can slow some down and speed none up. */
function cpuMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Rules of every shape, none of which concerns the calls below. */
function crowd(count: number): readonly Rule[] {
  const shapes: readonly ((n: number) => Parameters<typeof rule>[0])[] = [
    (n) => ({ tool_pattern: `mcp__srv${n}__op`, action: 'allow' }),
    (n) => ({ tool_pattern: `mcp__pre${n}__*`, action: 'deny' }),
    (n) => ({ tool_pattern: 'Bash', command_pattern: `npm run task${n} *`, action: 'allow' }),
    (n) => ({ tool_pattern: 'Write', path_pattern: `/home/dev/proj${n}/src/*`, action: 'allow' }),
    (n) => ({ tool_pattern: '*', path_pattern: `*/secrets${n}/*`, action: 'deny' }),
    (n) => ({ tool_pattern: '*', path_pattern: `*.key${n}`, action: 'deny' }),
    (n) => ({ tool_pattern: '*', path_pattern: `gen${n}/*`, action: 'deny' }),
    (n) => ({ tool_pattern: 'Bash', command_pattern: `* --level=${n} *`, action: 'deny' }),
    (n) => ({ tool_pattern: 'Write', agent: `agent${n}`, action: 'deny' }),
  ];
  return Array.from({ length: count }, (_, n) => rule(shapes[n % shapes.length]?.(n) ?? { tool_pattern: `t${n}`, action: 'allow' }));
}

describe('a policy of 10,000 rules', () => {
  const crowded = policy([...crowd(10_000), rule({ priority: 200, tool_pattern: 'Bash', command_pattern: 'git *', action: 'allow' })]);
  it('decides as the few rules that concern a call do', () => {
    expect(verdictWith(crowded, running(['git status']))).toBe('allow');
    expect(verdictWith(crowded, running(['npm run task2 x']))).toBe('allow');
    expect(verdictWith(crowded, running(['npm run task2x']))).toBe('require');
    expect(verdictWith(crowded, running(['deploy --level=7 now']))).toBe('deny');
    expect(verdictWith(crowded, running(['deploy --level=8 now']))).toBe('require');
    expect(verdictWith(crowded, reading('secrets4/x'))).toBe('deny');
    expect(verdictWith(crowded, reading('secrets5/x'))).toBe('allow');
    expect(verdictWith(crowded, reading('gen6/x'))).toBe('deny');
    expect(verdictWith(crowded, call({ tool: 'mcp__pre1__x' }))).toBe('deny');
    expect(verdictWith(crowded, call({ tool: 'mcp__srv0__op' }))).toBe('allow');
  });

  it('is not much slower than one of 10', () => {
    const few = policy([...crowd(10), rule({ priority: 200, tool_pattern: 'Bash', command_pattern: 'git *', action: 'allow' })]);
    const facts = [running(['git status', 'npm test']), writing('src/a.ts'), reading('/ext/b'), call({ tool: 'mcp__x__y' })];
    const asked = session();
    const time = (compiled: typeof few): number => {
      const best = Array.from({ length: 9 }, () =>
        cpuMs(() => {
          for (let round = 0; round < 2000; round++) for (const one of facts) decide(one, asked, compiled, NOW);
        }),
      );
      return Math.min(...best);
    };
    time(few);
    time(crowded);
    expect(time(crowded) / time(few)).toBeLessThan(5);
  });
});

describe('bad input (issue: a verdict within 50 ms, never an allow that was not earned)', () => {
  const rules = policy([
    rule({ tool_pattern: 'Bash', command_pattern: '*a*a*a*a*a*b', action: 'allow' }),
    rule({ tool_pattern: 'Read', path_pattern: '*a*a*a*b', action: 'allow' }),
  ]);
  const deep = Array.from({ length: 5000 }, (_, n) => `d${n}`).join('/');
  it.each([
    ['a command of a million characters', running(['a'.repeat(1_048_576)])],
    ['10,000 units', running(Array.from({ length: 10_000 }, (_, n) => `echo ${n}`))],
    ['10,000 opaque units', running(Array.from({ length: 10_000 }, (_, n) => unit(`eval ${n}`, { opaque: true })))],
    ['a path of 5,000 segments', writing(deep)],
    ['NUL and control characters', running(['a\u0000b\u0007\u001b[2J'])],
    ['half a surrogate pair', running(['echo \ud800'])],
    ['right-to-left marks', writing('a\u202egnp.exe')],
    ['an empty command', running([''])],
    ['an empty tool name', call({ tool: '' })],
  ])('%s asks', (_name, facts) => {
    const times = Array.from({ length: 8 }, () =>
      cpuMs(() => {
        const { verdict, trace, message } = decide(facts, session(), rules, NOW);
        expect(verdict).toBe('require');
        expect(trace.length).toBeGreaterThan(0);
        expect(message).toBe('');
      }),
    );
    expect(Math.min(...times)).toBeLessThan(50);
  });

  it('a pattern of 10,000 characters and an empty one', () => {
    const odd = policy([
      rule({ tool_pattern: 'Bash', command_pattern: '*a'.repeat(5000), action: 'allow' }),
      rule({ tool_pattern: '', action: 'allow' }),
      rule({ tool_pattern: 'Write', path_pattern: '', action: 'allow' }),
    ]);
    expect(verdictWith(odd, running(['a'.repeat(100_000)]))).toBe('allow');
    expect(verdictWith(odd, running(['b'.repeat(100_000)]))).toBe('require');
    expect(verdictWith(odd, writing('a'))).toBe('require');
    expect(verdictWith(odd, { ...writing('a'), paths: [{ raw: '.', canonical: ROOT, access: 'write', origin: 'argument' }] })).toBe('require');
  });
});
