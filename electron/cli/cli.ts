// The `gatehouse` command: connects agents, asks the engine, checks the activity log. Says what it did in plain sentences
// on standard output, failures on standard error with exit code 1, wrong usage with exit code 2.

import { webcrypto } from 'node:crypto';

// Electron 25 and Node 18 have no global crypto; libraries expect it.
globalThis.crypto ??= webcrypto as Crypto;

import { parseArgs } from 'node:util';
import type { JsonObject } from '../../shared/model';
import { defaultDataDir } from '../store/data-dir';
import { runAgents, runConnect } from './agents';
import { connectClient } from './client';
import { runEngine } from './engine';
import { runHook } from './hook';
import { reportFailure } from './report';

const USAGE = `Usage: gatehouse <command> [options]

  connect <agent>          connect an agent, such as claude-code (shows the change; --yes applies it without asking)
  disconnect <agent>       undo the connection
  agents                   agents on this machine and how they are connected
  status                   what is running, and what waits
  engine check             verdict and trace of one call: --tool Bash --input '{"command":"ls"}' [--session ID | --cwd DIR]
  activity verify          check the hash chain of the activity log
  hook <route>             hand a hook call from standard input to the gate (used by agents)

  --data-dir DIR           data folder, when it is not the usual one
`;

async function main(argv: readonly string[]): Promise<number> {
  // The hook is started for every tool call: it skips everything that it does not need.
  if (argv[0] === 'hook') return runHook(argv.slice(1), process.env.GATEHOUSE_DATA_DIR ?? defaultDataDir());
  const parsed = readArguments(argv);
  if (parsed === null) return usage();
  const { positionals, values } = parsed;
  const dataDir = values['data-dir'] ?? process.env.GATEHOUSE_DATA_DIR ?? defaultDataDir();
  const [command, subject] = positionals;
  if (values.help || command === undefined) {
    process.stdout.write(USAGE);
    return command === undefined && !values.help ? 2 : 0;
  }
  const client = connectClient(dataDir);
  if (!client.ok) return reportFailure(client.failure);
  switch (command) {
    case 'connect':
    case 'disconnect':
      if (subject === undefined) return usage(`Name the agent: gatehouse ${command} claude-code`);
      return runConnect(client.value, subject, command === 'connect', values.yes === true);
    case 'agents':
      return runAgents(client.value);
    case 'status': {
      const health = await client.value.call('health.get', {});
      if (!health.ok) return reportFailure(health.failure);
      process.stdout.write(`Gatehouse ${health.value.version} at ${client.value.endpoint.url}: ${health.value.pending} waiting\n`);
      for (const problem of health.value.problems) process.stdout.write(`! ${problem.message} ${problem.hint}\n`);
      return 0;
    }
    case 'engine': {
      if (subject !== 'check') return usage('Use: gatehouse engine check --tool TOOL --input JSON');
      const input = readInput(values.input);
      if (values.tool === undefined || input === null) return usage('engine check needs --tool and --input with a JSON object');
      return runEngine(client.value, { tool: values.tool, input, session: values.session, cwd: values.cwd, agent: values.agent });
    }
    case 'activity': {
      if (subject !== 'verify') return usage('Use: gatehouse activity verify');
      const checked = await client.value.call('activity.verify', {});
      if (!checked.ok) return reportFailure(checked.failure);
      process.stdout.write(`${checked.value.detail}\n`);
      return checked.value.intact ? 0 : 1;
    }
    default:
      return usage(`Unknown command: ${command}`);
  }
}

const OPTIONS = {
  'data-dir': { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  tool: { type: 'string' },
  input: { type: 'string' },
  session: { type: 'string' },
  cwd: { type: 'string' },
  agent: { type: 'string' },
} as const;

function readArguments(argv: readonly string[]): ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>> | null {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

function readInput(text: string | undefined): JsonObject | null {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

function usage(problem?: string): number {
  process.stderr.write(problem === undefined ? USAGE : `${problem}\n`);
  return 2;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`Gatehouse failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
