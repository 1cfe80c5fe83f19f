// Opening a session (spec 10, 11, 13): who may give it what, where its root is, what it starts with, and joining one that is
// open already. Resuming and forking are in resuming.ts.

import { statSync } from 'node:fs';
import { freemem, loadavg, totalmem } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fail, ok, type Result } from '../../shared/failure';
import type { Session } from '../../shared/model';
import type { SessionDraft } from '../../shared/schemas';
import { isWithin } from '../engine/match';
import type { Write } from '../store/events';
import { type AccessGround, accessGround, defaultAccess, flaggedAccess, type Seed } from './access';
import { actorOf, type Caller, hasScope } from './caller';
import { fullNeedsAdmin, refuseContext, resolved } from './context-rules';
import type { Core } from './core';
import { archived, liveSession } from './lookup';
import { homeostatSample } from './session-view';

export const NO_USAGE: Session['usage'] = { turns: 0, tool_calls: 0, output_tokens: 0, cost_usd: 0 };

/**
 * A new session, or the live one of the same agent with the same `external_id`: hooks open before every call. Failures:
 * `forbidden` for what a token of agent scope cannot give itself, `invalid` naming the field, `conflict`.
 */
export function openSession(core: Core, draft: SessionDraft, caller: Caller): Result<Session> {
  const refused = refuseFields(core, draft, caller);
  if (refused !== null) return refused;
  const joined = sessionToJoin(core, draft);
  if (joined !== null) return joinSession(core, joined, draft);
  const parent = draft.parent_id ? liveSession(core, draft.parent_id) : null;
  if (parent !== null && !parent.ok) return parent;
  const binding = bindingOf(core, draft, parent?.value ?? null);
  if (!binding.ok) return binding;
  const isPerson = hasScope(caller, 'operator.write');
  const place = parent === null ? placeOf(core, draft) : placeOfChild(core, draft, parent.value, isPerson);
  if (!place.ok) return place;
  const ground = accessGround(core);
  const seed = seedOf(draft, place.value, ground);
  if (!seed.ok) return seed;
  const session = newSession(core, draft, caller, { ...place.value, ...binding.value, parent: parent?.value ?? null, seed: seed.value });
  const sampled = withHomeostat(core, session);
  const result = core.commit([
    {
      type: 'session.opened',
      at: session.created_at,
      actor: actorOf(caller, session.id),
      session_id: session.id,
      summary: `${session.agent} opened a session${session.root === null ? '' : ` in \`${session.root}\``}.`,
      writes: [{ put: 'session', value: sampled }] satisfies Write[],
    },
  ]);
  if (!result.applied) return fail('conflict', 'Another session was opened with the same id.', { hint: 'Try again.' });
  core.contacts.set(session.id, core.nowMs());
  return ok(core.live.sessions.get(session.id) ?? sampled);
}

// ------------------------------------------------------------------ who may give what

/** Spec 13: what widens a session needs operator.write, mode `full` operator.admin. Null: nothing stands against it. */
export function refuseFields(core: Core, draft: SessionDraft, caller: Caller): ReturnType<typeof fail> | null {
  const given: readonly (readonly [string, boolean])[] = [
    ['run_context', (draft.run_context ?? null) !== null],
    ['mode', (draft.mode ?? null) !== null],
    ['project_id', (draft.project_id ?? null) !== null],
    ['ticket_id', (draft.ticket_id ?? null) !== null],
    ['allow_read', (draft.allow_read ?? []).length > 0],
    ['allow_write', (draft.allow_write ?? []).length > 0],
  ];
  const widening = given.find(([, isGiven]) => isGiven);
  if (widening !== undefined && !hasScope(caller, 'operator.write')) {
    const [field] = widening;
    return fail('forbidden', `An agent cannot give itself \`${field}\`.`, { hint: 'Ask the person who runs Gatehouse to set it.', subject: field });
  }
  if (draft.mode === 'full' && !hasScope(caller, 'operator.admin')) return fullNeedsAdmin('mode');
  return refuseContext(core, draft.run_context ?? null, caller, 'run_context.');
}

