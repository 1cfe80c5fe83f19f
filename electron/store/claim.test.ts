import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimDataDir } from './claim';
import { StoreUnavailable } from './contract';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-claim-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('claiming a data folder', () => {
  it('succeeds once at a time', () => {
    const first = claimDataDir(folder);
    expect(first).not.toBeNull();
    expect(claimDataDir(folder)).toBeNull();
    first?.release();
    const second = claimDataDir(folder);
    expect(second).not.toBeNull();
    second?.release();
  });

  it('succeeds at once after the owner was killed', async () => {
    const sqlite = createRequire(import.meta.url).resolve('@photostructure/sqlite');
    const script = `const { DatabaseSync } = require(${JSON.stringify(sqlite)});
      const lock = new DatabaseSync(${JSON.stringify(join(folder, 'gatehouse.lock'))});
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE owner (pid INTEGER)');
      process.stdout.write('held');
      setInterval(() => undefined, 1000);`;
    const owner = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(owner.stdout, 'data');
    expect(claimDataDir(folder)).toBeNull();
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const mine = claimDataDir(folder);
    expect(mine).not.toBeNull();
    mine?.release();
  });

  it('makes a damaged lock file anew', () => {
    writeFileSync(join(folder, 'gatehouse.lock'), 'this is no database. '.repeat(100));
    const mine = claimDataDir(folder);
    expect(mine).not.toBeNull();
    expect(claimDataDir(folder)).toBeNull();
    mine?.release();
  });

  it('names the folder when something else has the name of the lock', () => {
    mkdirSync(join(folder, 'gatehouse.lock'));
    expect(() => claimDataDir(folder)).toThrow(StoreUnavailable);
  });

  it('leaves a lock file that only the person can read', () => {
    const mine = claimDataDir(folder);
    expect(statSync(join(folder, 'gatehouse.lock')).mode & 0o777).toBe(0o600);
    mine?.release();
  });
});
