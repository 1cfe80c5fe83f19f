// How the command line tells of a failure: on standard error, with what to do about it.

import type { Failure } from '../../shared/failure';

/** Writes the failure; the exit code that goes with it is 1. */
export function reportFailure(failure: Failure): number {
  process.stderr.write(`${failure.message}${failure.hint === undefined ? '' : `\n${failure.hint}`}\n`);
  return 1;
}
