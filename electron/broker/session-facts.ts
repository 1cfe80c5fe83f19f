// The session as the engine is told it (engine/facts.ts). What follows from records is worked out once and kept until a record
// changes; what follows from counts, the clock and links on disk is looked at for every decision. Decides nothing.

import type { Grant, Hook, Session, Settings } from '../../shared/model';
import { BUDGET_CEILINGS, type BudgetCeiling } from '../../shared/terms';
import type { CeilingUse, PatternLink, ProtectedPlaces, SessionFacts } from '../engine/facts';
import { type CompiledPolicy, relativeHeads } from '../engine/policy';
import type { LiveState } from '../store/contract';
import type { Write } from '../store/events';
import { type ContextSources, type Resolved, resolveContext } from './contexts';
import type { Paths } from './paths';
import { changesVerdicts } from './view';

/** What holds for a session until a record changes. */
export interface Standing extends Resolved {
  readonly session: Session;
  readonly hooks: readonly Hook[];
  /** The session's own ceilings and those of the sessions it descends from, each against the use of its owner. */
  readonly ceilings: readonly { readonly owner: string; readonly ceiling: BudgetCeiling; readonly limit: number; readonly startedMs: number }[];
  readonly facts: Omit<SessionFacts, 'budget' | 'cancelled' | 'links' | 'hasPreToolHook'>;
}

export interface FactsOptions {
  readonly dataDir: string;
  readonly paths: Paths;
  now(): number;
  session(id: string): Session | undefined;
}

/** `view`: the live state, or one that does not hold yet (view.ts). */
export function standingOf(session: Session, view: LiveState, options: FactsOptions): Standing {
  const { paths } = options;
  const sources: ContextSources = { view, paths, session: (id) => view.sessions.get(id) ?? options.session(id) };
  const resolved = resolveContext(session, sources);
  const { effective, mode } = resolved;
  const { values } = effective;
  const { reviewer } = view.settings;
  return {
    ...resolved,
    session,
    hooks: values.hooks ?? [],
    ceilings: ceilingsOf(session, resolved),
    facts: {
      id: session.id,
      root: session.root,
      workingDirectory: effective.working_directory,
      groupId: values.security_group ?? null,
      mode,
      phase: values.phase ?? null,
      withheld: values.withheld ?? [],
      access: session.access,
      writeRoots: effective.write_roots,
      readRoots: effective.read_roots,
      grants: grantsOf(session, view),
      outbox: values.outbox ?? [],
      headless: session.headless,
      // Spec 11: of the modes only `workspace` has a reviewer before the person.
      hasReviewer: mode === 'workspace' && reviewer !== null,
      platform: paths.platform,
      protectedPlaces: protectedPlacesOf(view.settings, options),
    },
  };
}

export function protectedPlacesOf({ protected_paths }: Pick<Settings, 'protected_paths'>, { paths, dataDir }: FactsOptions): ProtectedPlaces {
  return {
    home: paths.home,
    ownDataDir: paths.canonical(dataDir, null).path ?? dataDir,
    extra: protected_paths.extra.map((path) => paths.canonical(path, paths.home).path ?? path),
    lifted: protected_paths.lifted,
  };
}

function ceilingsOf(session: Session, resolved: Resolved): Standing['ceilings'] {
  const own = BUDGET_CEILINGS.flatMap((ceiling) => {
    const limit = resolved.effective.ceilings[ceiling].value;
    return limit === null ? [] : [{ owner: session.id, ceiling, limit, startedMs: Date.parse(session.resumed_at ?? session.created_at) }];
  });
  return resolved.parent === null ? own : [...own, ...ceilingsOf(resolved.parent.session, resolved.parent.resolved)];
}

/** Session rules, then the ticket's and the project's grants, oldest first each. */
function grantsOf(session: Session, view: LiveState): readonly Grant[] {
  const own: Grant[] = [];
  const ticket: Grant[] = [];
  const project: Grant[] = [];
  for (const grant of view.grants.values()) {
    if (grant.session_id !== null) {
      if (grant.session_id === session.id) own.push(grant);
    } else if (grant.ticket_id !== null) {
      if (grant.ticket_id === session.ticket_id) ticket.push(grant);
    } else if (grant.project_id !== null && grant.project_id === session.project_id) project.push(grant);
  }
  return own.length + ticket.length + project.length === 0 ? NO_GRANTS : [...own, ...ticket, ...project];
}
const NO_GRANTS: readonly Grant[] = [];

export interface FactsNow {
  readonly policy: CompiledPolicy;
  readonly view: LiveState;
  readonly nowMs: number;
  readonly hasPreToolHook: boolean;
  /** The call under judgement has been counted already: it does not stand in its own way. */
  readonly isCounted: boolean;
  readonly links: readonly PatternLink[];
}

