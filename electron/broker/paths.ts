// Canonical paths at the edge (spec 3.4): the only place that asks the disk where a path lands. Judges nothing. Synchronous and
// native, because the answer is needed before anything else can happen and costs some microseconds.

import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { sep } from 'node:path';
import type { PatternLink, PlatformFacts } from '../engine/facts';
import { comparable } from '../engine/path-text';
import { collapseParents, joinPath, type SpelledPath, spellPath } from '../engine/spellings';

/** Where a path lands; `reason`: why nobody can tell. */
export type Canonical = { readonly path: string; readonly exists: boolean } | { readonly path: null; readonly reason: string };

export interface Paths {
  readonly platform: PlatformFacts;
  /** Canonical. */
  readonly home: string;
  /** Where `raw` lands when it is opened in `base` (absolute, or null when the session has no directory). Spec 3.4. */
  canonical(raw: string, base: string | null): Canonical;
  /**
   * Where `raw` lands for a program that takes `..` out of the text before it opens the path. Null when that is the same text,
   * so that there is nothing more to look at.
   */
  tidied(raw: string, base: string | null): Canonical | null;
  /** Spec 5.3: the literal directory at the start of an absolute, `~/` or drive pattern made canonical where it exists. */
  canonicalPrefix(pattern: string): string;
  /** The link of spec 5.3 for the literal head of a relative pattern below `base`; null when none stands there. */
  linkAt(base: string, head: string): PatternLink | null;
  /** A directory, or a link to one. */
  isDirectory(path: string): boolean;
  /** False when nothing stands at the relative `name` in `directory`, not even a link. One question to the disk. */
  mayExist(name: string, directory: string): boolean;
}

/** Links that are followed on the way to one path: the limit of Linux. */
const MAX_LINKS = 40;
/** Missing directories at the end of a path that are asked for one by one before the path is walked from the top. */
const MAX_MISSING = 32;

/** `platform`: that of this machine unless given; on another one the disk is not asked. */
export function createPaths(options: { readonly platform?: PlatformFacts; readonly home: string }): Paths {
  const platform = options.platform ?? hostPlatform();
  const host = platform.separator === sep;
  const resolver: Resolver = { platform, host, home: options.home };
  const home = resolve(resolver, options.home, null);
  const canonicalHome = home.path ?? options.home;
  const settled: Resolver = { ...resolver, home: canonicalHome };
  const canonical = (raw: string, base: string | null): Canonical => resolve(settled, raw, base);
  return {
    platform,
    home: canonicalHome,
    canonical,
    tidied: (raw, base) => {
      const spelled = raw.includes('..') ? spellPath(raw, platform) : null;
      if (spelled === null || 'problem' in spelled || !spelled.segments.includes('..')) return null;
      const segments = collapseParents(spelled.segments);
      if (spelled.form === 'absolute')
        return canonical(
          joinPath(
            spelled.prefix,
            segments.filter((segment) => segment !== '..'),
            platform,
          ),
          base,
        );
      return spelled.form === 'home' ? canonical(joinPath('~/', segments, platform), base) : canonical(joinPath('', segments, platform), base);
    },
    canonicalPrefix: (pattern) => canonicalPrefix(canonical, pattern, platform),
    linkAt: (base, head) => {
      const at = base + separatorAfter(base, platform) + head;
      const landed = canonical(head, base);
      return landed.path === null || comparable(landed.path, platform) === comparable(at, platform) ? null : { at, to: landed.path };
    },
    isDirectory: (path) => host && quietly(() => statSync(path, { throwIfNoEntry: false }))?.isDirectory() === true,
    mayExist: (name, directory) => !host || name.includes('\0') || ask(`${directory}${separatorAfter(directory, platform)}${name}`) !== 'missing',
  };
}

const separatorAfter = (directory: string, platform: PlatformFacts): string => (directory.endsWith(platform.separator) ? '' : platform.separator);

/** Spec 3.4: case does not count on Windows and macOS. */
export function hostPlatform(): PlatformFacts {
  return { separator: sep === '\\' ? '\\' : '/', caseSensitive: process.platform !== 'win32' && process.platform !== 'darwin' };
}

