// What a reading of shell text consists of (spec 6). Shapes only.

import type { ShellUnit } from '../../shared/model';
import type { Access } from '../../shared/terms';
import type { Directories, Step } from './shell-places';

/** A unit with what the edge needs to finish it: `cd` is filled in there. */
export interface ReadUnit extends ShellUnit {
  /** Indexes of `words` that the program does not get as written. Absent: all are literal. */
  readonly computed?: readonly number[];
  readonly directories: Directories;
  /** Words that are paths when they name something (spec 4): candidates of an operand, relative to the directory in force. */
  readonly names?: readonly string[];
  /** Set for a leading `cd DIR` with a literal DIR (spec 6). */
  readonly changesTo?: Step;
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
  /** `certain`: it is a path. `maybe`: it counts when it names something (spec 4), like the names of a unit. `unknown`: a path that only the shell knows. */
  readonly standing: 'certain' | 'maybe' | 'unknown';
  /** `*`, `?`, `[…]` in it are wildcards, and a backslash makes the next character literal. */
  readonly isGlob: boolean;
  readonly deletes?: boolean;
}

export interface ShellReading {
  readonly units: readonly ReadUnit[];
  readonly targets: readonly ShellTarget[];
  /** Hosts and addresses that words and redirects name, as written. */
  readonly addresses: readonly string[];
  /** Why the whole text is one opaque unit; empty when it was read. */
  readonly errors: readonly string[];
}
