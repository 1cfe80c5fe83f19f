// A session as clients see it: the record, what it resolves to, what it was answered, what waits (shared/model.ts). Reads only.

import type { JsonObject, Session, SessionView } from '../../shared/model';
import type { Core } from './core';
import type { Standing } from './session-facts';

/** `pendingBySession`: counted once for a whole list. */
export function viewOf(core: Core, session: Session, pendingBySession: ReadonlyMap<string, number> = pendingCounts(core)): SessionView {
  const { effective, mode, parent } = core.standings.of(session);
  const heard = core.contacts.get(session.id);
  return {
    ...session,
    // What a session has from its parent or by being a worktree is its own mode as far as anybody who looks is concerned.
    mode: session.mode ?? (parent !== null || session.worktree ? mode : null),
    last_contact_at: heard === undefined ? session.last_contact_at : new Date(heard).toISOString(),
    effective,
    effective_mode: mode,
    session_rules: [...core.live.grants.values()].filter((grant) => grant.session_id === session.id),
    pending: pendingBySession.get(session.id) ?? 0,
  };
}

export function pendingCounts(core: Core): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const request of core.live.pending.values()) counts.set(request.session_id, (counts.get(request.session_id) ?? 0) + 1);
  return counts;
}

/** What an agent is told about its session (spec 9, 10, 11): text for its instructions, and settings that it applies itself. */
export interface AgentContext {
  readonly system_prompt: string | null;
  readonly directories: string;
  readonly compact_at_tokens: number | null;
  readonly mode: string | null;
  readonly phase: string | null;
  readonly working_directory: string | null;
}

/** The `{{directories}}` text (spec 10). */
export function directoriesText({ facts }: Standing): string {
  const lines: string[] = [];
  const add = (path: string, mode: string, why: string): void => {
    lines.push(`- ${path} (${mode})${why === '' ? '' : `: ${why}`}`);
  };
  const entryAt = (path: string) => facts.access.find((entry) => entry.path === path);
  if (facts.root !== null && entryAt(facts.root) === undefined) add(facts.root, 'read and write', 'root of this session');
  for (const { path, mode } of facts.access)
    add(path, mode === 'write' ? 'read and write' : 'read only', path === facts.root ? 'root of this session' : '');
  if (facts.workingDirectory !== null && facts.workingDirectory !== facts.root && entryAt(facts.workingDirectory) === undefined) {
    add(facts.workingDirectory, 'read', 'working directory');
  }
  for (const path of facts.writeRoots) add(path, 'read and write', '');
  for (const path of facts.readRoots) add(path, 'read only', '');
  return lines.length === 0 ? '' : `Directories of this session:\n${lines.join('\n')}`;
}

/** Spec 12, homeostat: sampled when the run begins. What cannot be measured is absent, which is not zero. */
export function homeostatSample(core: Core, machine: Machine): JsonObject {
  const [one, five, fifteen] = machine.load;
  return {
    sampled_at: core.nowIso(),
    ...(one === undefined || five === undefined || fifteen === undefined ? {} : { load: { one_min: one, five_min: five, fifteen_min: fifteen } }),
    ...(machine.memory === null ? {} : { memory: { free_bytes: machine.memory.freeBytes, total_bytes: machine.memory.totalBytes } }),
    backlog: [...core.live.outbox.values()].filter((item) => item.state === 'waiting').length,
    pending: core.live.pending.size,
  };
}

export interface Machine {
  /** Load averages over 1, 5 and 15 minutes; empty where the platform has none. */
  readonly load: readonly number[];
  readonly memory: { readonly freeBytes: number; readonly totalBytes: number } | null;
}
