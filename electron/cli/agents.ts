// `gatehouse connect`, `disconnect` and `agents`: shows the exact change to the agent's file before it is made.

import { createInterface } from 'node:readline/promises';
import { createTwoFilesPatch } from 'diff';
import type { Client } from './client';
import { reportFailure } from './report';

export async function runConnect(client: Client, agent: string, connect: boolean, agreed: boolean): Promise<number> {
  const preview = await client.call('agent.preview', { agent, connect });
  if (!preview.ok) return reportFailure(preview.failure);
  const { file, before, after, changed } = preview.value;
  if (!changed) {
    process.stdout.write(
      connect ? `${agent} is connected already: ${file} needs no change.\n` : `${agent} is not connected: ${file} needs no change.\n`,
    );
    return 0;
  }
  process.stdout.write(`${createTwoFilesPatch(before === null ? 'new file' : file, file, before ?? '', after, '', '', { context: 2 })}\n`);
  if (!agreed && !(await agrees(`Make this change to ${file}? [y/N] `))) {
    process.stdout.write('Nothing was changed.\n');
    return 1;
  }
  const done = await client.call(connect ? 'agent.connect' : 'agent.disconnect', { agent });
  if (!done.ok) return reportFailure(done.failure);
  const backup = done.value.backup === null ? '' : ` The file as it was: ${done.value.backup}.`;
  const next = connect ? ` Start ${agent} as usual; its tool calls come to Gatehouse now.` : '';
  process.stdout.write(`${connect ? 'Connected' : 'Disconnected'} ${agent}.${backup}${next}\n`);
  return 0;
}

export async function runAgents(client: Client): Promise<number> {
  const agents = await client.call('agent.list', {});
  if (!agents.ok) return reportFailure(agents.failure);
  for (const one of agents.value.items) process.stdout.write(`${one.name.padEnd(16)}${one.state.replaceAll('_', ' ').padEnd(16)}${one.detail}\n`);
  return 0;
}

/** Without a terminal nobody can agree, so the answer is no. */
async function agrees(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
