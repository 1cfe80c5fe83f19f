// Projects and tickets (spec 1, 2): the commands that make, change and delete them. What sessions run under is in their run
// contexts, so a deletion that would quietly widen or change live sessions says so first.

import { isAbsolute } from 'node:path';
import { fail, ok, type Result } from '../../../shared/failure';
import type { Project, Ticket } from '../../../shared/model';
import type { TicketState } from '../../../shared/terms';
import type { Write } from '../../store/events';
import { actorOf, type Caller } from '../caller';
import type { Core } from '../core';
import type { Handlers } from '../deps';
import { anyProject, archived, ticketOf } from '../lookup';
import { commitChange } from '../redecide';

type ProjectCommands = Pick<
  Handlers,
  | 'project.list'
  | 'project.create'
  | 'project.update'
  | 'project.delete'
  | 'ticket.list'
  | 'ticket.create'
  | 'ticket.update'
  | 'ticket.delete'
  | 'ticket.start'
  | 'ticket.reset'
>;

export function projectCommands(core: Core): ProjectCommands {
  const { live } = core;

  const change = <T>(caller: Caller, type: string, summary: string, write: Write, value: T): Result<T> => {
    const changed = commitChange(core, [{ type, at: core.nowIso(), actor: actorOf(caller), summary, writes: [write] }]);
    return changed.ok ? ok(value) : changed;
  };

  /** Names of live sessions that run under it. */
  const sessionsIn = (field: 'project_id' | 'ticket_id', id: string): readonly string[] =>
    [...live.sessions.values()]
      .filter((session) => session.ended_at === null && session[field] === id)
      .map((session) => (session.title === '' ? session.id : session.title));

  const putTicket = (caller: Caller, projectId: string, id: string, fields: Partial<Pick<Ticket, 'title' | 'state'>>): Result<Ticket> => {
    const known = ticketOf(core, projectId, id);
    if (!known.ok) return known;
    const ticket: Ticket = { ...known.value, ...fields, updated_at: core.nowIso() };
    return change(caller, 'ticket.changed', `The ticket \`${ticket.title}\` was changed.`, { put: 'ticket', value: ticket }, ticket);
  };
  const moveTicket = (caller: Caller, projectId: string, id: string, state: TicketState) => putTicket(caller, projectId, id, { state });

  return {
    'project.list': () => ok({ items: [...live.projects.values()] }),

    'project.create'({ name, folder }, caller) {
      const landed = folderOf(core, folder);
      if (!landed.ok) return landed;
      const at = core.nowIso();
      const project: Project = {
        id: core.newId('prj'),
        name,
        folder: landed.value,
        archived: false,
        run_context: null,
        created_at: at,
        updated_at: at,
      };
      return change(caller, 'project.created', `The project \`${name}\` was made.`, { put: 'project', value: project }, project);
    },

    'project.update'({ id, name, folder, archived }, caller) {
      const known = anyProject(core, id);
      if (!known.ok) return known;
      const landed = folder === undefined ? ok(known.value.folder) : folderOf(core, folder);
      if (!landed.ok) return landed;
      const project: Project = {
        ...known.value,
        ...(name === undefined ? {} : { name }),
        ...(archived === undefined ? {} : { archived }),
        folder: landed.value,
        updated_at: core.nowIso(),
      };
      return change(caller, 'project.changed', `The project \`${project.name}\` was changed.`, { put: 'project', value: project }, project);
    },

    'project.delete'({ id, force }, caller) {
      const found = anyProject(core, id);
      if (!found.ok) return found;
      const project = found.value;
      const sessions = sessionsIn('project_id', id);
      if (sessions.length > 0 && force !== true) {
        return fail('in_use', `Sessions run in the project \`${project.name}\`: ${sessions.join(', ')}.`, {
          hint: 'End them first, or delete it with `force`: they then run without its settings.',
          subject: { used_by: sessions },
        });
      }
      return change(
        caller,
        'project.deleted',
        `The project \`${project.name}\` was deleted with its tickets.`,
        { remove: 'project', id },
        { deleted: id },
      );
    },

    'ticket.list'({ project_id }) {
      const project = anyProject(core, project_id);
      if (!project.ok) return project;
      return ok({ items: [...live.tickets.values()].filter((ticket) => ticket.project_id === project_id) });
    },

    'ticket.create'({ project_id, title }, caller) {
      const project = anyProject(core, project_id);
      if (!project.ok) return project;
      if (project.value.archived) return archived(project.value);
      const at = core.nowIso();
      const ticket: Ticket = { id: core.newId('tic'), project_id, title, state: 'todo', run_context: null, created_at: at, updated_at: at };
      return change(caller, 'ticket.created', `The ticket \`${title}\` was made.`, { put: 'ticket', value: ticket }, ticket);
    },

    'ticket.update': ({ project_id, id, title, state }, caller) =>
      putTicket(caller, project_id, id, { ...(title === undefined ? {} : { title }), ...(state === undefined ? {} : { state }) }),

    'ticket.delete'({ project_id, id }, caller) {
      const ticket = ticketOf(core, project_id, id);
      if (!ticket.ok) return ticket;
      const sessions = sessionsIn('ticket_id', id);
      if (sessions.length > 0) {
        return fail('in_use', `Sessions run in the ticket \`${ticket.value.title}\`: ${sessions.join(', ')}.`, {
          hint: 'End them first.',
          subject: { used_by: sessions },
        });
      }
      return change(caller, 'ticket.deleted', `The ticket \`${ticket.value.title}\` was deleted.`, { remove: 'ticket', id }, { deleted: id });
    },

    'ticket.start': ({ project_id, id }, caller) => moveTicket(caller, project_id, id, 'in_progress'),
    'ticket.reset': ({ project_id, id }, caller) => moveTicket(caller, project_id, id, 'todo'),
  };
}

/** Absolute and canonical. It need not exist yet. */
function folderOf(core: Core, folder: string | null): Result<string | null> {
  if (folder === null) return ok(null);
  if (!isAbsolute(folder) && !folder.startsWith('~')) {
    return fail('invalid', `The folder \`${folder}\` is not absolute.`, {
      hint: 'Give the whole path, or one that begins with `~/`.',
      subject: 'folder',
    });
  }
  const landed = core.deps.paths.canonical(folder, null);
  if (landed.path === null) return fail('invalid', `The folder \`${folder}\` cannot be resolved: ${landed.reason}.`, { subject: 'folder' });
  return ok(landed.path);
}
