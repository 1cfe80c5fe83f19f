// Gatehouse without a window: the same parts, API and control center on loopback. Prints its address and a one-time login
// link, stops cleanly on SIGTERM and SIGINT; what waits stays pending for the next start.

import { webcrypto } from 'node:crypto';

// Node 18 has no global crypto; libraries expect it.
globalThis.crypto ??= webcrypto as Crypto;

import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loginLinkOf } from './broker/owner';
import { type OwnedElsewhere, rendererBeside, startParts } from './parts';
import { StoreUnavailable } from './store/contract';
import { defaultDataDir } from './store/data-dir';

declare const GATEHOUSE_VERSION: string;

/** A job that is asked to stop has 5 s for it; whoever hangs longer is left behind. */
const STOP_LIMIT_MS = 6_000;
const MAX_PORT = 65_535;

interface Options {
  readonly dataDir: string;
  /** Undefined: the usual one, or any. */
  readonly port: number | undefined;
  readonly opensBrowser: boolean;
}

async function serve(argv: readonly string[]): Promise<number> {
  const options = readOptions(argv);
  if (options === null) return 2;
  const started = await startParts({
    dataDir: options.dataDir,
    port: options.port,
    version: GATEHOUSE_VERSION,
    rendererDir: rendererBeside(__dirname),
    cliCommand: [process.execPath, join(__dirname, 'cli.js')],
  });
  if ('ownedElsewhere' in started) return handOver(started, options);
  if (!started.ok) return failed(started.failure.message, started.failure.hint);
  const { doors, authenticator, close } = started.value;
  const stopped = onceAskedToStop(close);
  say(`Gatehouse listens at ${doors.endpoint.url}`);
  offer(`${doors.endpoint.url}/login?code=${authenticator.newLoginCode()}`, options);
  return stopped;
}

/** Spec 14: the first instance is the one to use, and this one has nothing to do. */
async function handOver({ url, endpoint }: OwnedElsewhere, options: Options): Promise<number> {
  if (url === null || endpoint === null) {
    return failed(`Another Gatehouse holds the data folder \`${options.dataDir}\` and does not answer.`, 'End it, then start again.');
  }
  say(`Gatehouse is running on this data folder already: ${url}`);
  const link = await loginLinkOf(options.dataDir, endpoint);
  if (link !== null) offer(link, options);
  return 0;
}

function offer(link: string, { opensBrowser }: Options): void {
  say(`Open it (once, within 10 minutes): ${link}`);
  if (opensBrowser) openInBrowser(link);
}

function openInBrowser(url: string): void {
  const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ['open', url],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', url],
  };
  const [program, ...args] = openers[process.platform] ?? ['xdg-open', url];
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => process.stderr.write('No browser could be opened; use the link above.\n'));
  child.unref();
}

/** Resolves with the exit code when a signal has come and everything is closed. */
function onceAskedToStop(close: () => Promise<void>): Promise<number> {
  return new Promise((done) => {
    let isStopping = false;
    const stop = (): void => {
      // The library that writes files whole sends a signal on once it has tidied up, so every signal comes twice.
      if (isStopping) return;
      isStopping = true;
      setTimeout(() => done(failed('Gatehouse did not stop in time and was ended. Nothing that was answered is lost.')), STOP_LIMIT_MS).unref();
      close().then(
        () => done(0),
        (error: unknown) => done(failed(error instanceof Error ? error.message : String(error))),
      );
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  });
}

function readOptions(argv: readonly string[]): Options | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { 'data-dir': { type: 'string' }, port: { type: 'string' }, open: { type: 'boolean' } },
    });
    if (values.port !== undefined && !(/^\d{1,5}$/.test(values.port) && Number(values.port) <= MAX_PORT)) {
      throw new Error(`--port must be a number from 0 to ${MAX_PORT}, not \`${values.port}\`.`);
    }
    if (values['data-dir'] === '') throw new Error('--data-dir must name a folder.');
    return {
      dataDir: resolve(values['data-dir'] ?? process.env.GATEHOUSE_DATA_DIR ?? defaultDataDir()),
      port: values.port === undefined ? undefined : Number(values.port),
      opensBrowser: values.open ?? false,
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nUsage: npm run serve -- --data-dir DIR --port N [--open]\n`);
    return null;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function failed(message: string, hint?: string): number {
  process.stderr.write(`${message}${hint === undefined ? '' : ` ${hint}`}\n`);
  return 1;
}

function logFault(error: unknown): void {
  process.stderr.write(`[gatehouse] fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

// Whoever reads our output may stop reading; the gate goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// A fault that got this far belongs to one caller; the others still need a gate.
process.on('uncaughtException', logFault);
process.on('unhandledRejection', logFault);

serve(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof StoreUnavailable) process.exit(failed(error.failure.message, error.failure.hint));
    process.exit(failed(`Gatehouse could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`));
  },
);
