// One line of a policy as the engine matches it: a rule or a remembered answer, and the plain meaning of "it matches this
// check" (spec 5). The indexes must always agree with what stands here.

import type { ShellUnit } from '../../shared/model';
import type { Access } from '../../shared/terms';
import { matchesTool, type ToolSubject, toolPatterns } from './match';
import { type PathPattern, type PathSubject, pathMatches } from './path-pattern';
import { type Wildcard, wildcardMatches } from './wildcard';

/** What an entry says about the value of a check. `tool`: nothing, so it covers every check of the tools it names. */
export type EntryArgument =
  | { readonly about: 'tool' }
  | { readonly about: 'command'; readonly wildcard: Wildcard }
  | { readonly about: 'path'; readonly pattern: PathPattern }
  /** A path, for calls whose commands match too. `every`: all of them have to (an allow), else one is enough. */
  | { readonly about: 'path_and_command'; readonly pattern: PathPattern; readonly wildcard: Wildcard; readonly every: boolean }
  /** A grant of one exact value: a command, a path in comparable form, a tool. Stars are stars. */
  | { readonly about: 'equal'; readonly text: string; readonly path: string }
  /** A grant with a pattern: of a path, of a command, of a tool's name, whatever is asked about. */
  | { readonly about: 'value'; readonly pattern: PathPattern; readonly wildcard: Wildcard };

export interface Entry {
  readonly isAllow: boolean;
  readonly toolPattern: string;
  readonly argument: EntryArgument;
  readonly agent: string | null;
  readonly source: string | null;
  /** Matches before this time only; null for ever. */
  readonly untilMs: number | null;
  /** Only checks with this access; null any. */
  readonly access: Access | null;
  /**
   * Which checks it speaks of. `only` path checks: an allow for a class of file tools says nothing about a call whose paths are
   * not known. `never` of them: an allow of `@exec` says what may run and not where it writes, which is `@fs_write` (spec 4).
   */
  readonly paths: 'any' | 'only' | 'never';
}

/** One check, in the form that entries are matched with. As a tool subject it is the surface of the check. */
export interface EntryQuery extends ToolSubject {
  /**
   * Which allows count. `all`; none (`refusals`: a program by its base name, spec 4); or only one whose command pattern is the
   * text, word for word (`opaque`, spec 6). What refuses or asks always counts.
   */
  readonly allows: 'all' | 'refusals' | 'opaque';
  readonly longName: string;
  readonly agent: string;
  readonly source: string;
  readonly nowMs: number;
  /** `tool`: the tool alone. For `path`, `place` is set. */
  readonly about: 'tool' | 'unit' | 'path';
  readonly text: string;
  readonly place: PathSubject | null;
  /** Access of a path check; set for the outside check too, which belongs to no class (`access` is null there). */
  readonly reach: Access | null;
  /** Commands of the call, for entries that filter by path and command. */
  readonly units: readonly ShellUnit[];
}

/** Every filter that the entry has must hold. */
export function entryMatches(entry: Entry, query: EntryQuery): boolean {
  if (entry.agent !== null && entry.agent !== query.agent) return false;
  if (entry.source !== null && entry.source !== query.source) return false;
  return matchesTool(entry.toolPattern, query) && restMatches(entry, query);
}

/** Everything but agent, source and tool. */
export function restMatches(entry: Entry, query: EntryQuery): boolean {
  if (entry.untilMs !== null && query.nowMs >= entry.untilMs) return false;
  if (entry.access !== null && entry.access !== query.reach) return false;
  if (query.allows !== 'all' && entry.isAllow && !isExactAllow(entry, query)) return false;
  if (entry.paths !== 'any' && (entry.paths === 'only') === (query.place === null)) return false;
  const { argument } = entry;
  switch (argument.about) {
    case 'tool':
      return true;
    case 'command':
      return query.about === 'unit' && wildcardMatches(argument.wildcard, query.text);
    case 'path':
      return query.place !== null && pathMatches(argument.pattern, query.place);
    case 'path_and_command': {
      if (query.place === null || query.units.length === 0 || !pathMatches(argument.pattern, query.place)) return false;
      const matches = (unit: ShellUnit): boolean => wildcardMatches(argument.wildcard, unit.text);
      return argument.every ? query.units.every(matches) : query.units.some(matches);
    }
    case 'equal':
      if (query.place !== null) return query.place.path === argument.path;
      return query.about === 'unit' ? query.text === argument.text : namesTool(argument.text, query);
    case 'value':
      if (query.place !== null) return pathMatches(argument.pattern, query.place);
      return query.about === 'unit' ? wildcardMatches(argument.wildcard, query.text) : matchesTool(argument.wildcard.pattern, query);
  }
}

const isExactAllow = ({ argument }: Entry, query: EntryQuery): boolean =>
  query.allows === 'opaque' && argument.about === 'command' && argument.wildcard.pattern === query.text;

const namesTool = (name: string, query: EntryQuery): boolean =>
  toolPatterns(name).some((spelling) => spelling === query.tool || spelling === query.longName);
