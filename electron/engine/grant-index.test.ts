import { describe, expect, it } from 'vitest';
import { decide } from './decide';
import { compilePolicy } from './policy';
import { grant, HOME, NOW, POSIX, pathOf, ROOT, redirect, running, session, writing } from './samples';

/** A disk on which the folder that was granted has become a link to another place. */
const retargeted = compilePolicy([], { platform: POSIX, home: HOME, canonicalPrefix: (pattern) => pattern.replace(`${ROOT}/out`, '/elsewhere') });
const plain = compilePolicy([], { platform: POSIX, home: HOME, canonicalPrefix: (pattern) => pattern });

describe('a remembered answer', () => {
  it('for a folder stays with the folder that was shown, also when a link takes its place', () => {
    const folder = grant({ surface: 'Write', pattern: `${ROOT}/out/*`, match: 'path', width: 'folder', access: 'write' });
    const outside = grant({ surface: 'external_directory', pattern: '/elsewhere/*', match: 'path', width: 'folder', access: 'write' });
    const facts = session({ grants: [folder, outside] });
    expect(decide(writing(`${ROOT}/out/a`), facts, retargeted, NOW).verdict).toBe('allow');
    expect(decide(writing('/elsewhere/a'), facts, retargeted, NOW).verdict).toBe('require');
  });

  it('for a program covers what it runs, not a file of that name that is written to', () => {
    const program = grant({ surface: 'Bash', pattern: 'git *', match: 'wildcard', width: 'program' });
    const facts = session({ grants: [program] });
    expect(decide(running(['git status']), facts, plain, NOW).verdict).toBe('allow');
    for (const name of ['git', 'git hooks']) {
      const path = { ...redirect(name), canonical: `${ROOT}/${name}` };
      expect([name, decide(running(['git status'], [path]), facts, plain, NOW).verdict]).toEqual([name, 'require']);
    }
  });

  it('written by hand still covers whatever its surface and pattern say', () => {
    const byHand = grant({ surface: 'Write', pattern: 'src/*', match: 'wildcard', width: 'rule' });
    expect(decide({ ...writing('x'), paths: [pathOf(`${ROOT}/src/a`, 'write')] }, session({ grants: [byHand] }), plain, NOW).verdict).toBe('allow');
  });
});
