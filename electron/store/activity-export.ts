// The activity log as a file: JSON lines or CSV, oldest first. Owns the two formats; entries are masked since they were
// written. CSV cells that a spreadsheet would run as a formula are neutralised.

import { stringify } from 'csv-stringify/sync';
import type { Activity } from '../../shared/model';

const COLUMNS = ['seq', 'at', 'type', 'agent', 'cause', 'actor', 'session_id', 'request_id', 'summary', 'data', 'hash'] as const;

export async function* exportActivity(format: 'jsonl' | 'csv', lots: AsyncIterable<readonly Activity[]>): AsyncGenerator<string> {
  if (format === 'csv') yield stringify([COLUMNS]);
  for await (const lot of lots) {
    if (format === 'jsonl') yield lot.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    else yield stringify(lot.map(csvRow), { escape_formulas: true });
  }
}

const csvRow = (entry: Activity): readonly (string | number | null)[] =>
  COLUMNS.map((name) => (name === 'data' ? JSON.stringify(entry.data) : entry[name]));