export function factsNow(standing: Standing, now: FactsNow): SessionFacts {
  const { view, nowMs } = now;
  const session = view.sessions.get(standing.session.id) ?? standing.session;
  const budget = standing.ceilings.map(({ owner, ceiling, limit, startedMs }): CeilingUse => {
    const { usage } = view.sessions.get(owner) ?? session;
    return { ceiling, limit, used: usedOf(ceiling, usage, (nowMs - startedMs) / 1000, now.isCounted) };
  });
  return { ...standing.facts, budget, cancelled: session.cancelled, hasPreToolHook: now.hasPreToolHook, links: now.links };
}

function usedOf(ceiling: BudgetCeiling, usage: Session['usage'], wallS: number, isCounted: boolean): number {
  switch (ceiling) {
    case 'max_turns':
      return usage.turns;
    case 'max_tool_calls':
      return isCounted ? usage.tool_calls - 1 : usage.tool_calls;
    case 'max_output_tokens':
      return usage.output_tokens;
    case 'max_cost_usd':
      return usage.cost_usd;
    case 'max_wall_s':
      return wallS;
  }
}

/** Standings of live sessions, kept until something that a verdict can depend on changes. */
export class StandingCache {
  readonly #known = new Map<string, Standing>();
  readonly #live: LiveState;
  readonly #options: FactsOptions;

  constructor(live: LiveState, options: FactsOptions) {
    this.#live = live;
    this.#options = options;
  }

  of(session: Session): Standing {
    const known = this.#known.get(session.id);
    if (known !== undefined) return known;
    const standing = standingOf(session, this.#live, this.#options);
    this.#known.set(session.id, standing);
    return standing;
  }

  /** Called after every commit. */
  changed(writes: readonly Write[]): void {
    if (this.#known.size > 0 && writes.some((write) => this.#concerns(write))) this.#known.clear();
  }

  clear(): void {
    this.#known.clear();
  }

  #concerns(write: Write): boolean {
    if (!changesVerdicts(write)) return false;
    if (!('put' in write)) return true;
    if (write.put === 'rule') return false;
    if (write.put !== 'session') return true;
    // A turn that begins, a session that is new: nothing that was worked out depends on it.
    for (const standing of this.#known.values()) {
      const used = sessionIn(standing, write.value.id);
      if (used !== null && STANDING_FIELDS.some((field) => used[field] !== write.value[field])) return true;
    }
    return false;
  }
}

/** The session with that id as it was when it or a descendant was worked out. */
function sessionIn(standing: Standing, id: string): Session | null {
  if (standing.session.id === id) return standing.session;
  for (let link = standing.parent; link !== null; link = link.resolved.parent) if (link.session.id === id) return link.session;
  return null;
}

const STANDING_FIELDS = [
  'agent',
  'source',
  'project_id',
  'ticket_id',
  'parent_id',
  'root',
  'cwd',
  'worktree',
  'mode',
  'run_context',
  'access',
  'headless',
  'ended_at',
  'resumed_at',
] as const satisfies readonly (keyof Session)[];

/** Up to this many heads are looked at before every decision; more than these at most once in the interval. */
const ALWAYS_LOOKED_AT = 64;
const LOOK_AGAIN_MS = 250;

/** Links that stand where a relative pattern begins, below root and working directory (spec 5.3), as the disk is now. */
export function createLinkLookup(paths: Paths, now: () => number): (standing: Standing, policy: CompiledPolicy) => readonly PatternLink[] {
  const lately = new WeakMap<CompiledPolicy, Map<string, { readonly atMs: number; readonly links: readonly PatternLink[] }>>();

  const linksBelow = (base: string, heads: readonly string[]): readonly PatternLink[] => {
    const links: PatternLink[] = [];
    for (const head of heads) {
      const link = paths.linkAt(base, head);
      if (link !== null) links.push(link);
    }
    return links;
  };

  return ({ facts }, policy) => {
    const heads = relativeHeads(policy);
    if (heads.length === 0) return NO_LINKS;
    const bases = [...new Set([facts.root, facts.workingDirectory])].filter((base) => base !== null);
    if (heads.length <= ALWAYS_LOOKED_AT) return bases.flatMap((base) => linksBelow(base, heads));
    const byBase = lately.get(policy) ?? new Map();
    lately.set(policy, byBase);
    return bases.flatMap((base) => {
      const known = byBase.get(base);
      if (known !== undefined && now() - known.atMs < LOOK_AGAIN_MS) return known.links;
      const links = linksBelow(base, heads);
      byBase.set(base, { atMs: now(), links });
      return links;
    });
  };
}
const NO_LINKS: readonly PatternLink[] = [];
