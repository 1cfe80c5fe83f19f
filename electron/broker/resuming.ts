// Coming back to a session (spec 10): resuming one that ended, with the directories it had, and forking a copy without them.

import { fail, ok, type Result } from '../../shared/failure';
import type { AccessEntry, Session } from '../../shared/model';
import type { SessionDraft } from '../../shared/schemas';
import { accessGround, checkSaved, flaggedAccess, withEntry } from './access';
import { actorOf, type Caller, hasScope } from './caller';
import type { Core } from './core';
import { anySession, liveSession } from './lookup';
import { NO_USAGE, refuseFields, withHomeostat } from './opening';
import { commitChange } from './redecide';

/** What a session keeps for its life; a resume that names another value is a mistake and said so. */
const FIXED = ['project_id', 'ticket_id', 'parent_id', 'root', 'cwd'] as const;

/**
 * Spec 10: saved entries as they are, also missing directories; flags overlay; defaults are not loaded; a list that is not
 * sound refuses the resume and changes nothing. Resuming a session that is open joins it.
 */
export function resumeSession(core: Core, draft: SessionDraft, id: string, caller: Caller): Result<Session> {
  const refused = refuseFields(core, { ...draft, project_id: null, ticket_id: null }, caller);
  if (refused !== null) return refused;
  const found = anySession(core, id);
  if (!found.ok) return found;
  const session = found.value;
  if (session.agent !== draft.agent) return fixed('agent', session);
  for (const field of FIXED) {
    const given = draft[field] ?? null;
    if (given !== null && given !== session[field] && landing(core, given) !== session[field]) return fixed(field, session);
  }
  const ground = accessGround(core);
  const saved = checkSaved(session.access, ground);
  if (!saved.ok) return saved;
  const flags = flaggedAccess(draft, session.cwd ?? session.root, ground);
  if (!flags.ok) return flags;
  const access = flags.value.reduce<readonly AccessEntry[]>((entries, entry) => withEntry(entries, entry, ground.paths), saved.value);
  const at = core.nowIso();
  const wasEnded = session.ended_at !== null;
  const resumed: Session = {
    ...session,
    access,
    external_id: draft.external_id ?? session.external_id,
    title: draft.title ?? session.title,
    mode: draft.mode ?? session.mode,
    run_context: draft.run_context ?? session.run_context,
    headless: draft.headless ?? session.headless,
    last_contact_at: at,
    ...(wasEnded ? { state: 'idle' as const, ended_at: null, resumed_at: at } : {}),
  };
  const changed = commitChange(core, [
    {
      type: 'session.resumed',
      at,
      actor: actorOf(caller, id),
      session_id: id,
      summary: `${session.agent} resumed a session.`,
      writes: [{ put: 'session', value: wasEnded ? withHomeostat(core, resumed) : resumed }],
    },
  ]);
  if (!changed.ok) return changed;
  core.contacts.set(id, core.nowMs());
  return ok(core.live.sessions.get(id) ?? resumed);
}

const landing = (core: Core, path: string): string | null => core.deps.paths.canonical(path, null).path;

const fixed = (field: string, session: Session) =>
  fail('invalid', `A resumed session keeps its \`${field}\`.`, {
    hint: 'Leave it out, or open a new session.',
    subject: { field, session_id: session.id },
  });

/** Spec 10: a copy under the same settings. It has neither directories nor remembered answers of its source. */
export function forkSession(core: Core, id: string, caller: Caller): Result<Session> {
  const found = anySession(core, id);
  if (!found.ok) return found;
  const source = found.value;
  const at = core.nowIso();
  const isFull = source.mode === 'full' || source.run_context?.permission_mode === 'full';
  const mayBeFull = !isFull || hasScope(caller, 'operator.admin');
  const fork: Session = {
    ...source,
    id: core.newId('ses'),
    external_id: null,
    title: source.title === '' ? '' : `${source.title} (fork)`,
    // Spec 11: `full` is given by who may give it; a copy made by someone else works in its workspace.
    mode: mayBeFull ? source.mode : 'workspace',
    access: [],
    state: 'idle',
    cancelled: false,
    cancel_token: core.newId('run'),
    usage: NO_USAGE,
    homeostat: null,
    notices: mayBeFull ? [] : ['The source runs in mode `full`, which only `operator.admin` can give; this copy runs in `workspace`.'],
    created_at: at,
    last_contact_at: at,
    ended_at: null,
  };
  const { resumed_at: _, ...fresh } = fork;
  const result = core.commit([
    {
      type: 'session.forked',
      at,
      actor: actorOf(caller),
      session_id: fork.id,
      summary: `A copy of the session \`${id}\` was opened.`,
      writes: [{ put: 'session', value: withHomeostat(core, fresh) }],
      facts: { source: id },
    },
  ]);
  return result.applied ? liveSession(core, fork.id) : fail('conflict', 'Another session was opened with the same id.', { hint: 'Try again.' });
}
