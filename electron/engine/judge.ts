// The twelve steps of spec 4 as a pure function, without words: what settled the call, and what each check came to. The
// sentences about it are made in trace.ts and messages.ts from what stands here, so they cannot disagree with it.

import type { Check, Grant, RequestPath, Rule, ShellUnit } from '../../shared/model';
import { type Cause, EXTERNAL_DIRECTORY, type VerdictKind } from '../../shared/terms';
import { directoryRuling, isInsideBoundary, readEntryBelow } from './directories';
import type { CallFacts, HookOutcome, ReviewerOutcome, SessionFacts } from './facts';
import { compileGrants, type GrantIndex } from './grant-index';
import { matchesTool } from './match';
import { type CompiledPolicy, firstFloor, firstRule, type Tier, tiersOf } from './policy';
import { type ProtectedReason, protectedByRemoval, protectedReason } from './protected';
import { enteredDirectories, isOwnPath, placeOf, type Question, questionsOf } from './questions';
import { type Relaxer, relaxerFor } from './relaxers';
import { isMutation, type RunRefusal, refusedByRun, runsOrWrites } from './run-limits';

export interface Outcomes {
  readonly hook?: HookOutcome;
  readonly reviewer?: ReviewerOutcome;
}

/** Why a check stands where step 7 left it. */
export type Ground =
  | { readonly by: 'rule'; readonly rule: Rule }
  | { readonly by: 'no_rule' }
  /** An answer of a person with a scope: no. */
  | { readonly by: 'denial'; readonly grant: Grant }
  /** Hard require whatever rule allows; the rule that would have decided is kept for the trace. */
  | { readonly by: 'opaque'; readonly rule: Rule | null }
  | { readonly by: 'unresolvable'; readonly rule: Rule | null }
  | { readonly by: 'protection'; readonly rule: Rule | null; readonly protection: ProtectedReason };

/** One check and what it came to. */
export interface Finding {
  readonly check: Check;
  readonly path: RequestPath | null;
  readonly unit: ShellUnit | null;
  readonly ground: Ground;
  /** What step 7 said. */
  readonly ruled: VerdictKind;
  readonly ruledHard: boolean;
  /** What steps 10 and 11 made of it. */
  readonly relaxed: Relaxer | null;
  readonly reviewed: boolean;
  readonly verdict: VerdictKind;
  readonly hard: boolean;
  readonly cause: Cause | null;
}

/** A finding until it is handed out: steps 10 and 11 still write on it. */
type OpenFinding = { -readonly [K in keyof Finding]: Finding[K] } & { readonly question: Question };

export type FloorReason =
  | { readonly by: 'unresolvable'; readonly path: RequestPath }
  | { readonly by: 'protection'; readonly path: RequestPath; readonly protection: ProtectedReason }
  | { readonly by: 'rule'; readonly rule: Rule; readonly check: Check };

/** The step that settled the call and what it saw. */
export type Settled =
  | RunRefusal
  | { readonly step: 4; readonly cause: 'floor'; readonly floor: FloorReason }
  | { readonly step: 5; readonly cause: 'directory'; readonly path: RequestPath; readonly directory: string }
  | { readonly step: 6; readonly cause: 'mode'; readonly path: RequestPath | null }
  | { readonly step: 7; readonly cause: Cause; readonly finding: Finding }
  | { readonly step: 8; readonly cause: 'hook'; readonly reason: string; readonly command: string }
  | { readonly step: 9; readonly cause: 'outbox'; readonly pattern: string }
  /** Allowed: by rules and relaxers, or with the reviewer's help. */
  | { readonly step: 10 | 11; readonly cause: Cause; readonly finding: Finding | null }
  /** Refused by the reviewer. */
  | { readonly step: 11; readonly cause: 'reviewer'; readonly refused: string }
  | { readonly step: 12; readonly cause: 'headless' | null };

export interface Judgement {
  readonly verdict: VerdictKind;
  readonly hard: boolean;
  readonly settled: Settled;
  /** Empty when the call was settled before step 7. */
  readonly findings: readonly Finding[];
  readonly hook: HookOutcome | null;
  readonly reviewer: ReviewerOutcome | null;
}

