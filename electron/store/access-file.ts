// `access.json`: directories that sessions of a root start with (spec 10), as `{"<root>": [{path, mode}]}`. Owns reading,
// changing and writing the file: an entry that cannot be used is reported and stays, a damaged file is never written over.
// Whether a directory exists, what it is canonically and whether it holds credentials is judged by the broker.

import { join } from 'node:path';
import { z } from 'zod';
import { type Failure, fail, ok, type Result } from '../../shared/failure';
import type { Json } from '../../shared/model';
import { ACCESSES, type Access } from '../../shared/terms';
import { FILES, readIfPresent, reasonOf, writePrivate } from './data-folder';

/** The file as it stands: entries are kept as they were written, whatever they hold. */
export type AccessTable = ReadonlyMap<string, readonly Json[]>;

export interface AccessDefault {
  /** As written in the file. */
  readonly path: string;
  readonly mode: Access;
}

/** What of a root's entries can be used, and one failure for each that cannot. */
export interface RootDefaults {
  readonly entries: readonly AccessDefault[];
  readonly skipped: readonly Failure[];
}

const tableSchema = z.record(z.string(), z.array(z.json()));
const entrySchema = z.object({ path: z.string().min(1), mode: z.enum(ACCESSES) });

export function parseAccess(text: string): Result<AccessTable> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return damaged(error instanceof Error ? error.message : 'it is no JSON');
  }
  const table = tableSchema.safeParse(json);
  return table.success ? ok(new Map(Object.entries(table.data))) : damaged('it is not an object of lists');
}

const damaged = (reason: string) =>
  fail('invalid', `The file \`access.json\` cannot be read (${reason}), so no default directory was added.`, {
    hint: 'Correct the file in the data folder, or delete it to start without defaults.',
    subject: 'access.json',
  });

/** Reads the file; a missing one is an empty table. */
export function readAccess(dataDir: string): Result<AccessTable> {
  try {
    const text = readIfPresent(join(dataDir, FILES.access));
    return text === null ? ok(new Map()) : parseAccess(text);
  } catch (error) {
    return damaged(reasonOf(error));
  }
}

/** Entries of a canonical root. Two modes for one path are for the caller to find, who knows which paths are the same. */
export function defaultsOf(table: AccessTable, root: string): RootDefaults {
  const entries: AccessDefault[] = [];
  const skipped: Failure[] = [];
  for (const json of table.get(root) ?? []) {
    const entry = entrySchema.safeParse(json);
    if (entry.success) entries.push({ path: entry.data.path, mode: entry.data.mode });
    else {
      const { failure } = fail(
        'invalid',
        `An entry of \`access.json\` was skipped: \`${JSON.stringify(json)}\` has no path or no mode \`read\` or \`write\`.`,
        {
          hint: 'Correct the entry in the file.',
          subject: 'access.json',
        },
      );
      skipped.push(failure);
    }
  }
  return { entries, skipped };
}

/** Adds an entry or changes the mode of the one with the same path, in its place. `isSame` compares as the caller's paths do. */
export function withDefault(table: AccessTable, root: string, entry: AccessDefault, isSame = sameText): AccessTable {
  const entries = table.get(root) ?? [];
  const at = entries.findIndex((json) => isSame(pathOf(json), entry.path));
  const changed: Json = { path: entry.path, mode: entry.mode };
  const others = entries.filter((json, index) => index === at || !isSame(pathOf(json), entry.path));
  const next = at === -1 ? [...entries, changed] : others.map((json) => (json === entries[at] ? changed : json));
  return new Map([...table, [root, next]]);
}

/** Removes every entry with that path; a root without entries leaves the file. `removed`: there was one. */
export function withoutDefault(
  table: AccessTable,
  root: string,
  path: string,
  isSame = sameText,
): { readonly table: AccessTable; readonly removed: boolean } {
  const entries = table.get(root) ?? [];
  const kept = entries.filter((json) => !isSame(pathOf(json), path));
  const next = new Map([...table, [root, kept] as const]);
  if (kept.length === 0) next.delete(root);
  return { table: next, removed: kept.length < entries.length };
}

const sameText = (one: string | null, other: string): boolean => one === other;

const pathOf = (json: Json): string | null => {
  const entry = z.object({ path: z.string() }).safeParse(json);
  return entry.success ? entry.data.path : null;
};

/**
 * Reads, changes and writes the file. Nothing is written when the file is damaged, which is the failure then, or when
 * `change` returns the same table.
 */
export function changeAccess(dataDir: string, change: (table: AccessTable) => AccessTable): Result<AccessTable> {
  const current = readAccess(dataDir);
  if (!current.ok) return current;
  const next = change(current.value);
  if (next === current.value) return current;
  try {
    writePrivate(join(dataDir, FILES.access), `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`);
  } catch (error) {
    return fail('storage', `The file \`access.json\` cannot be written: ${reasonOf(error)}.`, {
      hint: 'Free some space or give your user the right to write in the data folder.',
      subject: 'access.json',
    });
  }
  return ok(next);
}
