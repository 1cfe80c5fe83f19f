// Whether two patterns of rules can ever speak of the same check. Needed where a rule is put in front of others, so that it
// never reaches what they refuse. INVARIANT: in doubt they can; a pair that is called apart is apart.

import type { Rule } from '../../shared/model';
import { EXTERNAL_DIRECTORY } from '../../shared/terms';
import type { CallFacts, SessionFacts } from './facts';
import { compileToolPattern, matchesTool, mcpName, type ToolClass, toolPatterns } from './match';
import { compilePathPattern, type PathPattern, type PatternOptions, pathMatches, pathSubject } from './path-pattern';
import { within } from './path-text';
import { compileWildcard, headOfEveryMatch, type Wildcard, wildcardMatches } from './wildcard';

/** What a rule matches with; agent, source and time are left out, since they can change. */
export type Reach = Pick<Rule, 'tool_pattern' | 'path_pattern' | 'command_pattern'>;

/** `call` is one that `ours` was made for: it says what kind of tool our tool pattern means. */
export function reachesMeet(ours: Reach, theirs: Reach, call: CallFacts, session: SessionFacts, options: PatternOptions): boolean {
  return toolsMeet(ours.tool_pattern, theirs.tool_pattern, call) && argumentsMeet(ours, theirs, session, options);
}

function toolsMeet(ours: string, theirs: string, call: CallFacts): boolean {
  if (ours.startsWith('@')) return true;
  const pattern = compileToolPattern(theirs);
  if (pattern.by === 'class') return ours !== EXTERNAL_DIRECTORY && (ours.includes('*') || classMeets(pattern.toolClass, ours, call));
  if (!ours.includes('*')) {
    const mcp = mcpName(ours);
    return matchesTool(theirs, { tool: ours, mcp, kind: call.kind, executes: call.executes });
  }
  return toolPatterns(ours).some((one) => toolPatterns(theirs).some((other) => textsMeet(one, other)));
}

/** File classes match by the access of a path (spec 4), which a rule does not narrow: any tool can meet them. */
function classMeets(toolClass: ToolClass, tool: string, call: CallFacts): boolean {
  switch (toolClass) {
    case '@fs_read':
    case '@fs_write':
    case '@fs_any':
      return true;
    case '@exec':
      return call.executes;
    case '@net':
      return call.kind === 'fetch';
    case '@mcp':
      return mcpName(tool) !== null;
  }
}

/** A rule about commands speaks of units, one about paths of paths, one without either of all. */
function argumentsMeet(ours: Reach, theirs: Reach, session: SessionFacts, options: PatternOptions): boolean {
  const isAboutPaths = ours.path_pattern !== null;
  if (!isAboutPaths && ours.command_pattern !== null) {
    if (theirs.path_pattern !== null) return false;
    return theirs.command_pattern === null || textsMeet(ours.command_pattern, theirs.command_pattern);
  }
  if (ours.path_pattern === null || theirs.path_pattern === null) return !isAboutPaths || theirs.command_pattern === null;
  return pathsMeet(compilePathPattern(ours.path_pattern, options), compilePathPattern(theirs.path_pattern, options), session);
}

// ------------------------------------------------------------------ text

/** Some text matches both wildcards (spec 5.1). Linear: with a star in each, heads and tails that fit each other are enough. */
export function textsMeet(one: string, other: string): boolean {
  const ours = compileWildcard(one);
  const theirs = compileWildcard(other);
  if (ours.pieces.length === 1) return wildcardMatches(theirs, one);
  if (theirs.pieces.length === 1) return wildcardMatches(ours, other);
  return forms(ours).some((a) => forms(theirs).some((b) => piecesMeet(a, b)));
}

const forms = ({ pieces, withoutTail }: Wildcard): readonly (readonly string[])[] => (withoutTail === null ? [pieces] : [pieces, withoutTail]);

function piecesMeet(ours: readonly string[], theirs: readonly string[]): boolean {
  if (ours.length === 1) return wildcardMatches(compileWildcard(theirs.join('*')), ours[0] ?? '');
  if (theirs.length === 1) return wildcardMatches(compileWildcard(ours.join('*')), theirs[0] ?? '');
  return beginAlike(ours[0] ?? '', theirs[0] ?? '') && endAlike(ours.at(-1) ?? '', theirs.at(-1) ?? '');
}

const beginAlike = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);
const endAlike = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one);

// ------------------------------------------------------------------ paths

function pathsMeet(ours: PathPattern, theirs: PathPattern, session: SessionFacts): boolean {
  if (ours.anchor === 'absolute' && ours.shape === 'exact') return meetsPath(theirs, ours.text, session);
  if (ours.anchor !== 'absolute' || theirs.anchor !== 'absolute') return true;
  if (theirs.shape === 'exact') return pathMatches(ours, pathSubject(theirs.text, session));
  if (ours.shape === 'subtree' && theirs.shape === 'subtree') {
    const [one, other] = [withoutSlash(ours.text), withoutSlash(theirs.text)];
    return within(one, other) || within(other, one);
  }
  return beginAlike(headOf(ours), headOf(theirs));
}

/** A rule holds for sessions with other roots too, so a relative pattern is tried below every directory over the path. */
function meetsPath(theirs: PathPattern, path: string, { platform }: SessionFacts): boolean {
  if (theirs.anchor !== 'relative')
    return theirs.anchor === 'climbing' || pathMatches(theirs, pathSubject(path, { root: null, workingDirectory: null, platform }));
  for (let slash = path.lastIndexOf('/'); slash >= 0; slash = slash === 0 ? -1 : path.lastIndexOf('/', slash - 1)) {
    const root = slash === 0 ? '/' : path.slice(0, slash);
    if (pathMatches(theirs, pathSubject(path, { root, workingDirectory: null, platform }))) return true;
  }
  return false;
}

const withoutSlash = (directory: string): string => (directory.length > 1 ? directory.replace(/\/$/, '') : directory);
const headOf = (pattern: PathPattern): string => (pattern.wildcard === null ? pattern.text : headOfEveryMatch(pattern.wildcard));
