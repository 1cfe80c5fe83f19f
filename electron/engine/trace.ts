// The trace of a judgement (spec 4): every step that was consulted, in order, with what it compared, in words a person can
// check. Made from the judgement alone and adds nothing to it.

import type { RequestPath, Rule, TraceStep } from '../../shared/model';
import type { CallFacts, SessionFacts } from './facts';
import type { Finding, FloorReason, Judgement } from './judge';

export const STEP_NAMES = {
  1: 'run',
  2: 'phase',
  3: 'withheld',
  4: 'floors',
  5: 'directories',
  6: 'mode',
  7: 'rules',
  8: 'hooks',
  9: 'outbox',
  10: 'relaxers',
  11: 'reviewer',
  12: 'person',
} as const;
type StepNumber = keyof typeof STEP_NAMES;

const LONGEST_VALUE = 300;

/** Long values keep both ends: the program or folder, and the file name. */
export function clip(text: string): string {
  if (text.length <= LONGEST_VALUE) return text;
  const half = (LONGEST_VALUE - 1) >> 1;
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}

/** A rule as a person wrote it: ``@fs_write `src/*` ``. */
export function ruleText(rule: Rule): string {
  const filters = [
    rule.command_pattern === null ? null : `\`${clip(rule.command_pattern)}\``,
    rule.path_pattern === null ? null : `\`${clip(rule.path_pattern)}\``,
    rule.agent === null ? null : `for agent ${rule.agent}`,
    rule.source === null ? null : `from ${rule.source}`,
  ].filter((part) => part !== null);
  return [rule.tool_pattern, ...filters].join(' ');
}

export function traceOf(judgement: Judgement, call: CallFacts, session: SessionFacts): readonly TraceStep[] {
  const { settled } = judgement;
  const steps: TraceStep[] = [];
  const add = (step: StepNumber, more: Omit<TraceStep, 'step' | 'name'>): void => {
    steps.push({ step, name: STEP_NAMES[step], ...more });
  };
  for (const step of [1, 2, 3, 4, 5, 6] as const) {
    if (step === settled.step) {
      add(step, { outcome: 'deny', cause: settled.cause, ...floorRule(settled), compared: earlyRefusal(judgement, call, session) });
      return steps;
    }
    add(step, { outcome: 'pass', compared: passed(step, call, session) });
  }
  judgement.findings.forEach((finding, check) => {
    add(7, { check, outcome: finding.ruled, ...ruledBy(finding), compared: ruledText(finding, session) });
  });
  if (settled.step === 7) return steps;

  add(8, hookStep(judgement, session));
  if (settled.step === 8) return steps;
  if (settled.step === 9) {
    add(9, { outcome: 'stage', cause: 'outbox', compared: `${call.tool} against the outbox route \`${settled.pattern}\`: match` });
    return steps;
  }
  add(9, { outcome: 'pass', compared: routes(call, session) });

  judgement.findings.forEach((finding, check) => {
    if (finding.ruled === 'require') add(10, { check, ...relaxedStep(finding), compared: relaxedText(finding, session) });
  });
  if (settled.step === 10) return steps;
  add(11, reviewerStep(judgement, session));
  if (settled.step === 11) return steps;
  add(12, {
    outcome: 'require',
    ...(settled.step === 12 && settled.cause !== null ? { cause: settled.cause } : {}),
    compared: session.headless ? 'headless session: nobody is there to ask' : 'a person decides',
  });
  return steps;
}

// ------------------------------------------------------------------ steps 1 to 6

function passed(step: 1 | 2 | 3 | 4 | 5 | 6, call: CallFacts, session: SessionFacts): string {
  switch (step) {
    case 1: {
      const uses = session.budget.map((use) => `${use.ceiling} ${use.used} of ${use.limit}`);
      return `run not cancelled; ${uses.length === 0 ? 'no ceiling is set' : uses.join(', ')}`;
    }
    case 2:
      return session.phase === 'plan' ? `phase plan and ${call.tool} only reads` : `phase ${session.phase ?? 'unset'}`;
    case 3:
      return session.withheld.length === 0 ? 'nothing is withheld' : `${call.tool} against withheld ${list(session.withheld)}: no match`;
    case 4:
      return `no protected path and no hard deny${session.groupId === null ? '' : ` of \`${session.groupId}\` or`} of \`default\` matches`;
    case 5:
      return session.access.length === 0 ? 'no directory entries' : 'no write in a read-only directory';
    case 6:
      return session.mode === null ? 'no mode is set' : `mode ${session.mode} allows the attempt`;
  }
}

function earlyRefusal({ settled }: Judgement, call: CallFacts, session: SessionFacts): string {
  switch (settled.step) {
    case 1:
      return settled.cause === 'budget' ? `${settled.use.ceiling}: ${settled.use.used} used of ${settled.use.limit}` : 'the run was cancelled';
    case 2:
      return `phase plan lets only read and search pass: ${call.tool} is ${call.kind}`;
    case 3:
      return `${call.tool} against withheld \`${settled.name}\`: match`;
    case 4:
      return floorText(settled.floor);
    case 5:
      return `${pathText(settled.path)} lies in ${clip(settled.directory)}, which is read-only`;
    case 6:
      return settled.path === null
        ? `mode ${session.mode ?? 'unset'} allows no changes and no commands: ${call.tool} is ${call.kind}`
        : `${pathText(settled.path)} is outside the boundary of mode ${session.mode ?? 'unset'}`;
    default:
      return '';
  }
}

