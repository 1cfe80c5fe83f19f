// Verdicts of calls that are not made (spec 13): `simulate` for calls that somebody thinks of, `replay` for calls of the past
// under rules that are not saved. Same gate, same facts; nothing is counted, stored, asked or run.

import type { Input } from '../../shared/commands';
import { fail, ok, type Result } from '../../shared/failure';
import type { ReplayChange, Rule, Session, Simulation } from '../../shared/model';
import type { RuleDraft } from '../../shared/schemas';
import type { SessionFacts } from '../engine/facts';
import type { CompiledPolicy } from '../engine/policy';
import { replay as compareCalls, type ReplayCall } from '../engine/replay';
import type { Core } from './core';
import { evaluate, factsApartFromRun, type Ground, takeInCall } from './gate';
import { recall } from './intake';
import { anySession, liveSession } from './lookup';
import { NO_USAGE } from './opening';
import { newRule } from './rules';
import { standingOf } from './session-facts';

export function simulate(core: Core, input: Input<'simulate'>): Result<{ readonly items: readonly Simulation[] }> {
  const session = input.session === undefined ? sessionOf(core, input.context) : liveSession(core, input.session);
  if (!session.ok) return session;
  const policy = draftPolicy(core, input.draft_rules ?? []);
  if (!policy.ok) return policy;
  const ground: Ground = { view: core.live, policy: policy.value };
  const standing = input.session === undefined ? standingOf(session.value, core.live, core.factsOptions) : core.standings.of(session.value);
  const items: Simulation[] = [];
  for (const [index, call] of input.calls.entries()) {
    const taken = takeInCall(core, standing, ground.policy, call);
    if (!taken.ok) return { ok: false, failure: { ...taken.failure, subject: `calls.${index}` } };
    const { ruling } = evaluate(core, standing, taken.value.call, ground);
    items.push({
      verdict: ruling.verdict,
      cause: ruling.cause,
      rule_id: ruling.ruleId,
      message: ruling.message,
      checks: ruling.checks.map((one) => one.check),
      trace: ruling.trace,
    });
  }
  return ok({ items });
}

/** A session that is not opened: what `session.open` would make of the same words. */
function sessionOf(core: Core, context: Input<'simulate'>['context']): Result<Session> {
  const group = context?.run_context?.security_group ?? null;
  if (group !== null && !core.live.groups.has(group)) return unknown('run_context.security_group', 'group', group);
  if (context?.project_id !== undefined && !core.live.projects.has(context.project_id)) return unknown('project_id', 'project', context.project_id);
  const ticket = context?.ticket_id === undefined ? null : core.live.tickets.get(context.ticket_id);
  if (ticket === undefined) return unknown('ticket_id', 'ticket', context?.ticket_id ?? '');
  const { paths } = core.deps;
  const canonical = (path: string | null | undefined): string | null => (path ? (paths.canonical(path, null).path ?? null) : null);
  const cwd = canonical(context?.cwd);
  const at = core.nowIso();
  return ok({
    id: 'simulated',
    agent: context?.agent ?? 'any',
    source: context?.source ?? 'interactive',
    external_id: null,
    title: '',
    project_id: context?.project_id ?? ticket?.project_id ?? null,
    ticket_id: ticket?.id ?? null,
    parent_id: null,
    root: canonical(context?.root) ?? cwd,
    cwd: cwd ?? canonical(context?.root),
    worktree: false,
    mode: context?.mode ?? null,
    run_context: context?.run_context ?? null,
    access: [],
    headless: false,
    state: 'idle',
    cancelled: false,
    cancel_token: '',
    usage: NO_USAGE,
    homeostat: null,
    notices: [],
    created_at: at,
    last_contact_at: at,
    ended_at: null,
  });
}

const unknown = (subject: string, what: string, id: string) =>
  fail('invalid', `There is no ${what} \`${id}\`.`, { hint: `Make the ${what} first.`, subject });

/** Draft rules beside the rules there are; those of `instead` stand for all rules of that group. */
function draftPolicy(core: Core, drafts: readonly RuleDraft[], instead?: string): Result<CompiledPolicy> {
  if (drafts.length === 0 && instead === undefined) return ok(core.policy.current());
  const foreign = drafts.find((draft) => !core.live.groups.has(draft.group_id));
  if (foreign !== undefined) return unknown('draft_rules', 'group', foreign.group_id);
  const kept = [...core.live.rules.values()].filter((rule) => rule.group_id !== instead);
  const added = drafts.map((draft): Rule => newRule(core, draft, 'draft'));
  return ok(core.policy.compile([...kept, ...added]));
}

/** Calls of the past that are compared at most, newest first. */
const MOST_COMPARED = 10_000;
const PAGE = 500;

/** Spec 13. Facts are those of then (nothing is resolved again), records and clock those of now; the run's own stop does not count. */
export async function replay(
  core: Core,
  input: Input<'replay'>,
): Promise<Result<{ readonly items: readonly ReplayChange[]; readonly compared: number }>> {
  const draft = draftPolicy(core, input.draft_rules, input.group_id);
  if (!draft.ok) return draft;
  const saved = core.policy.current();
  const sessions = new Map<string, SessionFacts | null>();
  const items: ReplayChange[] = [];
  let compared = 0;
  let before: string | undefined;
  do {
    const page = core.store.requests({ since: input.since, limit: PAGE, before });
    const calls = page.items.flatMap((request): readonly ReplayCall[] => {
      const session = factsFor(core, request.session_id, [saved, draft.value], sessions);
      return session === null ? [] : [{ requestId: request.id, call: recall(request), session }];
    });
    compared += calls.length;
    items.push(...compareCalls(calls, saved, draft.value, core.nowMs()));
    before = page.next ?? undefined;
    // Calls that arrive meanwhile are answered between two pages.
    await new Promise((resolve) => setImmediate(resolve));
  } while (before !== undefined && compared < MOST_COMPARED);
  return ok({ items, compared });
}

function factsFor(core: Core, sessionId: string, policies: readonly CompiledPolicy[], known: Map<string, SessionFacts | null>): SessionFacts | null {
  const found = known.get(sessionId);
  if (found !== undefined) return found;
  const session = anySession(core, sessionId);
  const standing = session.ok ? standingOf(session.value, core.live, core.factsOptions) : null;
  const facts = standing === null ? null : factsApartFromRun(core, standing, policies);
  known.set(sessionId, facts);
  return facts;
}
