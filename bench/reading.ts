// What reading costs: shell text to units beside the bare parse of the same parser, a hostile wildcard, and a hostile
// command. Ratios of one run; the corpus is handed in, so that the anchors' lines and ours are the same.

import { parse } from 'unbash';
import { matchesWildcard } from '../electron/engine/match';
import { parseShell } from '../electron/engine/shell';

export type Corpus = readonly (readonly [kind: string, text: string, commands: readonly string[]])[];

const ROUNDS = 15;
const SLICE_MS = 60;

export interface ReadingFigures {
  readonly parseUs: number;
  readonly unitsUs: number;
  readonly exact: number;
  readonly of: number;
  readonly wildcardMs: number;
}

export function measureReading(corpus: Corpus): ReadingFigures {
  const texts = corpus.map(([, text]) => text);
  const candidates = [(text: string) => void parse(text), (text: string) => void parseShell(text)] as const;
  for (let warm = 0; warm < 4000; warm += 1) for (const run of candidates) for (const text of texts) run(text);
  const figures: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, run] of candidates.entries()) figures[index]?.push(cpuPerCall(run, texts));
  }
  return {
    parseUs: median(figures[0] ?? []),
    unitsUs: median(figures[1] ?? []),
    exact: corpus.filter(isExact).length,
    of: corpus.length,
    wildcardMs: hostileWildcard(),
  };
}

/** Microseconds of CPU, user and system, for one text. */
function cpuPerCall(run: (text: string) => void, texts: readonly string[]): number {
  const [cpu, until] = [process.cpuUsage(), performance.now() + SLICE_MS];
  let calls = 0;
  while (performance.now() < until) {
    for (const text of texts) run(text);
    calls += texts.length;
  }
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / calls;
}

/** The corpus lists commands without what a wrapper runs in turn, and without tests. */
function isExact([, text, commands]: Corpus[number]): boolean {
  const found = parseShell(text)
    .units.filter((unit) => unit.wrapped_by === undefined)
    .map((unit) => unit.words[0] ?? '')
    .filter((name) => name !== '[' && name !== '[[');
  return JSON.stringify([...found].sort()) === JSON.stringify([...commands].sort());
}

function hostileWildcard(): number {
  const [pattern, text] = ['*ab*ab*ab*ab*', 'a'.repeat(100_000)];
  matchesWildcard(pattern, text);
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    matchesWildcard(pattern, text);
    return performance.now() - began;
  });
  return median(times);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
