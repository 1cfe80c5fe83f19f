// What the steps ask about a call: its checks, and the operands of shell text at which floors and rules look, each in the form
// that rules and grants are matched with. Answers nothing.

import type { Check, RequestPath, ShellUnit } from '../../shared/model';
import { EXTERNAL_DIRECTORY } from '../../shared/terms';
import { checksOf } from './checks';
import type { CallFacts, SessionFacts } from './facts';
import { toolNames } from './match';
import { pathSubject } from './path-pattern';
import { lastSegment, lexical } from './path-text';
import type { RuleQuestion } from './policy';
import type { EntryQuery } from './rule-index';

export interface Question extends RuleQuestion {
  readonly check: Check;
  readonly path: RequestPath | null;
  readonly unit: ShellUnit | null;
  /** An operand of shell text: floors and rules look at it, nothing has to allow it (spec 4). */
  readonly isLook: boolean;
}

/** The checks of the call in their order, then the looks. */
export function questionsOf(call: CallFacts, session: SessionFacts, nowMs: number): readonly Question[] {
  const ask = asker(call, session, nowMs);
  const questions = checksOf(call, session).map((check) => ask(check, check.path === undefined ? null : (call.paths[check.path] ?? null), false));
  call.paths.forEach((path, index) => {
    if (!isOwnPath(path))
      questions.push(ask({ surface: call.tool, value: path.canonical ?? path.raw, access: path.access, path: index }, path, true));
  });
  for (const path of enteredDirectories(call)) questions.push(ask({ surface: call.tool, value: path.raw, access: path.access }, path, true));
  return questions;
}

/** What the same call would be asked if it named `path` (canonical) to read. */
export function readingQuestion(path: string, call: CallFacts, session: SessionFacts, nowMs: number): Question {
  const read: RequestPath = { raw: path, canonical: path, access: 'read', origin: 'argument' };
  return asker(call, session, nowMs)({ surface: call.tool, value: path, access: 'read' }, read, false);
}

/** Paths of the call itself: steps 5 and 6 hold for redirects too, not for other operands of shell text (spec 4). */
export const isOwnPath = (path: RequestPath): boolean => path.origin !== 'operand';

/** Targets of a leading `cd` that are not among the paths anyway: entering a directory looks into it. */
export function enteredDirectories(call: CallFacts): readonly RequestPath[] {
  let entered: RequestPath[] | null = null;
  for (const { cd } of call.units) {
    if (typeof cd !== 'string' || call.paths.some((path) => path.canonical === cd)) continue;
    entered ??= [];
    entered.push({ raw: cd, canonical: cd, access: 'read', origin: 'operand' });
  }
  return entered ?? NO_PATHS;
}

/**
 * Where a path stands for protections and rules. One that could not be resolved is placed by its text: it can be denied by
 * that and never allowed (judge.ts makes it a hard require).
 */
export function placeOf(path: RequestPath, session: SessionFacts): string {
  if (path.canonical !== null) return path.canonical;
  const { platform, protectedPlaces } = session;
  const expanded = path.raw === '~' || path.raw.startsWith('~/') ? protectedPlaces.home + path.raw.slice(1) : path.raw;
  return lexical(session.workingDirectory ?? session.root, expanded, platform);
}

const OUTSIDE = { tool: EXTERNAL_DIRECTORY, mcp: null, kind: 'other', executes: false } as const;
const OUTSIDE_NAMES: readonly string[] = [EXTERNAL_DIRECTORY];
const NO_QUERIES: readonly EntryQuery[] = [];
const NO_PATHS: readonly RequestPath[] = [];

function asker(call: CallFacts, session: SessionFacts, nowMs: number): (check: Check, path: RequestPath | null, isLook: boolean) => Question {
  const { tool, mcp, kind, executes, agent, source } = call;
  const names = toolNames(call);
  const commands = call.units.map((unit) => unit.text);
  const plain = { tool, mcp, kind, executes };
  return (check, path, isLook) => {
    const unit = check.unit === undefined ? null : (call.units[check.unit] ?? null);
    const isOutside = path !== null && check.surface === EXTERNAL_DIRECTORY;
    const query: EntryQuery = {
      subject: isOutside ? OUTSIDE : path === null ? plain : { tool, mcp, kind, executes, access: path.access },
      names: isOutside ? OUTSIDE_NAMES : names,
      agent,
      source,
      nowMs,
      about: path !== null ? 'path' : unit !== null ? 'unit' : 'tool',
      text: check.value,
      path: path === null ? null : pathSubject(placeOf(path, session), session),
      access: path === null ? null : path.access,
      commands,
    };
    return { check, path, unit, isLook, query, byBaseName: unit === null ? NO_QUERIES : byBaseName(query, unit, session) };
  };
}

/** `/bin/rm x` is also compared as `rm x`; on Windows `C:\\bin\\rm.exe x` as `rm.exe x` and `rm x` too. */
function byBaseName(query: EntryQuery, unit: ShellUnit, session: SessionFacts): readonly EntryQuery[] {
  const program = unit.words[0] ?? '';
  const { platform } = session;
  const base = lastSegment(program, platform);
  const bare = platform.separator === '\\' ? base.replace(/\.(?:exe|cmd|bat|com)$/i, '') : base;
  if (base === program && bare === program) return NO_QUERIES;
  const names = [...new Set([base, bare])].filter((name) => name !== '' && name !== program);
  return names.map((name) => ({ ...query, text: name + query.text.slice(program.length) }));
}
