// Which entry of an ordered list matches a check first, without looking at those that cannot match: by tool, then by what the
// entry says about the value (argument-index.ts). Rules and grants are both entries.

import { type ArgumentIndex, createArgumentIndex } from './argument-index';
import { type Entry, type EntryQuery, restMatches } from './entry';
import { type Condition, NONE } from './hits';
import { createLiteralTrie, type LiteralTrie } from './literal-trie';
import { compileToolPattern, isOfClass, type ToolClass, type ToolPattern, toolMatches } from './match';
import { createPieceTable, type PieceTable } from './piece-table';
import { headOfEveryMatch, isPrefix, isSuffix, type Wildcard } from './wildcard';

export interface RuleIndex {
  readonly isEmpty: boolean;
  /** Position of the first entry below `best` that matches; `best` when none does. */
  first(query: EntryQuery, best?: number): number;
}

/** Entries in order: the position is the rank. INVARIANT: `first` finds what a search by `entryMatches` would find. */
export function createRuleIndex(entries: readonly Entry[]): RuleIndex {
  if (entries.length === 0) return EMPTY;
  const conditional = new Uint8Array(entries.length);
  const allows = new Uint8Array(entries.length);
  /** Set where the tool itself has to be compared on a hit. */
  const byName: (ToolPattern | undefined)[] = [];
  const condition: Condition<EntryQuery> = {
    isConditional: (position, query) => conditional[position] !== 0 || (query.allows !== 'all' && allows[position] !== 0),
    shadows: (earlier, later) => conditional[earlier] === 0 && (allows[earlier] === 0 || allows[later] !== 0),
    accepts(position, query) {
      const entry = entries[position];
      if (entry === undefined) return false;
      const tool = byName[position];
      return (tool === undefined || toolMatches(tool, query)) && restMatches(entry, query);
    },
  };
  const plain = createTools(condition);
  const filtered = new Map<string, Tools>();

  for (let position = 0; position < entries.length; position++) {
    const entry = entries[position];
    if (entry === undefined) continue;
    if (entry.isAllow) allows[position] = 1;
    if (entry.untilMs !== null || entry.access !== null || entry.paths !== 'any' || !isFoundWhole(entry)) conditional[position] = 1;
    const tools = entry.agent === null && entry.source === null ? plain : partition(filtered, partitionKey(entry.agent, entry.source), condition);
    tools.add(entry, position, (pattern) => {
      byName[position] = pattern;
      conditional[position] = 1;
    });
  }
  plain.seal();
  for (const tools of filtered.values()) tools.seal();

  return {
    isEmpty: false,
    first(query, best = NONE) {
      let found = plain.first(query, best);
      if (filtered.size > 0) {
        for (const key of [partitionKey(query.agent, null), partitionKey(null, query.source), partitionKey(query.agent, query.source)]) {
          const tools = filtered.get(key);
          if (tools !== undefined) found = tools.first(query, found);
        }
      }
      return found;
    },
  };
}

const EMPTY: RuleIndex = { isEmpty: true, first: (_query, best = NONE) => best };

/** Rules for one agent or source stand apart from the others, so that they cost nobody else. */
const partitionKey = (agent: string | null, source: string | null): string => JSON.stringify([agent, source]);

function partition(all: Map<string, Tools>, key: string, condition: Condition<EntryQuery>): Tools {
  const known = all.get(key);
  if (known !== undefined) return known;
  const made = createTools(condition);
  all.set(key, made);
  return made;
}

/** True when a hit by the value is a match, so that the entry need not be looked at again. */
function isFoundWhole({ argument }: Entry): boolean {
  switch (argument.about) {
    case 'tool':
      return true;
    case 'command':
      return argument.wildcard.pieces.length === 1 || argument.wildcard.pattern === '*' || isPrefix(argument.wildcard) || isSuffix(argument.wildcard);
    case 'path':
      if (argument.pattern.anchor === 'floating') return argument.pattern.wildcard === null || isSuffix(argument.pattern.wildcard);
      return argument.pattern.shape !== 'wildcard' && argument.pattern.anchor !== 'climbing';
    case 'path_and_command':
    case 'equal':
    case 'value':
      return false;
  }
}

// ------------------------------------------------------------------ tools

interface Tools {
  /** `compareTool` is called when a hit does not yet mean that the tool matches. */
  add(entry: Entry, position: number, compareTool: (pattern: ToolPattern) => void): void;
  seal(): void;
  first(query: EntryQuery, best: number): number;
}

function createTools(condition: Condition<EntryQuery>): Tools {
  const exact = new Map<string, ArgumentIndex>();
  const classes: { readonly toolClass: ToolClass; readonly index: ArgumentIndex }[] = [];
  let any: ArgumentIndex | null = null;
  /** Name patterns; what their entries say about the value is looked at on a hit. */
  let named: LiteralTrie<EntryQuery> | null = null;
  let floating: PieceTable<EntryQuery> | null = null;
  let min = NONE;

  function exactTool(name: string): ArgumentIndex {
    const known = exact.get(name);
    if (known !== undefined) return known;
    const made = createArgumentIndex(condition);
    exact.set(name, made);
    return made;
  }

  function classOf(toolClass: ToolClass): ArgumentIndex {
    const known = classes.find((one) => one.toolClass === toolClass);
    if (known !== undefined) return known.index;
    const index = createArgumentIndex(condition);
    classes.push({ toolClass, index });
    return index;
  }

  function addNamed(wildcard: Wildcard, position: number): void {
    const head = headOfEveryMatch(wildcard);
    floating ??= createPieceTable(condition);
    if (head === '' && floating.add(wildcard.withoutTail ?? wildcard.pieces, position)) return;
    named ??= createLiteralTrie(condition);
    named.add(head, position, false);
  }

  function firstByName(name: string, query: EntryQuery, best: number): number {
    const index = exact.get(name);
    let found = index === undefined ? best : index.first(query, best);
    if (named !== null) found = named.search(name, 0, false, found, query);
    if (floating !== null) found = floating.search(name, false, found, query);
    return found;
  }

  return {
    add(entry, position, compareTool) {
      if (position < min) min = position;
      if (entry.toolPattern === '*') {
        any ??= createArgumentIndex(condition);
        any.add(entry.argument, position);
        return;
      }
      const pattern = compileToolPattern(entry.toolPattern);
      switch (pattern.by) {
        case 'class':
          classOf(pattern.toolClass).add(entry.argument, position);
          break;
        case 'name':
          for (const name of pattern.names) exactTool(name).add(entry.argument, position);
          break;
        case 'wildcard':
          if (entry.argument.about !== 'tool' || !pattern.wildcards.every((wildcard) => isPrefix(wildcard) && wildcard.withoutTail === null))
            compareTool(pattern);
          for (const wildcard of pattern.wildcards) addNamed(wildcard, position);
      }
    },
    seal() {
      floating?.seal();
      any?.seal();
      for (const { index } of classes) index.seal();
      for (const index of exact.values()) index.seal();
    },
    first(query, best) {
      if (min >= best) return best;
      let found = firstByName(query.tool, query, best);
      if (query.longName !== query.tool) found = firstByName(query.longName, query, found);
      if (any !== null) found = any.first(query, found);
      for (let index = 0; index < classes.length; index++) {
        const one = classes[index];
        if (one !== undefined && one.index.min() < found && isOfClass(one.toolClass, query)) found = one.index.first(query, found);
      }
      return found;
    },
  };
}
