// The scopes an answer can have (spec 7), computed from the call itself: what each would cover, narrowest first, and none that
// would not keep its promise. Writes nothing; grants.ts turns a chosen line into what is remembered.

import type { Risk, ScopeOffer } from '../../shared/model';
import { SCOPES, type Scope } from '../../shared/terms';
import type { Outcomes } from './decide';
import type { CallFacts, Ruling, SessionFacts } from './facts';
import type { CompiledPolicy } from './policy';
import { onceOnlyFact } from './risk';
import { type Asked, keptParts, type Remembered, ruleAsked, viewFor } from './round-trip';
import { groupOf } from './rule-place';
import { type Bindings, isPlainName, type Part } from './scope-parts';

export { isOnceOnly } from './risk';
export type { Bindings } from './scope-parts';

/** What `timed` is offered for, in seconds: 15 minutes and 1 hour. */
export const TIMED_DURATIONS_S: readonly number[] = [900, 3600];
export const DEFAULT_DURATION_S = 900;
export const LONGEST_DURATION_S = 3600;

/** More parts than a person can go through one by one are answered once. */
const MOST_PARTS = 100;

/**
 * The lines of the grant dial, narrowest scope first; `once` always, `ticket` and `project` only where the session has one. Each
 * part has the widths after which the same call is allowed without asking, narrowest first; the first is what an answer without
 * a choice means. `risk` is that of the call; `outcomes` what hooks and reviewer said when it came to the person.
 */
export function scopeOffers(
  call: CallFacts,
  session: SessionFacts,
  bindings: Bindings,
  policy: CompiledPolicy,
  nowMs: number,
  risk: Risk,
  outcomes: Outcomes = {},
): readonly ScopeOffer[] {
  const asked: Asked = { call, session, bindings, policy, nowMs, outcomes };
  const once: ScopeOffer = { scope: 'once', parts: [], text: 'This call only' };
  if (reasonForOnceOnly(asked, risk) !== null) return [once];
  const offers = [once];
  for (const scope of SCOPES) {
    if (scope === 'once') continue;
    const planned = planScope(asked, scope);
    if (planned === null || planned.parts.length === 0) continue;
    offers.push({
      scope,
      ...(scope === 'timed' ? { durations_s: TIMED_DURATIONS_S } : {}),
      parts: planned.parts.map(({ subject, unit, widths }) => ({
        subject,
        ...(unit === undefined ? {} : { unit }),
        widths: widths.map(({ width, covers, pattern }) => ({ width, covers, pattern })),
      })),
      text: `${scopeText(scope, bindings)}: ${planned.parts.map((part) => part.widths[0]?.covers ?? '').join('; ')}`,
    });
  }
  return offers;
}

function scopeText(scope: Remembered, bindings: Bindings): string {
  switch (scope) {
    case 'timed':
      return 'For a time, in this session';
    case 'session':
      return 'Until this session ends';
    case 'ticket':
      return 'In every session of this ticket';
    case 'project':
      return 'In every session of this project';
    case 'always':
      return `Always, as a rule in group \`${groupOf(bindings.groupId)}\``;
  }
}

/** A scope with everything that keeps its promise. */
export interface Plan {
  readonly scope: Remembered;
  /** The same question, asked without what does not last as long as this scope. */
  readonly asked: Asked;
  readonly ruling: Ruling;
  readonly parts: readonly Part[];
}

/** Null: the session has no such scope, or it would not hold. Parts of `timed` are the same for every duration. */
export function planScope(asked: Asked, scope: Remembered): Plan | null {
  if (!hasScope(scope, asked.bindings)) return null;
  const viewed: Asked = { ...asked, session: viewFor(scope, asked.nowMs + LONGEST_DURATION_S * 1000, asked.session) };
  const ruling = ruleAsked(viewed);
  if (ruling.verdict !== 'require' || ruling.hard) return null;
  const parts = keptParts(viewed, scope, ruling);
  return parts === null || parts.length > MOST_PARTS ? null : { scope, asked: viewed, ruling, parts };
}

export function hasScope(scope: Scope, bindings: Bindings): boolean {
  switch (scope) {
    case 'ticket':
      return bindings.ticketId !== null;
    case 'project':
      return bindings.projectId !== null;
    case 'once':
    case 'timed':
    case 'session':
    case 'always':
      return true;
  }
}

/**
 * Why an allow of this call can be remembered by no scope, as a clause; null when it can. Dangerous commands and opaque units (spec
 * 6), whatever is hard, whatever is denied or has nothing to ask, and a tool whose name would mean more than itself.
 */
export function reasonForOnceOnly(asked: Asked, risk: Risk): string | null {
  const { call } = asked;
  const danger = onceOnlyFact(risk);
  if (danger !== null) return `it is dangerous: ${danger.text}`;
  const ruling = ruleAsked(asked);
  if (ruling.verdict === 'deny') return 'it is denied';
  if (ruling.verdict === 'stage') return 'it is staged';
  if (ruling.verdict === 'allow') return 'it is allowed already';
  if (ruling.checks.some((one) => one.hard && one.check.unit !== undefined && call.units[one.check.unit]?.opaque === true))
    return 'what it runs cannot be told before it runs';
  if (ruling.hard) return 'something about it asks every time';
  if (!isPlainName(call.tool)) return `\`${call.tool}\` means more than one tool`;
  if (ruling.checks.filter((one) => one.verdict === 'require').length > MOST_PARTS * 4) return 'it has too many parts';
  return null;
}
