// The commands of the outbox and of scheduled jobs (spec 12).

import { isAbsolute } from 'node:path';
import { fail, ok, type Result } from '../../../shared/failure';
import type { Job } from '../../../shared/model';
import type { Write } from '../../store/events';
import { actorOf, type Caller } from '../caller';
import { refuseContext } from '../context-rules';
import type { Core } from '../core';
import type { Handlers } from '../deps';
import { type Jobs, nextRunOf } from '../jobs';
import { anyJob, anyProject, archived } from '../lookup';
import { editStaged, outboxItems, rejectStaged, releaseStaged } from '../outbox';

type Commands = Pick<
  Handlers,
  | 'outbox.list'
  | 'outbox.edit'
  | 'outbox.release'
  | 'outbox.reject'
  | 'job.list'
  | 'job.create'
  | 'job.update'
  | 'job.delete'
  | 'job.run'
  | 'job.kill'
  | 'job.runs'
>;

export function outboxAndJobCommands(core: Core, jobs: Jobs): Commands {
  const change = (caller: Caller, type: string, summary: string, write: Write): Result<unknown> => {
    const result = core.commit([{ type, at: core.nowIso(), actor: actorOf(caller), summary, writes: [write] }]);
    return result.applied ? ok(null) : fail('conflict', 'The job was changed by somebody else.', { hint: 'Look at it again.', subject: 'id' });
  };

  /** Null: it can be kept as it is. */
  const refuseJob = (job: Job, caller: Caller): ReturnType<typeof fail> | null => {
    const next = nextRunOf(job, core.nowMs());
    if (!next.ok) return next;
    if (!isAbsolute(job.cwd) && !job.cwd.startsWith('~')) {
      return fail('invalid', `The directory \`${job.cwd}\` is not absolute.`, { hint: 'Give the whole path.', subject: 'cwd' });
    }
    if (job.project_id !== null) {
      const project = anyProject(core, job.project_id);
      if (!project.ok) return fail('invalid', project.failure.message, { subject: 'project_id' });
      if (project.value.archived) return archived(project.value);
    }
    return refuseContext(core, job.run_context, caller, 'run_context.');
  };

  const keep = (job: Job, caller: Caller, type: string, summary: string): Result<Job> => {
    const next = nextRunOf(job, core.nowMs());
    const next_run_at = job.enabled && next.ok ? next.value : null;
    const kept = change(caller, type, summary, { put: 'job', value: { ...job, next_run_at } });
    if (!kept.ok) return kept;
    jobs.schedule(job.id);
    return anyJob(core, job.id);
  };

  return {
    'outbox.list': () => ok({ items: outboxItems(core) }),
    'outbox.edit': ({ id, input }, caller) => editStaged(core, id, input, caller),
    'outbox.release': ({ id }, caller) => releaseStaged(core, id, caller),
    'outbox.reject': ({ id, note }, caller) => rejectStaged(core, id, note ?? null, caller),

    'job.list': () => ok({ items: [...core.live.jobs.values()] }),
    'job.create'({ name, project, project_id, cwd, ...draft }, caller) {
      const folder = core.deps.paths.canonical(cwd, null).path ?? cwd;
      const job: Job = {
        ...draft,
        id: core.newId('job'),
        name: name ?? draft.command.slice(0, 60),
        cwd: folder,
        project_id: project_id ?? project ?? null,
        created_at: core.nowIso(),
        next_run_at: null,
        last_run: null,
      };
      return refuseJob({ ...job, cwd }, caller) ?? keep(job, caller, 'job.created', `The job \`${job.name}\` was made.`);
    },
    'job.update'({ id, ...patch }, caller) {
      const known = anyJob(core, id);
      if (!known.ok) return known;
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      const job: Job = { ...known.value, ...given };
      return refuseJob(job, caller) ?? keep(job, caller, 'job.changed', `The job \`${job.name}\` was changed.`);
    },
    async 'job.delete'({ id }, caller) {
      const job = anyJob(core, id);
      if (!job.ok) return job;
      await jobs.kill(job.value);
      const removed = change(caller, 'job.deleted', `The job \`${job.value.name}\` was deleted.`, { remove: 'job', id });
      if (!removed.ok) return removed;
      jobs.schedule(id);
      return ok({ deleted: id });
    },
    'job.run'({ id }, caller) {
      const job = anyJob(core, id);
      return job.ok ? jobs.run(job.value, caller) : job;
    },
    'job.kill'({ id }) {
      const job = anyJob(core, id);
      return job.ok ? jobs.kill(job.value) : job;
    },
    'job.runs'({ id }) {
      const job = anyJob(core, id);
      return job.ok ? ok({ items: core.store.jobRuns(id) }) : job;
    },
  };
}
