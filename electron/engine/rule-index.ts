// Which entry of an ordered list matches a check first, without looking at those that cannot match: tools by exact name, by
// class, by name pattern; commands and paths by their literal heads and rarest pieces. Rules and grants are both entries.
// Owns the matching of one entry as well (`entryMatches`), which the index must always agree with.

import type { Access } from '../../shared/terms';
import { createGramTable, type GramTable } from './gram-table';
import { addHit, type Condition, NONE, pickHit } from './hits';
import { createLiteralTrie, type LiteralTrie } from './literal-trie';
import { matchesTool, TOOL_CLASSES, type ToolSubject, toolPatterns } from './match';
import { literalDirectory, type PathPattern, type PathSubject, pathMatches } from './path-pattern';
import { compileWildcard, literalHead, type Wildcard, wildcardMatches } from './wildcard';

/** What an entry says about the value of a check. `tool`: nothing, so it covers every check of the tools it names. */
export type EntryArgument =
  | { readonly about: 'tool' }
  | { readonly about: 'command'; readonly wildcard: Wildcard }
  /** Equality; a star is a star. */
  | { readonly about: 'text'; readonly text: string }
  | { readonly about: 'path'; readonly pattern: PathPattern }
  /** A path, for calls whose commands match too. `every`: all of them have to (an allow), else one is enough. */
  | { readonly about: 'path_and_command'; readonly pattern: PathPattern; readonly wildcard: Wildcard; readonly every: boolean }
  /** A grant of one exact value: a command, a path in comparable form, a tool. Stars are stars. */
  | { readonly about: 'equal'; readonly text: string; readonly path: string }
  /** A grant with a pattern: of a path, of a command, of a tool's name, whatever is asked about. */
  | { readonly about: 'value'; readonly pattern: PathPattern; readonly wildcard: Wildcard };

export interface Entry {
  readonly toolPattern: string;
  readonly argument: EntryArgument;
  readonly agent: string | null;
  readonly source: string | null;
  /** Matches before this time only; null for ever. */
  readonly untilMs: number | null;
  /** Only checks with this access; null any. */
  readonly access: Access | null;
  /** Only path checks: an allow for a class of file tools says nothing about a call whose paths are not known. */
  readonly pathsOnly: boolean;
}

/** One check, in the form that entries are matched with. */
export interface EntryQuery {
  readonly subject: ToolSubject;
  /** All spellings of the tool's name. */
  readonly names: readonly string[];
  readonly agent: string;
  readonly source: string;
  readonly nowMs: number;
  /** `tool`: the tool alone. For `path`, `path` is set. */
  readonly about: 'tool' | 'unit' | 'path';
  readonly text: string;
  readonly path: PathSubject | null;
  /** Of a path check, also of the outside check, which belongs to no class. */
  readonly access: Access | null;
  /** Commands of the call, for entries that filter by path and command. */
  readonly commands: readonly string[];
}

/** The plain meaning of one entry (spec 5): every filter that it has must hold. */
export function entryMatches(entry: Entry, query: EntryQuery): boolean {
  if (entry.agent !== null && entry.agent !== query.agent) return false;
  if (entry.source !== null && entry.source !== query.source) return false;
  return matchesTool(entry.toolPattern, query.subject) && restMatches(entry, query);
}

function restMatches(entry: Entry, query: EntryQuery): boolean {
  if (entry.untilMs !== null && query.nowMs >= entry.untilMs) return false;
  if (entry.access !== null && entry.access !== query.access) return false;
  if (entry.pathsOnly && query.path === null) return false;
  const { argument } = entry;
  switch (argument.about) {
    case 'tool':
      return true;
    case 'command':
      return query.about === 'unit' && wildcardMatches(argument.wildcard, query.text);
    case 'text':
      return query.about === 'unit' && argument.text === query.text;
    case 'path':
      return query.path !== null && pathMatches(argument.pattern, query.path);
    case 'path_and_command': {
      if (query.path === null || query.commands.length === 0 || !pathMatches(argument.pattern, query.path)) return false;
      const matches = (command: string): boolean => wildcardMatches(argument.wildcard, command);
      return argument.every ? query.commands.every(matches) : query.commands.some(matches);
    }
    case 'equal':
      if (query.path !== null) return query.path.path === argument.path;
      return query.about === 'unit' ? query.text === argument.text : namesTool(argument.text, query);
    case 'value':
      if (query.path !== null) return pathMatches(argument.pattern, query.path);
      return query.about === 'unit' ? wildcardMatches(argument.wildcard, query.text) : matchesTool(argument.wildcard.pattern, query.subject);
  }
}

