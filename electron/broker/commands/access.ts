// The commands of directory access (spec 10): entries of a session, and defaults of a root in access.json. Refused while the
// session is in a turn or compaction; in force at once otherwise, for what waits as well.

import { fail, ok, type Result } from '../../../shared/failure';
import type { AccessEntry, Session } from '../../../shared/model';
import { type AccessTable, changeAccess, defaultsOf, readAccess, withDefault, withoutDefault } from '../../store/access-file';
import { accessGround, entryFor, isSamePath, withEntry, withoutEntry } from '../access';
import { actorOf, type Caller } from '../caller';
import type { Core } from '../core';
import type { Handlers } from '../deps';
import { anySession, liveSession } from '../lookup';
import { commitChange } from '../redecide';

type AccessCommands = Pick<
  Handlers,
  'access.list' | 'access.add' | 'access.remove' | 'access_defaults.list' | 'access_defaults.add' | 'access_defaults.remove'
>;

interface List {
  readonly items: readonly AccessEntry[];
}

export function accessCommands(core: Core): AccessCommands {
  const { paths, dataDir } = core.deps;

  const put = (session: Session, access: readonly AccessEntry[], summary: string, caller: Caller): Result<List> => {
    const changed = commitChange(core, [
      {
        type: 'access.changed',
        at: core.nowIso(),
        actor: actorOf(caller),
        session_id: session.id,
        summary,
        writes: [{ put: 'session', value: { ...session, access } }],
      },
    ]);
    return changed.ok ? ok({ items: access }) : changed;
  };

  const log = (type: string, root: string, summary: string, caller: Caller): Result<unknown> =>
    commitChange(core, [{ type, at: core.nowIso(), actor: actorOf(caller), summary, writes: [], facts: { root } }]);

  return {
    'access.list'({ session_id }) {
      const session = anySession(core, session_id);
      return session.ok ? ok({ items: session.value.access }) : session;
    },

    'access.add'({ session_id, path, mode }, caller) {
      const session = idleSession(core, session_id);
      if (!session.ok) return session;
      const entry = entryFor(path, mode, baseOf(core, session.value), 'session', accessGround(core));
      if (!entry.ok) return entry;
      const access = withEntry(session.value.access, entry.value, paths);
      return put(session.value, access, `The session may ${mode} in \`${entry.value.path}\`.`, caller);
    },

    'access.remove'({ session_id, path }, caller) {
      const session = idleSession(core, session_id);
      if (!session.ok) return session;
      const access = withoutEntry(session.value.access, path, baseOf(core, session.value), paths);
      if (access === null) return fail('not_found', `The session has no entry for \`${path}\`.`, { subject: 'path' });
      return put(session.value, access, `The session lost its entry for \`${path}\`.`, caller);
    },

    'access_defaults.list'({ root }) {
      const landed = rootOf(core, root);
      if (!landed.ok) return landed;
      const table = readAccess(dataDir);
      return table.ok ? ok(listed(table.value, landed.value)) : table;
    },

    'access_defaults.add'({ root, path, mode, session_id }, caller) {
      const landed = rootOf(core, root);
      if (!landed.ok) return landed;
      const session = session_id === undefined ? null : idleSession(core, session_id);
      if (session !== null && !session.ok) return session;
      const entry = entryFor(path, mode, landed.value, 'default', accessGround(core));
      if (!entry.ok) return entry;
      const isSame = sameDirectory(core, landed.value);
      const table = changeAccess(dataDir, (known) => withDefault(known, landed.value, { path: entry.value.path, mode }, isSame));
      if (!table.ok) return table;
      const summary = `Sessions of \`${landed.value}\` may ${mode} in \`${entry.value.path}\` by default.`;
      const done =
        session === null
          ? log('access_default.added', landed.value, summary, caller)
          : put(session.value, withEntry(session.value.access, entry.value, paths), summary, caller);
      return done.ok ? ok(listed(table.value, landed.value)) : done;
    },

    'access_defaults.remove'({ root, path, session_id }, caller) {
      const landed = rootOf(core, root);
      if (!landed.ok) return landed;
      const session = session_id === undefined ? null : idleSession(core, session_id);
      if (session !== null && !session.ok) return session;
      let wasThere = false;
      const isSame = sameDirectory(core, landed.value);
      const table = changeAccess(dataDir, (known) => {
        const { table: next, removed } = withoutDefault(known, landed.value, path, isSame);
        wasThere = removed;
        return removed ? next : known;
      });
      if (!table.ok) return table;
      const left = session === null ? null : withoutEntry(session.value.access, path, landed.value, paths);
      if (!wasThere && left === null) return fail('not_found', `\`${landed.value}\` has no default directory \`${path}\`.`, { subject: 'path' });
      const summary = `\`${path}\` is no default directory of \`${landed.value}\` any more.`;
      const done =
        session === null || left === null ? log('access_default.removed', landed.value, summary, caller) : put(session.value, left, summary, caller);
      return done.ok ? ok(listed(table.value, landed.value)) : done;
    },
  };
}

/** Spec 10: refused while the session is in a turn or compaction. */
function idleSession(core: Core, id: string): Result<Session> {
  const session = liveSession(core, id);
  if (!session.ok) return session;
  const { state } = session.value;
  if (state !== 'turn' && state !== 'compaction') return session;
  const doing = state === 'turn' ? 'in a turn' : 'compacting its context';
  return fail('busy', `The session is ${doing}, so its directories cannot change now.`, { hint: 'Try again when it is idle.', subject: { state } });
}

const baseOf = (core: Core, session: Session): string | null => core.standings.of(session).facts.workingDirectory ?? session.root;

function rootOf(core: Core, root: string): Result<string> {
  const landed = core.deps.paths.canonical(root, null);
  if (landed.path !== null) return ok(landed.path);
  return fail('invalid', `The root \`${root}\` cannot be resolved: ${landed.reason}.`, { hint: 'Give the whole path.', subject: 'root' });
}

/** A default is the same when it is spelled the same or lands in the same place. */
function sameDirectory(core: Core, root: string): (one: string | null, other: string) => boolean {
  const { paths } = core.deps;
  const landing = (path: string): string => paths.canonical(path, root).path ?? path;
  return (one, other) => one !== null && (one === other || isSamePath(landing(one), landing(other), paths));
}

/** Entries of the file as they would be used; what cannot be used is in the notices of the sessions that tried. */
function listed(table: AccessTable, root: string): List {
  return { items: defaultsOf(table, root).entries.map((entry) => ({ ...entry, origin: 'default' as const })) };
}
