// Directory access of a session (spec 10): what may become an entry, which list a session starts with, and how an entry is
// found again to be revoked. Reads the disk and access.json; writes nothing.

import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { fail, ok, type Result } from '../../shared/failure';
import type { AccessEntry } from '../../shared/model';
import { ACCESSES, type Access } from '../../shared/terms';
import type { ProtectedPlaces } from '../engine/facts';
import { protectedReason } from '../engine/protected';
import { defaultsOf, readAccess } from '../store/access-file';
import type { Core } from './core';
import type { Paths } from './paths';
import { protectedPlacesOf } from './session-facts';

export interface AccessGround {
  readonly paths: Paths;
  readonly places: ProtectedPlaces;
  readonly dataDir: string;
}

export function accessGround(core: Core): AccessGround {
  const { paths, dataDir } = core.deps;
  return { paths, dataDir, places: protectedPlacesOf(core.live.settings, core.factsOptions) };
}

/** `base`: what a relative path is typed against. `field`: which part of the input it is, for the failure. */
export function entryFor(
  typed: string,
  mode: Access,
  base: string | null,
  origin: NonNullable<AccessEntry['origin']>,
  ground: AccessGround,
  field = 'path',
): Result<AccessEntry> {
  const { paths, places } = ground;
  if (base === null && !isAbsolute(typed) && !typed.startsWith('~')) {
    return refused(`\`${typed}\` is not absolute, and the session has no directory to resolve it in.`, 'Give the whole path.', field);
  }
  const landed = paths.canonical(typed, base);
  if (landed.path === null) return refused(`\`${typed}\` cannot be resolved: ${landed.reason}.`, 'Name the directory itself.', field);
  const { path } = landed;
  const protection = protectedReason(path, 'read', places, paths.platform);
  if (protection !== null) {
    return refused(`\`${path}\` is protected (${protection.name}) and cannot be opened to agents.`, 'Choose another directory.', field);
  }
  if (!isDirectory(path)) return refused(`\`${path}\` is no directory.`, 'Make the directory first, or choose another one.', field);
  return ok({ path, mode, origin, ...(trimmed(typed) === path ? {} : { source_path: typed }) });
}

const refused = (message: string, hint: string, field: string) => fail('invalid', message, { hint, subject: field });

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const trimmed = (path: string): string => (path.length > 1 ? path.replace(/[\\/]+$/, '') : path) || path;

/** Spec 10: the same canonical path replaces the mode. */
export function withEntry(entries: readonly AccessEntry[], entry: AccessEntry, paths: Paths): readonly AccessEntry[] {
  return [...entries.filter((known) => !isSamePath(known.path, entry.path, paths)), entry];
}

export function isSamePath(one: string, other: string, { platform }: Paths): boolean {
  return platform.caseSensitive ? one === other : one.toLowerCase() === other.toLowerCase();
}

/**
 * Spec 10: by the typed path first, else by the canonical path, also when the directory is gone. A link that was retargeted
 * revokes the entry it made, not one of its new target. Null: there is none.
 */
export function withoutEntry(entries: readonly AccessEntry[], typed: string, base: string | null, paths: Paths): readonly AccessEntry[] | null {
  const text = trimmed(typed);
  const byTyped = entries.filter((entry) => entry.source_path !== undefined && trimmed(entry.source_path) === text);
  if (byTyped.length > 0) return entries.filter((entry) => !byTyped.includes(entry));
  const landed = paths.canonical(typed, base).path;
  const byPath =
    entries.find((entry) => isSamePath(entry.path, text, paths)) ?? entries.find((entry) => landed !== null && isSamePath(entry.path, landed, paths));
  return byPath === undefined ? null : entries.filter((entry) => entry !== byPath);
}

// ------------------------------------------------------------------ what a session starts with

export interface Seed {
  readonly access: readonly AccessEntry[];
  /** Sentences for the person: what could not be used. */
  readonly notices: readonly string[];
}

/** Spec 10: both modes for one directory, a missing one or a credential path is 422. */
export function flaggedAccess(
  flags: { readonly allow_read?: readonly string[] | undefined; readonly allow_write?: readonly string[] | undefined },
  base: string | null,
  ground: AccessGround,
): Result<readonly AccessEntry[]> {
  const entries: AccessEntry[] = [];
  for (const [field, mode, paths] of [
    ['allow_read', 'read', flags.allow_read ?? []],
    ['allow_write', 'write', flags.allow_write ?? []],
  ] as const) {
    for (const [index, typed] of paths.entries()) {
      const entry = entryFor(typed, mode, base, 'flag', ground, `${field}.${index}`);
      if (!entry.ok) return entry;
      const known = entries.find((one) => isSamePath(one.path, entry.value.path, ground.paths));
      if (known === undefined) entries.push(entry.value);
      else if (known.mode !== mode) {
        return fail('invalid', `\`${entry.value.path}\` is given for reading and for writing.`, {
          hint: 'Give it once: writing includes reading.',
          subject: `${field}.${index}`,
        });
      }
    }
  }
  return ok(entries);
}

/**
 * The defaults of a canonical root. A damaged file, or two modes for one directory, gives nothing and a notice; an entry that
 * cannot be used is skipped with a notice. The file is left as it is in any case.
 */
export function defaultAccess(root: string | null, ground: AccessGround): Seed {
  if (root === null) return { access: [], notices: [] };
  const table = readAccess(ground.dataDir);
  if (!table.ok) return { access: [], notices: [table.failure.message] };
  const { entries, skipped } = defaultsOf(table.value, root);
  const notices = skipped.map((failure) => failure.message);
  const access: AccessEntry[] = [];
  const modes = new Map<string, Access>();
  for (const { path, mode } of entries) {
    const landed = ground.paths.canonical(path, root).path ?? path;
    const key = ground.paths.platform.caseSensitive ? landed : landed.toLowerCase();
    const other = modes.get(key);
    if (other !== undefined && other !== mode) {
      return {
        access: [],
        notices: [`The file \`access.json\` gives two modes for \`${landed}\` under \`${root}\`, so no default directory was added.`],
      };
    }
    modes.set(key, mode);
    if (other !== undefined) continue;
    const entry = entryFor(path, mode, root, 'default', ground);
    if (entry.ok) access.push(entry.value);
    else notices.push(`A default directory was skipped: ${entry.failure.message}`);
  }
  return { access, notices };
}

const savedEntry = z.object({ path: z.string().min(1), mode: z.enum(ACCESSES), source_path: z.string().optional() });

/** Spec 10, resume: saved entries as they are, missing directories too. A list that is not sound refuses the resume. */
export function checkSaved(saved: readonly AccessEntry[], { paths }: AccessGround): Result<readonly AccessEntry[]> {
  const broken = (reason: string) =>
    fail('conflict', `The saved directory list of this session is not sound: ${reason}.`, { hint: 'Open a new session instead.', subject: 'access' });
  const seen: string[] = [];
  for (const entry of saved) {
    const parsed = savedEntry.safeParse(entry);
    if (!parsed.success) return broken('an entry has no path or no mode');
    if (!isAbsolute(parsed.data.path)) return broken(`\`${parsed.data.path}\` is not absolute`);
    if (seen.some((path) => isSamePath(path, parsed.data.path, paths))) return broken(`\`${parsed.data.path}\` stands in it twice`);
    seen.push(parsed.data.path);
  }
  return ok(saved);
}
