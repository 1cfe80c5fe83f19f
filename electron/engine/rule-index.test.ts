import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Entry, type EntryArgument, type EntryQuery, entryMatches } from './entry';
import { anyCall, anyRule, anySession, commandPattern, commandText, pathPattern } from './generators';
import { NONE } from './hits';
import { compilePathPattern } from './path-pattern';
import { createPieceTable } from './piece-table';
import { questionsOf } from './questions';
import { createRuleIndex } from './rule-index';
import { HOME, NOW, POSIX } from './samples';
import { compileWildcard } from './wildcard';

const numRuns = process.env.GATEHOUSE_DEEP ? 10_000 : 500;
const options = { platform: POSIX, home: HOME };

const anyArgument: fc.Arbitrary<EntryArgument> = fc.oneof(
  fc.constant<EntryArgument>({ about: 'tool' }),
  commandPattern.map((pattern): EntryArgument => ({ about: 'command', wildcard: compileWildcard(pattern) })),
  pathPattern.map((pattern): EntryArgument => ({ about: 'path', pattern: compilePathPattern(pattern, options) })),
  fc.tuple(pathPattern, commandPattern, fc.boolean()).map(
    ([path, command, every]): EntryArgument => ({
      about: 'path_and_command',
      pattern: compilePathPattern(path, options),
      wildcard: compileWildcard(command),
      every,
    }),
  ),
  fc.oneof(commandText, pathPattern).map((text): EntryArgument => ({ about: 'equal', text, path: text })),
  fc.oneof(commandPattern, pathPattern, fc.constant('mail:*')).map(
    (pattern): EntryArgument => ({
      about: 'value',
      pattern: compilePathPattern(pattern, options),
      wildcard: compileWildcard(pattern),
    }),
  ),
);

const anyEntry: fc.Arbitrary<Entry> = fc
  .tuple(
    anyRule,
    anyArgument,
    fc.constantFrom(null, null, 'read' as const, 'write' as const),
    fc.constantFrom('any' as const, 'any' as const, 'only' as const, 'never' as const),
  )
  .map(([rule, argument, access, paths]) => ({
    isAllow: rule.action === 'allow',
    toolPattern: rule.tool_pattern,
    argument,
    agent: rule.agent,
    source: rule.source,
    untilMs: rule.expires_at === null ? null : Date.parse(rule.expires_at),
    access,
    paths,
  }));

describe('createRuleIndex', () => {
  it('finds the entry that looking at every one in order finds', () => {
    let hits = 0;
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 40, size: 'max' }), anyCall, anySession, (entries, call, session) => {
        const index = createRuleIndex(entries);
        for (const question of questionsOf(call, session, NOW)) {
          for (const asked of [question, ...question.byBaseName]) {
            const expected = entries.findIndex((entry) => entryMatches(entry, asked));
            if (expected >= 0) hits += 1;
            expect(index.first(asked)).toBe(expected < 0 ? NONE : expected);
          }
        }
      }),
      { numRuns },
    );
    expect(hits).toBeGreaterThan(numRuns / 4);
  });

  it('looks only below the position it is given', () => {
    const entry: Entry = {
      isAllow: true,
      toolPattern: '*',
      argument: { about: 'tool' },
      agent: null,
      source: null,
      untilMs: null,
      access: null,
      paths: 'any',
    };
    const query: EntryQuery = {
      allows: 'all',
      tool: 'deploy',
      longName: 'deploy',
      mcp: null,
      kind: 'other',
      executes: false,
      agent: 'a',
      source: 'b',
      nowMs: NOW,
      about: 'tool',
      text: 'deploy',
      place: null,
      reach: null,
      units: [],
    };
    expect(createRuleIndex([entry, entry]).first(query)).toBe(0);
    expect(createRuleIndex([entry, entry]).first(query, 0)).toBe(0);
    expect(createRuleIndex([]).first(query, 7)).toBe(7);
  });
});

describe('createPieceTable', () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '\u4e2d'), maxLength: 12 }), { minLength: 1, maxLength: 3 });
  it('names every rule whose longest piece the text contains', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { minLength: 1, maxLength: 12 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '\u4e2d'), maxLength: 40 }),
        fc.boolean(),
        (patterns, text, slash) => {
          const seen = new Set<number>();
          const table = createPieceTable<null>({
            isConditional: () => true,
            shadows: () => false,
            accepts: (position) => {
              seen.add(position);
              return false;
            },
          });
          const filed = patterns.map((one, position) => table.add(one, position));
          table.seal();
          table.search(text, slash, NONE, null);
          patterns.forEach((one, position) => {
            const longest = one.reduce((best, next) => (next.length > best.length ? next : best), '');
            expect(filed[position]).toBe(longest !== '');
            if (longest !== '' && (slash ? `${text}/` : text).includes(longest)) expect(seen).toContain(position);
          });
        },
      ),
      { numRuns },
    );
  });

  it('looks at a candidate once, however often its characters occur', () => {
    let looks = 0;
    const table = createPieceTable<null>({
      isConditional: () => true,
      shadows: () => false,
      accepts: () => {
        looks += 1;
        return false;
      },
    });
    table.add(['aaaaaaaa'], 0);
    table.seal();
    table.search('a'.repeat(100_000), false, NONE, null);
    expect(looks).toBe(1);
    table.search('a'.repeat(8), false, NONE, null);
    expect(looks).toBe(2);
  });
});
