// The one record for an expected failure, the same over IPC, HTTP and socket. Faults of our own are thrown
// instead, logged, and refuse whatever waits.

export const FAILURE_CODES = [
  'invalid',
  'not_found',
  'unauthorized',
  'forbidden',
  'foreign_origin',
  'call_conflict',
  'stale',
  'settled',
  'busy',
  'conflict',
  'in_use',
  'too_large',
  'not_json',
  'unsupported',
  'limit',
  'unavailable',
  'storage',
  'fault',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/**
 * `message`: what and why, input in backticks. `hint`: a sentence that starts with a verb. `subject`: the field
 * (text) or the record that stands in the way, such as `{status: 'denied'}`.
 */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint?: string;
  readonly subject?: string | Readonly<Record<string, unknown>>;
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

export function fail(
  code: FailureCode,
  message: string,
  more: { hint?: string; subject?: Failure['subject'] } = {},
): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code, message, ...more } };
}

/** HTTP status of each code; IPC and WebSocket carry the code alone. */
export const HTTP_STATUS: Readonly<Record<FailureCode, number>> = {
  invalid: 422,
  not_found: 404,
  unauthorized: 401,
  forbidden: 403,
  foreign_origin: 403,
  call_conflict: 409,
  stale: 409,
  settled: 409,
  busy: 409,
  conflict: 409,
  in_use: 409,
  too_large: 413,
  not_json: 400,
  unsupported: 415,
  limit: 429,
  unavailable: 503,
  storage: 503,
  fault: 500,
};
