// The commands of sessions (spec 9 to 13): opening and ending, what an agent reports and is told, and what a person does to a
// running one.

import { fail, ok, type Result } from '../../../shared/failure';
import type { Session } from '../../../shared/model';
import type { SessionState } from '../../../shared/terms';
import { lookupTool } from '../../engine/catalogue';
import { extraSystemPrompt } from '../../engine/context';
import type { CompiledPolicy } from '../../engine/policy';
import { isHidden } from '../../engine/visibility';
import { lineOf } from '../admit';
import { actorOf, type Caller, hasScope } from '../caller';
import { fullNeedsAdmin } from '../context-rules';
import { type Core, committed } from '../core';
import type { Handlers } from '../deps';
import { cancelRun, endSession } from '../ending';
import { groundOf } from '../gate';
import type { Jobs } from '../jobs';
import { anySession, liveSession, ownSession } from '../lookup';
import { type MailAtTurn, markTurn, sendMail, steer, takeMessages } from '../mailbox';
import { openSession } from '../opening';
import { commitChange } from '../redecide';
import { forkSession, resumeSession } from '../resuming';
import { factsNow, type Standing } from '../session-facts';
import { type AgentContext, directoriesText, pendingCounts, viewOf } from '../session-view';

type SessionCommands = Pick<
  Handlers,
  | 'session.open'
  | 'session.turn'
  | 'session.usage'
  | 'session.context'
  | 'session.inbox'
  | 'session.mail'
  | 'session.tools'
  | 'session.end'
  | 'session.list'
  | 'session.get'
  | 'session.mode'
  | 'session.steer'
  | 'session.cancel'
  | 'session.fork'
>;

/** What an agent was told when its turn began: instructions and tools refresh at the next one (spec 4, 9). */
interface ToldAtTurn {
  readonly context: AgentContext;
  readonly standing: Standing;
  readonly policy: CompiledPolicy;
}

