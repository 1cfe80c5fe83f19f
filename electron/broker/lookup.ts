// Finding what a command names, or saying that it is not there. Reads only.

import { fail, ok, type Result } from '../../shared/failure';
import type { Job, Project, Session, Ticket } from '../../shared/model';
import type { Caller } from './caller';
import type { Core } from './core';

export function anySession(core: Core, id: string): Result<Session> {
  const session = core.live.sessions.get(id) ?? core.store.session(id);
  return session === undefined ? noSession(id) : ok(session);
}

/** Spec 3.1: an unknown or ended session is an error, not a decision. */
export function liveSession(core: Core, id: string): Result<Session> {
  const session = anySession(core, id);
  if (!session.ok || session.value.ended_at === null) return session;
  return fail('conflict', `The session \`${id}\` has ended.`, { hint: 'Open a session, or resume this one.', subject: { state: 'ended' } });
}

/**
 * Spec 8: agents never reach into other sessions. Whoever is bound to sessions (caller.ts) sees no others; a bearer of the
 * agent token is told apart by the ids it knows, which cannot be guessed.
 */
export function ownSession(core: Core, id: string, caller: Caller): Result<Session> {
  return caller.sessionIds === undefined || caller.sessionIds.has(id) ? liveSession(core, id) : noSession(id);
}

const noSession = (id: string) => fail('not_found', `There is no session \`${id}\`.`, { hint: 'Open a session first.', subject: 'session_id' });

export function anyProject(core: Core, id: string): Result<Project> {
  const project = core.live.projects.get(id);
  return project === undefined ? fail('not_found', `There is no project \`${id}\`.`, { subject: 'project_id' }) : ok(project);
}

export function ticketOf(core: Core, projectId: string, id: string): Result<Ticket> {
  const project = anyProject(core, projectId);
  if (!project.ok) return project;
  const ticket = core.live.tickets.get(id);
  if (ticket === undefined || ticket.project_id !== projectId) return fail('not_found', `The project has no ticket \`${id}\`.`, { subject: 'id' });
  return ok(ticket);
}

export function anyJob(core: Core, id: string): Result<Job> {
  const job = core.live.jobs.get(id);
  return job === undefined ? fail('not_found', `There is no scheduled job \`${id}\`.`, { subject: 'id' }) : ok(job);
}

/** An archived project takes no new sessions, tickets and jobs. */
export const archived = (project: Project) =>
  fail('conflict', `The project \`${project.name}\` is archived.`, { hint: 'Take it out of the archive first.', subject: 'project_id' });
