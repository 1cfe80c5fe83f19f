// Path patterns of spec 5.3: `<dir>/*` is the directory and everything below; absolute, `~/` and drive patterns speak of the
// canonical path; relative ones of the path below the session root or the working directory. No disk: the caller supplies
// what a pattern's own prefix is really called.

import type { PatternLink, PlatformFacts } from './facts';
import { comparable, isAbsolute, lexical, relativeStart } from './path-text';
import { compileWildcard, literalHead, type Wildcard, wildcardMatches } from './wildcard';

export interface PathPattern {
  /**
   * `floating` begins with a star and is compared with the whole canonical path, of which it is a tail.
   * `climbing` begins with `..` and is put on each base before it is compared.
   */
  readonly anchor: 'absolute' | 'relative' | 'floating' | 'climbing';
  /** `exact`: `text` is the path. `subtree`: `text` is the directory with a slash behind it. Climbing: `text` is the pattern. */
  readonly shape: 'any' | 'exact' | 'subtree' | 'wildcard';
  readonly text: string;
  /** For `wildcard`; compared with the path, or with the path and a slash when the pattern ends in `/*` (the directory itself counts). */
  readonly wildcard: Wildcard | null;
  readonly coversDirectory: boolean;
}

export interface PatternOptions {
  readonly platform: PlatformFacts;
  readonly home: string;
  /** Canonical spelling of the existing part of an absolute pattern's literal head. */
  readonly canonicalPrefix?: (pattern: string) => string;
}

/** A path to be matched, with everything that patterns may be relative to, in comparable form. */
export interface PathSubject {
  readonly path: string;
  /** Where the part below the session root, below the working directory begins; -1 outside, `path.length` for the base itself. */
  readonly rootStart: number;
  readonly workingStart: number;
  readonly root: string | null;
  readonly workingDirectory: string | null;
  /** Other relative spellings of the path through links where patterns begin; only patterns that name the link see them. */
  readonly linked: readonly LinkedSpelling[];
}
export interface LinkedSpelling {
  readonly relative: string;
  /** The link, relative to the same base, with a slash behind it. */
  readonly link: string;
}

export function compilePathPattern(pattern: string, options: PatternOptions): PathPattern {
  const { platform, home } = options;
  if (pattern === '') return NOTHING;
  const joined = pattern.includes('**') ? pattern.replace(/\*{2,}/g, '*') : pattern;
  if (joined === '*') return { anchor: 'floating', shape: 'any', text: '*', wildcard: null, coversDirectory: false };
  const expanded =
    joined === '~' || joined.startsWith('~/') || (platform.separator === '\\' && joined.startsWith('~\\')) ? home + joined.slice(1) : joined;
  if (expanded.startsWith('*')) return shaped('floating', comparable(directoryForm(expanded, platform), platform));
  if (isAbsolute(expanded, platform)) {
    const canonical = options.canonicalPrefix === undefined ? expanded : options.canonicalPrefix(expanded);
    return shaped('absolute', comparable(tidy(canonical, platform), platform));
  }
  const text = comparable(tidy(expanded, platform), platform);
  if (text === '..' || text.startsWith('../')) return { anchor: 'climbing', shape: 'wildcard', text, wildcard: null, coversDirectory: false };
  return shaped('relative', text);
}

/** An empty pattern matches nothing: no canonical path is empty. */
const NOTHING: PathPattern = { anchor: 'absolute', shape: 'exact', text: '', wildcard: null, coversDirectory: false };

/** A trailing slash means the directory and what is in it, as it does for a person who writes one. */
function directoryForm(pattern: string, platform: PlatformFacts): string {
  const last = pattern.at(-1);
  return pattern.length > 1 && (last === '/' || (last === '\\' && platform.separator === '\\')) ? `${pattern}*` : pattern;
}

/** `.`, `..` and doubled slashes are taken out up to the segment with the first star; behind it everything is literal. */
function tidy(pattern: string, platform: PlatformFacts): string {
  const full = directoryForm(pattern, platform);
  const slashed = platform.separator === '\\' ? full.replaceAll('\\', '/') : full;
  const star = slashed.indexOf('*');
  if (star < 0) return lexical(null, slashed, platform);
  const cut = slashed.lastIndexOf('/', star) + 1;
  const head = lexical(null, slashed.slice(0, cut > 1 ? cut - 1 : cut), platform);
  const rest = slashed.slice(cut);
  if (head === '') return rest === '*' && cut > 0 ? './*' : rest;
  return head.endsWith('/') ? head + rest : `${head}/${rest}`;
}

