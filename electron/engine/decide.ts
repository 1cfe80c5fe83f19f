// The engine's door: one call in, one ruling out, with its trace and what the agent is told. Pure: the same facts, policy and
// time give the same ruling on every door (spec 15.10).

import type { Rule } from '../../shared/model';
import type { CallFacts, CheckRuling, Ruling, SessionFacts } from './facts';
import { type Finding, type Judgement, judge, type Outcomes } from './judge';
import { messageOf } from './messages';
import type { CompiledPolicy } from './policy';
import { foldersToSkip } from './recursive-read';
import { traceOf } from './trace';

export type { Outcomes } from './judge';

/**
 * Spec 4. `nowMs`: epoch milliseconds. Without `outcomes` hooks and reviewer count as not run, which the trace says; the caller
 * runs them when the verdict is no deny of steps 1 to 7 and decides again. `require` goes to a person, with cause `headless`
 * to nobody.
 */
export function decide(call: CallFacts, session: SessionFacts, policy: CompiledPolicy, nowMs: number, outcomes: Outcomes = NO_OUTCOMES): Ruling {
  return new JudgedRuling(judge(call, session, policy, nowMs, outcomes), call, session, policy, nowMs);
}

const NO_OUTCOMES: Outcomes = {};

/**
 * A judgement put into words when somebody reads them: most decisions are taken again and again over what waits, and only the
 * verdict is looked at. A class because getters of a prototype are what that costs nothing with; read by name or by JSON, do not
 * spread.
 */
class JudgedRuling implements Ruling {
  readonly verdict: Ruling['verdict'];
  readonly hard: boolean;
  readonly cause: Ruling['cause'];
  private readonly judgement: Judgement;
  private readonly call: CallFacts;
  private readonly session: SessionFacts;
  private readonly policy: CompiledPolicy;
  private readonly nowMs: number;
  private words: Ruling['trace'] | null = null;

  constructor(judgement: Judgement, call: CallFacts, session: SessionFacts, policy: CompiledPolicy, nowMs: number) {
    this.verdict = judgement.verdict;
    this.hard = judgement.verdict === 'require' && judgement.hard;
    this.cause = judgement.settled.cause;
    this.judgement = judgement;
    this.call = call;
    this.session = session;
    this.policy = policy;
    this.nowMs = nowMs;
  }

  get ruleId(): string | null {
    return decidingRule(this.judgement)?.id ?? null;
  }

  get matchedRuleIds(): readonly string[] {
    return matchedRules(this.judgement);
  }

  get message(): string {
    return messageOf(this.judgement, this.call, this.session);
  }

  get checks(): readonly CheckRuling[] {
    return this.judgement.findings.map((finding) => ({
      check: finding.check,
      verdict: finding.verdict,
      hard: finding.verdict === 'require' && finding.hard,
      cause: finding.cause,
      ruleId: ruleOf(finding)?.id ?? null,
      grantId: grantIdOf(finding),
    }));
  }

  get trace(): Ruling['trace'] {
    this.words ??= traceOf(this.judgement, this.call, this.session);
    return this.words;
  }

  get exclude(): readonly string[] {
    return this.verdict === 'allow' ? foldersToSkip(this.call, this.session, this.policy, this.nowMs) : [];
  }

  toJSON(): Ruling {
    const { verdict, hard, cause, ruleId, matchedRuleIds, message, checks, trace, exclude } = this;
    return { verdict, hard, cause, ruleId, matchedRuleIds, message, checks, trace, exclude };
  }
}

function ruleOf({ ground }: Finding): Rule | null {
  switch (ground.by) {
    case 'rule':
    case 'opaque':
    case 'unresolvable':
    case 'protection':
      return ground.rule;
    case 'no_rule':
    case 'denial':
      return null;
  }
}

function grantIdOf({ ground, relaxed }: Finding): string | null {
  if (ground.by === 'denial') return ground.grant.id;
  return relaxed !== null && 'grant' in relaxed ? relaxed.grant.id : null;
}

/** The rule that decided: of the floor, of the check that names the cause, or of the first check that asks. */
function decidingRule({ settled, findings, verdict }: Judgement): Rule | null {
  switch (settled.step) {
    case 1:
    case 2:
    case 3:
    case 5:
    case 6:
    case 8:
    case 9:
      return null;
    case 4:
      return settled.floor.by === 'rule' ? settled.floor.rule : null;
    case 7:
      return ruleOf(settled.finding);
    case 10:
    case 11:
      return 'finding' in settled && settled.finding !== null && settled.cause === 'rule' ? ruleOf(settled.finding) : null;
    case 12: {
      const asking =
        findings.find((finding) => finding.verdict === verdict && finding.hard) ?? findings.find((finding) => finding.verdict === verdict);
      return asking === undefined ? null : ruleOf(asking);
    }
  }
}

/** Rules that were the first match of some check, once each. */
function matchedRules({ settled, findings }: Judgement): readonly string[] {
  const ids = new Set<string>();
  if (settled.step === 4 && settled.floor.by === 'rule') ids.add(settled.floor.rule.id);
  for (const finding of findings) {
    const rule = ruleOf(finding);
    if (rule !== null) ids.add(rule.id);
  }
  return [...ids];
}
