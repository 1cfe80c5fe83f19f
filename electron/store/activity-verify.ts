// Checks the hash chain of the activity log (spec 14): every entry is what was written, none is missing, none was moved,
// the end is where it was. Names the first place where that fails. Reads in bounded lots and lets other work run between.

import { type Entry, GENESIS, hashOf } from './activity-entry';
import { type Head, lastSeq, readHead, timeOf } from './activity-log';
import { fromColumn, nullableTextOf, numberOf, type Row, textOf } from './columns';
import type { Connection } from './connection';
import type { Verification } from './contract';

const LOT = 200;

/**
 * `head` is the one in memory, with everything before it on disk: while the program runs, a head that was rewritten on disk
 * is found too.
 */
export async function verifyActivity(connection: Connection, head: Head): Promise<Verification> {
  const broken = (first: number, detail: string): Verification => ({ intact: false, entries: head.seq, first_break: first, detail });
  const saved = readHead(connection);
  const last = lastSeq(connection);
  const isHeadSaved = saved.seq === head.seq && saved.hash === head.hash;

  let previous = GENESIS;
  let seq = 0;
  let clock = 0;
  for (;;) {
    const rows = connection.all('SELECT * FROM activity WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?', seq, head.seq, LOT);
    if (rows.length === 0) break;
    for (const row of rows) {
      const found = numberOf(row, 'seq');
      if (found !== seq + 1) return broken(seq + 1, missing(seq + 1, found - 1));
      const entry = entryIn(row);
      if (hashOf(previous, entry) !== row.hash) {
        return broken(found, `Entry ${found} (${entry.type}, ${entry.at}) is not what was written after entry ${seq}.`);
      }
      clock = Math.max(clock, timeOf(entry.at));
      if (row.clock !== clock) return broken(found, `Entry ${found} is filed under another time than its own.`);
      previous = textOf(row, 'hash');
      seq = found;
    }
    await new Promise((resume) => setImmediate(resume));
  }
  if (seq < head.seq) return broken(seq + 1, missing(seq + 1, head.seq));
  if (previous !== head.hash) return broken(seq, `Entry ${seq} is not the entry that the log ended with.`);
  if (last > head.seq) return broken(head.seq + 1, `Entry ${head.seq + 1} was added behind the end of the log.`);
  if (!isHeadSaved) return broken(head.seq, 'The record of where the log ends is not what was written.');
  return { intact: true, entries: head.seq, first_break: null, detail: `All ${head.seq} entries are as they were written.` };
}

const missing = (first: number, last: number): string => (first === last ? `Entry ${first} is missing.` : `Entries ${first} to ${last} are missing.`);

function entryIn(row: Row): Entry {
  return {
    seq: numberOf(row, 'seq'),
    at: fromColumn(textOf(row, 'at')),
    type: fromColumn(textOf(row, 'type')),
    actor: fromColumn(textOf(row, 'actor')),
    session_id: nullableTextOf(row, 'session_id'),
    request_id: nullableTextOf(row, 'request_id'),
    agent: nullableTextOf(row, 'agent'),
    cause: nullableTextOf(row, 'cause'),
    summary: fromColumn(textOf(row, 'summary')),
    data: textOf(row, 'data'),
  };
}
