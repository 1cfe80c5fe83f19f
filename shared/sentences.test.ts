import { describe, expect, it } from 'vitest';
import type { Request } from './model';
import { actionSentence, actorName, consequence, durationText, headline, outcomeSentence, quietSentence, relativeTo, shortPath } from './sentences';
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

describe('the headline and the line under it', () => {
  const risky = (level: 'low' | 'medium' | 'high', ...texts: string[]) =>
    request({ risk: { level, facts: texts.map((text) => ({ key: 'k', level, text })) } });

  it('say who wants what, and the gravest fact, where the risk is not high', () => {
    const edit = { ...risky('medium', 'Changes `src/a.ts` in the project.'), kind: 'edit' } as Request;
    expect(headline(edit)).toBe('Claude Code wants to edit a file');
    expect(consequence(edit)).toBe('Changes `src/a.ts` in the project.');
  });

  it('share the decisive fact where it is high', () => {
    const push = risky('high', 'Overwrites the history of `origin main`. Others may lose commits.', 'More.');
    expect(headline(push)).toBe('Overwrites the history of `origin main`.');
    expect(consequence(push)).toBe('Others may lose commits.');
  });

  it('end no sentence at a full stop within a file name', () => {
    const write = risky('high', 'Writes `/a/b. c/d.ts`, outside the project.');
    expect(headline(write)).toBe('Writes `/a/b. c/d.ts`, outside the project.');
    expect(consequence(write)).toBeNull();
  });

  it.each([10, 100, 1000])('keep to 60 and 90 characters with a path of %i segments, and keep the file name', (segments) => {
    const text = `Writes \`/${'deep/'.repeat(segments)}round.ts\`, outside the project.`;
    expect(headline(risky('high', text)).length).toBeLessThanOrEqual(60);
    const line = consequence(risky('medium', text)) ?? '';
    expect(line.length).toBeLessThanOrEqual(90);
    expect(line).toContain('round.ts`, outside the project.');
  });

  it('cut words when nothing in them is text of the call', () => {
    expect(headline(risky('high', 'x'.repeat(200))).length).toBeLessThanOrEqual(60);
  });
});

describe('who acted', () => {
  it.each([
    ['person:window', 'You'],
    ['person:cli', 'A person at the command line'],
    ['agent:ses_1', 'The agent'],
    ['gate', 'Gatehouse'],
    ['clock', 'The clock'],
  ])('%s is %s', (actor, name) => {
    expect(actorName(actor)).toBe(name);
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
