// Which run context holds (spec 9) and which mode (spec 11): collects the layers from the live state, lets the engine resolve
// them field by field, and makes directories canonical. Decides nothing and changes nothing.

import { accessSync, constants } from 'node:fs';
import type { EffectiveContext, Project, RunContext, Session, Ticket } from '../../shared/model';
import type { Mode } from '../../shared/terms';
import { type ContextLayerValue, contextEntry, effectiveMode, effectiveWorkingDir, resolveRunContext } from '../engine/context';
import type { LiveState } from '../store/contract';
import type { Paths } from './paths';

/** What the layers are looked up by. A session is one; so is a call that is only simulated, a project, a ticket, a job. */
export interface ContextSubject {
  readonly agent: string | null;
  readonly source: string | null;
  readonly run_context: RunContext | null;
  readonly project_id: string | null;
  readonly ticket_id: string | null;
  readonly parent_id: string | null;
  readonly root: string | null;
  readonly cwd: string | null;
  readonly mode: Mode | null;
  readonly worktree: boolean;
}

export interface ContextSources {
  readonly view: LiveState;
  readonly paths: Paths;
  /** Also sessions that ended long ago: what a parent could not do its children cannot, while they live. */
  session(id: string): Session | undefined;
}

export interface Resolved {
  readonly effective: EffectiveContext;
  readonly mode: Mode | null;
  /** The parent's own resolution, up to the first session of the chain. */
  readonly parent: { readonly session: Session; readonly resolved: Resolved } | null;
}

/** Longer chains than any agent makes; a bound, since every link is resolved. */
const MAX_GENERATIONS = 64;

export function resolveContext(subject: ContextSubject, sources: ContextSources, generation = 0): Resolved {
  const { view, paths } = sources;
  const parentSession = subject.parent_id === null || generation >= MAX_GENERATIONS ? undefined : sources.session(subject.parent_id);
  const parent = parentSession === undefined ? null : { session: parentSession, resolved: resolveContext(parentSession, sources, generation + 1) };
  const project = subject.project_id === null ? null : (view.projects.get(subject.project_id) ?? null);
  const ticket = subject.ticket_id === null ? null : (view.tickets.get(subject.ticket_id) ?? null);
  const { fields, ceilings, values } = resolveRunContext(layersOf(subject, project, ticket, view), parent?.resolved.effective.values ?? null);
  const mode = effectiveMode({
    explicit: subject.mode,
    parent: parent?.resolved.mode ?? null,
    context: values.permission_mode ?? null,
    worktree: subject.worktree,
  });

  const warnings: string[] = [];
  if (subject.project_id !== null && project === null) warnings.push('The project of this session was deleted; its settings no longer apply.');
  if (subject.ticket_id !== null && ticket === null) warnings.push('The ticket of this session was deleted; its settings no longer apply.');
  const group = values.security_group ?? null;
  if (group !== null && !view.groups.has(group)) warnings.push(`The group \`${group}\` was deleted, so it counts as a group without rules.`);
  for (const { command, event } of values.hooks ?? []) {
    if (!canStart(command)) warnings.push(`The ${event} hook \`${command}\` cannot be started as it stands, so its calls are denied.`);
  }

  const folder = project?.folder ?? null;
  const workingDirectory = landing(effectiveWorkingDir(values, folder, subject.cwd), folder ?? subject.root ?? subject.cwd, paths, warnings);
  const roots = (entries: readonly string[] | null | undefined): readonly string[] => rootsOf(entries ?? [], workingDirectory, paths, warnings);
  return {
    effective: {
      fields,
      ceilings,
      values,
      working_directory: workingDirectory,
      write_roots: roots(values.allow_fs_writes),
      read_roots: roots(values.allow_fs_reads),
      warnings,
    },
    mode,
    parent,
  };
}

/** Strongest first (spec 9): given to the session, ticket, project, the agent's default, the source's default. */
function layersOf(subject: ContextSubject, project: Project | null, ticket: Ticket | null, view: LiveState): readonly ContextLayerValue[] {
  const { agents, sources } = view.settings.run_context_defaults;
  const byName = (table: Readonly<Record<string, RunContext>>, name: string | null): RunContext | null =>
    name !== null && Object.hasOwn(table, name) ? (table[name] ?? null) : null;
  return [
    { layer: 'session', context: subject.run_context },
    { layer: 'ticket', context: ticket?.run_context ?? null },
    { layer: 'project', context: project?.run_context ?? null },
    { layer: 'agent_default', context: byName(agents, subject.agent) },
    { layer: 'source_default', context: byName(sources, subject.source) },
  ];
}

function landing(raw: string | null, base: string | null, paths: Paths, warnings: string[]): string | null {
  if (raw === null) return null;
  const landed = paths.canonical(raw, base);
  if (landed.path === null) warnings.push(`The working directory \`${raw}\` cannot be resolved: ${landed.reason}.`);
  return landed.path;
}

/** Spec 9: resolved against the working directory; a wildcard other than a trailing `/*` or `/**` is literal, which is said. */
function rootsOf(entries: readonly string[], workingDirectory: string | null, paths: Paths, warnings: string[]): readonly string[] {
  const roots: string[] = [];
  for (const entry of entries) {
    const { path, hasLiteralWildcard } = contextEntry(entry);
    if (hasLiteralWildcard) warnings.push(`The star in \`${entry}\` is taken literally: an entry is a directory or a file, not a pattern.`);
    const landed = paths.canonical(path, workingDirectory);
    if (landed.path === null) warnings.push(`The entry \`${entry}\` cannot be resolved, so it allows nothing: ${landed.reason}.`);
    else if (!roots.includes(landed.path)) roots.push(landed.path);
  }
  return roots;
}

/** Only what can be told without running it: a program that is named by its full path. */
function canStart(command: string): boolean {
  const [program = ''] = command.trim().split(/\s/, 1);
  if (!program.startsWith('/') || /["'$`\\]/.test(program)) return true;
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