const namesTool = (name: string, query: EntryQuery): boolean => toolPatterns(name).some((spelling) => query.names.includes(spelling));

export interface RuleIndex {
  readonly entries: readonly Entry[];
  readonly isEmpty: boolean;
  /** Position of the first entry below `best` that matches; `best` when none does. */
  first(query: EntryQuery, best?: number): number;
}

type Tools = {
  readonly exact: Map<string, Arguments>;
  readonly any: Arguments;
  readonly byClass: readonly Arguments[];
  /** Name patterns; what they say about the value is looked at on a hit. */
  readonly named: LiteralTrie<EntryQuery>;
  readonly floating: GramTable<EntryQuery>;
  min: number;
};

/** Entries of one agent and source, each filed once or twice. `entries` in order: the position is the rank. */
export function createRuleIndex(entries: readonly Entry[]): RuleIndex {
  const conditional = new Uint8Array(entries.length);
  const verifyTool = new Uint8Array(entries.length);
  const condition: Condition<EntryQuery> = {
    isConditional: (position) => conditional[position] !== 0,
    accepts(position, query) {
      const entry = entries[position];
      if (entry === undefined) return false;
      return (verifyTool[position] === 0 || matchesTool(entry.toolPattern, query.subject)) && restMatches(entry, query);
    },
  };
  const plain = createTools(condition);
  const filtered = new Map<string, Tools>();

  entries.forEach((entry, position) => {
    if (entry.untilMs !== null || entry.access !== null || entry.pathsOnly || !isFiledWhole(entry.argument)) conditional[position] = 1;
    const tools = entry.agent === null && entry.source === null ? plain : partition(filtered, partitionKey(entry.agent, entry.source), condition);
    if (position < tools.min) tools.min = position;
    fileByTool(tools, entry, position, conditional, verifyTool);
  });
  for (const tools of [plain, ...filtered.values()]) {
    tools.floating.seal();
    for (const one of [tools.any, ...tools.byClass, ...tools.exact.values()]) one.seal();
  }

  return {
    entries,
    isEmpty: entries.length === 0,
    first(query, best = NONE) {
      let found = firstOf(plain, query, best);
      if (filtered.size > 0) {
        for (const key of [partitionKey(query.agent, null), partitionKey(null, query.source), partitionKey(query.agent, query.source)]) {
          const tools = filtered.get(key);
          if (tools !== undefined) found = firstOf(tools, query, found);
        }
      }
      return found;
    },
  };
}

const partitionKey = (agent: string | null, source: string | null): string => JSON.stringify([agent, source]);

function partition(all: Map<string, Tools>, key: string, condition: Condition<EntryQuery>): Tools {
  const known = all.get(key);
  if (known !== undefined) return known;
  const made = createTools(condition);
  all.set(key, made);
  return made;
}

function createTools(condition: Condition<EntryQuery>): Tools {
  return {
    exact: new Map(),
    any: createArguments(condition),
    byClass: TOOL_CLASSES.map(() => createArguments(condition)),
    named: createLiteralTrie(condition),
    floating: createGramTable(condition),
    min: NONE,
  };
}

function fileByTool(tools: Tools, entry: Entry, position: number, conditional: Uint8Array, verifyTool: Uint8Array): void {
  const { toolPattern } = entry;
  const toolClass = (TOOL_CLASSES as readonly string[]).indexOf(toolPattern);
  if (toolPattern === '*') tools.any.add(entry.argument, position);
  else if (toolClass >= 0) tools.byClass[toolClass]?.add(entry.argument, position);
  else if (toolPattern.includes('*')) {
    conditional[position] = 1;
    verifyTool[position] = 1;
    for (const spelling of toolPatterns(toolPattern)) fileByName(tools, compileWildcard(spelling), position);
  } else {
    for (const name of toolPatterns(toolPattern)) exactTool(tools, name).add(entry.argument, position);
  }
}

