// What the steps ask about a call: its checks, and the operands of shell text at which floors and rules look, each in the form
// that rules and grants are matched with. Answers nothing.

import type { Check, RequestPath, ShellUnit } from '../../shared/model';
import { EXTERNAL_DIRECTORY, type Kind } from '../../shared/terms';
import { checksOf } from './checks';
import type { EntryQuery } from './entry';
import type { CallFacts, SessionFacts } from './facts';
import { longName } from './match';
import { pathSubject } from './path-pattern';
import { lastSegment, lexical } from './path-text';
import type { RuleQuestion } from './policy';

export interface Question extends RuleQuestion {
  readonly check: Check;
  readonly path: RequestPath | null;
  readonly unit: ShellUnit | null;
  /** An operand of shell text: floors and rules look at it, nothing has to allow it (spec 4). */
  readonly isLook: boolean;
  /** The same check of the tool as the caller declared it (spec 3.3): rules are asked about both, and the stricter answer holds. */
  readonly asDeclared: RuleQuestion | null;
}

/** The checks of the call in their order, then the looks. */
export function questionsOf(call: CallFacts, session: SessionFacts, nowMs: number): readonly Question[] {
  const questions = plainQuestions(call, session, nowMs);
  const kind = declaredKindOf(call);
  return kind === null ? questions : questions.map((question) => ({ ...question, asDeclared: asKind(question, kind) }));
}

/** Hosts that a caller declares say that the tool reaches the network, as a declared kind would. */
function declaredKindOf({ kind, declaredKind, hosts, executes }: CallFacts): Kind | null {
  if (declaredKind !== undefined) return declaredKind;
  return hosts.length > 0 && kind !== 'fetch' && !executes ? 'fetch' : null;
}

/** Null for the outside check, which is asked of no tool. */
function asKind(question: Question, kind: Kind): RuleQuestion | null {
  return question.tool === EXTERNAL_DIRECTORY ? null : { ...question, kind, byBaseName: question.byBaseName.map((one) => ({ ...one, kind })) };
}

function plainQuestions(call: CallFacts, session: SessionFacts, nowMs: number): readonly Question[] {
  const long = longName(call);
  const questions: Question[] = [];
  for (const check of checksOf(call, session)) {
    const path = check.path === undefined ? null : (call.paths[check.path] ?? null);
    const unit = check.unit === undefined ? null : (call.units[check.unit] ?? null);
    const question = ask(check, path, unit, false, call, long, session, nowMs);
    questions.push(unit === null ? question : withBaseNames(question, unit, session));
  }
  for (let index = 0; index < call.paths.length; index++) {
    const path = call.paths[index];
    if (path === undefined || isOwnPath(path)) continue;
    const check = { surface: call.tool, value: path.canonical ?? path.raw, access: path.access, path: index };
    questions.push(ask(check, path, null, true, call, long, session, nowMs));
  }
  for (const path of enteredDirectories(call)) {
    questions.push(ask({ surface: call.tool, value: path.raw, access: path.access }, path, null, true, call, long, session, nowMs));
  }
  return questions;
}

/** What the same call would be asked if it named `path` (canonical) to read. */
export function readingQuestion(path: string, call: CallFacts, session: SessionFacts, nowMs: number): Question {
  const read: RequestPath = { raw: path, canonical: path, access: 'read', origin: 'argument' };
  return ask({ surface: call.tool, value: path, access: 'read' }, read, null, false, call, longName(call), session, nowMs);
}

/** Paths of the call itself: steps 5 and 6 hold for redirects too, not for other operands of shell text (spec 4). */
export const isOwnPath = (path: RequestPath): boolean => path.origin !== 'operand';

/** Targets of a leading `cd` that are not among the paths anyway: entering a directory looks into it. */
export function enteredDirectories(call: CallFacts): readonly RequestPath[] {
  let entered: RequestPath[] | null = null;
  for (let index = 0; index < call.units.length; index++) {
    const cd = call.units[index]?.cd;
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

const NO_QUERIES: readonly EntryQuery[] = [];
const NO_PATHS: readonly RequestPath[] = [];

function ask(
  check: Check,
  path: RequestPath | null,
  unit: ShellUnit | null,
  isLook: boolean,
  call: CallFacts,
  long: string,
  session: SessionFacts,
  nowMs: number,
): Question {
  // The outside check is asked of a surface that is no tool and belongs to no class.
  const isOutside = path !== null && check.surface === EXTERNAL_DIRECTORY;
  const reach = path === null ? null : path.access;
  return {
    allows: unit?.opaque === true ? 'opaque' : 'all',
    tool: isOutside ? EXTERNAL_DIRECTORY : call.tool,
    longName: isOutside ? EXTERNAL_DIRECTORY : long,
    mcp: isOutside ? null : call.mcp,
    kind: isOutside ? 'other' : call.kind,
    executes: isOutside ? false : call.executes,
    access: isOutside ? null : reach,
    agent: call.agent,
    source: call.source,
    nowMs,
    about: path !== null ? 'path' : unit !== null ? 'unit' : 'tool',
    text: check.value,
    place: path === null ? null : pathSubject(placeOf(path, session), session),
    reach,
    units: call.units,
    byBaseName: NO_QUERIES,
    check,
    path,
    unit,
    isLook,
    asDeclared: null,
  };
}

/** `/bin/rm x` is also compared as `rm x`; on Windows `C:\\bin\\rm.exe x` as `rm.exe x` and `rm x` too. */
function withBaseNames(question: Question, { words }: ShellUnit, { platform }: SessionFacts): Question {
  const program = words[0] ?? '';
  if (!program.includes('/') && platform.separator === '/') return question;
  const base = lastSegment(program, platform);
  const bare = platform.separator === '\\' ? base.replace(/\.(?:exe|cmd|bat|com)$/i, '') : base;
  const names = [...new Set([base, bare])].filter((name) => name !== '' && name !== program);
  return {
    ...question,
    byBaseName: names.map((name) => ({ ...question, allows: 'refusals' as const, text: name + question.text.slice(program.length) })),
  };
}
