// A change of policy and what it settles, as one transaction (spec 4, "Changing the policy"): the change is tried on a copy of
// the live state, everything that waits is judged there, and change and settlements are written together or not at all.

import { type Failure, ok, type Result } from '../../shared/failure';
import type { Request } from '../../shared/model';
import type { HookOutcome } from '../engine/facts';
import type { CompiledPolicy } from '../engine/policy';
import type { LiveState } from '../store/contract';
import type { StateEvent, Write } from '../store/events';
import type { Core } from './core';
import { evaluate, type Ground, takeInAgain } from './gate';
import { stagedItem } from './outbox-item';
import { blockedDecision, ruledDecision, settleEvent, settlementOf } from './records';
import { afterWrites, changesRules, changesVerdicts } from './view';

export interface Changed {
  /** Requests that the change settled. */
  readonly settled: readonly string[];
  readonly durable: Promise<void>;
}

/**
 * Commits `events` and settles what they settle. The first event carries the ids in its facts, as `settled`. Failures:
 * `conflict` when another change came first.
 */
export function commitChange(core: Core, events: readonly StateEvent[]): Result<Changed> {
  const writes = events.flatMap((event) => event.writes);
  const { view, policy } = groundAfter(core, writes);
  const settlements = writes.some(changesVerdicts) ? redecide(core, { view, policy }) : [];
  const settled = settlements.map((event) => event.request_id ?? '');
  const [first, ...others] = events;
  const named = first === undefined || settled.length === 0 ? events : [{ ...first, facts: { ...first.facts, settled } }, ...others];
  const result = core.commit([...named, ...settlements], policy);
  if (!result.applied) return { ok: false, failure: overtaken(result.id) };
  return ok({ settled, durable: result.durable });
}

const overtaken = (id: string): Failure => ({
  code: 'conflict',
  message: `Another change of \`${id}\` came first.`,
  hint: 'Look at it again, then repeat the change.',
  subject: { id },
});

export function groundAfter(core: Core, writes: readonly Write[]): { readonly view: LiveState; readonly policy: CompiledPolicy } {
  const view = afterWrites(core.live, writes);
  return { view, policy: writes.some(changesRules) ? core.policy.compile([...view.rules.values()]) : core.policy.current() };
}

/** What waits in `ground.view` and would no longer wait: one event each. A request that cannot be judged is refused as our fault. */
function redecide(core: Core, ground: Ground): readonly StateEvent[] {
  const events: StateEvent[] = [];
  for (const request of ground.view.pending.values()) {
    try {
      const event = settlementFor(core, request, ground);
      if (event !== null) events.push(event);
    } catch (error) {
      core.fault(error, `re-decision of ${request.id}`);
      events.push(settleEvent(request, blockedDecision('fault', 'gate', core.nowIso(), request.trace), core.waiting.isAttached(request.id)));
    }
  }
  return events;
}

/**
 * Null: it still needs a person. Hooks do not run again (spec 4); what one of them had raised stays raised. A call that hooks
 * have not heard of yet, because they came with the change, is not let through by it.
 */
export function settlementFor(core: Core, request: Request, ground: Ground): StateEvent | null {
  const again = takeInAgain(core, request, ground);
  if (!again.ok) return null;
  const { standing, taken } = again.value;
  const hook = raisedBefore(request);
  const { ruling, facts } = evaluate(core, standing, taken.call, ground, { isCounted: true, ...(hook === null ? {} : { hook }) });
  const settlement = settlementOf(ruling);
  if (settlement === null) return null;
  if (settlement.status !== 'denied' && facts.hasPreToolHook && !wasHeardByHooks(request)) return null;
  // Where a link leads elsewhere by now, the person has to see the call again: it is not let through unseen.
  if (settlement.status === 'allowed' && taken.digest !== request.digest) return null;
  const at = core.nowIso();
  const decision = ruledDecision(ruling, { ...settlement, by: 'gate', at });
  const staged = settlement.status === 'staged' ? [{ put: 'outbox' as const, value: stagedItem(core, request, at) }] : [];
  return settleEvent(request, decision, core.waiting.isAttached(request.id), {
    writes: [...staged, { hit: ruling.matchedRuleIds, at }],
    facts: { why: 'policy changed' },
  });
}

/** Step 8 of the trace that made it wait. */
const hookStep = (request: Request) => request.trace?.find((step) => step.step === 8);

export function raisedBefore(request: Request): HookOutcome | null {
  const step = hookStep(request);
  return step?.outcome === 'require' ? { outcome: 'require', reason: 'asked when the call arrived', command: step.compared } : null;
}

function wasHeardByHooks(request: Request): boolean {
  const step = hookStep(request);
  return step?.outcome === 'require' || (step?.outcome === 'pass' && step.compared !== NO_HOOK);
}
const NO_HOOK = 'no pre_tool hook';