interface Resolver {
  readonly platform: PlatformFacts;
  /** The platform is that of this machine, so its disk can be asked. */
  readonly host: boolean;
  readonly home: string;
}

const unresolved = (reason: string): Canonical => ({ path: null, reason });

function resolve(resolver: Resolver, raw: string, base: string | null): Canonical {
  const { platform } = resolver;
  const spelled = spellPath(raw, platform);
  if ('problem' in spelled) return unresolved(spelled.problem);
  const start = startOf(resolver, spelled, base);
  if (start === null) return unresolved(spelled.user === undefined ? 'the session has no directory' : `the home of \`${spelled.user}\` is not known`);
  // Win32 takes `..` out of the text before it looks at the disk.
  const segments = platform.separator === '\\' ? collapseParents(spelled.segments) : spelled.segments;
  const found = resolver.host ? land(resolver, start, segments) : landWithoutDisk(start, segments, platform);
  if (found.path !== null && !found.exists && spelled.hasShortName) return unresolved('it holds a short name of something that does not exist');
  return found.path?.includes('\uFFFD') === true && !raw.includes('\uFFFD') ? unresolved('a name on the way is not valid Unicode') : found;
}

/** Directory that the segments are followed from. */
function startOf(resolver: Resolver, spelled: SpelledPath, base: string | null): string | null {
  switch (spelled.form) {
    case 'absolute':
      return spelled.prefix === '\\' ? driveOf(base ?? resolver.home) : spelled.prefix;
    case 'home':
      return spelled.user === undefined ? resolver.home : homeOf(spelled.user, resolver);
    case 'relative':
      return base;
  }
}

const driveOf = (path: string): string | null => /^(?:[A-Za-z]:\\|\\\\[^\\]+\\[^\\]+\\?)/.exec(path)?.[0] ?? null;

function homeOf(user: string, resolver: Resolver): string | null {
  if (!resolver.host || resolver.platform.separator !== '/') return null;
  const passwords = quietly(() => readFileSync('/etc/passwd', 'utf8')) ?? '';
  const line = passwords.split('\n').find((entry) => entry.startsWith(`${user}:`));
  return line?.split(':')[5] ?? null;
}

function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** Absolute start and segments to where they land. Asks `lstat` first: most paths exist, or miss their last name only. */
function land(resolver: Resolver, start: string, segments: readonly string[]): Canonical {
  const { separator } = resolver.platform;
  const head = start.endsWith(separator) ? start : start + separator;
  const full = segments.length === 0 ? start : head + segments.join(separator);
  const stat = ask(full);
  if (stat === 'missing' && !segments.includes('..')) {
    for (let kept = segments.length - 1, tries = 0; kept >= 0 && tries < MAX_MISSING; kept--, tries++) {
      const parent = kept === 0 ? start : head + segments.slice(0, kept).join(separator);
      const found = ask(parent);
      if (found === 'missing') continue;
      const real = found === 'unknown' ? undefined : quietly(() => realpathSync.native(parent));
      // A link on the way may lead through a place that is another one to each program.
      if (real === undefined || (HAS_OWN_PLACES && real !== parent)) break;
      return { path: append(real, segments.slice(kept), separator), exists: false };
    }
  } else if (stat !== 'missing' && stat !== 'unknown') {
    const real = quietly(() => realpathSync.native(full));
    if (real !== undefined && (!HAS_OWN_PLACES || real === full)) return { path: real, exists: true };
  }
  return walk(resolver, start, segments);
}

/** Linux shows each process itself there: what we would find is ours, not the agent's. */
const OWN_PLACE = /^\/proc\/(?:self|thread-self)$/;
const OWN_STREAM = /^\/dev\/(?:fd|stdin|stdout|stderr)$/;
const HAS_OWN_PLACES = process.platform === 'linux';

const append = (directory: string, segments: readonly string[], separator: string): string =>
  (directory.endsWith(separator) ? directory : directory + separator) + segments.join(separator);

/** `missing`: nothing stands there. `unknown`: the disk did not say (no permission, too long, a loop). */
function ask(path: string): Stats | 'missing' | 'unknown' {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? 'missing';
  } catch (error) {
    // Below a file there is nothing.
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? 'missing' : 'unknown';
  }
}