function shaped(anchor: PathPattern['anchor'], text: string): PathPattern {
  const plain = { wildcard: null, coversDirectory: false };
  if (text === './*') return { anchor, shape: 'subtree', text: '', ...plain };
  if (!text.includes('*')) return { anchor, shape: 'exact', text: text === '.' ? '' : text, ...plain };
  if (text.endsWith('/*') && text.indexOf('*') === text.length - 1) return { anchor, shape: 'subtree', text: text.slice(0, -1), ...plain };
  return { anchor, shape: 'wildcard', text, wildcard: compileWildcard(text), coversDirectory: text.endsWith('/*') };
}

export interface PathBases {
  readonly root: string | null;
  readonly workingDirectory: string | null;
  readonly platform: PlatformFacts;
  readonly links?: readonly PatternLink[];
}

/** `path` canonical, bases canonical; all are brought into comparable form here. */
export function pathSubject(path: string, bases: PathBases): PathSubject {
  const { platform } = bases;
  const text = comparable(path, platform);
  const root = bases.root === null ? null : comparable(bases.root, platform);
  const workingDirectory = bases.workingDirectory === null ? null : comparable(bases.workingDirectory, platform);
  return {
    path: text,
    root,
    workingDirectory,
    rootStart: root === null ? -1 : relativeStart(root, text),
    workingStart: workingDirectory === null || workingDirectory === root ? -1 : relativeStart(workingDirectory, text),
    linked:
      bases.links === undefined || bases.links.length === 0 ? NO_SPELLINGS : linkedSpellings(text, root, workingDirectory, bases.links, platform),
  };
}

const NO_SPELLINGS: readonly LinkedSpelling[] = [];

function linkedSpellings(
  path: string,
  root: string | null,
  workingDirectory: string | null,
  links: readonly PatternLink[],
  platform: PlatformFacts,
): readonly LinkedSpelling[] {
  const found: LinkedSpelling[] = [];
  for (const link of links) {
    const start = relativeStart(comparable(link.to, platform), path);
    if (start < 0) continue;
    const at = comparable(link.at, platform);
    for (const base of [root, workingDirectory]) {
      const below = base === null ? -1 : relativeStart(base, at);
      if (below < 0 || below === at.length) continue;
      const name = at.slice(below);
      const rest = path.slice(start);
      found.push({ relative: rest === '' ? name : `${name}/${rest}`, link: `${name}/` });
    }
  }
  return found;
}

export function pathMatches(pattern: PathPattern, subject: PathSubject): boolean {
  switch (pattern.anchor) {
    case 'floating':
      return pattern.shape === 'any' || textMatches(pattern, subject.path);
    case 'absolute':
      return textMatches(pattern, subject.path);
    case 'relative':
      return (
        (subject.rootStart >= 0 && textMatches(pattern, subject.path.slice(subject.rootStart))) ||
        (subject.workingStart >= 0 && textMatches(pattern, subject.path.slice(subject.workingStart))) ||
        subject.linked.some((spelling) => literalDirectory(pattern).startsWith(spelling.link) && textMatches(pattern, spelling.relative))
      );
    case 'climbing':
      return climbs(pattern, subject.root, subject.path) || climbs(pattern, subject.workingDirectory, subject.path);
  }
}

/** Directory part of the literal head, with its slash: what `canonicalPrefix` or a link can rename. Empty when there is none. */
export function literalDirectory(pattern: PathPattern): string {
  if (pattern.shape === 'exact') return `${pattern.text}/`;
  if (pattern.shape === 'subtree') return pattern.text;
  const head = pattern.wildcard === null ? '' : literalHead(pattern.wildcard);
  return head.slice(0, head.lastIndexOf('/') + 1);
}

function textMatches(pattern: PathPattern, text: string): boolean {
  switch (pattern.shape) {
    case 'any':
      return true;
    case 'exact':
      return text === pattern.text;
    case 'subtree':
      return pattern.text === '' || text.startsWith(pattern.text) || (text.length === pattern.text.length - 1 && pattern.text.startsWith(text));
    case 'wildcard':
      return pattern.wildcard !== null && wildcardMatches(pattern.wildcard, pattern.coversDirectory ? `${text}/` : text);
  }
}

function climbs(pattern: PathPattern, base: string | null, path: string): boolean {
  if (base === null) return false;
  const segments = base.split('/');
  let rest = pattern.text;
  while (rest === '..' || rest.startsWith('../')) {
    if (segments.length > 1) segments.pop();
    rest = rest.slice(3);
  }
  const text = rest === '' ? segments.join('/') || '/' : `${segments.join('/')}/${rest}`;
  return textMatches(shaped('absolute', text), path);
}
