// The run context form of what main keeps one for: a session, a project, a ticket. Reads what holds, and saves.

import type { ContextOwner } from '../../../shared/commands';
import type { ContextLayer, EffectiveContext, RunContext } from '../../../shared/model';
import { useAsked } from '../../command';
import { reached } from '../../context-fields';
import { invoke, useProjection } from '../../store';
import { ContextForm } from './context-form';

export function OwnedContext({
  target,
  what,
  own,
  known,
  closed = null,
}: {
  readonly target: ContextOwner;
  readonly what: string;
  readonly own: RunContext | null;
  /** What holds, where the projection has it. */
  readonly known?: EffectiveContext;
  readonly closed?: string | null;
}) {
  // What a project or a ticket resolves to follows everything below it.
  const below = useProjection((projection) => [projection.projects, projection.tickets, projection.settings] as const);
  const asked = useAsked('run_context.effective', known === undefined ? { target } : null, below);
  const sessions = useProjection((projection) => projection.sessions);
  const layer: ContextLayer = target.owner === 'job' ? 'session' : target.owner;
  const ownerId = target.owner === 'project' ? target.project_id : target.owner === 'ticket' ? target.ticket_id : null;
  return (
    <ContextForm
      what={what}
      layer={layer}
      own={own}
      effective={known ?? asked.value}
      closed={closed}
      save={(run_context) => invoke('run_context.set', { target, run_context })}
      {...((layer === 'project' || layer === 'ticket') && ownerId !== null
        ? { reach: (fields) => reached(sessions.values(), layer, ownerId, fields) }
        : {})}
    />
  );
}
