// An agent and an operator in a few lines: they read endpoint.json and a token from a data folder and talk HTTP, as any
// program would. Knows the wire, and nothing of the app.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandName, Draft, Output } from '../shared/commands';
import type { Request, SessionView } from '../shared/model';

export interface HttpAnswer<T> {
  readonly status: number;
  readonly body: T;
}

export interface HttpClient {
  send<T>(method: string, path: string, body?: unknown): Promise<HttpAnswer<T>>;
}

/** Reads the address anew at each call: it changes when the app starts again. */
export function httpClient(dataDir: string, role: 'agent' | 'operator'): HttpClient {
  return {
    async send<T>(method: string, path: string, body?: unknown) {
      const { url } = JSON.parse(readFileSync(join(dataDir, 'endpoint.json'), 'utf8')) as { readonly url: string };
      const token = readFileSync(join(dataDir, `${role}.token`), 'utf8').trim();
      const answer = await fetch(new URL(path, url), {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as T };
    },
  };
}

export interface Call {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly call_id: string;
  readonly cwd?: string;
}

export interface ScriptedAgent {
  readonly sessionId: string;
  /** Asks and waits until somebody decides, re-attaching by its call id whenever the connection ends. */
  ask(tool: string, input: Record<string, unknown>): Promise<Request>;
  /** Asks without waiting: the request as it stands. */
  submit(tool: string, input: Record<string, unknown>): Promise<Request>;
  end(): Promise<void>;
}

const ROUND_MS = 20_000;
const RETRY_MS = 100;
/** Longer than any story. */
const GIVE_UP_MS = 120_000;

/** Opens a session in `cwd`. Everything else of the session's body may be given in `more`. */
export async function scriptedAgent(dataDir: string, cwd: string, more: Partial<Draft<'session.open'>> = {}): Promise<ScriptedAgent> {
  const client = httpClient(dataDir, 'agent');
  const opened = await client.send<SessionView>('POST', '/api/sessions', { agent: 'claude-code', cwd, title: 'shop', ...more });
  if (opened.status !== 201) throw new Error(`no session: ${opened.status} ${JSON.stringify(opened.body)}`);
  const path = `/api/sessions/${opened.body.id}/requests`;

  async function round(call: Call, waitMs: number): Promise<Request | null> {
    try {
      const answer = await client.send<Request>('POST', path, { ...call, wait_ms: waitMs });
      if (answer.status >= 400) throw new Error(`refused: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    } catch (error) {
      // The app is gone or starting: an agent tries again with the same call id.
      if (error instanceof Error && error.message.startsWith('refused')) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return null;
    }
  }

  return {
    sessionId: opened.body.id,
    async submit(tool, input) {
      const request = await round({ tool, input, call_id: randomUUID() }, 0);
      if (request === null) throw new Error('the gate cannot be reached');
      return request;
    },
    async ask(tool, input) {
      const call = { tool, input, call_id: randomUUID() };
      const until = Date.now() + GIVE_UP_MS;
      while (Date.now() < until) {
        const request = await round(call, ROUND_MS);
        if (request !== null && request.status !== 'pending') return request;
      }
      throw new Error('nobody decided');
    },
    async end() {
      await client.send('POST', `/api/sessions/${opened.body.id}/end`, {});
    },
  };
}

/** A command as the person's own programs send it. Throws on a failure. */
export async function operate<N extends CommandName>(dataDir: string, name: N, input: Draft<N>): Promise<Output<N>> {
  const answer = await httpClient(dataDir, 'operator').send<Output<N>>('POST', `/api/commands/${name}`, input);
  if (answer.status >= 400) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
