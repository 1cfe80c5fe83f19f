// Run contexts (spec 9): which layer's value holds for each field, what it replaced, and what a child session cannot leave.
// Pure text and lists; resolving entries to canonical directories is the broker's.

import type { Budget, ContextLayer, EffectiveContext, Json, ResolvedField, RunContext, RunContextField } from '../../shared/model';
import { BUDGET_CEILINGS, type BudgetCeiling, type Mode } from '../../shared/terms';
import { rootOver } from './directories';
import type { PlatformFacts } from './facts';

export type ResolvedContext = Pick<EffectiveContext, 'fields' | 'ceilings' | 'values'>;

export interface ContextLayerValue {
  readonly layer: ContextLayer;
  readonly context: RunContext | null;
}

type Origin = ContextLayer | 'none';
interface Field<T> {
  readonly value: T | null;
  readonly origin: Origin;
  readonly replaced: readonly { readonly value: T; readonly origin: ContextLayer }[];
}

/**
 * Spec 9. `layers` strongest first; per field, one that is set replaces what is below, an unset field inherits, `[]` is set; the
 * budget is resolved ceiling by ceiling. `parent`: the resolved values of the parent session; a child inherits its phase,
 * withheld tools, hooks, outbox, group and ceilings and cannot leave them (spec 4).
 */
export function resolveRunContext(layers: readonly ContextLayerValue[], parent: RunContext | null = null): ResolvedContext {
  const own = <T>(read: (context: RunContext) => T | null | undefined): Field<T> => fieldOf(layers, read);
  const up = parent ?? {};
  const phase = holdPlan(
    own((context) => context.phase),
    up.phase ?? null,
  );
  const withheld = joined(
    own((context) => context.withheld),
    up.withheld ?? null,
  );
  const hooks = joined(
    own((context) => context.hooks),
    up.hooks ?? null,
  );
  const outbox = joined(
    own((context) => context.outbox),
    up.outbox ?? null,
  );
  const group = held(
    own((context) => context.security_group),
    up.security_group ?? null,
  );
  const ceilings = ceilingsOf((ceiling) =>
    lowest(
      own((context) => context.budget?.[ceiling]),
      up.budget?.[ceiling] ?? null,
    ),
  );
  const budget = budgetField(
    own((context) => (context.budget && hasCeiling(context.budget) ? context.budget : null)),
    ceilings,
  );
  const resolved = {
    security_group: group,
    system_prompt: own((context) => context.system_prompt),
    allow_fs_writes: own((context) => context.allow_fs_writes),
    allow_fs_reads: own((context) => context.allow_fs_reads),
    working_directory: own((context) => context.working_directory),
    permission_mode: own((context) => context.permission_mode),
    phase,
    withheld,
    budget,
    hooks,
    outbox,
    compact_at_tokens: own((context) => context.compact_at_tokens),
    homeostat: own((context) => context.homeostat),
    mail: own((context) => context.mail),
  };
  const values: RunContext = {
    security_group: resolved.security_group.value,
    system_prompt: resolved.system_prompt.value,
    allow_fs_writes: resolved.allow_fs_writes.value,
    allow_fs_reads: resolved.allow_fs_reads.value,
    working_directory: resolved.working_directory.value,
    permission_mode: resolved.permission_mode.value,
    phase: resolved.phase.value,
    withheld: resolved.withheld.value,
    budget: resolved.budget.value,
    hooks: resolved.hooks.value,
    outbox: resolved.outbox.value,
    compact_at_tokens: resolved.compact_at_tokens.value,
    homeostat: resolved.homeostat.value,
    mail: resolved.mail.value,
  };
  return { fields: asJsonFields(resolved), ceilings, values };
}

function fieldOf<T>(layers: readonly ContextLayerValue[], read: (context: RunContext) => T | null | undefined): Field<T> {
  const set: { value: T; origin: ContextLayer }[] = [];
  for (const { layer, context } of layers) {
    const value = context === null ? null : read(context);
    if (value !== null && value !== undefined) set.push({ value, origin: layer });
  }
  const [winner, ...replaced] = set;
  return winner === undefined ? { value: null, origin: 'none', replaced: [] } : { ...winner, replaced };
}

/** Run contexts come from JSON and hold nothing else; the type of a hook only has no index signature. */
function asJsonFields(fields: { readonly [F in RunContextField]: Field<unknown> }): EffectiveContext['fields'] {
  return fields as { readonly [F in RunContextField]: ResolvedField<Json> };
}

// ------------------------------------------------------------------ what a child cannot leave

/** The parent's value over what the child has of its own. */
function over<T>(own: Field<T>, value: T): Field<T> {
  const replaced = own.value === null || own.origin === 'none' ? own.replaced : [{ value: own.value, origin: own.origin }, ...own.replaced];
  return { value, origin: 'parent', replaced };
}

const held = <T>(own: Field<T>, parent: T | null): Field<T> => (parent === null || own.value === parent ? own : over(own, parent));

