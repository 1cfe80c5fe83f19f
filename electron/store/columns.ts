// How text and records stand in database columns. Owns that what is read back is what was written, byte for byte: SQLite's
// C interface ends text at NUL and UTF-8 has no lone surrogates, so such text is escaped. Knows no table.

/** Marks an escaped column. Text that starts with it is escaped too, so that no two texts share a column value. */
const ESCAPED = '\u0001';
const UNSAFE = new RegExp(`^${ESCAPED}|${'\0'}|\\p{Surrogate}`, 'u');

/** INVARIANT: injective. Two different ids never compare equal in the database. */
export const toColumn = (text: string): string => (UNSAFE.test(text) ? ESCAPED + JSON.stringify(text) : text);

export function fromColumn(column: string): string {
  return column.startsWith(ESCAPED) ? String(JSON.parse(column.slice(1))) : column;
}

export const toNullableColumn = (text: string | null | undefined): string | null => (text === null || text === undefined ? null : toColumn(text));

/** One row as the driver returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** Reads a text column; a column of another type means that the table is not ours. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`column \`${column}\` holds no text`);
  return value;
}

export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`column \`${column}\` holds no number`);
  return value;
}

export function nullableTextOf(row: Row, column: string): string | null {
  return row[column] === null ? null : fromColumn(textOf(row, column));
}

/** A record stored as JSON. The database checks on write that it is JSON; what stands in it is what this room wrote. */
export function recordOf<T extends object>(row: Row, column: string): T {
  const value: unknown = JSON.parse(textOf(row, column));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`column \`${column}\` holds no record`);
  return value as T;
}
