// Words for the full-text search over the activity log: which text of an entry is searched, and how what a person typed
// becomes a query. Pure.

import type { Json } from '../../shared/model';
import { fromColumn, type Row, textOf } from './columns';

const MAX_SEARCHED_CHARS = 16_000;
/** Ids, hashes and times have filters of their own; as words they would only fill the index. */
const NOT_WORDS = /^(?:[0-9a-f]{32,}|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

export function searchTextOf(row: Row): string {
  const words: string[] = [fromColumn(textOf(row, 'summary')), fromColumn(textOf(row, 'actor'))];
  const seen = new Set<string>();
  let chars = 0;
  const visit = (value: Json): void => {
    if (chars > MAX_SEARCHED_CHARS) return;
    if (typeof value === 'string') {
      if (seen.has(value) || NOT_WORDS.test(value)) return;
      seen.add(value);
      chars += value.length;
      words.push(value);
    } else if (typeof value === 'object' && value !== null) {
      for (const item of Object.values(value)) visit(item);
    }
  };
  visit(JSON.parse(textOf(row, 'data')));
  return words.join('\n').replaceAll('\0', ' ');
}

/**
 * Every word has to occur; a word matches also the beginning of a longer one, and a word with punctuation inside is a
 * phrase. Null when there is nothing to look for, as in `!!`.
 */
export function searchQueryOf(typed: string): string | null {
  const words = typed.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return null;
  return words.map((word) => `"${word.replaceAll('"', '""').replaceAll('\0', ' ')}"*`).join(' AND ');
}
