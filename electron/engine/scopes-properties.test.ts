// The promises of a remembered answer (spec 7, invariants 1 and 5 of section 15) over generated policies, sessions and calls.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Choice, Grant, Rule } from '../../shared/model';
import { decide } from './decide';
import type { CallFacts, SessionFacts } from './facts';
import { anyCall, anyOutcomes, anySession, rules } from './generators';
import { type AnswerWrites, grantsFor } from './grants';
import { compilePolicy } from './policy';
import { assessRisk } from './risk';
import { grant, HOME, NOW, operand, POSIX, pathOf, ROOT, reading, redirect, rule, running, call as sample, session, writing } from './samples';
import type { Bindings } from './scope-parts';
import { scopeOffers } from './scopes';

const numRuns = process.env.GATEHOUSE_DEEP ? 10_000 : 500;
vi.setConfig({ testTimeout: 300_000 });
const options = { platform: POSIX, home: HOME, canonicalPrefix: (pattern: string): string => pattern };

interface Scene {
  readonly call: CallFacts;
  readonly session: SessionFacts;
  readonly rules: readonly Rule[];
  readonly bindings: Bindings;
}

// A small world, so that rules, answers and neighbouring calls meet all the time.
const smallCommand = fc
  .tuple(fc.constantFrom('git', 'npm'), fc.array(fc.constantFrom('push', 'test', 'x'), { maxLength: 2 }))
  .map((words) => words.flat().join(' '));
const smallPath = fc.constantFrom(`${ROOT}/src/a`, `${ROOT}/src/b`, `${ROOT}/c`, '/ext/a', '/ext/ref/b', '/ext/ref');
const smallCall: fc.Arbitrary<CallFacts> = fc.oneof(
  fc
    .tuple(
      fc.array(smallCommand, { minLength: 1, maxLength: 3 }),
      fc.option(smallPath, { freq: 1 }),
      fc.constantFrom('read' as const, 'write' as const),
      fc.boolean(),
    )
    .map(([commands, path, access, isOperand]) =>
      running(commands, path === null ? [] : [isOperand ? operand(path) : { ...redirect(path, access), unit: 0 }]),
    ),
  smallPath.map((path) => writing(path)),
  smallPath.map((path) => reading(path)),
  fc.tuple(smallPath, smallPath).map(([from, to]) => sample({ tool: 'Copy', kind: 'edit', paths: [pathOf(from, 'read'), pathOf(to, 'write')] })),
  fc.constantFrom('mcp__mail__send', 'mail:list', 'deploy').map((tool) => sample({ tool })),
);
const smallRule = fc
  .record({
    tool_pattern: fc.constantFrom(
      'Bash',
      '@exec',
      '*',
      'Write',
      '@fs_write',
      '@fs_any',
      'external_directory',
      'external_directory',
      'mcp__*',
      'mail:send',
      'Copy',
    ),
    command_pattern: fc.constantFrom(null, null, 'git *', 'git push *', 'git push x', 'npm *', '* x'),
    path_pattern: fc.constantFrom(null, null, '/ext/*', '/ext/ref/*', 'src/*', 'src/a', '/ext/a', '*', '*/b'),
    action: fc.constantFrom('require' as const, 'require' as const, 'deny' as const, 'allow' as const),
    hard: fc.constantFrom(false, false, false, false, true),
    agent: fc.constantFrom(null, null, null, 'codex'),
    priority: fc.constantFrom(50, 100, 100, 101),
    group_id: fc.constantFrom('default', 'default', 'team'),
  })
  .map(({ command_pattern, path_pattern, ...fields }) =>
    // A rule about both is about neither of these calls.
    rule({ ...fields, command_pattern, path_pattern: command_pattern === null ? path_pattern : null }),
  );
const smallGrant = fc
  .record({
    scope: fc.constantFrom('session' as const, 'timed' as const, 'project' as const),
    pattern: smallCommand,
    expires_at: fc.constantFrom(null, new Date(NOW + 60_000).toISOString()),
    action: fc.constantFrom('allow' as const, 'allow' as const, 'deny' as const),
  })
  .map((fields) => grant({ surface: 'Bash', ...fields }));
