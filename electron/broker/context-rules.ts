// Which run contexts may be set and by whom (spec 9, 11), and what one resolves to before anything runs under it.

import { fail } from '../../shared/failure';
import type { EffectiveContext, Job, RunContext } from '../../shared/model';
import { type Caller, hasScope } from './caller';
import { type ContextSubject, resolveContext } from './contexts';
import type { Core } from './core';

/**
 * Null: it may be set. `prefix`: where it stands in the body. A group has to exist (422); mode `full` needs `operator.admin`,
 * also as a run setting (spec 11).
 */
export function refuseContext(core: Core, context: RunContext | null, caller: Caller, prefix: string): ReturnType<typeof fail> | null {
  const group = context?.security_group ?? null;
  if (group !== null && !core.live.groups.has(group)) {
    const field = `${prefix}security_group`;
    return fail('invalid', `The field \`${field}\` names a group that does not exist: \`${group}\`.`, {
      hint: 'Make the group first.',
      subject: field,
    });
  }
  if (context?.permission_mode === 'full' && !hasScope(caller, 'operator.admin')) return fullNeedsAdmin(`${prefix}permission_mode`);
  return null;
}

export const fullNeedsAdmin = (field: string) =>
  fail('forbidden', 'Mode `full` needs the scope `operator.admin`.', { hint: 'Ask the person who runs Gatehouse to set it.', subject: field });

export const subjectOfJob = (job: Job): Partial<ContextSubject> => ({
  source: 'cron',
  run_context: job.run_context,
  project_id: job.project_id,
  root: job.cwd,
  cwd: job.cwd,
});

export function resolved(core: Core, subject: Partial<ContextSubject>): EffectiveContext {
  return resolveContext({ ...NOBODY, ...subject }, { view: core.live, paths: core.deps.paths, session: (id) => core.store.session(id) }).effective;
}

export const NOBODY: ContextSubject = {
  agent: null,
  source: null,
  run_context: null,
  project_id: null,
  ticket_id: null,
  parent_id: null,
  root: null,
  cwd: null,
  mode: null,
  worktree: false,
};
