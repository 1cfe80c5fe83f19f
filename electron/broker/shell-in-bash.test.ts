// What a real shell runs is among the units of the reading: generated text is run by bash, with programs that only write down
// how they were called and nothing else on the path.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseShell } from '../engine/shell';
import { PLAIN_PROGRAMS, shellText } from '../engine/shell-generator';

const numRuns = process.env.GATEHOUSE_DEEP === undefined ? 40 : 1000;
const REAL = ['env', 'nice', 'timeout', 'nohup', 'bash', 'sh', 'cat'];
const found = REAL.flatMap((name) => ['/usr/bin', '/bin'].map((directory) => join(directory, name)).find((path) => existsSync(path)) ?? []);

describe.skipIf(found.length < REAL.length)('bash', () => {
  let folder: string;
  let runs = 0;
  const programs = (): string => join(folder, 'programs');
  const work = (): string => join(folder, 'work');

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'shell-in-bash-'));
    mkdirSync(programs());
    mkdirSync(work());
    writeFileSync(join(work(), 'in'), '');
    for (const name of PLAIN_PROGRAMS)
      writeFileSync(join(programs(), name), '#!/bin/sh\nprintf \'%s%s\\n\' "\x24{0##*/}" "\x24{1+ $*}" >> "$LOG"\n', { mode: 0o755 });
    writeFileSync(join(programs(), 'sudo'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    for (const path of found) symlinkSync(path, join(programs(), path.slice(path.lastIndexOf('/') + 1)));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(text: string): string[] {
    // A log of its own: what runs in the background may outlive its shell.
    const log = join(folder, `log-${runs++}`);
    writeFileSync(log, '');
    const { error } = spawnSync('bash', ['--norc', '--noprofile', '-c', `${text}\nwait`], {
      cwd: work(),
      env: { PATH: programs(), LOG: log, LC_ALL: 'C.UTF-8' },
      input: '',
      timeout: 10_000,
    });
    expect(error).toBeUndefined();
    return readFileSync(log, 'utf8').split('\n').filter(Boolean);
  }

  it('runs nothing that the reading does not name', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(shellText, ({ text }) => {
        const { units } = parseShell(text);
        for (const line of run(text)) {
          // A word with a substitution is another one when it runs; its program is not.
          const isNamed = units.some((unit) => unit.text === line || (/\$\(|<\(/.test(unit.text) && unit.words[0] === line.split(' ')[0]));
          expect(isNamed, `${line} of ${text}`).toBe(true);
        }
      }),
      { numRuns },
    );
  });

  it('runs what the stand-ins write down', () => {
    expect(run('aa x "y z" && sudo bb; nice -n 3 cc \'$(mk)\'').sort()).toEqual(['aa x y z', 'bb', 'cc $(mk)']);
  });
});
