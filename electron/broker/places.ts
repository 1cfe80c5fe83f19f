// Directories that a command of shell text may stand in, on the disk: follows the `cd` steps of a reading, both ways a shell may
// take `..`, and drops what the disk rules out. Knows no commands.

import type { Directories, Place } from '../engine/shell';
import { joinPath, spellPath } from '../engine/spellings';
import type { Paths } from './paths';

/** A directory as the shell calls it, and where that is. */
interface Standing {
  readonly called: string;
  readonly canonical: string;
}

/** Beyond these nobody can follow. */
const MAX_STANDINGS = 8;

export interface Places {
  /** Canonical directories; null: nobody can tell. */
  at(directories: Directories): readonly string[] | null;
  /** Where a step from there leads, when there is one answer. */
  target(directories: Directories, to: string, physical: boolean): string | null;
}

/** `start`: directory of the call, null when there is none. */
export function createPlaces(start: string | null, paths: Paths): Places {
  const known = new Map<Place, readonly Standing[] | null>();
  const atStart: readonly Standing[] | null = start === null ? null : [{ called: start, canonical: start }];

  function standingsOf(place: Place | null): readonly Standing[] | null {
    if (place === null) return atStart;
    const kept = known.get(place);
    if (kept !== undefined) return kept;
    const from = standingsOf(place.from);
    const steps = from?.map((standing) => afterStep(standing, place)) ?? [null];
    const reached = steps.some((step) => step === null) ? null : distinct(steps.flatMap((step) => step ?? []));
    known.set(place, reached);
    return reached;
  }

  function afterStep(standing: Standing, { step, outcome }: Place): readonly Standing[] | null {
    const landed = entered(standing, step.to, step.physical);
    if (landed === null) return outcome === 'failed' ? [standing] : null;
    if (outcome === 'done') return landed;
    // A directory that exists can be entered; one that does not may have been made by an earlier command.
    const canFail = !landed.every(({ canonical }) => paths.isDirectory(canonical));
    if (outcome === 'failed') return canFail ? [standing] : [];
    return canFail ? [...landed, standing] : landed;
  }

  /** A shell takes `..` out of the text of its directory, unless it is told to follow links. Both answers where they differ. */
  function entered(standing: Standing, to: string, physical: boolean): readonly Standing[] | null {
    const real = paths.canonical(to, standing.canonical);
    if (real.path === null) return null;
    const called = calledAfter(standing.called, to, paths);
    if (physical || called === null) return [{ called: real.path, canonical: real.path }];
    const logical = paths.canonical(called, null);
    if (logical.path === null || logical.path === real.path) return [{ called, canonical: real.path }];
    return [
      { called, canonical: logical.path },
      { called: real.path, canonical: real.path },
    ];
  }

  function all(directories: Directories): readonly Standing[] | null {
    if (directories === null) return null;
    const found: Standing[] = [];
    for (const place of directories) {
      const standings = standingsOf(place);
      if (standings === null) return null;
      found.push(...standings);
    }
    const reached = distinct(found);
    // Every way was ruled out: a reading that contradicts the disk is not trusted.
    return reached.length === 0 || reached.length > MAX_STANDINGS ? null : reached;
  }

  return {
    at: (directories) => all(directories)?.map((standing) => standing.canonical) ?? null,
    target: (directories, to, physical) => {
      const reached = all(directories)?.map((standing) => entered(standing, to, physical)) ?? [null];
      if (reached.some((standings) => standings === null)) return null;
      const [target, ...others] = new Set(reached.flatMap((standings) => standings?.map((standing) => standing.canonical) ?? []));
      return others.length === 0 ? (target ?? null) : null;
    },
  };
}

function distinct(standings: readonly Standing[]): readonly Standing[] {
  return standings.filter((one, index) => standings.findIndex((other) => other.called === one.called && other.canonical === one.canonical) === index);
}

/** The shell's own name for the directory after `cd to`; null when it has none. */
function calledAfter(called: string, to: string, paths: Paths): string | null {
  const { platform } = paths;
  const spelled = spellPath(to, platform);
  if ('problem' in spelled || spelled.form === 'home') return null;
  const from = spelled.form === 'absolute' ? spelled : spellPath(called, platform);
  if ('problem' in from) return null;
  const segments = spelled.form === 'absolute' ? [] : [...from.segments];
  for (const segment of spelled.segments) {
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  return joinPath(from.prefix, segments, platform);
}
