// What every supported agent's file has to offer, and the one careful way in which an agent's own file is changed:
// shown first, backed up, written in one step, undone completely. Knows no agent by name.

import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '../../shared/failure';
import type { AgentChange } from '../../shared/model';

/** Where agents reach the gate, and what they present. Live values of the running server. */
export interface GateAddress {
  readonly url: string;
  readonly dataDir: string;
  readonly agentToken: string;
}

/** The machine as an adapter looks at it; a value, so that tests bring their own home. */
export interface Machine {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** First line that `program --version` prints, or null when it cannot be started. */
  version(program: string): Promise<string | null>;
}

export interface Inspection {
  readonly state: 'connected' | 'outdated' | 'not_connected' | 'not_found';
  /** One sentence for the Agents screen. */
  readonly detail: string;
  readonly file: string;
}

export interface AgentAdapter {
  /** Name on the wire, such as `claude-code`. */
  readonly agent: string;
  /** Name on screen. */
  readonly name: string;
  inspect(machine: Machine, gate: GateAddress): Promise<Inspection>;
  /** The new text of the agent's file. `unsupported` or `invalid` when its present text cannot be merged with. */
  rewrite(
    machine: Machine,
    gate: GateAddress,
    connect: boolean,
  ): Promise<Result<{ readonly file: string; readonly before: string | null; readonly after: string }>>;
}

/** Text of a file, null when there is none. Other errors are thrown. */
export function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/**
 * Writes `after` to `file` in one step (temporary file, then rename) and keeps what was there as
 * `<file>.gatehouse-backup-<stamp>`. `before` must still be the file's text: somebody else's edit is never overwritten.
 */
export function applyChange(
  agent: string,
  change: { readonly file: string; readonly before: string | null; readonly after: string },
  stamp: string,
): Result<AgentChange> {
  const { file, before, after } = change;
  if (before === after) return ok({ agent, file, before, after, backup: null, changed: false });
  const now = readIfThere(file);
  if (now !== before) {
    return fail('conflict', `\`${file}\` changed while the connection was being prepared.`, { hint: 'Look at the change again, then connect.' });
  }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    let backup: string | null = null;
    if (before !== null) {
      backup = `${file}.gatehouse-backup-${stamp}`;
      copyFileSync(file, backup);
      chmodSync(backup, 0o600);
    }
    const next = `${file}.gatehouse-new`;
    // The file carries the agents' token now: readable by its owner only.
    writeFileSync(next, after, { mode: 0o600 });
    chmodSync(next, before === null ? 0o600 : statSync(file).mode & 0o700);
    renameSync(next, file);
    return ok({ agent, file, before, after, backup, changed: true });
  } catch (error) {
    return fail('storage', `Could not write \`${file}\`: ${error instanceof Error ? error.message : String(error)}.`, {
      hint: 'Make the file and its folder writable, then try again.',
    });
  }
}
