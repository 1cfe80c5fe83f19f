// Shell text as facts (spec 6): which simple commands it runs, which files its redirects and operands name, and in which
// directory each of them stands. Reads text only: existence, links and the meaning of a directory are the broker's edge.

import type { ShellUnit } from '../../shared/model';
import type { Access } from '../../shared/terms';

/**
 * Where a command may stand when it runs: every literal `cd` argument since the directory of the call, in order. Several
 * chains when it depends on how earlier commands ended. Null: nobody can tell from the text.
 */
export type Directories = readonly Chain[] | null;
/** One way of getting there. */
export type Chain = readonly ChangeDirectory[];
export interface ChangeDirectory {
  /** As written, quotes resolved; `~` for a bare `cd`. */
  readonly to: string;
  /** `cd -P`: `..` climbs from where a link leads, not from the link. */
  readonly physical: boolean;
}

/** A unit with what the edge needs to finish it: `cd` is filled in there. */
export interface ReadUnit extends ShellUnit {
  /** Position for position with `words`: the text is what the program gets. */
  readonly literal: readonly boolean[];
  readonly directories: Directories;
  /** Set for a leading `cd DIR` with a literal DIR (spec 6). */
  readonly changesTo?: ChangeDirectory;
}

/** A path that shell text names. */
export interface ShellTarget {
  /** Quotes resolved, `$HOME` written as `~`. */
  readonly raw: string;
  readonly access: Access;
  readonly origin: 'redirect' | 'operand';
  /** Index of the unit it belongs to; -1 for a redirect without a command. */
  readonly unit: number;
  readonly directories: Directories;
  /** `certain`: it is a path. `maybe`: a word that counts when it names something (spec 4). `unknown`: a path that only the shell knows. */
  readonly standing: 'certain' | 'maybe' | 'unknown';
  /** `*`, `?`, `[…]` in it are wildcards. */
  readonly isGlob: boolean;
  readonly deletes?: boolean;
}

export interface ShellReading {
  readonly units: readonly ReadUnit[];
  readonly targets: readonly ShellTarget[];
  /** Hosts that words and redirects name. */
  readonly hosts: readonly string[];
  /** Why the whole text is one opaque unit; empty when it was read. */
  readonly errors: readonly string[];
}

export type ShellDialect = 'posix' | 'powershell' | 'cmd' | 'unknown';

/** Spec 6. Never throws; text that cannot be read comes back as one opaque unit. */
export declare function parseShell(text: string, dialect?: ShellDialect): ShellReading;

/** A program and its arguments as they reach it, without a shell between (Codex `shell`). */
export declare function readArgv(argv: readonly string[]): ShellReading;