export function judge(call: CallFacts, session: SessionFacts, policy: CompiledPolicy, nowMs: number, outcomes: Outcomes): Judgement {
  const settledEarly = refusedByRun(call, session);
  if (settledEarly !== null) return judgement('deny', settledEarly, NO_FINDINGS);

  const tiers = tiersOf(policy, session.groupId);
  const questions = questionsOf(call, session, nowMs);
  const protections = protectionsOf(call, session);
  const settledByPlace = floorUnder(call, session, tiers, questions, protections) ?? directoryForbids(call, session) ?? modeForbids(call, session);
  if (settledByPlace !== null) return judgement('deny', settledByPlace, NO_FINDINGS);

  const grants = session.grants.length === 0 ? null : grantsOf(session, policy);
  const findings: OpenFinding[] = [];
  let refuses = false;
  for (const question of questions) {
    const finding = ruleOn(question, tiers, grants, protections);
    if (finding === null) continue;
    findings.push(finding);
    refuses ||= finding.verdict === 'deny';
  }
  const refused = refuses ? strictest(findings, 'deny') : null;
  if (refused !== null) return judgement('deny', { step: 7, cause: refused.cause ?? 'rule', finding: refused }, findings);

  const hook = session.hasPreToolHook ? (outcomes.hook ?? null) : null;
  if (hook?.outcome === 'deny') {
    return judgement('deny', { step: 8, cause: 'hook', reason: hook.reason, command: hook.command }, findings, hook);
  }
  const isRaised = hook?.outcome === 'require';
  const route = session.outbox.length === 0 ? undefined : session.outbox.find((pattern) => matchesTool(pattern, call));
  if (route !== undefined) return judgement('stage', { step: 9, cause: 'outbox', pattern: route }, findings, hook);

  for (const finding of findings) relax(finding, session, grants);
  if (!isRaised && allAllowed(findings)) return allowed(10, findings, hook, null);

  const reviewer = session.hasReviewer ? (outcomes.reviewer ?? null) : null;
  if (reviewer?.outcome === 'deny') return judgement('deny', { step: 11, cause: 'reviewer', refused: reviewer.reason }, findings, hook, reviewer);
  if (reviewer?.outcome === 'allow') for (const finding of findings) review(finding);
  if (!isRaised && allAllowed(findings)) return allowed(11, findings, hook, reviewer);

  const isHard = isRaised || findings.some((finding) => finding.verdict === 'require' && finding.hard);
  return judgement('require', { step: 12, cause: session.headless ? 'headless' : null }, findings, hook, reviewer, isHard);
}

const NO_FINDINGS: readonly Finding[] = [];

function judgement(
  verdict: VerdictKind,
  settled: Settled,
  findings: readonly Finding[],
  hook: HookOutcome | null = null,
  reviewer: ReviewerOutcome | null = null,
  hard = verdict === 'deny',
): Judgement {
  return { verdict, hard, settled, findings, hook, reviewer };
}

function allowed(step: 10 | 11, findings: readonly Finding[], hook: HookOutcome | null, reviewer: ReviewerOutcome | null): Judgement {
  const finding = strictest(findings, 'allow');
  return judgement('allow', { step, cause: finding?.cause ?? 'rule', finding }, findings, hook, reviewer);
}

/** A call without any check is no call that anybody allowed. */
function allAllowed(findings: readonly Finding[]): boolean {
  for (const finding of findings) if (finding.verdict !== 'allow') return false;
  return findings.length > 0;
}

// ------------------------------------------------------------------ steps 4 to 6

function floorUnder(
  call: CallFacts,
  session: SessionFacts,
  tiers: readonly Tier[],
  questions: readonly Question[],
  protections: Protections,
): Settled | null {
  const floor = protectedFloor(call, session, protections) ?? ruleFloor(tiers, questions);
  return floor === null ? null : { step: 4, cause: 'floor', floor };
}

/** Of each path of the call what protects it; null when nothing protects any of them. */
type Protections = readonly (ProtectedReason | null)[] | null;

function protectionsOf(call: CallFacts, session: SessionFacts): Protections {
  let found: (ProtectedReason | null)[] | null = null;
  for (let index = 0; index < call.paths.length; index++) {
    const path = call.paths[index];
    const protection = path === undefined ? null : protectionOf(path, session);
    if (protection === null) continue;
    found ??= call.paths.map(() => null);
    found[index] = protection;
  }
  return found;
}