export function sessionCommands(core: Core, jobs: Jobs): SessionCommands {
  const mailAtTurn: MailAtTurn = new Map();
  const toldAtTurn = new Map<string, ToldAtTurn>();

  const heard = (id: string, caller: Caller): Result<Session> => {
    const session = ownSession(core, id, caller);
    if (session.ok) core.contacts.set(id, core.nowMs());
    return session;
  };
  const viewed = (session: Result<Session>) => (session.ok ? ok(viewOf(core, session.value)) : session);

  const beginTurn = (session: Session, state: SessionState): void => {
    markTurn(core, mailAtTurn, session.id, state);
    if (state !== 'turn') {
      toldAtTurn.delete(session.id);
      return;
    }
    const standing = core.standings.of(session);
    toldAtTurn.set(session.id, { context: contextOf(standing), standing, policy: core.policy.current() });
  };

  return {
    'session.open': (draft, caller) => {
      const opened = draft.resume === undefined ? openSession(core, draft, caller) : resumeSession(core, draft, draft.resume, caller);
      return viewed(opened);
    },

    'session.turn'({ session_id, state }, caller) {
      const session = heard(session_id, caller);
      if (!session.ok) return session;
      const changed: Session = { ...session.value, state, last_contact_at: core.nowIso() };
      beginTurn(changed, state);
      void committed(
        core.commit([
          {
            type: 'session.turned',
            at: core.nowIso(),
            actor: actorOf(caller, session_id),
            session_id,
            summary: `The session is ${state === 'turn' ? 'in a turn' : state === 'compaction' ? 'compacting' : 'idle'}.`,
            writes: [{ put: 'session', value: changed }],
          },
        ]),
      );
      return ok(changed);
    },

    'session.usage'({ session_id, turns, output_tokens, cost_usd }, caller) {
      const session = heard(session_id, caller);
      if (!session.ok) return session;
      const spent = { ...(output_tokens === undefined ? {} : { output_tokens }), ...(cost_usd === undefined ? {} : { cost_usd }) };
      // What a child spends its parent's budget pays; its turns are its own.
      const writes = lineOf(core, session.value).map((id) => ({ use: id, ...spent, ...(id === session_id && turns !== undefined ? { turns } : {}) }));
      void committed(
        core.commit([
          {
            type: 'session.used',
            at: core.nowIso(),
            actor: actorOf(caller, session_id),
            session_id,
            summary: 'The agent reported what it used.',
            writes,
            facts: { ...spent, ...(turns === undefined ? {} : { turns }) },
          },
        ]),
      );
      return anySession(core, session_id);
    },

    'session.context'({ session_id }, caller) {
      const session = heard(session_id, caller);
      if (!session.ok) return session;
      return ok(toldAtTurn.get(session_id)?.context ?? contextOf(core.standings.of(session.value)));
    },

    'session.inbox'({ session_id }, caller) {
      const session = heard(session_id, caller);
      return session.ok ? takeMessages(core, session.value, mailAtTurn, caller) : session;
    },

    'session.mail'({ session_id, to, body }, caller) {
      const session = heard(session_id, caller);
      return session.ok ? sendMail(core, session.value, to, body, caller) : session;
    },

    'session.tools'({ session_id, names }, caller) {
      const session = heard(session_id, caller);
      if (!session.ok) return session;
      const { agent, source } = session.value;
      const told = toldAtTurn.get(session_id);
      const standing = told?.standing ?? core.standings.of(session.value);
      const policy = told?.policy ?? groundOf(core).policy;
      const nowMs = core.nowMs();
      const facts = factsNow(standing, { policy, view: core.live, nowMs, hasPreToolHook: false, isCounted: false, links: [] });
      const kindOf = (tool: string) => lookupTool(agent, tool).kind;
      return ok({ tools: names.map((name) => ({ name, hidden: isHidden(name, facts, policy, agent, source, nowMs, kindOf) })) });
    },

    'session.end'({ session_id }, caller) {
      if (caller.sessionIds !== undefined && !caller.sessionIds.has(session_id)) return ownSession(core, session_id, caller);
      const ended = endSession(core, session_id, caller);
      mailAtTurn.delete(session_id);
      toldAtTurn.delete(session_id);
      return ended;
    },

    'session.list'({ ended }) {
      const counts = pendingCounts(core);
      const known = [...core.live.sessions.values()].filter((session) => ended === undefined || (session.ended_at !== null) === ended);
      const older =
        ended === false ? [] : core.store.sessionsOf({ ended: true, limit: 200 }).filter((session) => !core.live.sessions.has(session.id));
      const newestFirst = [...known.reverse(), ...older].sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
      return ok({ items: newestFirst.map((session) => viewOf(core, session, counts)) });
    },

    'session.get': ({ session_id }) => viewed(anySession(core, session_id)),

    'session.mode'({ session_id, mode }, caller) {
      const session = liveSession(core, session_id);
      if (!session.ok) return session;
      if (mode === 'full' && !hasScope(caller, 'operator.admin')) return fullNeedsAdmin('mode');
      const changed = commitChange(core, [
        {
          type: 'session.mode_set',
          at: core.nowIso(),
          actor: actorOf(caller),
          session_id,
          summary: mode === null ? 'The mode of the session was unset.' : `The session was put in mode \`${mode}\`.`,
          writes: [{ put: 'session', value: { ...session.value, mode } }],
        },
      ]);
      return changed.ok ? viewed(anySession(core, session_id)) : changed;
    },

    'session.steer'({ session_id, text }, caller) {
      const session = liveSession(core, session_id);
      return session.ok ? steer(core, session.value, text, caller) : session;
    },

    'session.cancel'({ session_id }, caller) {
      const session = anySession(core, session_id);
      if (!session.ok) return session;
      if (session.value.ended_at !== null && !session.value.cancelled) {
        return fail('conflict', 'The session has ended, so there is nothing to cancel.', { subject: { state: 'ended' } });
      }
      const cancelled = cancelRun(core, session.value, caller);
      for (const one of core.live.sessions.values()) if (one.cancel_token === session.value.cancel_token) jobs.stopSession(one.id);
      return cancelled;
    },

    'session.fork': ({ session_id }, caller) => viewed(forkSession(core, session_id, caller)),
  };
}

function contextOf(standing: Standing): AgentContext {
  const { effective, mode, facts } = standing;
  return {
    system_prompt: extraSystemPrompt(effective.values),
    directories: directoriesText(standing),
    compact_at_tokens: effective.values.compact_at_tokens ?? null,
    mode,
    phase: facts.phase,
    working_directory: facts.workingDirectory,
  };
}