function floorText(floor: FloorReason): string {
  switch (floor.by) {
    case 'unresolvable':
      return `${clip(floor.path.raw)} cannot be resolved, so writing there is denied`;
    case 'protection':
      return `${pathText(floor.path)} is protected: ${floor.protection.name}`;
    case 'rule':
      return `${clip(floor.check.value)} against hard deny ${ruleText(floor.rule)}: match`;
  }
}

const floorRule = (settled: Judgement['settled']): { rule_id?: string } =>
  settled.step === 4 && settled.floor.by === 'rule' ? { rule_id: settled.floor.rule.id } : {};

const pathText = (path: RequestPath): string => clip(path.canonical ?? path.raw);
const list = (names: readonly string[]): string => names.map((name) => `\`${clip(name)}\``).join(', ');

// ------------------------------------------------------------------ step 7

function ruledBy(finding: Finding): Pick<TraceStep, 'cause' | 'rule_id' | 'grant_id'> {
  const { ground } = finding;
  switch (ground.by) {
    case 'rule':
      return { cause: 'rule', rule_id: ground.rule.id };
    case 'denial':
      return { cause: finding.cause ?? 'session_rule', grant_id: ground.grant.id };
    case 'no_rule':
      return {};
    case 'opaque':
    case 'unresolvable':
    case 'protection':
      return ground.rule === null ? {} : { rule_id: ground.rule.id };
  }
}

function ruledText({ check, ground, ruledHard }: Finding, session: SessionFacts): string {
  const subject = `${check.surface} ${clip(check.value)}`;
  switch (ground.by) {
    case 'rule':
      return `${subject} against ${ruleText(ground.rule)} of \`${ground.rule.group_id}\`: match, ${ground.rule.action}${ruledHard && ground.rule.action === 'require' ? ' (hard)' : ''}`;
    case 'denial':
      return `${subject} against the remembered denial ${ground.grant.surface} \`${clip(ground.grant.pattern)}\`: match, deny`;
    case 'no_rule':
      return `${subject}: no rule${session.groupId === null ? '' : ` of \`${session.groupId}\` or`} of \`default\` matches, require`;
    case 'opaque':
      return `${subject} is opaque: only an allow with exactly this text can allow it, require (hard)`;
    case 'unresolvable':
      return `${subject} cannot be resolved, require (hard)`;
    case 'protection':
      return `${subject} is a protected setting (${ground.protection.name}), require (hard)`;
  }
}

// ------------------------------------------------------------------ steps 8 to 11

function hookStep({ hook }: Judgement, session: SessionFacts): Omit<TraceStep, 'step' | 'name'> {
  if (!session.hasPreToolHook) return { outcome: 'pass', compared: 'no pre_tool hook' };
  if (hook === null) return { outcome: 'skipped', compared: 'pre_tool hooks were not run' };
  if (hook.outcome === 'pass') return { outcome: 'pass', compared: 'pre_tool hooks let it pass' };
  return {
    outcome: hook.outcome,
    cause: 'hook',
    compared: `${clip(hook.command)}: ${hook.outcome}${hook.reason === '' ? '' : `, ${clip(hook.reason)}`}`,
  };
}

const routes = (call: CallFacts, session: SessionFacts): string =>
  session.outbox.length === 0 ? 'no outbox route' : `${call.tool} against the outbox routes ${list(session.outbox)}: no match`;

function relaxedStep(finding: Finding): Pick<TraceStep, 'outcome' | 'cause' | 'grant_id'> {
  const { relaxed } = finding;
  if (relaxed === null) return { outcome: 'require' };
  return { outcome: 'allow', cause: relaxed.cause, ...('grant' in relaxed ? { grant_id: relaxed.grant.id } : {}) };
}

function relaxedText({ check, relaxed, ruledHard }: Finding, session: SessionFacts): string {
  const subject = `${check.surface} ${clip(check.value)}`;
  if (ruledHard) return `${subject}: a hard require is not relaxed`;
  if (relaxed === null) return `${subject}: no directory, run context root, answer or mode covers it`;
  switch (relaxed.cause) {
    case 'directory':
      return `${subject} reads inside ${clip(relaxed.over)}`;
    case 'run_context':
      return `${subject} is inside the run context root ${clip(relaxed.over)}`;
    case 'session_rule':
    case 'grant':
      return `${subject} against the remembered answer ${relaxed.grant.surface} \`${clip(relaxed.grant.pattern)}\`: match`;
    case 'mode':
      return `${subject} is covered by mode ${session.mode ?? 'unset'}`;
  }
}

function reviewerStep({ reviewer }: Judgement, session: SessionFacts): Omit<TraceStep, 'step' | 'name'> {
  if (!session.hasReviewer) return { outcome: 'pass', compared: 'no reviewer' };
  if (reviewer === null) return { outcome: 'skipped', compared: 'the reviewer was not asked' };
  const reason = reviewer.reason === '' ? '' : `: ${clip(reviewer.reason)}`;
  switch (reviewer.outcome) {
    case 'allow':
      return { outcome: 'allow', cause: 'reviewer', compared: `the reviewer allows what is soft${reason}` };
    case 'deny':
      return { outcome: 'deny', cause: 'reviewer', compared: `the reviewer denies${reason}` };
    case 'unsure':
      return { outcome: 'pass', compared: `the reviewer is not sure${reason}` };
  }
}