const smallSession: fc.Arbitrary<SessionFacts> = fc
  .record({
    groupId: fc.constantFrom(null, 'team'),
    grants: fc.array(smallGrant, { maxLength: 2 }),
    workingDirectory: fc.constantFrom(ROOT, '/ext/ref'),
    mode: fc.constantFrom(null, null, null, 'workspace' as const),
  })
  .map((fields) => session(fields));

/** Groups without rules, and deleted ones, too. */
const scene: fc.Arbitrary<Scene> = fc
  .oneof(
    fc.record({ call: anyCall, session: anySession, rules: rules() }),
    fc.record({ call: smallCall, session: smallSession, rules: fc.array(smallRule, { maxLength: 6 }) }),
    fc.record({ call: smallCall, session: smallSession, rules: fc.array(smallRule, { maxLength: 6 }) }),
  )
  .chain((facts) => fc.record({ facts: fc.constant(facts), ticket: fc.boolean(), project: fc.boolean() }))
  .map(({ facts, ticket, project }) => ({
    call: facts.call,
    session: { ...facts.session, phase: null, withheld: [], cancelled: false, budget: [], outbox: [] },
    rules: facts.rules,
    bindings: { ticketId: ticket ? 't1' : null, projectId: project ? 'p1' : null, groupId: facts.session.groupId },
  }));
const otherCall = fc.oneof(anyCall, smallCall, smallCall);
const otherSession = fc.oneof(anySession, smallSession, smallSession);

const policyOf = (list: readonly Rule[]): ReturnType<typeof compilePolicy> => compilePolicy(list, options);
const verdictOf = (call: CallFacts, session: SessionFacts, list: readonly Rule[]): string => decide(call, session, policyOf(list), NOW).verdict;
const offersOf = ({ call, session, bindings, rules: list }: Scene): ReturnType<typeof scopeOffers> =>
  scopeOffers(call, session, bindings, policyOf(list), NOW, assessRisk(call, session));

/** One answer for each scope and each step outwards of the widths, all parts ticked. */
function answersTo(one: Scene): readonly { readonly scope: Grant['scope'] | 'always'; readonly choice: Exclude<Choice, string> }[] {
  return offersOf(one).flatMap(({ scope, parts }) => {
    if (scope === 'once') return [];
    const depth = Math.max(...parts.map((part) => part.widths.length));
    return Array.from({ length: depth }, (_, level) => ({
      scope,
      choice: parts.flatMap(({ subject, widths }) => {
        const width = widths[Math.min(level, widths.length - 1)];
        return width === undefined ? [] : [{ unit: subject, width: width.width }];
      }),
    }));
  });
}

let made = 0;
/** As the broker stores it: grants last, rules newest, others moved. */
function stored(
  one: Scene,
  writes: AnswerWrites,
): { readonly session: SessionFacts; readonly rules: readonly Rule[]; readonly moved: readonly Rule[] } {
  const grants = writes.grants.map((draft): Grant => ({ ...draft, id: `n${++made}`, created_at: '', request_id: 'q1' }));
  const moved = one.rules.map((rule) => ({ ...rule, priority: writes.moves.find((move) => move.id === rule.id)?.priority ?? rule.priority }));
  const fresh = writes.rules.map(
    (draft): Rule => ({ ...draft, id: `z${String(++made).padStart(9, '0')}`, created_at: '', created_by: 'request:q1', hits: 0, last_hit_at: null }),
  );
  return { session: { ...one.session, grants: [...one.session.grants, ...grants] }, rules: [...moved, ...fresh], moved };
}

function writesOf(
  one: Scene,
  answer: { readonly scope: Grant['scope'] | 'always'; readonly choice?: Choice },
  action: 'approve' | 'deny' = 'approve',
): AnswerWrites {
  const result = grantsFor({ action, ...answer }, one.call, one.session, one.bindings, policyOf(one.rules), NOW);
  if (!result.ok) throw new Error(`an offered answer was refused: ${result.failure.message}`);
  return result.value;
}

