// Patterns that can and cannot speak of the same check. In doubt they can: `apart` has to be right.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalPath, commandPattern, commandText, pathPattern } from './generators';
import { matchesPath, matchesWildcard } from './match';
import { type Reach, reachesMeet, textsMeet } from './overlap';
import { call, HOME, POSIX, policy, running, session, writing } from './samples';

const numRuns = process.env.GATEHOUSE_DEEP ? 10_000 : 500;

describe('texts', () => {
  const meet: readonly (readonly [string, string])[] = [
    ['git *', 'git push *'],
    ['git *', 'git'],
    ['git push *', '* origin'],
    ['a*b', 'ab'],
    ['a*c', 'ab*'],
    ['*', 'x'],
    ['npm *', '*'],
    ['x *', 'x'],
    ['a *', '*a'],
  ];
  it.each(meet)('`%s` and `%s` meet', (one, other) => {
    expect(textsMeet(one, other)).toBe(true);
    expect(textsMeet(other, one)).toBe(true);
  });

  const apart: readonly (readonly [string, string])[] = [
    ['git *', 'gitx *'],
    ['git push *', 'git pull *'],
    ['git', 'git push'],
    ['*.ts', '*.js'],
    ['a*', 'b*'],
    ['npm test', 'npm tests'],
  ];
  it.each(apart)('`%s` and `%s` are apart', (one, other) => {
    expect(textsMeet(one, other)).toBe(false);
    expect(textsMeet(other, one)).toBe(false);
  });

  it('two patterns that match one text meet', () => {
    fc.assert(
      fc.property(commandPattern, commandPattern, commandText, (one, other, text) => {
        if (matchesWildcard(one, text) && matchesWildcard(other, text)) expect(textsMeet(one, other)).toBe(true);
      }),
      { numRuns: numRuns * 4 },
    );
  });
});

const reach = (fields: Partial<Reach>): Reach => ({ tool_pattern: 'Write', path_pattern: null, command_pattern: null, ...fields });
const meets = (ours: Reach, theirs: Reach, facts = writing('a')): boolean => reachesMeet(ours, theirs, facts, session(), policy().options);

describe('paths', () => {
  it('two patterns that match one path in some session meet', () => {
    let seen = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          canonicalPath,
          canonicalPath.map((path) => `${path === '/' ? '' : path}/*`),
          pathPattern,
        ),
        pathPattern,
        canonicalPath,
        canonicalPath,
        (one, other, path, root) => {
          const bases = { root, workingDirectory: null, home: HOME, platform: POSIX };
          if (!matchesPath(one, path, bases) || !matchesPath(other, path, bases)) return;
          seen += 1;
          expect(meets(reach({ path_pattern: one }), reach({ path_pattern: other }))).toBe(true);
        },
      ),
      { numRuns: numRuns * 4 },
    );
    expect(seen).toBeGreaterThan(0);
  });

  it('absolute ones on other branches are apart', () => {
    const pair = (one: string, other: string): boolean => meets(reach({ path_pattern: one }), reach({ path_pattern: other }));
    expect(pair('/a/b/*', '/a/bc/*')).toBe(false);
    expect(pair('/a/b/*', '/a/b')).toBe(true);
    expect(pair('/a/b', '/a/b/*')).toBe(true);
    expect(pair('/a/*', '/a/b/c')).toBe(true);
    expect(pair('/a/b/c', '/a/x*')).toBe(false);
    expect(pair('/a/secrets/key', 'secrets/*')).toBe(true);
    expect(pair('/a/b/key', 'secrets/*')).toBe(false);
  });
});

describe('tools', () => {
  it('names meet their patterns and classes, and no others', () => {
    const tool = (ours: string, theirs: string, facts = writing('a')): boolean =>
      meets(reach({ tool_pattern: ours }), reach({ tool_pattern: theirs }), facts);
    expect(tool('Write', 'Write')).toBe(true);
    expect(tool('Write', 'Edit')).toBe(false);
    expect(tool('Write', 'W*')).toBe(true);
    expect(tool('Write', '@fs_write')).toBe(true);
    expect(tool('Write', '@exec')).toBe(false);
    expect(tool('Bash', '@exec', running(['a']))).toBe(true);
    expect(tool('mcp__mail__*', 'mail:send')).toBe(true);
    expect(tool('mcp__mail__*', 'mcp__cal__x')).toBe(false);
    expect(tool('mcp__mail__send', '@mcp', call({ tool: 'mcp__mail__send' }))).toBe(true);
    expect(tool('external_directory', '*')).toBe(true);
    expect(tool('external_directory', '@fs_any')).toBe(false);
  });

  it('rules about commands and rules about paths never answer one check', () => {
    const ofCommand = reach({ tool_pattern: 'Bash', command_pattern: 'git *' });
    const ofPath = reach({ tool_pattern: 'Bash', path_pattern: '/a/*' });
    expect(meets(ofCommand, ofPath, running(['git']))).toBe(false);
    expect(meets(ofPath, ofCommand, running(['git']))).toBe(false);
    expect(meets(ofCommand, reach({ tool_pattern: 'Bash' }), running(['git']))).toBe(true);
    expect(meets(ofPath, reach({ tool_pattern: 'Bash' }), running(['git']))).toBe(true);
  });
});
