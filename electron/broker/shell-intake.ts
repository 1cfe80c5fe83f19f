// Finishes a reading of shell text on the disk: units with the directory a leading `cd` enters, and the paths that redirects and
// operands name (spec 4 and 6). Reads no text itself and decides nothing.

import type { RequestPath, ShellUnit } from '../../shared/model';
import type { ReadUnit, ShellReading, ShellTarget } from '../engine/shell';
import { fromPosixShell } from '../engine/spellings';
import { expandGlob } from './globs';
import type { Paths } from './paths';
import { createPlaces, type Places } from './places';

export interface FinishedReading {
  readonly units: readonly ShellUnit[];
  readonly paths: readonly RequestPath[];
  readonly addresses: readonly string[];
}

/** `namesDenied`: a segment that a deny rule or a protection names, so that an operand counts although nothing is there. */
export function finishReading(reading: ShellReading, start: string | null, paths: Paths, namesDenied: (segment: string) => boolean): FinishedReading {
  const places = createPlaces(start, paths);
  const found: RequestPath[] = [];
  const work: Work = { paths, places, hasStart: start !== null, namesDenied, found };
  reading.units.forEach((unit, index) => {
    for (const raw of unit.names ?? NO_NAMES)
      readTarget({ raw, access: 'read', origin: 'operand', unit: index, directories: unit.directories, standing: 'maybe', isGlob: false }, work);
  });
  for (const target of reading.targets) readTarget(target, work);
  return { units: reading.units.map((unit) => finishUnit(unit, places)), paths: found, addresses: reading.addresses };
}

const NO_NAMES: readonly string[] = [];

interface Work {
  readonly paths: Paths;
  readonly places: Places;
  /** The call stands in a directory at all. */
  readonly hasStart: boolean;
  readonly namesDenied: (segment: string) => boolean;
  readonly found: RequestPath[];
}

function finishUnit(unit: ReadUnit, places: Places): ShellUnit {
  const { text, words, assignments, opaque, opaque_reason, wrapped_by, changesTo } = unit;
  return {
    text,
    words,
    assignments,
    opaque,
    ...(opaque_reason === undefined ? {} : { opaque_reason }),
    ...(wrapped_by === undefined ? {} : { wrapped_by }),
    ...(changesTo === undefined ? {} : { cd: places.target(unit.directories, changesTo.to, changesTo.physical) }),
  };
}

/**
 * A path that only the shell knows asks whatever it is written to: it is given as a read that cannot be resolved, which is a
 * hard require (spec 4). A write that cannot be resolved on the disk is denied instead (spec 3.4).
 */
const unknownPath = (target: ShellTarget): RequestPath => ({ raw: target.raw, canonical: null, access: 'read', origin: target.origin });

function readTarget(target: ShellTarget, work: Work): void {
  if (target.standing === 'unknown') {
    work.found.push(unknownPath(target));
    return;
  }
  const raw = fromPosixShell(target.raw, work.paths.platform);
  if (target.isGlob) readGlob(target, raw, work);
  else if (isAnchored(raw, work.paths)) add(target, raw, null, work);
  else {
    const directories = work.places.at(target.directories);
    if (directories === null) withoutDirectory(target, raw, work);
    else for (const directory of directories) add(target, raw, directory, work);
  }
}

const isAnchored = (raw: string, paths: Paths): boolean =>
  /^[/~]/.test(raw) || (paths.platform.separator === '\\' && /^(?:[A-Za-z]:[\\/]|\\)/.test(raw));

/** A relative path in a directory that nobody knows: a word counts only when a deny names it. */
function withoutDirectory(target: ShellTarget, raw: string, work: Work): void {
  if (target.standing === 'maybe' && !segmentsOf(raw, work.paths).some(work.namesDenied)) return;
  const unknown = unknownPath(target);
  work.found.push(work.hasStart ? unknown : { ...unknown, access: target.access });
}

function add(target: ShellTarget, raw: string, directory: string | null, work: Work): void {
  const isWord = target.standing === 'maybe';
  // Most words name nothing: asked first, and cheaply.
  if (isWord && directory !== null && !work.paths.mayExist(raw, directory) && !segmentsOf(raw, work.paths).some(work.namesDenied)) return;
  const landed = work.paths.canonical(raw, directory);
  // A word that could not be opened as a path is none.
  if (isWord && (landed.path === null || (!landed.exists && !segmentsOf(raw, work.paths).some(work.namesDenied)))) return;
  const { access, origin, deletes } = target;
  work.found.push({ raw: target.raw, canonical: landed.path, access, origin, ...(deletes === true ? { deletes } : {}) });
}

const segmentsOf = (raw: string, paths: Paths): readonly string[] =>
  raw.split(paths.platform.separator === '\\' ? /[\\/]+/ : /\/+/).filter((segment) => segment !== '' && segment !== '.');

function readGlob(target: ShellTarget, raw: string, work: Work): void {
  const directories = isAnchored(raw, work.paths) ? [null] : work.places.at(target.directories);
  if (directories === null) {
    withoutDirectory(target, raw, work);
    return;
  }
  for (const directory of directories) {
    const { found, directory: before } = expandGlob(raw, directory, work.paths, work.namesDenied);
    if (before !== '' && target.standing === 'certain') add(target, before, directory, work);
    for (const path of found) add({ ...target, standing: 'maybe' }, path, null, work);
    // Without a match the shell hands the word on as it stands.
    if (found.length === 0) add(target, raw, directory, work);
  }
}
