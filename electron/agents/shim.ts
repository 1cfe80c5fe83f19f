// The command shims: small `sh` scripts in the data folder that hand a hook's JSON to the gate over its Unix socket with
// curl, started by agents that cannot speak HTTP. A gating shim fails closed: unless the gate answered with a JSON object
// it exits 2 with a sentence on standard error. An observing shim never stands in the agent's way.

import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GateAddress } from './adapter';

/** Folder of the shims inside the data folder. */
export const SHIM_FOLDER = 'hooks';
/** A curl header file, so that the token never stands on a command line that other users can list. */
const HEADER_FILE = 'agent.headers';

export function shimPath(gate: Pick<GateAddress, 'dataDir'>, agent: string): string {
  return join(gate.dataDir, SHIM_FOLDER, `${agent}.sh`);
}

/** The command line to write into an agent's file. */
export function shimCommand(gate: GateAddress, agent: string, role: 'gate' | 'observe', platform: NodeJS.Platform): string {
  const quoted = platform === 'win32' ? `"${shimPath(gate, agent)}"` : `'${shimPath(gate, agent).replaceAll("'", `'\\''`)}'`;
  return `${quoted} ${role}`;
}

/**
 * Writes the shim of each agent and the header file, 0700 and 0600. Called at every start: the token and the socket may
 * be new. `fallback` is the command that does the same without curl.
 */
export function writeShims(options: {
  readonly dataDir: string;
  readonly socket: string;
  readonly agentToken: string;
  readonly agents: readonly { readonly agent: string; readonly route: string }[];
  readonly fallback: readonly string[];
}): void {
  const folder = join(options.dataDir, SHIM_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  writeWhole(join(folder, HEADER_FILE), `Authorization: Bearer ${options.agentToken}\nContent-Type: application/json\n`, 0o600);
  for (const { agent, route } of options.agents) {
    writeWhole(
      join(folder, `${agent}.sh`),
      shimScript({ socket: options.socket, headers: join(folder, HEADER_FILE), route, fallback: options.fallback }),
      0o700,
    );
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The script's text. Exported for the test that runs it against gates that hang, lie and are not there. */
export function shimScript(options: {
  readonly socket: string;
  readonly headers: string;
  readonly route: string;
  readonly fallback: readonly string[];
}): string {
  const fallback = options.fallback.map(quote).join(' ');
  return `#!/bin/sh
# Written by Gatehouse at every start; changes are lost. Hands a hook call to the gate and prints its answer.
if command -v curl >/dev/null 2>&1; then
  answer=$(curl -sf --max-time 86390 --unix-socket ${quote(options.socket)} -H @${quote(options.headers)} --data-binary @- http://localhost${options.route}?role="$1")
  status=$?
else
  answer=$(${fallback} ${quote(options.route)}"?role=$1")
  status=$?
fi
case "$1:$status:$answer" in
  *:0:'{'*'}') printf '%s\\n' "$answer"; exit 0 ;;
  gate:*) echo 'Gatehouse did not answer, so this call is refused. Start Gatehouse, then try again.' >&2; exit 2 ;;
  *) exit 0 ;;
esac
`;
}

function writeWhole(file: string, text: string, mode: number): void {
  const next = `${file}.new`;
  writeFileSync(next, text, { mode });
  chmodSync(next, mode);
  renameSync(next, file);
}
