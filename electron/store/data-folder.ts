// The data folder and its files on disk: private to the person (0700, 0600), written whole or not at all. Owns their names.

import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFileSync as writeAtomically } from 'atomically';
import type { Failure } from '../../shared/failure';
import { StoreUnavailable } from './contract';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** Names inside the data folder (spec 14). */
export const FILES = {
  database: 'gatehouse.db',
  settings: 'settings.json',
  access: 'access.json',
  endpoint: 'endpoint.json',
  operatorToken: 'operator.token',
  agentToken: 'agent.token',
} as const;

/** Creates the folder or makes an existing one private. Throws `StoreUnavailable` that names the folder. */
export function prepareFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
    makePrivate(dataDir, PRIVATE_FOLDER);
    // A probe, because access bits alone do not tell: the disk may be mounted read-only, or full of inodes.
    const probe = join(dataDir, `.writable-${process.pid}`);
    writePrivate(probe, '');
    rmSync(probe);
  } catch (error) {
    throw unavailable(dataDir, error);
  }
}

export function unavailable(dataDir: string, error: unknown): StoreUnavailable {
  const failure: Failure = {
    code: 'storage',
    message: `The data folder \`${dataDir}\` cannot be used: ${reasonOf(error)}.`,
    hint: 'Give your user the right to write there, or start with another folder by `--data-dir`.',
    subject: dataDir,
  };
  return new StoreUnavailable(failure, { cause: error });
}

/** What went wrong in words, from the error codes of the system and of SQLite. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the reason is unknown';
  const code = 'code' in error ? String(error.code) : '';
  const known: Readonly<Record<string, string>> = {
    EACCES: 'permission is denied',
    EPERM: 'permission is denied',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    ENOTDIR: 'part of its path is a file',
    EEXIST: 'a file has that name',
    EMFILE: 'too many files are open',
  };
  return known[code] ?? error.message.replace(/\.$/, '');
}

/** Takes rights from others when they have any. */
export function makePrivate(path: string, mode: number = PRIVATE_FILE): void {
  if (process.platform === 'win32') return;
  if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
}

/** Writes a whole file, readable by the person alone: into a temporary file, synced, then renamed over the old one. */
export function writePrivate(path: string, text: string): void {
  writeAtomically(path, text, { mode: PRIVATE_FILE });
  syncFolder(dirname(path));
}

/** Makes a rename in `folder` last through a power cut. Windows has no such call. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Text of a file; null when there is none. */
export function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Free name beside `path` for a file that is damaged, such as `settings.json.damaged-2026-01-02T03-04-05Z`. */
export function asideName(path: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(':', '-').replace(/\.\d+/, '');
  const name = `${path}.damaged-${stamp}`;
  let free = name;
  for (let count = 2; existsSync(free); count += 1) free = `${name}-${count}`;
  return free;
}

/** INVARIANT (spec 14): what is damaged is moved, never overwritten. `suffixes` move with it. Returns the new name. */
export function moveAside(path: string, nowMs: number, suffixes: readonly string[] = []): string {
  const aside = asideName(path, nowMs);
  for (const suffix of ['', ...suffixes]) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  syncFolder(dirname(path));
  return aside;
}