/**
 * Segment by segment from the top (spec 3.4): links are followed where they stand, so that `link/../x` is what it opens; what
 * does not exist is appended, and `..` climbs out of it again.
 */
function walk(resolver: Resolver, start: string, segments: readonly string[]): Canonical {
  const { platform } = resolver;
  const { separator } = platform;
  const waiting = [...segments].reverse();
  const spelledStart = spellPath(start, platform);
  if ('problem' in spelledStart) return unresolved(spelledStart.problem);
  const prefix = spelledStart.prefix;
  const rest = [...spelledStart.segments].reverse();
  let reached: string[] = [];
  for (const segment of rest) waiting.push(segment);
  let missing = 0;
  let links = 0;
  for (let segment = waiting.pop(); segment !== undefined; segment = waiting.pop()) {
    if (segment === '..') {
      reached.pop();
      missing = Math.max(0, missing - 1);
      continue;
    }
    reached.push(segment);
    if (missing > 0) {
      missing++;
      continue;
    }
    const path = prefix + reached.join(separator);
    if (HAS_OWN_PLACES && OWN_PLACE.test(path)) return unresolved('it is another place to each program');
    // The agent's own streams, whatever they are in this process.
    if (OWN_STREAM.test(path) && !waiting.includes('..')) return { path: append(path, waiting.reverse(), separator), exists: true };
    const stat = ask(path);
    if (stat === 'unknown') return unresolved('the disk does not say what stands on the way');
    if (stat === 'missing') missing = 1;
    else if (stat.isSymbolicLink()) {
      if (++links > MAX_LINKS) return unresolved('it leads through too many links');
      const target = quietly(() => readlinkSync(path));
      const spelled = target === undefined ? { problem: 'a link on the way cannot be read' } : spellLink(target, platform);
      if ('problem' in spelled) return unresolved(spelled.problem);
      reached.pop();
      if (spelled.form === 'absolute') {
        if (spelled.prefix !== prefix) return walk(resolver, spelled.prefix, [...spelled.segments, ...waiting.reverse()]);
        reached = [];
      }
      for (let at = spelled.segments.length - 1; at >= 0; at--) waiting.push(spelled.segments[at] ?? '');
    }
  }
  const path = prefix + reached.join(separator);
  return missing > 0 && ask(path) === 'unknown' ? unresolved('it is too long') : { path, exists: missing === 0 };
}

/** `~` is no home in a link. */
const spellLink = (target: string, platform: PlatformFacts): SpelledPath | { readonly problem: string } =>
  spellPath(target.startsWith('~') ? `.${platform.separator}${target}` : target, platform);

function landWithoutDisk(start: string, segments: readonly string[], platform: PlatformFacts): Canonical {
  const spelled = spellPath(start, platform);
  if ('problem' in spelled) return unresolved(spelled.problem);
  const kept = collapseParents([...spelled.segments, ...segments]).filter((segment) => segment !== '..');
  return { path: joinPath(spelled.prefix, kept, platform), exists: false };
}

function canonicalPrefix(canonical: Paths['canonical'], pattern: string, platform: PlatformFacts): string {
  const isAnchored = platform.separator === '\\' ? /^(?:~[\\/]|[A-Za-z]:[\\/]|[\\/])/.test(pattern) : /^(?:~\/|\/)/.test(pattern);
  if (!isAnchored && pattern !== '~') return pattern;
  const star = pattern.indexOf('*');
  const literal = star < 0 ? pattern : pattern.slice(0, star);
  // Up to the last separator: what stands between it and the first `*` is the beginning of a name.
  const cut = star < 0 ? pattern.length : Math.max(literal.lastIndexOf('/'), platform.separator === '\\' ? literal.lastIndexOf('\\') : -1) + 1;
  const directory = pattern.slice(0, cut);
  const rest = pattern.slice(cut);
  const landed = canonical(directory, null);
  if (landed.path === null) return pattern;
  if (rest === '') return landed.path;
  return landed.path.endsWith(platform.separator) ? landed.path + rest : `${landed.path}${platform.separator}${rest}`;
}
