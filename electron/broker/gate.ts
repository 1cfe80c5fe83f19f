// The gate. INVARIANT (house): every evaluation of the program, of a call that arrives, waits, is answered, delivered,
// released or only simulated, goes through `evaluate` here, and no other file asks the engine for a verdict.

import { fail, ok, type Result } from '../../shared/failure';
import type { Hook, Request, Session } from '../../shared/model';
import { decide } from '../engine/decide';
import type { CallFacts, HookOutcome, ReviewerOutcome, Ruling, SessionFacts } from '../engine/facts';
import { type CompiledPolicy, namesDeniedSegment } from '../engine/policy';
import type { LiveState } from '../store/contract';
import type { Core } from './core';
import { hooksFor, runPreToolHooks, sessionPayload } from './hooks';
import { type CallToTakeIn, digestOf, takeIn } from './intake';
import { reviewCall } from './reviewer';
import { factsNow, type Standing, standingOf } from './session-facts';

/** A call after intake, for one session. */
export interface TakenCall {
  readonly draft: CallToTakeIn;
  readonly call: CallFacts;
  readonly digest: string;
}

/** Rules and records that a call is judged by: those in force, unless others are named. */
export interface Ground {
  readonly view: LiveState;
  readonly policy: CompiledPolicy;
}

export function groundOf(core: Core): Ground {
  return { view: core.live, policy: core.policy.current() };
}

export function standingIn(core: Core, session: Session, ground: Ground): Standing {
  return ground.view === core.live ? core.standings.of(session) : standingOf(session, ground.view, core.factsOptions);
}

/** Spec 3, on the disk as it is now. `invalid` for an input that cannot be read. */
export function takeInCall(core: Core, standing: Standing, policy: CompiledPolicy, draft: CallToTakeIn): Result<TakenCall> {
  const { facts, session } = standing;
  const taken = takeIn(
    draft,
    {
      agent: session.agent,
      source: session.source,
      root: facts.root,
      workingDirectory: facts.workingDirectory,
      namesDeniedSegment: (segment) => namesDeniedSegment(policy, facts.groupId, segment),
    },
    core.deps.paths,
  );
  if (!taken.ok) return taken;
  const call = taken.value;
  return ok({ draft, call, digest: digestOfCall(session.id, draft, call) });
}

export function digestOfCall(sessionId: string, draft: Pick<CallToTakeIn, 'tool' | 'input'>, call: CallFacts): string {
  return digestOf(
    sessionId,
    draft.tool,
    draft.input,
    call.cwd,
    call.paths.map((path) => path.canonical),
  );
}

/** What was recorded of a request, to be taken in again: what it declared can only add checks, so saying it twice adds nothing. */
export function draftOf(request: Request): CallToTakeIn {
  return {
    tool: request.tool,
    input: request.input,
    cwd: request.cwd,
    kind: request.kind,
    paths: request.paths.filter((path) => path.origin === 'declared').map(({ raw, access }) => ({ path: raw, access })),
    hosts: request.hosts,
  };
}

export interface Evaluation {
  readonly ruling: Ruling;
  readonly facts: SessionFacts;
}

export interface HowToJudge {
  /** What the pre_tool hooks said; absent: they have not run, which the trace says. */
  readonly hook?: HookOutcome;
  readonly reviewer?: ReviewerOutcome;
  /** The call stands in the counts already. */
  readonly isCounted?: boolean;
}

/** Spec 4. The facts are of this moment: counts, clock and links. */
export function evaluate(core: Core, standing: Standing, call: CallFacts, ground: Ground, how: HowToJudge = {}): Evaluation {
  const nowMs = core.nowMs();
  const facts = factsNow(standing, {
    policy: ground.policy,
    view: ground.view,
    nowMs,
    hasPreToolHook: hooksFor(standing.hooks, 'pre_tool', call).length > 0,
    isCounted: how.isCounted ?? false,
    links: core.linksOf(standing, ground.policy),
  });
  const outcomes = {
    ...(how.hook === undefined ? {} : { hook: how.hook }),
    ...(how.reviewer === undefined ? {} : { reviewer: how.reviewer }),
  };
  return { ruling: decide(call, facts, ground.policy, nowMs, outcomes), facts };
}

