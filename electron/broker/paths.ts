// Canonical paths at the edge (spec 3.4): the only place that asks the disk where a path lands. Judges nothing.

import type { PatternLink, PlatformFacts } from '../engine/facts';

export type Canonical = { readonly path: string; readonly exists: boolean } | { readonly path: null; readonly reason: string };

export interface Paths {
  readonly platform: PlatformFacts;
  readonly home: string;
  /** Where `raw` lands when it is opened in `base` (absolute, or null when the session has no directory). Spec 3.4. */
  canonical(raw: string, base: string | null): Canonical;
  /** Spec 5.3: the literal directory at the start of an absolute, `~/` or drive pattern made canonical where it exists. */
  canonicalPrefix(pattern: string): string;
  /** The link of spec 5.3 for the literal head of a relative pattern below `base`; null when none stands there. */
  linkAt(base: string, head: string): PatternLink | null;
}

export declare function createPaths(options: { readonly platform?: PlatformFacts; readonly home: string }): Paths;
