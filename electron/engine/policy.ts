// The rules of all groups, indexed when they change (spec 4 step 4 and 7, spec 5), so that a decision does not pay for rules
// that cannot match. Answers which rule comes first for a check; what that means for the call is judge.ts's.

import type { Rule } from '../../shared/model';
import type { Entry, EntryArgument, EntryQuery } from './entry';
import type { PlatformFacts } from './facts';
import { NONE } from './hits';
import { compilePathPattern, literalDirectory, type PatternOptions } from './path-pattern';
import { comparable } from './path-text';
import { PROTECTED_SEGMENTS } from './protected';
import { createRuleIndex, type RuleIndex } from './rule-index';
import { timeOf } from './time';
import { compileWildcard } from './wildcard';

export const DEFAULT_GROUP = 'default';

export interface PolicyOptions {
  readonly platform: PlatformFacts;
  readonly home: string;
  /** Canonical spelling of the existing part of an absolute pattern's literal head; the rest stays (spec 5.3). */
  canonicalPrefix(pattern: string): string;
}

/** Rules in evaluation order with their index: position for position. */
interface RuleList {
  readonly rules: readonly Rule[];
  readonly index: RuleIndex;
}

/** The rules of one group, each list in (priority, id) order, disabled ones left out. */
export interface Tier {
  readonly groupId: string;
  readonly rules: readonly Rule[];
  /** Hard denies: step 4. */
  readonly floors: RuleList;
  /** Everything else: step 7. */
  readonly ordinary: RuleList;
  /** Folders below the root that a deny names as a whole, such as `secrets`. */
  readonly deniedFolders: readonly string[];
}

