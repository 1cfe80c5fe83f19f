// Reading times of records. Asks no clock: what time it is now is always told.

/**
 * Milliseconds of an ISO time. One that cannot be read never ends what refuses and has always ended what allows
 * (`refuses`), so that a damaged record cannot widen anything.
 */
export function timeOf(iso: string, refuses: boolean): number {
  const ms = Date.parse(iso);
  if (!Number.isNaN(ms)) return ms;
  return refuses ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}