/** For a comparison of rules: whether the run is cancelled or used up does not matter, and hooks do not run. */
export function factsApartFromRun(core: Core, standing: Standing, policies: readonly CompiledPolicy[]): SessionFacts {
  const [policy = core.policy.current()] = policies;
  const links = policies.flatMap((one) => core.linksOf(standing, one));
  const facts = factsNow(standing, { policy, view: core.live, nowMs: core.nowMs(), hasPreToolHook: false, isCounted: false, links });
  return { ...facts, cancelled: false, budget: [] };
}

/** A call judged with everything that has a say, the person excepted. */
export interface Judged extends Evaluation {
  readonly taken: TakenCall;
  readonly standing: Standing;
  readonly reviewer: ReviewerOutcome | null;
}

export interface JudgeOptions {
  /** The session as it is when it is asked; a failure ends the judging. */
  session(): Result<Session>;
  readonly draft: CallToTakeIn;
  readonly isCounted?: boolean;
  /** For hooks: the id of the request, when there is one. */
  readonly requestId?: string;
  /** Spec 4, step 11. Off for a release, which runs steps 1 to 8. */
  readonly withReviewer: boolean;
}

/**
 * Steps 1 to 11, hooks and reviewer included. Whatever takes time is followed by another evaluation, so that what is returned
 * was judged by policy, records and disk as they are at that moment. Nothing runs for a call that is denied without it.
 */
export async function judgeWhole(core: Core, options: JudgeOptions): Promise<Result<Judged>> {
  let hook: HookOutcome | undefined;
  let heard = '';
  let reviewer: ReviewerOutcome | undefined;
  for (;;) {
    if (core.isClosed()) return fail('unavailable', 'Gatehouse is stopping.', { hint: 'Send the call again when it runs.' });
    const session = options.session();
    if (!session.ok) return session;
    const ground = groundOf(core);
    const standing = core.standings.of(session.value);
    const taken = takeInCall(core, standing, ground.policy, options.draft);
    if (!taken.ok) return taken;
    const { call } = taken.value;
    const hooks = hooksFor(standing.hooks, 'pre_tool', call);
    // Hooks that were changed meanwhile have not heard of this call.
    const key = hooks.length === 0 ? '' : JSON.stringify(hooks);
    const evaluation = evaluate(core, standing, call, ground, {
      ...(hook !== undefined && key === heard ? { hook } : {}),
      ...(reviewer === undefined ? {} : { reviewer }),
      ...(options.isCounted === undefined ? {} : { isCounted: options.isCounted }),
    });
    const judged: Judged = { ...evaluation, taken: taken.value, standing, reviewer: reviewer ?? null };
    const { ruling, facts } = evaluation;
    if (ruling.verdict === 'deny') return ok(judged);
    if (key !== heard) {
      heard = key;
      if (key !== '') {
        hook = await askHooks(core, hooks, standing, taken.value, options.requestId);
        continue;
      }
    }
    const setting = core.live.settings.reviewer;
    if (options.withReviewer && ruling.verdict === 'require' && !ruling.hard && facts.hasReviewer && reviewer === undefined && setting !== null) {
      reviewer = await reviewCall(
        setting,
        { call, input: taken.value.draft.input, session: standing.session, facts, trace: ruling.trace },
        core.programs,
      );
      continue;
    }
    return ok(judged);
  }
}

function askHooks(core: Core, hooks: readonly Hook[], standing: Standing, taken: TakenCall, requestId: string | undefined): Promise<HookOutcome> {
  const { session, mode, facts } = standing;
  const { call, draft } = taken;
  return runPreToolHooks(
    hooks,
    {
      event: 'pre_tool',
      tool: draft.tool,
      input: draft.input,
      cwd: call.cwd ?? facts.workingDirectory,
      session: sessionPayload(session, mode),
      ...(requestId === undefined ? {} : { request: { id: requestId } }),
    },
    core.programs,
  );
}

/** The recorded request as a call of now. Fails when its session is gone or its input can no longer be read. */
export function takeInAgain(core: Core, request: Request, ground: Ground): Result<{ readonly standing: Standing; readonly taken: TakenCall }> {
  const session = ground.view.sessions.get(request.session_id) ?? core.store.session(request.session_id);
  if (session === undefined) return fail('not_found', `There is no session \`${request.session_id}\`.`);
  const standing = standingIn(core, session, ground);
  const taken = takeInCall(core, standing, ground.policy, draftOf(request));
  return taken.ok ? ok({ standing, taken: taken.value }) : taken;
}