export interface CompiledPolicy {
  /** Every rule as given, disabled and expired ones too. */
  readonly rules: readonly Rule[];
  readonly options: PolicyOptions;
  /** Per group its own tier, then that of `default`. */
  readonly tiersByGroup: ReadonlyMap<string, readonly Tier[]>;
  readonly defaultTiers: readonly Tier[];
  readonly relativeHeads: readonly string[];
  readonly deniedSegments: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Times of rules are judged when a call is decided, so a policy does not have to be compiled again when one runs out. */
export function compilePolicy(rules: readonly Rule[], options: PolicyOptions): CompiledPolicy {
  const byGroup = new Map<string, Rule[]>();
  for (const rule of rules) {
    if (!rule.enabled) continue;
    const list = byGroup.get(rule.group_id);
    if (list === undefined) byGroup.set(rule.group_id, [rule]);
    else list.push(rule);
  }
  const patterns = new Map<Rule, EntryArgument>();
  for (const rule of rules) if (rule.enabled) patterns.set(rule, ruleArgument(rule, options));
  const tiers = new Map([...byGroup].map(([groupId, list]) => [groupId, compileTier(groupId, list, patterns)] as const));
  const last = tiers.get(DEFAULT_GROUP);
  const tiersByGroup = new Map([...tiers].map(([groupId, tier]) => [groupId, last === undefined || tier === last ? [tier] : [tier, last]] as const));
  return {
    rules,
    options,
    tiersByGroup,
    defaultTiers: last === undefined ? [] : [last],
    relativeHeads: headsOf(patterns.values()),
    deniedSegments: new Map([...byGroup].map(([groupId, list]) => [groupId, segmentsOf(list, options)])),
  };
}

/** Spec 4 step 7: (priority, id); ids sort by creation. */
export const inEvaluationOrder = (a: Rule, b: Rule): number => a.priority - b.priority || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

function compileTier(groupId: string, given: readonly Rule[], patterns: ReadonlyMap<Rule, EntryArgument>): Tier {
  const rules = [...given].sort(inEvaluationOrder);
  const argumentOf = (rule: Rule): EntryArgument => patterns.get(rule) ?? { about: 'tool' };
  const ordinary = rules.filter((rule) => !isFloor(rule));
  return {
    groupId,
    rules,
    floors: listOf(rules.filter(isFloor), (rule) => ruleEntry(rule, argumentOf(rule))),
    ordinary: listOf(ordinary, (rule) => ruleEntry(rule, argumentOf(rule))),
    deniedFolders: [...new Set(rules.flatMap((rule) => (rule.action === 'deny' ? foldersOf(argumentOf(rule)) : [])))],
  };
}

function foldersOf(argument: EntryArgument): readonly string[] {
  if (argument.about !== 'path' || argument.pattern.anchor !== 'relative' || argument.pattern.shape !== 'subtree') return [];
  return argument.pattern.text.length > 1 ? [argument.pattern.text.slice(0, -1)] : [];
}

export const isFloor = (rule: Rule): boolean => rule.hard && rule.action === 'deny';

const listOf = (rules: readonly Rule[], entryOf: (rule: Rule) => Entry): RuleList => ({ rules, index: createRuleIndex(rules.map(entryOf)) });

function ruleArgument(rule: Rule, options: PatternOptions): EntryArgument {
  const { path_pattern, command_pattern } = rule;
  if (path_pattern === null) return command_pattern === null ? { about: 'tool' } : { about: 'command', wildcard: compileWildcard(command_pattern) };
  const pattern = compilePathPattern(path_pattern, options);
  if (command_pattern === null) return { about: 'path', pattern };
  return { about: 'path_and_command', pattern, wildcard: compileWildcard(command_pattern), every: rule.action === 'allow' };
}

function ruleEntry(rule: Rule, argument: EntryArgument): Entry {
  return {
    isAllow: rule.action === 'allow',
    toolPattern: rule.tool_pattern,
    argument,
    agent: rule.agent,
    source: rule.source,
    untilMs: rule.expires_at === null ? null : timeOf(rule.expires_at, rule.action !== 'allow'),
    access: null,
    paths: argument.about === 'tool' ? pathsMeantBy(rule) : 'any',
  };
}

/** Of a rule without a pattern for the value. One that refuses speaks of every check of its tools. */
function pathsMeantBy({ action, tool_pattern }: Rule): Entry['paths'] {
  if (tool_pattern === '@exec' && action !== 'deny') return 'never';
  return action === 'allow' && tool_pattern.startsWith('@fs_') ? 'only' : 'any';
}

// ------------------------------------------------------------------ asking

/** What is compared for one check: its own value, and a program's base name where it was given by a path. */
export interface RuleQuestion extends EntryQuery {
  /** Compared for deny and require only (spec 4, finer points). */
  readonly byBaseName: readonly EntryQuery[];
}

/** The session's group, then `default`. A group without rules, or one that was deleted, has no tier. */
export function tiersOf(policy: CompiledPolicy, groupId: string | null): readonly Tier[] {
  return (groupId === null ? undefined : policy.tiersByGroup.get(groupId)) ?? policy.defaultTiers;
}

/** Step 4: a hard deny of any of the tiers. */
export function firstFloor(tiers: readonly Tier[], question: RuleQuestion): Rule | null {
  for (let tier = 0; tier < tiers.length; tier++) {
    const floors = tiers[tier]?.floors;
    if (floors === undefined || floors.index.isEmpty) continue;
    let found = floors.index.first(question);
    for (const alternate of question.byBaseName) found = floors.index.first(alternate, found);
    if (found !== NONE) return floors.rules[found] ?? null;
  }
  return null;
}

/** Step 7: first match of the group, else first match of `default`, else null. */
export function firstRule(tiers: readonly Tier[], question: RuleQuestion): Rule | null {
  for (let tier = 0; tier < tiers.length; tier++) {
    const ordinary = tiers[tier]?.ordinary;
    if (ordinary === undefined) continue;
    let found = ordinary.index.first(question);
    for (const alternate of question.byBaseName) found = ordinary.index.first(alternate, found);
    if (found !== NONE) return ordinary.rules[found] ?? null;
  }
  return null;
}

// ------------------------------------------------------------------ what intake has to look at

/** Literal heads of relative path patterns, such as `secrets` or `src/gen`: where a link stands at one, the broker fills `SessionFacts.links`. */
export const relativeHeads = (policy: CompiledPolicy): readonly string[] => policy.relativeHeads;

function headsOf(all: Iterable<EntryArgument>): readonly string[] {
  const heads = new Set<string>();
  for (const argument of all) {
    if (argument.about !== 'path' && argument.about !== 'path_and_command') continue;
    if (argument.pattern.anchor !== 'relative') continue;
    const directory = literalDirectory(argument.pattern);
    if (directory.length > 1) heads.add(directory.slice(0, -1));
  }
  return [...heads];
}

/**
 * Spec 4: "an operand that … starts with a segment a deny rule names, is checked". True when a deny rule of the group or of
 * `default`, or a protection of 5.4, names `segment`.
 */
export function namesDeniedSegment(policy: CompiledPolicy, groupId: string | null, segment: string): boolean {
  const text = comparable(segment, policy.options.platform);
  if (PROTECTED_SEGMENTS.has(text)) return true;
  return [groupId ?? DEFAULT_GROUP, DEFAULT_GROUP].some((group) => policy.deniedSegments.get(group)?.has(text) === true);
}

function segmentsOf(rules: readonly Rule[], options: PolicyOptions): ReadonlySet<string> {
  const segments = new Set<string>();
  for (const rule of rules) {
    if (rule.action !== 'deny' || rule.path_pattern === null) continue;
    for (const segment of comparable(rule.path_pattern, options.platform).split('/')) {
      if (segment !== '' && segment !== '.' && segment !== '..' && segment !== '~' && !segment.includes('*')) segments.add(segment);
    }
  }
  return segments;
}
