// The command line's way to a running Gatehouse: reads endpoint.json and a token from the data folder and talks HTTP over
// the Unix socket, or over loopback TCP where there is none. Opens nothing itself.

import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import type { CommandName, Draft, Output } from '../../shared/commands';
import { fail, type Result } from '../../shared/failure';
import type { Endpoint } from '../store/tokens';

/**
 * `unavailable` when no server is running on this data folder. Reads the file plainly and not through the store, which the
 * hook, started for every tool call, would have to load first.
 */
export function readEndpoint(dataDir: string): Result<Endpoint> {
  try {
    return { ok: true, value: JSON.parse(readFileSync(join(dataDir, 'endpoint.json'), 'utf8')) as Endpoint };
  } catch {
    return fail('unavailable', `Gatehouse is not running on \`${dataDir}\`.`, {
      hint: 'Start it with `npm start`, or name its folder with --data-dir.',
    });
  }
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** One exchange. Rejects when nobody listens. No time limit of its own: the caller of a long poll waits. */
export function exchange(endpoint: Endpoint, token: string, method: string, path: string, body: string | null): Promise<HttpAnswer> {
  const url = new URL(path, endpoint.url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...(endpoint.socket === null ? { host: url.hostname, port: url.port } : { socketPath: endpoint.socket }),
        method,
        path: url.pathname + url.search,
        headers: {
          host: url.host,
          authorization: `Bearer ${token}`,
          ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }));
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body ?? undefined);
  });
}

export interface Client {
  readonly endpoint: Endpoint;
  /** Runs a command through `POST /api/commands/{name}`, as every door does. */
  call<N extends CommandName>(name: N, input: Draft<N>): Promise<Result<Output<N>>>;
}

/** With the operator's token: the command line is the person's own. */
export function connectClient(dataDir: string): Result<Client> {
  const endpoint = readEndpoint(dataDir);
  if (!endpoint.ok) return endpoint;
  let token: string;
  try {
    token = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
  } catch (error) {
    return fail('unauthorized', `Could not read the operator token in \`${dataDir}\`: ${error instanceof Error ? error.message : String(error)}.`, {
      hint: 'Run the command as the person who started Gatehouse.',
    });
  }
  return {
    ok: true,
    value: {
      endpoint: endpoint.value,
      async call<N extends CommandName>(name: N, input: Draft<N>): Promise<Result<Output<N>>> {
        try {
          const answer = await exchange(endpoint.value, token, 'POST', `/api/commands/${name}`, JSON.stringify(input));
          const parsed: unknown = JSON.parse(answer.body);
          if (answer.status >= 200 && answer.status < 300) return { ok: true, value: parsed as Output<N> };
          return { ok: false, failure: (parsed as { error: { code: 'fault'; message: string } }).error };
        } catch {
          return fail('unavailable', `Gatehouse does not answer at \`${endpoint.value.url}\`.`, { hint: 'Start it with `npm start`.' });
        }
      },
    },
  };
}
