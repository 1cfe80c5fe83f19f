// Of the entries for one tool: which says first something true about the value of a check. Commands and absolute paths are
// found by their literal beginnings, relative ones below each base, patterns that begin with a star by their rarest piece.

import type { EntryArgument, EntryQuery } from './entry';
import { addHit, type Condition, NONE, pickHit } from './hits';
import { createLiteralTrie, type LiteralTrie } from './literal-trie';
import { literalDirectory, type PathPattern } from './path-pattern';
import { createPieceTable, type PieceTable } from './piece-table';
import { headOfEveryMatch, isPrefix, isSuffix, literalHead, type Wildcard } from './wildcard';

export interface ArgumentIndex {
  /** Smallest position filed here. */
  min(): number;
  add(argument: EntryArgument, position: number): void;
  seal(): void;
  first(query: EntryQuery, best: number): number;
}

export function createArgumentIndex(condition: Condition<EntryQuery>): ArgumentIndex {
  let min = NONE;
  const always: number[] = [];
  let commands: LiteralTrie<EntryQuery> | null = null;
  let floatingCommands: PieceTable<EntryQuery> | null = null;
  /** Read from the end: patterns of a star and some text, `*.env`. */
  let commandEnds: LiteralTrie<EntryQuery> | null = null;
  let pathEnds: LiteralTrie<EntryQuery> | null = null;
  let anyPath: number[] | null = null;
  let absolute: LiteralTrie<EntryQuery> | null = null;
  let relative: LiteralTrie<EntryQuery> | null = null;
  let floatingPaths: PieceTable<EntryQuery> | null = null;
  /** Relative patterns whose beginning may be a link, by their first segment. */
  let byFirstSegment: Map<string, number[]> | null = null;
  /** Grants that may be of a tool alone; looked at one by one, and only for such checks. */
  let aboutTools: number[] | null = null;
  /** Looked at one by one: patterns without a literal to be found by. */
  let odd: number[] | null = null;

  function addOdd(position: number): void {
    odd ??= [];
    addHit(odd, position, condition);
  }

  function addCommand(wildcard: Wildcard, position: number): void {
    if (isSuffix(wildcard)) {
      commandEnds ??= createLiteralTrie(condition, true);
      commandEnds.add(wildcard.pieces[1] ?? '', position, false);
      return;
    }
    if (wildcard.pieces.length > 1 && literalHead(wildcard) === '' && wildcard.pattern !== '*') {
      floatingCommands ??= createPieceTable(condition);
      if (!floatingCommands.add(wildcard.withoutTail ?? wildcard.pieces, position)) addOdd(position);
      return;
    }
    commands ??= createLiteralTrie(condition);
    if (wildcard.pieces.length === 1) commands.add(wildcard.pattern, position, true);
    else if (isPrefix(wildcard)) {
      commands.add(literalHead(wildcard), position, false);
      if (wildcard.withoutTail !== null) commands.add(wildcard.withoutTail[0] ?? '', position, true);
    } else commands.add(headOfEveryMatch(wildcard), position, false);
  }

  function addPath(pattern: PathPattern, position: number): void {
    if (pattern.shape === 'any') {
      anyPath ??= [];
      addHit(anyPath, position, condition);
    } else if (pattern.anchor === 'climbing') addOdd(position);
    else if (pattern.wildcard !== null && pattern.anchor === 'floating' && isSuffix(pattern.wildcard)) {
      pathEnds ??= createLiteralTrie(condition, true);
      pathEnds.add(pattern.wildcard.pieces[1] ?? '', position, false);
    } else if (pattern.anchor === 'floating') {
      floatingPaths ??= createPieceTable(condition);
      const pieces = pattern.wildcard === null ? [] : (pattern.wildcard.withoutTail ?? pattern.wildcard.pieces);
      if (!floatingPaths.add(pieces, position)) addOdd(position);
    } else if (pattern.anchor === 'absolute') {
      absolute ??= createLiteralTrie(condition);
      addAnchored(absolute, pattern, position);
    } else {
      relative ??= createLiteralTrie(condition);
      addAnchored(relative, pattern, position);
      byFirstSegment ??= new Map();
      addByFirstSegment(byFirstSegment, pattern, position);
    }
  }

  function firstByPath(query: EntryQuery, best: number): number {
    if (query.place === null) return best;
    const { path, rootStart, workingStart, linked } = query.place;
    let found = anyPath === null ? best : pickHit(anyPath, best, query, condition);
    if (absolute !== null) found = absolute.search(path, 0, true, found, query);
    if (relative !== null) {
      if (rootStart >= 0) found = relative.search(path, rootStart, true, found, query);
      if (workingStart >= 0) found = relative.search(path, workingStart, true, found, query);
      for (let index = 0; index < linked.length; index++)
        found = firstThroughLink(byFirstSegment, linked[index]?.link ?? '', found, query, condition);
    }
    if (pathEnds !== null) found = pathEnds.search(path, 0, false, found, query);
    return floatingPaths === null ? found : floatingPaths.search(path, true, found, query);
  }

  return {
    min: () => min,
    add(argument, position) {
      if (position < min) min = position;
      switch (argument.about) {
        case 'tool':
          addHit(always, position, condition);
          break;
        case 'command':
          addCommand(argument.wildcard, position);
          break;
        case 'path':
        case 'path_and_command':
          addPath(argument.pattern, position);
          break;
        case 'equal':
          commands ??= createLiteralTrie(condition);
          commands.add(argument.text, position, true);
          absolute ??= createLiteralTrie(condition);
          absolute.add(`${argument.path}/`, position, true);
          aboutTools ??= [];
          aboutTools.push(position);
          break;
        case 'value':
          addCommand(argument.wildcard, position);
          addPath(argument.pattern, position);
          aboutTools ??= [];
          aboutTools.push(position);
      }
    },
    seal() {
      floatingCommands?.seal();
      floatingPaths?.seal();
    },
    first(query, best) {
      if (min >= best) return best;
      let found = always.length === 0 ? best : pickHit(always, best, query, condition);
      if (odd !== null) found = pickHit(odd, found, query, condition);
      switch (query.about) {
        case 'unit':
          if (commands !== null) found = commands.search(query.text, 0, false, found, query);
          if (commandEnds !== null) found = commandEnds.search(query.text, 0, false, found, query);
          return floatingCommands === null ? found : floatingCommands.search(query.text, false, found, query);
        case 'path':
          return firstByPath(query, found);
        case 'tool':
          return aboutTools === null ? found : pickHit(aboutTools, found, query, condition);
      }
    },
  };
}

/** Paths are searched with a slash behind them, so that a directory is found by `<dir>/` as what is below it is. */
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
function firstThroughLink(
  lists: ReadonlyMap<string, readonly number[]> | null,
  link: string,
  best: number,
  query: EntryQuery,
  condition: Condition<EntryQuery>,
): number {
  for (const position of lists?.get(link.slice(0, link.indexOf('/') + 1)) ?? []) {
    if (position >= best) return best;
    if (condition.accepts(position, query)) return position;
  }
  return best;
}