describe('round trip', () => {
  it('after any offered scope and width the same call is allowed without asking', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(scene, (one) => {
        for (const answer of answersTo(one)) {
          const after = stored(one, writesOf(one, answer));
          expect(verdictOf(one.call, after.session, after.rules)).toBe('allow');
          seen.set(answer.scope, (seen.get(answer.scope) ?? 0) + 1);
        }
      }),
      { numRuns },
    );
    for (const scope of ['timed', 'session', 'ticket', 'project', 'always']) expect(seen.get(scope) ?? 0, scope).toBeGreaterThan(0);
  });

  it('an answer of a wider scope does not lean on a narrower one', () => {
    fc.assert(
      fc.property(scene, (one) => {
        for (const answer of answersTo(one)) {
          if (answer.scope !== 'project' && answer.scope !== 'always') continue;
          const after = stored(one, writesOf(one, answer));
          const elsewhere = after.session.grants.filter(
            (grant) => grant.action === 'deny' || (grant.scope === 'project' && grant.expires_at === null),
          );
          expect(verdictOf(one.call, { ...after.session, grants: elsewhere }, after.rules)).toBe('allow');
        }
      }),
      { numRuns },
    );
  });

  it('without a choice the narrowest width of every part is written', () => {
    fc.assert(
      fc.property(scene, (one) => {
        for (const offer of offersOf(one)) {
          if (offer.scope === 'once') continue;
          const writes = writesOf(one, { scope: offer.scope });
          const narrowest = new Set(offer.parts.map((part) => part.widths[0]?.pattern));
          for (const grant of writes.grants) expect(narrowest.has(grant.pattern)).toBe(true);
          for (const rule of writes.rules) expect(narrowest.has(rule.command_pattern ?? rule.path_pattern ?? rule.tool_pattern)).toBe(true);
        }
      }),
      { numRuns },
    );
  });

  it('a width or scope that is not offered is refused and writes nothing', () => {
    fc.assert(
      fc.property(scene, fc.constantFrom('exact', 'sub', 'program', 'file', 'folder', 'project_files', 'tool', 'server'), (one, width) => {
        if (verdictOf(one.call, one.session, one.rules) !== 'require') return;
        const offers = offersOf(one);
        for (const scope of ['timed', 'session', 'ticket', 'project', 'always'] as const) {
          const offer = offers.find((candidate) => candidate.scope === scope);
          const isOffered = offer?.parts.some((part) => part.widths.some((candidate) => candidate.width === width)) === true;
          const result = grantsFor({ action: 'approve', scope, choice: width }, one.call, one.session, one.bindings, policyOf(one.rules), NOW);
          expect(result.ok).toBe(isOffered);
          if (!result.ok) expect(result.failure).toMatchObject({ code: 'invalid', subject: offer === undefined ? 'scope' : 'choice' });
        }
      }),
      { numRuns },
    );
  });
});

describe('5: revoking restores the verdict from before', () => {
  it('removing the grants restores ruling and trace; removing the rules does, also when others made room', () => {
    fc.assert(
      fc.property(scene, otherCall, (one, other) => {
        for (const answer of answersTo(one)) {
          const writes = writesOf(one, answer);
          const after = stored(one, writes);
          for (const call of [one.call, other]) {
            const before = decide(call, one.session, policyOf(one.rules), NOW);
            const restored = decide(call, one.session, policyOf(after.moved), NOW);
            expect(restored.trace).toEqual(before.trace);
            expect(restored.verdict).toBe(before.verdict);
          }
        }
      }),
      { numRuns },
    );
  });
});