// ------------------------------------------------------------------ joining

function sessionToJoin(core: Core, draft: SessionDraft): Session | null {
  const externalId = draft.external_id ?? null;
  if (externalId === null) return null;
  for (const session of core.live.sessions.values()) {
    if (session.external_id === externalId && session.agent === draft.agent && session.ended_at === null) return session;
  }
  return null;
}

/** Where it is and under what it runs stays as it is: a working directory that moved is the call's, and what a person gives is set by its own command. */
function joinSession(core: Core, session: Session, draft: SessionDraft): Result<Session> {
  const differs = (['mode', 'run_context', 'project_id', 'ticket_id'] as const).find(
    (field) => (draft[field] ?? null) !== null && JSON.stringify(draft[field]) !== JSON.stringify(session[field]),
  );
  const flagged = (['allow_read', 'allow_write'] as const).find((field) => (draft[field] ?? []).length > 0);
  const field = differs ?? flagged;
  if (field !== undefined) {
    return fail('conflict', `The session is open already, and \`${field}\` cannot be changed by opening it again.`, {
      hint: 'Change it on the session itself.',
      subject: { session_id: session.id, field },
    });
  }
  core.contacts.set(session.id, core.nowMs());
  return ok(session);
}

// ------------------------------------------------------------------ project and ticket

type Binding = Pick<Session, 'project_id' | 'ticket_id'>;

/** A child works in the project and ticket of its parent, unless a person binds it elsewhere. */
function bindingOf(core: Core, draft: SessionDraft, parent: Session | null): Result<Binding> {
  const ticketId = draft.ticket_id ?? null;
  const ticket = ticketId === null ? null : core.live.tickets.get(ticketId);
  if (ticket === undefined) return unknown('ticket', ticketId);
  const projectId = draft.project_id ?? ticket?.project_id ?? null;
  if (projectId === null) return ok({ project_id: parent?.project_id ?? null, ticket_id: parent?.ticket_id ?? null });
  const project = core.live.projects.get(projectId);
  if (project === undefined) return unknown('project', projectId);
  if (ticket !== null && ticket.project_id !== projectId) {
    return fail('invalid', `The ticket \`${ticket.id}\` belongs to another project.`, { hint: 'Name one of the two.', subject: 'ticket_id' });
  }
  if (project.archived) return archived(project);
  return ok({ project_id: projectId, ticket_id: ticketId });
}

const unknown = (what: 'project' | 'ticket', id: string | null) =>
  fail('invalid', `There is no ${what} \`${id ?? ''}\`.`, { hint: `Make the ${what} first.`, subject: `${what}_id` });

// ------------------------------------------------------------------ root and working directory

export interface Place {
  readonly root: string | null;
  readonly cwd: string | null;
}

/**
 * Spec 11: an explicit cwd becomes the root; without one, the agent's configured workspace; a managed worktree's root is its
 * checkout, and a nested cwd stays the cwd.
 */
function placeOf(core: Core, draft: SessionDraft): Result<Place> {
  const { agent_workspaces } = core.live.settings;
  const workspace = Object.hasOwn(agent_workspaces, draft.agent) ? (agent_workspaces[draft.agent] ?? null) : null;
  const cwd = landing(core, draft.cwd ?? (draft.root ? null : workspace), 'cwd');
  if (!cwd.ok) return cwd;
  const given = landing(core, draft.root ?? null, 'root');
  if (!given.ok) return given;
  const root = given.value ?? (draft.worktree === true && cwd.value !== null ? checkoutOf(cwd.value) : cwd.value);
  return ok({ root, cwd: cwd.value ?? root });
}

/**
 * Spec 11: children inherit root and mode. INVARIANT (spec 4): a token of agent scope cannot move what it inherits to another
 * place: a child that runs under a mode or a project stays inside its parent's directories.
 */