function exactTool(tools: Tools, name: string): Arguments {
  const known = tools.exact.get(name);
  if (known !== undefined) return known;
  const made = tools.any.another();
  tools.exact.set(name, made);
  return made;
}

function fileByName(tools: Tools, wildcard: Wildcard, position: number): void {
  const head = headOfEveryMatch(wildcard);
  if (head !== '' || !tools.floating.add(wildcard.withoutTail ?? wildcard.pieces, position)) tools.named.add(head, position, false);
}

/** Every match begins so. `git *` also matches `git`, which `git ` is not a beginning of. */
const headOfEveryMatch = (wildcard: Wildcard): string => (wildcard.withoutTail === null ? literalHead(wildcard) : literalHead(wildcard).trimEnd());

function firstOf(tools: Tools, query: EntryQuery, best: number): number {
  if (tools.min >= best) return best;
  let found = tools.any.first(query, best);
  for (let index = 0; index < query.names.length; index++) {
    const name = query.names[index] ?? '';
    const exact = tools.exact.get(name);
    if (exact !== undefined) found = exact.first(query, found);
    found = tools.named.search(name, 0, false, found, query);
    found = tools.floating.search(name, false, found, query);
  }
  for (let index = 0; index < TOOL_CLASSES.length; index++) {
    const toolClass = TOOL_CLASSES[index];
    const ofClass = tools.byClass[index];
    if (toolClass !== undefined && ofClass !== undefined && ofClass.min < found && matchesTool(toolClass, query.subject))
      found = ofClass.first(query, found);
  }
  return found;
}

// ------------------------------------------------------------------ the value of a check

interface Arguments {
  readonly min: number;
  add(argument: EntryArgument, position: number): void;
  seal(): void;
  first(query: EntryQuery, best: number): number;
  another(): Arguments;
}

/** True when a hit in the index is a match, so that the entry need not be looked at. */
function isFiledWhole(argument: EntryArgument): boolean {
  switch (argument.about) {
    case 'tool':
    case 'text':
      return true;
    case 'command':
      return isPrefix(argument.wildcard);
    case 'path':
      return argument.pattern.shape !== 'wildcard' && argument.pattern.anchor !== 'climbing';
    case 'path_and_command':
    case 'equal':
    case 'value':
      return false;
  }
}

/** `text*` or plain `text`, also with the ` *` tail. */
const isPrefix = (wildcard: Wildcard): boolean =>
  wildcard.pieces.length === 1 ||
  (wildcard.pieces.length === 2 && wildcard.pieces[1] === '' && literalHead(wildcard) !== '') ||
  wildcard.pattern === '*';