describe('1: an answer never covers what is denied', () => {
  it('no call of this or another session that was denied, or asked in spite of everything, is let through by an allow', () => {
    let denied = 0;
    fc.assert(
      fc.property(scene, otherCall, otherSession, (one, other, elsewhere) => {
        for (const answer of answersTo(one)) {
          const writes = writesOf(one, answer);
          const after = stored(one, writes);
          const views: readonly (readonly [SessionFacts, SessionFacts])[] = [
            [one.session, after.session],
            [elsewhere, { ...elsewhere, grants: [...elsewhere.grants, ...after.session.grants.slice(one.session.grants.length)] }],
          ];
          for (const [before, now] of views) {
            for (const call of [other, { ...other, tool: one.call.tool, mcp: one.call.mcp }, { ...one.call, agent: 'codex', source: 'cron' }]) {
              // What a tool is, its name says (the catalogue): one name is not at times a shell.
              if (call.tool === one.call.tool && (call.kind !== one.call.kind || call.executes !== one.call.executes)) continue;
              // Nor is one text at times opaque.
              if (call.units.some((unit) => unit.opaque && one.call.units.some((known) => !known.opaque && known.text === unit.text))) continue;
              const was = decide(call, before, policyOf(one.rules), NOW);
              if (was.verdict !== 'deny' && !was.hard) continue;
              denied += 1;
              const is = decide(call, now, policyOf(after.rules), NOW);
              expect(was.verdict === 'deny' ? is.verdict : is.hard || is.verdict === 'deny').toBe(was.verdict === 'deny' ? 'deny' : true);
            }
          }
        }
      }),
      { numRuns },
    );
    expect(denied).toBeGreaterThan(0);
  });

  it('nothing but once is offered for what is hard, opaque, dangerous or denied', () => {
    fc.assert(
      fc.property(scene, anyOutcomes, (one, outcomes) => {
        const risk = assessRisk(one.call, one.session);
        const ruling = decide(one.call, one.session, policyOf(one.rules), NOW, outcomes);
        const offers = scopeOffers(one.call, one.session, one.bindings, policyOf(one.rules), NOW, risk, outcomes);
        expect(offers[0]?.scope).toBe('once');
        if (ruling.verdict !== 'require' || ruling.hard) expect(offers).toHaveLength(1);
      }),
      { numRuns },
    );
  });
});

describe('chains', () => {
  it('grants only the parts that were ticked, and their round trip holds', () => {
    let partial = 0;
    fc.assert(
      fc.property(scene, fc.nat(), (one, pick) => {
        const offer = offersOf(one).find((candidate) => candidate.scope === 'session');
        if (offer === undefined || offer.parts.length < 2) return;
        const part = offer.parts[pick % offer.parts.length];
        const width = part?.widths[0];
        if (part === undefined || width === undefined) return;
        partial += 1;
        const writes = writesOf(one, { scope: 'session', choice: [{ unit: part.subject, width: width.width }] });
        const after = stored(one, writes);
        const before = decide(one.call, one.session, policyOf(one.rules), NOW).checks;
        const ruling = decide(one.call, after.session, policyOf(one.rules), NOW);
        for (const [index, { check, verdict }] of ruling.checks.entries()) {
          if (check.value === part.subject) expect(verdict).toBe('allow');
          const isOtherPart = offer.parts.some(
            (candidate) => candidate !== part && candidate.subject === check.value && candidate.unit !== undefined,
          );
          if (isOtherPart) expect(verdict).toBe(before[index]?.verdict);
        }
      }),
      { numRuns },
    );
    expect(partial).toBeGreaterThan(0);
  });
});

describe('denials', () => {
  it('a remembered denial denies the same call, and nothing that it leaves out', () => {
    let seen = 0;
    fc.assert(
      fc.property(scene, fc.constantFrom('timed', 'session', 'ticket', 'project', 'always'), (one, scope) => {
        if (verdictOf(one.call, one.session, one.rules) !== 'require') return;
        const result = grantsFor({ action: 'deny', scope }, one.call, one.session, one.bindings, policyOf(one.rules), NOW);
        if (!result.ok) return;
        seen += 1;
        const after = stored(one, result.value);
        expect(verdictOf(one.call, after.session, after.rules)).toBe('deny');
      }),
      { numRuns },
    );
    expect(seen).toBeGreaterThan(0);
  });
});
