// The compiled policy that is in force. Compiled again when a rule changes, and when a place on disk that a pattern begins
// with has come to mean another place (spec 5.3). Owns no rule and decides nothing.

import type { Rule } from '../../shared/model';
import { type CompiledPolicy, compilePolicy } from '../engine/policy';
import type { Paths } from './paths';

/** Up to this many absolute patterns are looked at before every decision; more than these share a bounded part of the time. */
const ALWAYS_CHECKED = 64;
/** With more patterns than that, looking takes at most one part in so many of the time. */
const SHARE = 20;

export interface LivePolicy {
  /** The policy of the rules as they are, over the disk as it is. */
  current(): CompiledPolicy;
  /** Of other rules: drafts, or those of a change that is being decided. */
  compile(rules: readonly Rule[]): CompiledPolicy;
  /** After a change of rules; `next` when it has been compiled already. */
  changed(next?: CompiledPolicy): void;
}

export function createLivePolicy(rules: () => Iterable<Rule>, paths: Paths, now: () => number): LivePolicy {
  /** Where the head of each absolute pattern led when it was compiled. */
  const heads = new WeakMap<CompiledPolicy, ReadonlyMap<string, string>>();
  let policy: CompiledPolicy | null = null;
  let checkAgainAtMs = 0;

  function compile(list: readonly Rule[]): CompiledPolicy {
    const seen = new Map<string, string>();
    const compiled = compilePolicy(list, {
      platform: paths.platform,
      home: paths.home,
      canonicalPrefix: (pattern) => {
        const known = seen.get(pattern) ?? paths.canonicalPrefix(pattern);
        seen.set(pattern, known);
        return known;
      },
    });
    heads.set(compiled, seen);
    return compiled;
  }

  function isStale(compiled: CompiledPolicy): boolean {
    const seen = heads.get(compiled);
    if (seen === undefined || seen.size === 0) return false;
    const startedMs = now();
    if (seen.size > ALWAYS_CHECKED && startedMs < checkAgainAtMs) return false;
    for (const [pattern, led] of seen) if (paths.canonicalPrefix(pattern) !== led) return true;
    checkAgainAtMs = now() + (now() - startedMs) * SHARE;
    return false;
  }

  return {
    current() {
      if (policy === null || isStale(policy)) policy = compile([...rules()]);
      return policy;
    },
    compile,
    changed(next) {
      policy = next ?? null;
    },
  };
}
