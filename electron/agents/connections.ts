// The agents that Gatehouse can connect, and the commands behind the Agents screen and `gatehouse connect`. A new agent is
// one file with an AgentAdapter and one line in ADAPTERS (and HOOK_ROUTES when it reports over HTTP).

import { execFile } from 'node:child_process';
import type { Output } from '../../shared/commands';
import { fail, ok, type Result } from '../../shared/failure';
import type { AgentChange } from '../../shared/model';
import type { ForeignRoute } from '../broker/http';
import { type AgentAdapter, applyChange, type GateAddress, type Machine } from './adapter';
import { CLAUDE_CODE, CLAUDE_CODE_ROUTE, claudeCode } from './claude-code';
import { claudeCodeHooks } from './claude-code-hooks';

const ADAPTERS: readonly AgentAdapter[] = [claudeCode];

/** Agents whose hooks may have to go through a shim, with the route it posts to. */
export const SHIMMED_AGENTS: readonly { readonly agent: string; readonly route: string }[] = [{ agent: CLAUDE_CODE, route: CLAUDE_CODE_ROUTE }];

export function hookRoutes(): readonly ForeignRoute[] {
  return [claudeCodeHooks()];
}

/** The machine Gatehouse runs on. Asking a program for its version is bounded to 5 s. */
export function thisMachine(home: string, env: Machine['env']): Machine {
  return {
    home,
    env,
    platform: process.platform,
    version: (program) =>
      new Promise((resolve) => {
        execFile(program, ['--version'], { timeout: 5_000, env: { ...process.env, ...env }, windowsHide: true }, (error, stdout) => {
          resolve(error === null ? (stdout.split('\n')[0]?.trim() ?? null) : null);
        });
      }),
  };
}

export interface Connections {
  list(sessionsOf: (agent: string) => number): Promise<Output<'agent.list'>>;
  preview(agent: string, connect: boolean): Promise<Result<AgentChange>>;
  connect(agent: string): Promise<Result<AgentChange>>;
  disconnect(agent: string): Promise<Result<AgentChange>>;
}

/** `gate` is asked at each call: the address is known only once the doors are open. */
export function createConnections(machine: Machine, gate: () => GateAddress, now: () => Date): Connections {
  async function change(agent: string, connect: boolean): Promise<Result<{ file: string; before: string | null; after: string }>> {
    const adapter = ADAPTERS.find((one) => one.agent === agent);
    if (adapter === undefined) {
      const known = ADAPTERS.map((one) => one.agent).join(', ');
      return fail('not_found', `Gatehouse does not know how to connect \`${agent}\`.`, { hint: `Use one of: ${known}.`, subject: 'agent' });
    }
    return adapter.rewrite(machine, gate(), connect);
  }

  async function apply(agent: string, connect: boolean): Promise<Result<AgentChange>> {
    const wanted = await change(agent, connect);
    if (!wanted.ok) return wanted;
    const applied = applyChange(agent, wanted.value, now().toISOString().replaceAll(/[:.]/g, '-'));
    return applied.ok ? ok(hideToken(applied.value, gate().agentToken)) : applied;
  }

  return {
    async list(sessionsOf) {
      const items = await Promise.all(
        ADAPTERS.map(async (adapter) => {
          const { state, detail, file } = await adapter.inspect(machine, gate());
          return { agent: adapter.agent, name: adapter.name, state, detail, file, sessions: sessionsOf(adapter.agent) };
        }),
      );
      return { items };
    },
    async preview(agent, connect) {
      const wanted = await change(agent, connect);
      if (!wanted.ok) return wanted;
      const { file, before, after } = wanted.value;
      return ok(hideToken({ agent, file, before, after, backup: null, changed: before !== after }, gate().agentToken));
    },
    connect: (agent) => apply(agent, true),
    disconnect: (agent) => apply(agent, false),
  };
}

/** The change is for a person to read; the token in it is for the agent alone. */
function hideToken(change: AgentChange, token: string): AgentChange {
  const hide = (text: string): string => text.replaceAll(token, '(token of this Gatehouse)');
  return { ...change, before: change.before === null ? null : hide(change.before), after: hide(change.after) };
}
