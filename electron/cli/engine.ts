// `gatehouse engine check`: what the running gate would decide about one call, and why, without making it.

import type { JsonObject } from '../../shared/model';
import { traceText } from '../engine/narrative';
import type { Client } from './client';
import { reportFailure } from './report';

export interface EngineCheck {
  readonly tool: string;
  readonly input: JsonObject;
  readonly session: string | undefined;
  /** Without a session: the folder that a session opened there would have as its root. */
  readonly cwd: string | undefined;
  readonly agent: string | undefined;
}

/** Exit code 0 for allow, 3 for Ask, 4 for deny, 5 for staged, so that scripts can tell. */
export async function runEngine(client: Client, check: EngineCheck): Promise<number> {
  const view =
    check.session === undefined ? { context: { agent: check.agent ?? 'any', cwd: check.cwd ?? process.cwd() } } : { session: check.session };
  const simulated = await client.call('simulate', { ...view, calls: [{ tool: check.tool, input: check.input }] });
  if (!simulated.ok) return reportFailure(simulated.failure);
  const [result] = simulated.value.items;
  if (result === undefined) return 1;
  for (const line of traceText(result)) process.stdout.write(`${line}\n`);
  switch (result.verdict) {
    case 'allow':
      return 0;
    case 'require':
      return 3;
    case 'deny':
      return 4;
    case 'stage':
      return 5;
  }
}