/** A child may plan while its parent acts, never act while it plans. */
function holdPlan<T extends string>(own: Field<T>, parent: T | null): Field<T> {
  if (parent === null || own.value === 'plan' || (parent !== 'plan' && own.value !== null)) return own;
  return held(own, parent);
}

/** The parent's entries, then those of the child that are not among them. */
function joined<T>(own: Field<readonly T[]>, parent: readonly T[] | null): Field<readonly T[]> {
  if (parent === null || parent.length === 0) return own;
  const known = new Set(parent.map((entry) => JSON.stringify(entry)));
  const added = (own.value ?? []).filter((entry) => !known.has(JSON.stringify(entry)));
  return over(own, [...parent, ...added]);
}

const lowest = (own: Field<number>, parent: number | null): Field<number> =>
  parent === null || (own.value !== null && own.value <= parent) ? own : over(own, parent);

// ------------------------------------------------------------------ budget

const hasCeiling = (budget: Budget): boolean => BUDGET_CEILINGS.some((ceiling) => typeof budget[ceiling] === 'number');

function ceilingsOf(read: (ceiling: BudgetCeiling) => Field<number>): EffectiveContext['ceilings'] {
  return {
    max_turns: read('max_turns'),
    max_tool_calls: read('max_tool_calls'),
    max_output_tokens: read('max_output_tokens'),
    max_cost_usd: read('max_cost_usd'),
    max_wall_s: read('max_wall_s'),
  };
}

/** The merged budget; its origin is the strongest layer that has a part in it, each ceiling's own is in `ceilings`. */
function budgetField(own: Field<Budget>, ceilings: EffectiveContext['ceilings']): Field<Budget> {
  const value: { [ceiling in BudgetCeiling]?: number } = {};
  let fromParent = false;
  for (const ceiling of BUDGET_CEILINGS) {
    const { value: limit, origin } = ceilings[ceiling];
    if (limit === null) continue;
    value[ceiling] = limit;
    fromParent ||= origin === 'parent';
  }
  if (Object.keys(value).length === 0) return { value: null, origin: 'none', replaced: [] };
  return fromParent ? over(own, value) : { ...own, value };
}

// ------------------------------------------------------------------ mode

/**
 * Spec 11. Given to the session itself; else its parent's (a child of `full` gets `workspace`); else the run context's of
 * project, ticket or defaults; else `workspace` for a managed worktree. Null: unset.
 */
export function effectiveMode(given: {
  readonly explicit: Mode | null;
  readonly parent: Mode | null;
  readonly context: Mode | null;
  readonly worktree: boolean;
}): Mode | null {
  const inherited = given.parent === 'full' ? 'workspace' : given.parent;
  return given.explicit ?? inherited ?? given.context ?? (given.worktree ? 'workspace' : null);
}

// ------------------------------------------------------------------ what the rest of the program asks (spec 2)

/** Group whose rules come before `default`; null: `default` alone. */
export const toolGroupId = (context: RunContext): string | null => context.security_group ?? null;

/** Fragments joined by a blank line; null when there are none. */
export function extraSystemPrompt(context: RunContext): string | null {
  const fragments = (context.system_prompt ?? []).filter((fragment) => fragment.trim() !== '');
  return fragments.length === 0 ? null : fragments.join('\n\n');
}

/** Spec 9: the one that a layer sets, else the project's folder, else where the session was opened. As given, not resolved. */
export function effectiveWorkingDir(context: RunContext, projectFolder: string | null, sessionCwd: string | null): string | null {
  return context.working_directory ?? projectFolder ?? sessionCwd;
}

/** Canonical roots of a resolved context. The targets of links at `docs` and `skills` belong among `readRoots`. */
export interface ContextRoots {
  readonly workingDirectory: string | null;
  readonly writeRoots: readonly string[];
  readonly readRoots: readonly string[];
}

/** `path` canonical. Inside `allow_fs_writes`. */
export function isWriteAllowed(path: string, roots: ContextRoots, platform: PlatformFacts): boolean {
  return rootOver(path, roots.writeRoots, platform) !== null;
}

/** `path` canonical. Inside the working directory (its `docs` and `skills` with it), `allow_fs_reads` or `allow_fs_writes`. */
export function isReadAllowed(path: string, roots: ContextRoots, platform: PlatformFacts): boolean {
  const { workingDirectory, readRoots, writeRoots } = roots;
  return rootOver(path, [...(workingDirectory === null ? [] : [workingDirectory]), ...readRoots, ...writeRoots], platform) !== null;
}

/** An entry of `allow_fs_*` as the directory or file it names: a trailing slash, `/*` or `/**` is dropped; another star stays literal. */
export function contextEntry(entry: string): { readonly path: string; readonly hasLiteralWildcard: boolean } {
  const trimmed = entry.replace(/[\\/]+$/, '').replace(/[\\/]+\*{1,2}$/, '');
  const path = trimmed === '' && /^[\\/]/.test(entry) ? entry.slice(0, 1) : trimmed;
  return { path, hasLiteralWildcard: path.includes('*') };
}
