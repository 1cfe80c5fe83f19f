// JSON that comes in through a door: how much of it is read, and how deep it may be nested. Refuses what is no JSON before
// anything else looks at it; the shape of the value is for the schemas.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, ok, type Result } from '../../shared/failure';

/** Spec 13. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Far above real use. Validation and hashing walk a value by recursion, which must not run out of stack. */
const MAX_DEPTH = 256;

/** Undefined for an empty body. Over the bound: `too_large` at once; what is left stays unread (see answers.ts). */
export async function readJson(request: IncomingMessage, response: ServerResponse, maxBytes: number): Promise<Result<unknown>> {
  const tooLarge = (): ReturnType<typeof fail> => fail('too_large', `The body is larger than ${maxBytes / 1024 / 1024} MiB.`, { hint: 'Send less.' });
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge();
  // curl asks before it sends a large body, and waits a second when nobody answers.
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
  const read = await readBytes(request, maxBytes);
  if (read === 'too_large') return tooLarge();
  if (read === 'cut') return fail('not_json', 'The body ended early.');
  if (read.length === 0) return ok(undefined);
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(read));
  } catch {
    return notJson();
  }
}

/** Failures: `not_json`; `invalid` when it is nested too deep. */
export function parseJson(text: string): Result<unknown> {
  if (isTooDeep(text)) return fail('invalid', `The JSON is nested deeper than ${MAX_DEPTH} levels.`, { hint: 'Send a flatter value.' });
  try {
    return ok(JSON.parse(text));
  } catch {
    return notJson();
  }
}

const notJson = (): ReturnType<typeof fail> => fail('not_json', 'The body is not JSON.', { hint: 'Send one JSON value in UTF-8.' });

/** Not by `for await`: leaving that loop early destroys the connection, and with it the answer. */
function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | 'too_large' | 'cut'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (outcome: Buffer | 'too_large' | 'cut'): void => {
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      resolve(outcome);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) finish('too_large');
      else chunks.push(chunk);
    };
    const onEnd = (): void => finish(Buffer.concat(chunks));
    const onCut = (): void => finish('cut');
    request.on('data', onData).once('end', onEnd).once('error', onCut).once('close', onCut);
  });
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = ['"', '\\', '[', ']', '{', '}'].map((one) => one.charCodeAt(0));

/** Of text that may be no JSON: never too deep by mistake for what is, and one pass without recursion. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}
