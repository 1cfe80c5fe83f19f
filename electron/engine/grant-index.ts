// A person's remembered answers (spec 7) in the order in which they count, indexed like rules. Denials and allows are apart:
// a grant never covers a denied target, so one denial is enough, whatever was allowed before or after it.

import type { Grant } from '../../shared/model';
import type { Entry, EntryArgument, EntryQuery } from './entry';
import { NONE } from './hits';
import { compilePathPattern, type PatternOptions } from './path-pattern';
import { comparable } from './path-text';
import { createRuleIndex, type RuleIndex } from './rule-index';
import { timeOf } from './time';
import { compileWildcard } from './wildcard';

export interface GrantIndex {
  /** The answer that counts for a check, or null. Session rules come before grants of the ticket and of the project, later before earlier. */
  denial(query: EntryQuery): Grant | null;
  allowance(query: EntryQuery): Grant | null;
}

/** `grants` oldest first. */
export function compileGrants(grants: readonly Grant[], options: PatternOptions): GrantIndex {
  const ordered = grants.map((grant, age) => ({ grant, age })).sort((a, b) => RANK[a.grant.scope] - RANK[b.grant.scope] || b.age - a.age);
  const denials = list(
    ordered.map((one) => one.grant).filter((grant) => grant.action === 'deny'),
    options,
  );
  const allowances = list(
    ordered.map((one) => one.grant).filter((grant) => grant.action === 'allow'),
    options,
  );
  return {
    denial: (query) => firstIn(denials, query),
    allowance: (query) => firstIn(allowances, query),
  };
}

const RANK: Readonly<Record<Grant['scope'], number>> = { session: 0, timed: 0, ticket: 1, project: 2 };

interface GrantList {
  readonly grants: readonly Grant[];
  readonly index: RuleIndex;
}

const list = (grants: readonly Grant[], options: PatternOptions): GrantList => ({
  grants,
  index: createRuleIndex(grants.map((grant) => grantEntry(grant, options))),
});

function firstIn({ grants, index }: GrantList, query: EntryQuery): Grant | null {
  if (index.isEmpty) return null;
  const position = index.first(query);
  return position === NONE ? null : (grants[position] ?? null);
}

function grantEntry(grant: Grant, options: PatternOptions): Entry {
  return {
    isAllow: grant.action === 'allow',
    toolPattern: grant.surface,
    argument: grantArgument(grant, options),
    agent: null,
    source: null,
    untilMs: grant.expires_at === null ? null : timeOf(grant.expires_at, grant.action === 'deny'),
    access: grant.access,
    paths: grant.surface === '@exec' && grant.action === 'allow' ? 'never' : 'any',
  };
}

/**
 * `Grant.match`: an exact width compares by equality (spec 4), a pattern on a path as in 5.3, on anything else as a wildcard.
 * INVARIANT: an answer covers what it covered when it was given. Its paths were canonical then, so nothing of them is resolved
 * again: a link that is put in their place later leads to another place. A width of a command speaks of commands alone.
 */
function grantArgument(grant: Grant, options: PatternOptions): EntryArgument {
  switch (grant.match) {
    case 'equal':
      return { about: 'equal', text: grant.pattern, path: comparable(grant.pattern, options.platform) };
    case 'path':
      return { about: 'path', pattern: compilePathPattern(grant.pattern, { platform: options.platform, home: options.home }) };
    case 'wildcard':
      if (grant.width === 'sub' || grant.width === 'program') return { about: 'command', wildcard: compileWildcard(grant.pattern) };
      return { about: 'value', pattern: compilePathPattern(grant.pattern, options), wildcard: compileWildcard(grant.pattern) };
  }
}
