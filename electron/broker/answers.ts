// How an answer leaves an HTTP door: whole, with its length, and so that the client gets to read it even when it is still
// sending a body that nobody will read. A client that does not read its answer is dropped.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Failure, HTTP_STATUS } from '../../shared/failure';
import { MAX_BODY_BYTES } from './body';
import { CONTENT_POLICY, type StaticFile } from './static';

/** A client that does not read its answer for so long is gone. */
export const UNREAD_MS = 60_000;
/** How long a client may go on sending after it was refused. */
const LINGER_MS = 2_000;

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.destroyed || response.headersSent) return;
  const body = Buffer.from(JSON.stringify(value));
  send(response, status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length }, body);
}

export function sendFailure(response: ServerResponse, failure: Failure): void {
  if (failure.code === 'unauthorized' && !response.headersSent) response.setHeader('WWW-Authenticate', 'Bearer');
  sendJson(response, HTTP_STATUS[failure.code], { error: failure });
}

export function sendFile(response: ServerResponse, file: StaticFile): void {
  const headers = {
    'Content-Type': file.type,
    'Content-Length': file.body.length,
    'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Security-Policy': CONTENT_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
  send(response, 200, headers, file.body);
}

function send(response: ServerResponse, status: number, headers: Record<string, string | number>, body: Buffer): void {
  if (isSendingMore(response.req)) {
    response.writeHead(status, { ...headers, Connection: 'close' });
    response.write(body);
    endWhenSent(response);
    return;
  }
  response.writeHead(status, headers);
  response.end(body);
  dropUnlessRead(response);
}

/** A body that may not be drained in passing, as Node does with a short one. */
function isSendingMore(request: IncomingMessage): boolean {
  if (request.complete) return false;
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES;
}

/**
 * Closing a connection that has unread bytes resets it, and a reset takes back an answer that was not read yet. So the
 * answer goes out, the rest of the body is thrown away for a moment, and only then is the connection closed.
 */
function endWhenSent(response: ServerResponse): void {
  const request = response.req;
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(() => {
    response.end();
    request.destroy();
  }, LINGER_MS);
  request.once('end', end).once('close', end);
  request.resume();
}

function dropUnlessRead(response: ServerResponse): void {
  if (response.writableFinished) return;
  const timer = setTimeout(() => response.destroy(), UNREAD_MS);
  response.once('close', () => clearTimeout(timer));
}

/** Resolves when the client has taken what was written, or is gone. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), UNREAD_MS);
    const done = (): void => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}

/** An answer where there is no response object: a refused upgrade, or bytes that are no HTTP. */
export function endWithFailure(socket: Duplex, status: number, failure: Failure): void {
  const body = JSON.stringify({ error: failure });
  socket.end(
    [
      `HTTP/1.1 ${status} Refused`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
