// The other side of a data folder that is owned already (spec 14): where its owner answers, and a login link from it for
// the person who started Gatehouse a second time. Talks to nobody but the socket and address in endpoint.json.

import { request as httpRequest, type RequestOptions } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { type Endpoint, openTokens, readEndpoint } from '../store/tokens';

const POLL_MS = 50;
const ANSWER_MS = 1_000;

/** The owner's address once it answers there; null when it has not within `waitMs`. It may just be starting, or stopping. */
export async function findOwner(dataDir: string, waitMs: number): Promise<Endpoint | null> {
  const until = Date.now() + waitMs;
  do {
    const endpoint = readEndpoint(dataDir);
    // Without a token: an address that was left over may be somebody else's by now.
    if (endpoint !== null && (await ask(endpoint, 'GET', '/api/health')) !== null) return endpoint;
    await after(POLL_MS);
  } while (Date.now() < until);
  return null;
}

/** A one-time login link; null when the owner gives none. The operator's token goes through the private socket only. */
export async function loginLinkOf(dataDir: string, endpoint: Endpoint): Promise<string | null> {
  if (endpoint.socket === null) return null;
  const answer = await ask(endpoint, 'POST', '/api/login-links', openTokens(dataDir).operator);
  if (answer?.status !== 201) return null;
  try {
    const { path } = JSON.parse(answer.text) as { readonly path?: unknown };
    return typeof path === 'string' ? `${endpoint.url}${path}` : null;
  } catch {
    return null;
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Null when nobody answers in time, or the address is none. */
function ask(endpoint: Endpoint, method: string, path: string, token?: string): Promise<Answer | null> {
  const asked = new Promise<Answer | null>((resolve) => {
    const url = new URL(endpoint.url);
    const options: RequestOptions = {
      ...(endpoint.socket === null ? { host: url.hostname, port: url.port } : { socketPath: endpoint.socket }),
      method,
      path,
      headers: { host: url.host, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(ANSWER_MS),
    };
    const request = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', () => resolve(null));
    });
    request.on('error', () => resolve(null));
    request.end();
  });
  return asked.catch(() => null);
}