function createArguments(condition: Condition<EntryQuery>): Arguments {
  const always: number[] = [];
  const anyPath: number[] = [];
  /** Grants that may be of a tool alone; looked at one by one, and only for such checks. */
  const aboutTools: number[] = [];
  /** Looked at one by one: patterns without a literal to be found by. */
  const odd: number[] = [];
  const commands = lazily(() => createLiteralTrie<EntryQuery>(condition));
  const floatingCommands = lazily(() => createGramTable<EntryQuery>(condition));
  const absolute = lazily(() => createLiteralTrie<EntryQuery>(condition));
  const relative = lazily(() => createLiteralTrie<EntryQuery>(condition));
  const floatingPaths = lazily(() => createGramTable<EntryQuery>(condition));
  /** Relative patterns whose beginning may be a link, by their first segment. */
  const byFirstSegment = new Map<string, number[]>();
  let min = NONE;

  function addCommand(wildcard: Wildcard, position: number): void {
    const head = literalHead(wildcard);
    if (wildcard.pattern === '*') commands.get().add('', position, false);
    else if (wildcard.pieces.length === 1) commands.get().add(wildcard.pattern, position, true);
    else if (head === '') {
      const pieces = wildcard.withoutTail ?? wildcard.pieces;
      if (!floatingCommands.get().add(pieces, position)) addHit(odd, position, condition);
    } else if (isPrefix(wildcard)) {
      commands.get().add(head, position, false);
      if (wildcard.withoutTail !== null) commands.get().add(wildcard.withoutTail[0] ?? '', position, true);
    } else {
      commands.get().add(headOfEveryMatch(wildcard), position, false);
    }
  }

  function addPath(pattern: PathPattern, position: number): void {
    if (pattern.shape === 'any') addHit(anyPath, position, condition);
    else if (pattern.anchor === 'climbing') addHit(odd, position, condition);
    else if (pattern.anchor === 'floating') {
      const pieces = pattern.wildcard === null ? [] : (pattern.wildcard.withoutTail ?? pattern.wildcard.pieces);
      if (!floatingPaths.get().add(pieces, position)) addHit(odd, position, condition);
    } else {
      addAnchored(pattern.anchor === 'absolute' ? absolute.get() : relative.get(), pattern, position);
      if (pattern.anchor === 'relative') addByFirstSegment(byFirstSegment, pattern, position);
    }
  }

  return {
    get min() {
      return min;
    },
    another: () => createArguments(condition),
    add(argument, position) {
      if (position < min) min = position;
      switch (argument.about) {
        case 'tool':
          addHit(always, position, condition);
          break;
        case 'text':
          commands.get().add(argument.text, position, true);
          break;
        case 'command':
          addCommand(argument.wildcard, position);
          break;
        case 'path':
        case 'path_and_command':
          addPath(argument.pattern, position);
          break;
        case 'equal':
          commands.get().add(argument.text, position, true);
          absolute.get().add(`${argument.path}/`, position, true);
          aboutTools.push(position);
          break;
        case 'value':
          addCommand(argument.wildcard, position);
          addPath(argument.pattern, position);
          aboutTools.push(position);
      }
    },
    seal() {
      floatingCommands.made?.seal();
      floatingPaths.made?.seal();
    },
    first(query, best) {
      if (min >= best) return best;
      let found = pickHit(always, best, query, condition);
      if (odd.length > 0) found = pickHit(odd, found, query, condition);
      if (query.about === 'unit') {
        if (commands.made !== null) found = commands.made.search(query.text, 0, false, found, query);
        if (floatingCommands.made !== null) found = floatingCommands.made.search(query.text, false, found, query);
      } else if (query.path === null) {
        found = pickHit(aboutTools, found, query, condition);
      } else {
        const { path, rootStart, workingStart, linked } = query.path;
        found = pickHit(anyPath, found, query, condition);
        if (absolute.made !== null) found = absolute.made.search(path, 0, true, found, query);
        if (floatingPaths.made !== null) found = floatingPaths.made.search(path, true, found, query);
        if (relative.made !== null) {
          if (rootStart >= 0) found = relative.made.search(path, rootStart, true, found, query);
          if (workingStart >= 0) found = relative.made.search(path, workingStart, true, found, query);
          for (const spelling of linked) found = firstThroughLink(byFirstSegment, spelling.link, found, query, condition);
        }
      }
      return found;
    },
  };
}

interface Lazy<T> {
  readonly made: T | null;
  get(): T;
}
function lazily<T>(make: () => T): Lazy<T> {
  let made: T | null = null;
  return {
    get made() {
      return made;
    },
    get() {
      made ??= make();
      return made;
    },
  };
}

function addAnchored(trie: LiteralTrie<EntryQuery>, pattern: PathPattern, position: number): void {
  if (pattern.wildcard !== null) trie.add(headOfEveryMatch(pattern.wildcard), position, false);
  else if (pattern.shape === 'exact') trie.add(`${pattern.text}/`, position, true);
  else trie.add(pattern.text, position, false);
}

function addByFirstSegment(lists: Map<string, number[]>, pattern: PathPattern, position: number): void {
  const directory = literalDirectory(pattern);
  const segment = directory.slice(0, directory.indexOf('/') + 1);
  if (segment === '') return;
  const list = lists.get(segment);
  if (list === undefined) lists.set(segment, [position]);
  else list.push(position);
}

/** Rare, so every relative pattern that begins at the link's first segment is looked at. */
function firstThroughLink(lists: Map<string, number[]>, link: string, best: number, query: EntryQuery, condition: Condition<EntryQuery>): number {
  for (const position of lists.get(link.slice(0, link.indexOf('/') + 1)) ?? []) {
    if (position >= best) return best;
    if (condition.accepts(position, query)) return position;
  }
  return best;
}
