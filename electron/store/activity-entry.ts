// What one event looks like in the activity log: the columns, the masked data, and the hash that chains it to the entry
// before (spec 14). Pure. Owns the form that `verify` and anyone with an export can recompute.

import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Json, JsonObject, Session } from '../../shared/model';
import type { StateEvent, StoredName, StoredRecords, Write } from './events';
import { type Limits, MAX_DEPTH, maskJson } from './mask';

/** An entry without its hash; `data` is canonical JSON text (RFC 8785). */
export interface Entry {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly actor: string;
  readonly session_id: string | null;
  readonly request_id: string | null;
  readonly agent: string | null;
  readonly cause: string | null;
  readonly summary: string;
  readonly data: string;
}

/** Hash before the first entry. */
export const GENESIS = '0'.repeat(64);

/**
 * SHA-256 over the previous hash, a line feed and the canonical JSON (RFC 8785) of the entry without its hash, in hex. The
 * members stand in the order that RFC 8785 sorts them into, so that the data need not be parsed to be checked.
 */
export function hashOf(previous: string, entry: Entry): string {
  const member = (name: keyof Entry): string => `"${name}":${JSON.stringify(entry[name])}`;
  const before = (['actor', 'agent', 'at', 'cause'] as const).map(member);
  const after = (['request_id', 'seq', 'session_id', 'summary', 'type'] as const).map(member);
  const text = `{${[...before, `"data":${entry.data}`, ...after].join(',')}}`;
  return createHash('sha256').update(`${previous}\n${text}`).digest('hex');
}

/** Looks a record up as it was before the commit; `undefined` for a new one. */
export type Before = <N extends StoredName>(name: N, id: string) => StoredRecords[N] | undefined;

/** Tried in turn until the entry is small enough; a request of 1 MiB does not make an entry of 1 MiB. */
const LIMITS: readonly Limits[] = [
  { textChars: 4000, listItems: 1000 },
  { textChars: 1000, listItems: 100 },
  { textChars: 200, listItems: 20 },
];
const MAX_CHARS = 64 * 1024;

export function entryOf(seq: number, event: StateEvent, before: Before, sessionOf: (id: string) => Session | undefined): Entry {
  const writes = event.writes.map((write) => loggedWrite(write, before));
  const { text, masked, shortened } = boundedData(event.facts === undefined ? { writes } : { facts: event.facts, writes });
  const summary = maskJson(event.summary, { textChars: 2000, listItems: 1 });
  const notes = { ...(masked > 0 ? { masked } : {}), ...(shortened > 0 ? { shortened } : {}) };
  return {
    seq,
    at: event.at,
    type: event.type,
    actor: event.actor,
    session_id: event.session_id ?? null,
    request_id: event.request_id ?? null,
    agent: agentOf(event, sessionOf),
    cause: causeOf(event.writes),
    summary: String(summary.value),
    data: text(notes),
  };
}

function boundedData(data: JsonObject): { text(notes: JsonObject): string; readonly masked: number; readonly shortened: number } {
  const isSmall = sizeAsIs(data) <= MAX_CHARS;
  for (const limits of LIMITS) {
    if (!isSmall && sizeOf(data, limits, MAX_CHARS) > MAX_CHARS) continue;
    const { value, masked, shortened } = maskJson(data, limits);
    return { text: (notes) => canonical({ ...(value as JsonObject), ...notes }), masked, shortened };
  }
  const whole = JSON.stringify(data);
  const left_out = { characters: whole.length, sha256: createHash('sha256').update(whole).digest('hex') };
  return { text: (notes) => canonical({ left_out, ...notes }), masked: 0, shortened: 1 };
}

/** Characters of the whole, natively counted; nesting too deep for that is more than any limit. */
function sizeAsIs(data: JsonObject): number {
  try {
    return JSON.stringify(data).length;
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** Characters that `json` has under `limits`, counted no further than `stop`. */
function sizeOf(json: Json, limits: Limits, stop: number, depth = 0): number {
  if (typeof json === 'string') return Math.min(json.length, limits.textChars) + 2;
  if (typeof json !== 'object' || json === null || depth > MAX_DEPTH) return 5;
  let size = 2;
  const items: readonly [string, Json][] = Object.entries(json);
  for (const [key, value] of items.slice(0, limits.listItems)) {
    size += key.length + 4 + sizeOf(value, limits, stop - size, depth + 1);
    if (size > stop) return size;
  }
  return size;
}

function canonical(json: Json): string {
  const text = canonicalize(json);
  if (text === undefined) throw new TypeError('log data is no JSON');
  return text;
}

/** A change of a record is logged as the fields that changed: what happened is read at a glance, and the log stays small. */
function loggedWrite(write: Write, before: Before): JsonObject {
  if (!('put' in write)) return plain(write);
  const previous = before(write.put, write.value.id);
  const value = plain(write.value);
  if (!previous) return { put: write.put, value };
  const old = plain(previous);
  const names = new Set([...Object.keys(old), ...Object.keys(value)]);
  const changed: Record<string, Json> = {};
  for (const name of names) {
    if (!isSame(old[name], value[name])) changed[name] = value[name] ?? null;
  }
  return { put: write.put, id: write.value.id, changed };
}

/** Records are JSON by construction; `undefined` members of optional fields are dropped as JSON drops them. */
const plain = (record: object): JsonObject => record as JsonObject;

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function agentOf(event: StateEvent, sessionOf: (id: string) => Session | undefined): string | null {
  for (const write of event.writes) {
    if ('put' in write && (write.put === 'session' || write.put === 'request')) return write.value.agent;
  }
  return event.session_id === undefined ? null : (sessionOf(event.session_id)?.agent ?? null);
}

function causeOf(writes: readonly Write[]): string | null {
  for (const write of writes) {
    if ('settle' in write) return write.decision.cause;
    if ('put' in write && write.put === 'request' && write.value.decision) return write.value.decision.cause;
  }
  return null;
}