function protectedFloor(call: CallFacts, session: SessionFacts, protections: Protections): FloorReason | null {
  for (let index = 0; index < call.paths.length; index++) {
    const path = call.paths[index];
    if (path === undefined) continue;
    if (path.canonical === null && path.access === 'write') return { by: 'unresolvable', path };
    const protection = protections === null ? null : (protections[index] ?? null);
    if (protection?.action === 'deny') return { by: 'protection', path, protection };
  }
  for (const path of enteredDirectories(call)) {
    const protection = protectionOf(path, session);
    if (protection?.action === 'deny') return { by: 'protection', path, protection };
  }
  return null;
}

/** An unresolvable path is looked at by its text: it can be denied by that and never allowed. */
function protectionOf(path: RequestPath, session: SessionFacts): ProtectedReason | null {
  const { protectedPlaces, platform } = session;
  const place = placeOf(path, session);
  const reason = protectedReason(place, path.access, protectedPlaces, platform);
  return reason ?? (path.deletes === true ? protectedByRemoval(place, protectedPlaces, platform) : null);
}

function ruleFloor(tiers: readonly Tier[], questions: readonly Question[]): FloorReason | null {
  for (const question of questions) {
    const rule = firstFloor(tiers, question) ?? (question.asDeclared === null ? null : firstFloor(tiers, question.asDeclared));
    if (rule !== null) return { by: 'rule', rule, check: question.check };
  }
  return null;
}

function directoryForbids(call: CallFacts, session: SessionFacts): Settled | null {
  if (session.access.length === 0) return null;
  for (const path of call.paths) {
    if (!isOwnPath(path) || path.access !== 'write' || path.canonical === null) continue;
    const ruling = directoryRuling(path.canonical, session);
    if (ruling?.mode === 'read') return { step: 5, cause: 'directory', path, directory: ruling.path };
    const below = path.deletes === true ? readEntryBelow(path.canonical, session.access, session.platform) : null;
    if (below !== null) return { step: 5, cause: 'directory', path, directory: below.path };
  }
  return null;
}

function modeForbids(call: CallFacts, session: SessionFacts): Settled | null {
  const { mode } = session;
  if (mode === null || mode === 'full') return null;
  if (mode === 'read-only' && changesAnything(call)) return { step: 6, cause: 'mode', path: null };
  const outside = call.paths.find((path) => isOwnPath(path) && path.canonical !== null && !isInsideBoundary(path.canonical, session));
  return outside === undefined ? null : { step: 6, cause: 'mode', path: outside };
}

/** Spec 4: any mutation or execution, and `other`, of which nobody knows. Fetching changes nothing here: rules decide. */
function changesAnything(call: CallFacts): boolean {
  return runsOrWrites(call) || isMutation(call.kind) || (call.declaredKind !== undefined && isMutation(call.declaredKind));
}

// ------------------------------------------------------------------ step 7

/** Null: an operand at which nothing was found to say. */
function ruleOn(question: Question, tiers: readonly Tier[], grants: GrantIndex | null, protections: Protections): OpenFinding | null {
  const denial = grants === null ? null : grants.denial(question);
  if (denial !== null) return found(question, 'deny', true, { by: 'denial', grant: denial }, causeOf(denial));
  const plain = firstRule(tiers, question);
  const rule = question.asDeclared === null ? plain : stricterRule(plain, firstRule(tiers, question.asDeclared));
  if (rule?.action === 'deny') return found(question, 'deny', true, { by: 'rule', rule }, 'rule');
  const hardened = hardenedBy(question, rule, protections);
  if (hardened !== null) return found(question, 'require', true, hardened, null);
  if (question.isLook && !(rule?.action === 'require' && speaksOfPaths(rule))) return null;
  if (rule === null) return found(question, 'require', false, NO_RULE, null);
  if (rule.action === 'allow') return found(question, 'allow', false, { by: 'rule', rule }, 'rule');
  return found(question, 'require', rule.hard, { by: 'rule', rule }, null);
}

