// Remembered answers (spec 7): session rules and grants, listed and revoked. INVARIANT (spec 15.5): revoking one restores the
// verdict from before, for what waits as well.

import { fail, ok, type Result } from '../../../shared/failure';
import type { Grant } from '../../../shared/model';
import { actorOf, type Caller } from '../caller';
import type { Core } from '../core';
import type { Handlers } from '../deps';
import { anySession } from '../lookup';
import { commitChange } from '../redecide';

type RememberedCommands = Pick<Handlers, 'session_rule.list' | 'session_rule.revoke' | 'grant.list' | 'grant.revoke'>;

export function rememberedCommands(core: Core): RememberedCommands {
  const { live } = core;
  /** What has run out says nothing any more and is not shown. */
  const inForce = (): readonly Grant[] =>
    [...live.grants.values()].filter((grant) => grant.expires_at === null || Date.parse(grant.expires_at) > core.nowMs());

  const revoke = (grant: Grant, caller: Caller): Result<{ readonly deleted: string }> => {
    const changed = commitChange(core, [
      {
        type: 'grant.revoked',
        at: core.nowIso(),
        actor: actorOf(caller),
        ...(grant.session_id === null ? {} : { session_id: grant.session_id }),
        request_id: grant.request_id,
        summary: `A remembered answer was revoked: ${grant.action} \`${grant.surface}\` \`${grant.pattern}\`.`,
        writes: [{ remove: 'grant', id: grant.id }],
      },
    ]);
    return changed.ok ? ok({ deleted: grant.id }) : changed;
  };

  return {
    'session_rule.list'({ session_id }) {
      const session = anySession(core, session_id);
      return session.ok ? ok({ items: inForce().filter((grant) => grant.session_id === session_id) }) : session;
    },
    'session_rule.revoke'({ session_id, id }, caller) {
      const session = anySession(core, session_id);
      if (!session.ok) return session;
      const grant = live.grants.get(id);
      return grant === undefined || grant.session_id !== session_id ? noGrant(id) : revoke(grant, caller);
    },
    'grant.list'({ project_id, ticket_id, session_id }) {
      const matches = (grant: Grant): boolean =>
        (project_id === undefined || grant.project_id === project_id) &&
        (ticket_id === undefined || grant.ticket_id === ticket_id) &&
        (session_id === undefined || grant.session_id === session_id);
      return ok({ items: inForce().filter(matches) });
    },
    'grant.revoke'({ id }, caller) {
      const grant = live.grants.get(id);
      return grant === undefined ? noGrant(id) : revoke(grant, caller);
    },
  };
}

const noGrant = (id: string) => fail('not_found', `There is no remembered answer \`${id}\`.`, { hint: 'Read the list again.', subject: 'id' });
