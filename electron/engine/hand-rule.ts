// A rule that a person writes by hand as part of an answer (spec 13, `rule: {surface, pattern}`). It has to cover the call at
// hand; what belongs to a covered part and is not covered, such as its redirect, comes along as narrow as it gets.

import { type Failure, fail, ok, type Result } from '../../shared/failure';
import type { SurfaceRule } from '../../shared/model';
import { EXTERNAL_DIRECTORY } from '../../shared/terms';
import { matchesWildcard } from './match';
import type { Reach } from './overlap';
import { compilePathPattern } from './path-pattern';
import { type Asked, type Holds, holdsIn, type Remembered, reachesRefusal, rulingWithGrants } from './round-trip';
import { checkKey, goesAlong, type Part, type PartCheck, type Picked, type Target } from './scope-parts';

type Written = Pick<SurfaceRule, 'surface' | 'pattern'>;

/** `invalid`, subject `rule`, when a part of the call would still ask or, for a denial, when nothing of the call is denied. */
export function handWritten(
  rule: Written,
  action: 'allow' | 'deny',
  scope: Remembered,
  asked: Asked,
  parts: readonly Part[],
): Result<readonly Picked[]> {
  const settles = action === 'allow' ? settledByAllow(rule, asked) : settledByDeny(rule, asked);
  const covered = parts.filter((part) => settles(mainChecks(part)));
  if (covered.length === 0) return notCovering(rule, null);
  const written: Picked[] = [];
  for (const part of covered) {
    const target = targetFor(rule, part, scope, asked);
    if (target === null) return invalid(`A rule for \`${rule.surface}\` with \`${rule.pattern}\` is too wide to be kept for ever.`, 'Name one tool.');
    written.push({ part, width: 'rule', targets: [target] });
  }
  if (action === 'deny') return ok(written);
  if (scope === 'always' && written.some((pick) => reachesRefusal(asked, pick)))
    return invalid('This rule would get ahead of one that denies or always asks.', 'Write a narrower rule, or choose another scope.');
  for (const part of parts) {
    const open = part.checks.filter((check) => !settles([check]));
    if (open.length === 0) continue;
    if (covered.includes(part)) written.push({ part, width: 'rule', targets: companions(rule, part, open, asked) });
    else if (goesAlong(part, covered, parts)) written.push({ part, width: part.widths[0]?.width ?? 'file', targets: part.widths[0]?.targets ?? [] });
    else return notCovering(rule, part.subject);
  }
  return ok(written);
}

type Refused = { readonly ok: false; readonly failure: Failure };

const invalid = (message: string, hint: string): Refused => fail('invalid', message, { hint, subject: 'rule' });

function notCovering(rule: Written, subject: string | null): Refused {
  const what = subject === null ? 'this call' : `\`${subject}\``;
  return invalid(`A rule for \`${rule.surface}\` with \`${rule.pattern}\` does not cover ${what}.`, 'Write a rule that covers the call.');
}

/** What the part is about: of an outside path the tool's own check, where that asks too. */
function mainChecks({ checks }: Part): readonly PartCheck[] {
  const own = checks.filter((check) => check.surface !== EXTERNAL_DIRECTORY);
  return own.length === 0 ? checks : own;
}

const settledByAllow = (rule: Written, asked: Asked): Holds => holdsIn(rulingWithGrants(asked, [handTarget(rule, null)]));

function settledByDeny(rule: Written, asked: Asked): Holds {
  const { checks } = rulingWithGrants(asked, [handTarget(rule, null)], 'deny');
  const denied = new Set(checks.filter((one) => one.verdict === 'deny').map((one) => checkKey(one.check)));
  return (some) => some.some((check) => denied.has(check.key));
}

const handTarget = ({ surface, pattern }: Written, access: Target['access']): Target => ({
  surface,
  pattern,
  match: 'wildcard',
  access,
  askedBy: [],
});

/** Null: it cannot be written as a rule of a group. */
function targetFor(rule: Written, part: Part, scope: Remembered, { call }: Asked): Target | null {
  // An answer for reading outside does not cover writing there; a tool's own name says already what it does.
  const access = rule.surface === EXTERNAL_DIRECTORY ? (part.checks[0]?.access ?? null) : null;
  const target = { ...handTarget(rule, access), askedBy: mainChecks(part).flatMap((check) => check.askedBy) };
  if (scope !== 'always') return target;
  const reach = reachFor(rule, part, call.executes);
  return reach === null ? null : { ...target, reach };
}

function reachFor({ surface, pattern }: Written, part: Part, executes: boolean): Reach | null {
  switch (part.about) {
    case 'unit':
      return { tool_pattern: surface, path_pattern: null, command_pattern: pattern };
    case 'path':
      return { tool_pattern: surface, path_pattern: pattern, command_pattern: null };
    case 'tool': {
      // Surface and pattern both name tools here: the narrower of the two is the rule.
      const tool = matchesWildcard(pattern, surface) ? surface : matchesWildcard(surface, pattern) ? pattern : null;
      return tool === null || tool === '*' || executes ? null : { tool_pattern: tool, path_pattern: null, command_pattern: null };
    }
  }
}

/** The outside check of a path that the rule covers: the same pattern where that names a place, else this path alone. */
function companions(rule: Written, part: Part, open: readonly PartCheck[], { policy }: Asked): readonly Target[] {
  const namesPlace = compilePathPattern(rule.pattern, policy.options).anchor === 'absolute';
  return open.map(({ surface, access, askedBy }) => ({
    surface,
    pattern: namesPlace ? rule.pattern : part.subject,
    match: namesPlace ? 'path' : 'equal',
    access,
    askedBy,
  }));
}
