// Gatehouse without a window: the same parts, API and control center on loopback. Prints its address and a one-time login
// link, stops cleanly on SIGTERM and SIGINT; what waits stays pending for the next start.

import { webcrypto } from 'node:crypto';

// Node 18 has no global crypto; libraries expect it.
globalThis.crypto ??= webcrypto as Crypto;

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rendererBeside, startParts } from './parts';
import { StoreUnavailable } from './store/contract';
import { defaultDataDir } from './store/data-dir';

declare const GATEHOUSE_VERSION: string;

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
  if ('ownedElsewhere' in started) {
    process.stdout.write(`Gatehouse is running on this data folder already${started.url === null ? '' : `: ${started.url}`}\n`);
    return 0;
  }
  if (!started.ok) return failed(started.failure.message, started.failure.hint);
  const { doors, authenticator, close } = started.value;
  process.stdout.write(
    `Gatehouse listens at ${doors.endpoint.url}\nOpen it (once, within 10 minutes): ${doors.endpoint.url}/login?code=${authenticator.newLoginCode()}\n`,
  );
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (): void => {
      if (isStopping) return;
      isStopping = true;
      close().then(
        () => resolve(0),
        (error: unknown) => resolve(failed(error instanceof Error ? error.message : String(error))),
      );
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    process.on('SIGHUP', stop);
  });
}

function readOptions(argv: readonly string[]): { readonly dataDir: string; readonly port: number | undefined } | null {
  try {
    const { values } = parseArgs({ args: [...argv], options: { 'data-dir': { type: 'string' }, port: { type: 'string' } } });
    if (values.port !== undefined && !/^\d{1,5}$/.test(values.port)) throw new Error(`--port must be a number, not \`${values.port}\`.`);
    return {
      dataDir: values['data-dir'] ?? process.env.GATEHOUSE_DATA_DIR ?? defaultDataDir(),
      port: values.port === undefined ? undefined : Number(values.port),
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nUsage: npm run serve -- --data-dir DIR --port N\n`);
    return null;
  }
}

function failed(message: string, hint?: string): number {
  process.stderr.write(`${message}${hint === undefined ? '' : `\n${hint}`}\n`);
  return 1;
}

serve(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof StoreUnavailable) process.exit(failed(error.failure.message, error.failure.hint));
    process.stderr.write(`Gatehouse could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
