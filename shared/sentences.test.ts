import { describe, expect, it } from 'vitest';
import type { Request } from './model';
import { actionSentence, durationText, outcomeSentence, quietSentence, relativeTo, shortPath } from './sentences';
import { CAUSES } from './terms';

const request = (over: Partial<Request>): Request =>
  ({ agent: 'claude-code', tool: 'Bash', kind: 'execute', input: {}, paths: [], units: [], hosts: [], ...over }) as Request;

describe('a sentence about a request', () => {
  it('says what runs, at most sixty characters long', () => {
    expect(actionSentence(request({ input: { command: 'npm test' } }), undefined)).toBe('Run npm test');
    expect(actionSentence(request({ input: { command: 'x'.repeat(500) } }), undefined).length).toBeLessThanOrEqual(60);
  });

  it('keeps the file name of a long path', () => {
    const path = `/home/me/${'deep/'.repeat(30)}round.ts`;
    const sentence = actionSentence(
      request({ kind: 'edit', tool: 'Edit', paths: [{ raw: path, canonical: path, access: 'write', origin: 'argument' }] }),
      undefined,
    );
    expect(sentence).toMatch(/^Edit .*…\/round\.ts$/);
    expect(sentence.length).toBeLessThanOrEqual(60);
  });

  it('leaves the command and the path out where others may read it', () => {
    const secret = request({ input: { command: 'curl -H token:abc' } });
    expect(quietSentence(secret)).toBe('Claude Code wants to run a command');
  });
});

describe('an outcome in words', () => {
  it('never calls a blocked request denied', () => {
    for (const cause of CAUSES) expect(outcomeSentence({ status: 'blocked', cause })).not.toMatch(/^Denied/);
    expect(outcomeSentence({ status: 'blocked', cause: 'expired' })).toBe('Blocked: nobody answered');
    expect(outcomeSentence({ status: 'denied', cause: 'human' })).toBe('Denied by a person');
  });
});

describe('short forms', () => {
  it.each([
    [0, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [86_400_000, '1 d'],
    [-5, '0 s'],
  ])('writes %i ms as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it('cuts a path in the middle, and a name that alone is too long at its beginning', () => {
    expect(shortPath('/a/b/c.ts', 20)).toBe('/a/b/c.ts');
    expect(shortPath(`/a/${'n'.repeat(50)}.ts`, 20)).toHaveLength(20);
  });

  it('shows a path from the root only on a directory boundary', () => {
    const session = { root: '/a/b' } as Parameters<typeof relativeTo>[1];
    expect(relativeTo('/a/b/c', session)).toBe('c');
    expect(relativeTo('/a/bc', session)).toBe('/a/bc');
  });
});
