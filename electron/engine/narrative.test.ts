// Calls, places and traces as a person reads them.

import { describe, expect, it } from 'vitest';
import { decide } from './decide';
import { callText, placeText, traceText } from './narrative';
import { call, MAC, NOW, operand, policy, ROOT, reading, rule, running, session, unit, WINDOWS, writing } from './samples';

describe('places', () => {
  it('are shown below the root or the home folder', () => {
    expect(placeText(`${ROOT}/src/a.ts`, session())).toBe('src/a.ts');
    expect(placeText(ROOT, session())).toBe('.');
    expect(placeText('/home/ada/notes', session())).toBe('~/notes');
    expect(placeText('/home/ada', session())).toBe('~');
    expect(placeText('/home/adam', session())).toBe('/home/adam');
    expect(placeText(`${ROOT}ix`, session())).toBe('~/appix');
    expect(placeText('/ext/a', session({ root: null }))).toBe('/ext/a');
    expect(placeText('c:\\work\\App\\a', session({ platform: WINDOWS, root: 'C:\\Work\\app' }))).toBe('a');
    expect(placeText('/HOME/Ada/App/İ', session({ platform: MAC }))).toBe('/HOME/Ada/App/İ');
  });

  it('keep both ends when they are long', () => {
    const long = placeText(`/ext/${'x'.repeat(500)}/name.ts`, session());
    expect(long.length).toBeLessThanOrEqual(300);
    expect(long).toMatch(/^\/ext\/x+…x+\/name\.ts$/);
  });
});

describe('calls', () => {
  it('are told in one line', () => {
    expect(callText(running(['npm test', 'make']), session())).toBe('Bash npm test && make');
    expect(callText(running(['sudo ls', unit('ls', { wrapped_by: 0 })]), session())).toBe('Bash sudo ls');
    expect(callText(writing('src/a.ts'), session())).toBe('Write src/a.ts');
    expect(callText(reading('/ext/a', '/ext/a'), session())).toBe('Read /ext/a');
    expect(callText(running([], [operand('/ext/a')]), session())).toBe('Bash /ext/a');
    expect(callText(call({ tool: 'WebFetch', kind: 'fetch', hosts: ['example.com'] }), session())).toBe('WebFetch example.com');
    expect(callText(call({ tool: 'deploy' }), session())).toBe('deploy');
  });
});

describe('traces', () => {
  it('read from top to bottom: verdict, what the agent is told, every step', () => {
    const denies = rule({ tool_pattern: 'Bash', command_pattern: 'rm *', action: 'deny', reason: 'Ask me first.' });
    const lines = traceText(decide(running(['npm test', 'rm x']), session(), policy([denies]), NOW));
    expect(lines[0]).toBe('Deny (rule)');
    expect(lines[1]).toBe('  Denied by a rule: `rm x`. Ask me first. Do not try to reach the same by another way.');
    expect(lines.slice(2).map((line) => line.slice(0, 24).trimEnd())).toEqual([
      '   1 run          pass',
      '   2 phase        pass',
      '   3 withheld     pass',
      '   4 floors       pass',
      '   5 directories  pass',
      '   6 mode         pass',
      '   7 rules        ask',
      '   7 rules        deny',
    ]);
    expect(lines.at(-1)).toContain('[2] Bash rm x against Bash `rm *` of `default`: match, deny');
  });

  it('say who decides when nothing else did', () => {
    expect(traceText(decide(running(['npm test']), session(), policy(), NOW))[0]).toBe('Ask: a person decides');
    expect(traceText(decide(running(['npm test']), session({ headless: true }), policy(), NOW))[0]).toBe('Ask (headless)');
    expect(traceText(decide(reading('a'), session(), policy(), NOW))[0]).toBe('Allow (directory)');
  });
});
