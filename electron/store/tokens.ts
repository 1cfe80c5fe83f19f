// Tokens of the doors and the file that tells clients where the server is (spec 14). Owns that a token is made once and
// stays, and that `endpoint.json` is there only while its server runs. Who may do what with a token is the broker's matter.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FILES, makePrivate, readIfPresent, unavailable, writePrivate } from './data-folder';

export interface Tokens {
  readonly operator: string;
  readonly agent: string;
}

const TOKEN_BYTES = 32;

/** Reads both tokens, making what is missing or empty. Throws `StoreUnavailable` when the folder cannot be used. */
export function openTokens(dataDir: string): Tokens {
  try {
    return { operator: openToken(join(dataDir, FILES.operatorToken)), agent: openToken(join(dataDir, FILES.agentToken)) };
  } catch (error) {
    throw unavailable(dataDir, error);
  }
}

function openToken(path: string): string {
  const known = readIfPresent(path)?.trim();
  if (known) {
    makePrivate(path);
    return known;
  }
  return writeToken(path);
}

function writeToken(path: string): string {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  writePrivate(path, `${token}\n`);
  return token;
}

/** Replaces one token; whoever holds the old one is out. */
export function rotateToken(dataDir: string, which: keyof Tokens): string {
  return writeToken(join(dataDir, which === 'operator' ? FILES.operatorToken : FILES.agentToken));
}

const endpointSchema = z.object({ url: z.string(), socket: z.string().nullable(), pid: z.number(), version: z.string() });
export type Endpoint = Readonly<z.output<typeof endpointSchema>>;

export function writeEndpoint(dataDir: string, endpoint: Endpoint): void {
  writePrivate(join(dataDir, FILES.endpoint), `${JSON.stringify(endpoint, null, 2)}\n`);
}

/** Null when there is none or it is not readable as one. It may be left over from a server that was killed. */
export function readEndpoint(dataDir: string): Endpoint | null {
  const text = readIfPresent(join(dataDir, FILES.endpoint));
  if (text === null) return null;
  try {
    return endpointSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Removes the file on a clean stop, unless another server has written its own by now. */
export function removeEndpoint(dataDir: string, pid: number): void {
  if (readEndpoint(dataDir)?.pid === pid) rmSync(join(dataDir, FILES.endpoint), { force: true });
}
