// Turns what a schema of shared/schemas.ts refuses into the one failure record: which field, and what is wrong with it.

import type { z } from 'zod';
import { type Failure, fail } from '../../shared/failure';

type Issue = z.core.$ZodIssue;

/**
 * `subject`: the field, dotted, such as `run_context.hooks.0.event`; empty text for the body as a whole. `body`: the part of the
 * command's input that a caller sees as the whole, such as `run_context` where the body is the run context itself (spec 13).
 */
export function invalidInput(error: z.ZodError, body?: string): { readonly ok: false; readonly failure: Failure } {
  const issue = deepest(error.issues[0]);
  if (issue === undefined) return fail('invalid', 'The input is not valid.');
  const path = issue.path.map(String);
  const field = (body !== undefined && path[0] === body ? path.slice(1) : path).join('.');
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const full = field === '' ? key : `${field}.${key}`;
    return fail('invalid', `The field \`${full}\` is unknown.`, { hint: 'Leave it out, or correct its name.', subject: full });
  }
  const what = field === '' ? 'The body' : `The field \`${field}\``;
  return fail('invalid', `${what} is not valid: ${sentence(issue.message)}.`, { hint: 'Correct the value and send it again.', subject: field });
}

/** Of a value that fits none of several shapes: the complaint of the shape that it came nearest to. */
function deepest(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue;
  let best: Issue = issue;
  for (const errors of issue.errors) {
    const first = deepest(errors[0]);
    if (first === undefined) continue;
    const placed = { ...first, path: [...issue.path, ...first.path] };
    if (placed.path.length > best.path.length) best = placed;
  }
  return best;
}

const sentence = (message: string): string => message.replace(/^Invalid (?:input|option): /, '').replace(/\.$/, '');
