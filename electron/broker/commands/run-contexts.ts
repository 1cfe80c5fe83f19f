// Setting and reading run contexts (spec 9) of sessions, projects, tickets and jobs. Resolution is the engine's, by contexts.ts.

import type { ContextOwner } from '../../../shared/commands';
import { ok, type Result } from '../../../shared/failure';
import type { EffectiveContext, RunContext } from '../../../shared/model';
import type { Write } from '../../store/events';
import { actorOf } from '../caller';
import { refuseContext, resolved, subjectOfJob } from '../context-rules';
import type { Core } from '../core';
import type { Handlers } from '../deps';
import { anyJob, anyProject, anySession, liveSession, ticketOf } from '../lookup';
import { commitChange } from '../redecide';

export function runContextCommands(core: Core): Pick<Handlers, 'run_context.set' | 'run_context.effective'> {
  return {
    'run_context.set'({ target, run_context }, caller) {
      const write = writeOf(core, target, run_context);
      if (!write.ok) return write;
      const refused = refuseContext(core, run_context, caller, '');
      if (refused !== null) return refused;
      const summary = `The run context of the ${target.owner} was ${run_context === null ? 'cleared' : 'replaced'}.`;
      const session = target.owner === 'session' ? { session_id: target.session_id } : {};
      const changed = commitChange(core, [
        { type: 'run_context.set', at: core.nowIso(), actor: actorOf(caller), ...session, summary, writes: [write.value] },
      ]);
      return changed.ok ? effectiveOf(core, target) : changed;
    },
    'run_context.effective': ({ target }) => effectiveOf(core, target),
  };
}

function writeOf(core: Core, target: ContextOwner, run_context: RunContext | null): Result<Write> {
  const updated_at = core.nowIso();
  switch (target.owner) {
    case 'session': {
      const session = liveSession(core, target.session_id);
      return session.ok ? ok({ put: 'session', value: { ...session.value, run_context } }) : session;
    }
    case 'project': {
      const project = anyProject(core, target.project_id);
      return project.ok ? ok({ put: 'project', value: { ...project.value, run_context, updated_at } }) : project;
    }
    case 'ticket': {
      const ticket = ticketOf(core, target.project_id, target.ticket_id);
      return ticket.ok ? ok({ put: 'ticket', value: { ...ticket.value, run_context, updated_at } }) : ticket;
    }
    case 'job': {
      const job = anyJob(core, target.job_id);
      return job.ok ? ok({ put: 'job', value: { ...job.value, run_context } }) : job;
    }
  }
}

function effectiveOf(core: Core, target: ContextOwner): Result<EffectiveContext> {
  switch (target.owner) {
    case 'session': {
      const session = anySession(core, target.session_id);
      return session.ok ? ok(core.standings.of(session.value).effective) : session;
    }
    case 'project': {
      const project = anyProject(core, target.project_id);
      return project.ok ? ok(resolved(core, { project_id: project.value.id })) : project;
    }
    case 'ticket': {
      const ticket = ticketOf(core, target.project_id, target.ticket_id);
      return ticket.ok ? ok(resolved(core, { project_id: ticket.value.project_id, ticket_id: ticket.value.id })) : ticket;
    }
    case 'job': {
      const job = anyJob(core, target.job_id);
      return job.ok ? ok(resolved(core, subjectOfJob(job.value))) : job;
    }
  }
}