function placeOfChild(core: Core, draft: SessionDraft, parent: Session, isPerson: boolean): Result<Place> {
  const { facts, mode } = core.standings.of(parent);
  const given = landing(core, draft.cwd ?? null, 'cwd');
  if (!given.ok) return given;
  const root = landing(core, draft.root ?? null, 'root');
  if (!root.ok) return root;
  const explicit = root.value ?? given.value;
  const cwd = given.value ?? root.value ?? facts.workingDirectory ?? parent.cwd;
  if (explicit === null) return ok({ root: parent.root, cwd });
  if (isPerson) return ok({ root: explicit, cwd });
  const inside = [parent.root, facts.workingDirectory].some((dir) => dir !== null && isWithin(dir, explicit, facts.platform));
  if (inside) return ok({ root: parent.root, cwd });
  if (mode === null && parent.project_id === null) return ok({ root: explicit, cwd });
  return fail(
    'forbidden',
    `A child of this session works inside \`${parent.root ?? facts.workingDirectory ?? 'no directory'}\`, not in \`${explicit}\`.`,
    {
      hint: 'Leave `cwd` out, or ask the person to open the session.',
      subject: 'cwd',
    },
  );
}

/** Canonical. It need not exist: an agent may be about to make it. */
function landing(core: Core, raw: string | null, field: 'cwd' | 'root'): Result<string | null> {
  if (raw === null) return ok(null);
  if (!isAbsolute(raw) && !raw.startsWith('~')) {
    return fail('invalid', `\`${raw}\` is not absolute.`, { hint: 'Give the whole path.', subject: field });
  }
  const landed = core.deps.paths.canonical(raw, null);
  if (landed.path === null)
    return fail('invalid', `\`${raw}\` cannot be resolved: ${landed.reason}.`, { hint: 'Name the directory itself.', subject: field });
  return ok(landed.path);
}

/** The directory at or above `path` that holds `.git`, a folder or, in a linked worktree, a file; `path` when there is none. */
export function checkoutOf(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (exists(join(at, '.git'))) return at;
    if (dirname(at) === at) return path;
  }
}

function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
}

// ------------------------------------------------------------------ what it starts with

function seedOf(draft: SessionDraft, place: Place, ground: AccessGround): Result<Seed> {
  const isFlagged = (draft.allow_read ?? []).length + (draft.allow_write ?? []).length > 0;
  if (!isFlagged) return ok(defaultAccess(place.root, ground));
  const access = flaggedAccess(draft, place.cwd ?? place.root, ground);
  return access.ok ? ok({ access: access.value, notices: [] }) : access;
}

function newSession(
  core: Core,
  draft: SessionDraft,
  caller: Caller,
  made: Place & Binding & { readonly parent: Session | null; readonly seed: Seed },
): Session {
  const id = core.newId('ses');
  const at = core.nowIso();
  const { parent, seed } = made;
  // The mode that a managed worktree has by itself is for whoever manages it to give.
  const worktree = draft.worktree === true && hasScope(caller, 'operator.write');
  return {
    id,
    agent: draft.agent,
    source: draft.source,
    external_id: draft.external_id ?? null,
    title: draft.title ?? '',
    project_id: made.project_id,
    ticket_id: made.ticket_id,
    parent_id: parent?.id ?? null,
    root: made.root,
    cwd: made.cwd,
    worktree,
    mode: draft.mode ?? null,
    run_context: draft.run_context ?? null,
    access: seed.access,
    headless: draft.headless === true || parent?.headless === true,
    state: 'idle',
    cancelled: parent?.cancelled ?? false,
    // Spec 12: one token per run; subagents are part of their parent's run.
    cancel_token: parent?.cancel_token ?? core.newId('run'),
    usage: NO_USAGE,
    homeostat: null,
    notices: seed.notices,
    created_at: at,
    last_contact_at: at,
    ended_at: null,
  };
}

export function withHomeostat(core: Core, session: Session): Session {
  if (resolved(core, session).values.homeostat !== true) return session;
  const load = process.platform === 'win32' ? [] : loadavg();
  return { ...session, homeostat: homeostatSample(core, { load, memory: { freeBytes: freemem(), totalBytes: totalmem() } }) };
}