/** What a caller declares can add to what is asked and never take away from it (spec 3.3). */
function stricterRule(plain: Rule | null, declared: Rule | null): Rule | null {
  return strictnessOf(declared) > strictnessOf(plain) ? declared : plain;
}

/** Without a rule the check asks. */
function strictnessOf(rule: Rule | null): number {
  if (rule === null) return 1;
  switch (rule.action) {
    case 'allow':
      return 0;
    case 'require':
      return rule.hard ? 2 : 1;
    case 'deny':
      return 3;
  }
}

/** What is require (hard) whatever rule allows: an opaque unit without its exact allow (spec 6), an unresolvable read, a write to settings (spec 4). */
function hardenedBy({ check, unit, path }: Question, rule: Rule | null, protections: Protections): Ground | null {
  if (unit?.opaque === true && rule?.action !== 'allow') return { by: 'opaque', rule };
  if (path === null || check.surface === EXTERNAL_DIRECTORY) return null;
  if (path.canonical === null) return { by: 'unresolvable', rule };
  const protection = protections === null || check.path === undefined ? null : (protections[check.path] ?? null);
  return protection?.action === 'require' ? { by: 'protection', rule, protection } : null;
}

const NO_RULE: Ground = { by: 'no_rule' };

/** A question about every call of a tool is answered by the call's own checks; one about paths also concerns an operand. */
const speaksOfPaths = (rule: Rule): boolean => rule.path_pattern !== null || rule.tool_pattern === '@fs_read' || rule.tool_pattern === '@fs_any';

function found(question: Question, verdict: VerdictKind, hard: boolean, ground: Ground, cause: Cause | null): OpenFinding {
  const { check, path, unit } = question;
  return { question, check, path, unit, ground, ruled: verdict, ruledHard: hard, relaxed: null, reviewed: false, verdict, hard, cause };
}

export const causeOf = (grant: Grant): 'session_rule' | 'grant' => (grant.scope === 'session' || grant.scope === 'timed' ? 'session_rule' : 'grant');

// ------------------------------------------------------------------ steps 10 and 11

function relax(finding: OpenFinding, session: SessionFacts, grants: GrantIndex | null): void {
  // INVARIANT (spec 15.1): only a soft require is ever relaxed.
  if (finding.verdict !== 'require' || finding.hard) return;
  const relaxer = relaxerFor(finding, session, grants === null ? null : grants.allowance(finding.question));
  if (relaxer === null) return;
  finding.relaxed = relaxer;
  finding.verdict = 'allow';
  finding.cause = relaxer.cause;
}

function review(finding: OpenFinding): void {
  if (finding.hard || finding.verdict !== 'require') return;
  finding.reviewed = true;
  finding.verdict = 'allow';
  finding.cause = 'reviewer';
}

// ------------------------------------------------------------------ which check names the cause

/**
 * Spec 4: "the strictest check names the cause, on ties the first in step 10's order". A check that is neutral (a leading
 * `cd`) names it only where there is no other.
 */
function strictest(findings: readonly Finding[], verdict: VerdictKind): Finding | null {
  let best: Finding | null = null;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const finding of findings) {
    if (finding.verdict !== verdict) continue;
    const rank = rankOf(finding);
    if (rank < bestRank) {
      best = finding;
      bestRank = rank;
    }
  }
  return best;
}

/** Step 10's order; what is not decided there comes behind. */
function rankOf({ cause, relaxed }: Finding): number {
  const neutral = relaxed?.isNeutral === true ? 100 : 0;
  switch (cause) {
    case 'directory':
      return neutral;
    case 'run_context':
      return neutral + 1;
    case 'session_rule':
      return 2;
    case 'grant':
      return 3;
    case 'mode':
      return 4;
    default:
      return 5;
  }
}

// ------------------------------------------------------------------ grants, indexed once per list

const grantIndexes = new WeakMap<object, { readonly policy: CompiledPolicy; readonly index: GrantIndex }>();

/** The index belongs to the list and not to the decision: a list that is handed in again is not indexed again. */
function grantsOf(session: SessionFacts, policy: CompiledPolicy): GrantIndex {
  const known = grantIndexes.get(session.grants);
  if (known !== undefined && known.policy === policy) return known.index;
  const index = compileGrants(session.grants, policy.options);
  grantIndexes.set(session.grants, { policy, index });
  return index;
}
