// The invariants of spec 15 that are the engine's, over generated policies, sessions and calls. The numbers in the names are
// the spec's.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Grant, Rule } from '../../shared/model';
import { KINDS, type Kind, type VerdictKind } from '../../shared/terms';
import { decide } from './decide';
import type { CallFacts, Ruling, SessionFacts } from './facts';
import { anyCall, anyGrant, anyOutcomes, anyRule, anySession, anyUnit, canonicalPath, rules } from './generators';
import type { Outcomes } from './judge';
import { compilePolicy } from './policy';
import { call, HOME, MAC, NOW, POSIX, reading, WINDOWS, writing } from './samples';
import { isHidden } from './visibility';

const numRuns = process.env.GATEHOUSE_DEEP ? 10_000 : 500;
const options = { platform: POSIX, home: HOME, canonicalPrefix: (pattern: string): string => pattern };

const STRICTNESS: Readonly<Record<VerdictKind, number>> = { allow: 0, stage: 1, require: 1, deny: 2 };

function ruling(facts: CallFacts, session: SessionFacts, list: readonly Rule[], outcomes: Outcomes = {}): Ruling {
  return decide(facts, session, compilePolicy(list, options), NOW, outcomes);
}
const verdict = (facts: CallFacts, session: SessionFacts, list: readonly Rule[], outcomes: Outcomes = {}): VerdictKind =>
  ruling(facts, session, list, outcomes).verdict;

/** Counts what was met, so that a property that never meets its case is no property. */
function met(): { count(verdict: VerdictKind): void; expectSome(verdicts: readonly VerdictKind[]): void } {
  const counts = new Map<VerdictKind, number>();
  return {
    count: (one) => {
      counts.set(one, (counts.get(one) ?? 0) + 1);
    },
    expectSome: (verdicts) => {
      for (const one of verdicts) expect(counts.get(one) ?? 0, `${one} was met`).toBeGreaterThan(0);
    },
  };
}

/** A reviewer that refused was asked about what is now no question any more. */
const unrefused = anyOutcomes.map(
  ({ reviewer, ...rest }): Outcomes => (reviewer === undefined || reviewer.outcome === 'deny' ? rest : { ...rest, reviewer }),
);

/** Calls that some root would answer for are rare among the others. */
const anyCallOrOutside = fc.oneof({ weight: 5, arbitrary: anyCall }, { weight: 1, arbitrary: fc.constantFrom(reading('/ext/a'), writing('/ext/a')) });
const anyRoot = fc.oneof(canonicalPath, fc.constant('/'));
const widest = (grant: Grant): Grant => ({ ...grant, surface: '*', pattern: '*', match: 'wildcard', access: null, expires_at: null });

/** In these a root also draws the boundary, which is more than relaxing. */
const isBounded = ({ mode }: SessionFacts): boolean => mode !== null && mode !== 'full';

describe('1: enabling a relaxer never turns deny into allow or require into deny', () => {
  const relaxers: readonly [string, (session: SessionFacts) => fc.Arbitrary<SessionFacts>][] = [
    [
      'a grant',
      (session) =>
        fc
          .oneof(anyGrant, anyGrant.map(widest))
          .map((grant) => ({ ...session, grants: [...session.grants, { ...grant, action: 'allow' as const }] })),
    ],
    ['a write root', (session) => anyRoot.map((path) => ({ ...session, writeRoots: [...session.writeRoots, path] }))],
    ['a read root', (session) => anyRoot.map((path) => ({ ...session, readRoots: [...session.readRoots, path] }))],
    [
      'a write entry where nothing is read-only',
      (session) => {
        const access = session.access.filter((entry) => entry.mode === 'write');
        return anyRoot.map((path) => ({ ...session, access: [...access, { path, mode: 'write' as const }] }));
      },
    ],
    ['mode full', (session) => fc.constant({ ...session, mode: 'full' as const })],
  ];
  it.each(relaxers)('%s', (name, relaxed) => {
    const seen = met();
    let relaxedSome = false;
    const both = anySession
      .map((session) => (isBounded(session) ? { ...session, mode: null } : session))
      .map((session) =>
        name.startsWith('a write entry') ? { ...session, access: session.access.filter((entry) => entry.mode === 'write') } : session,
      )
      .chain((session) => fc.tuple(fc.constant(session), relaxed(session)));
    fc.assert(
      fc.property(anyCallOrOutside, both, rules(), unrefused, (facts, [before, after], list, outcomes) => {
        const was = verdict(facts, before, list, outcomes);
        const is = verdict(facts, after, list, outcomes);
        seen.count(was);
        relaxedSome ||= was === 'require' && is === 'allow';
        if (was === 'deny') expect(is).toBe('deny');
        else if (was === 'require') expect(['require', 'allow']).toContain(is);
        else expect(is).toBe(was);
      }),
      { numRuns: numRuns * 2 },
    );
    seen.expectSome(['deny', 'require', 'allow']);
    expect(relaxedSome).toBe(true);
  });

  it('the reviewer', () => {
    fc.assert(
      fc.property(anyCall, anySession, rules(), anyOutcomes, (facts, session, list, { hook }) => {
        const heard: Outcomes = hook === undefined ? {} : { hook };
        const was = ruling(facts, session, list, heard);
        const is = ruling(facts, session, list, { ...heard, reviewer: { outcome: 'allow', reason: '' } });
        if (was.verdict === 'require') expect(['require', 'allow']).toContain(is.verdict);
        else expect(is.verdict).toBe(was.verdict);
        if (was.hard) expect(is.verdict).toBe('require');
      }),
      { numRuns },
    );
  });
});

describe('2: adding a deny never enlarges what is allowed', () => {
  it('a rule, wherever it stands', () => {
    const seen = met();
    fc.assert(
      fc.property(anyCall, anySession, rules(), anyRule, anyOutcomes, (facts, session, list, added, outcomes) => {
        const was = verdict(facts, session, list, outcomes);
        const is = verdict(facts, session, [...list, { ...added, id: 'zz', action: 'deny' }], outcomes);
        seen.count(was);
        expect(STRICTNESS[is]).toBeGreaterThanOrEqual(STRICTNESS[was]);
      }),
      { numRuns },
    );
    seen.expectSome(['deny', 'require', 'allow']);
  });

  it('a denial with a scope, whatever was allowed before or after it', () => {
    fc.assert(
      fc.property(anyCall, anySession, rules(), anyGrant, fc.nat(4), (facts, session, list, added, place) => {
        const was = verdict(facts, session, list);
        const grants = session.grants.toSpliced(place, 0, { ...added, action: 'deny' });
        expect(STRICTNESS[verdict(facts, { ...session, grants }, list)]).toBeGreaterThanOrEqual(STRICTNESS[was]);
      }),
      { numRuns },
    );
  });
});

describe('3: no verdict depends on how a path is spelled', () => {
  it('the raw text of a resolved path changes nothing', () => {
    fc.assert(
      fc.property(
        anyCall,
        anySession,
        rules(),
        fc.constantFrom('x', './x', '../secrets/x', '/etc/passwd', '~/.ssh/id'),
        (facts, session, list, raw) => {
          const respelled = { ...facts, paths: facts.paths.map((path) => (path.canonical === null ? path : { ...path, raw })) };
          const was = ruling(facts, session, list);
          const is = ruling(respelled, session, list);
          expect(is.verdict).toBe(was.verdict);
          expect(is.trace).toEqual(was.trace);
        },
      ),
      { numRuns },
    );
  });

  it.each([
    ['upper case where case is ignored', MAC, (path: string) => path.toUpperCase()],
    ['backslashes and upper case on Windows', WINDOWS, (path: string) => path.toUpperCase().replaceAll('/', '\\')],
  ] as const)('%s', (_name, platform, respell) => {
    fc.assert(
      fc.property(anyCall, anySession, rules(), (facts, session, list) => {
        const here = { ...session, platform, protectedPlaces: { ...session.protectedPlaces } };
        const policy = compilePolicy(list, { ...options, platform });
        const respelled = {
          ...facts,
          paths: facts.paths.map((path) => ({ ...path, canonical: path.canonical === null ? null : respell(path.canonical) })),
        };
        const withoutExact = { ...here, grants: here.grants.filter((grant) => grant.match !== 'equal') };
        expect(decide(respelled, withoutExact, policy, NOW).verdict).toBe(decide(facts, withoutExact, policy, NOW).verdict);
      }),
      { numRuns },
    );
  });
});

describe('4: a compound command is at least as strict as its strictest unit, whatever the order', () => {
  const units = fc.array(anyUnit, { minLength: 1, maxLength: 4 });
  const shell = (list: CallFacts['units']): CallFacts => call({ tool: 'Bash', kind: 'execute', executes: true, units: list });
  const plain = anySession.map((session) => ({ ...session, outbox: [] }));

  it('strictest', () => {
    const seen = met();
    fc.assert(
      fc.property(units, plain, rules(), (list, session, policyRules) => {
        const whole = verdict(shell(list), session, policyRules);
        const parts = list.map((one) => STRICTNESS[verdict(shell([one]), session, policyRules)]);
        seen.count(whole);
        expect(STRICTNESS[whole]).toBe(Math.max(...parts));
      }),
      { numRuns },
    );
    seen.expectSome(['deny', 'require', 'allow']);
  });

  it('order', () => {
    fc.assert(
      fc.property(anyCall, plain, rules(), (facts, session, list) => {
        const turned = { ...facts, units: facts.units.toReversed() };
        const was = ruling(facts, session, list);
        const is = ruling(turned, session, list);
        expect(is.verdict).toBe(was.verdict);
        expect(is.cause).toBe(was.cause);
        expect(is.hard).toBe(was.hard);
      }),
      { numRuns },
    );
  });
});

describe('5: revoking a grant restores the verdict from before', () => {
  it('also when the lists of grants change back and forth', () => {
    fc.assert(
      fc.property(anyCall, anySession, rules(), anyGrant, fc.nat(4), (facts, session, list, added, place) => {
        const policy = compilePolicy(list, options);
        const before = decide(facts, session, policy, NOW);
        const was = JSON.stringify(before);
        decide(facts, { ...session, grants: session.grants.toSpliced(place, 0, added) }, policy, NOW);
        expect(JSON.stringify(decide(facts, { ...session, grants: [...session.grants] }, policy, NOW))).toBe(was);
        expect(JSON.stringify(decide(facts, session, policy, NOW))).toBe(was);
      }),
      { numRuns },
    );
  });

  it('a grant that ran out is as if it had never been', () => {
    fc.assert(
      fc.property(anyCall, anySession, rules(), anyGrant, (facts, session, list, added) => {
        const over = { ...added, expires_at: new Date(NOW).toISOString() };
        expect(JSON.stringify(ruling(facts, { ...session, grants: [...session.grants, over] }, list))).toBe(
          JSON.stringify(ruling(facts, session, list)),
        );
      }),
      { numRuns },
    );
  });
});

describe('8: withheld, phase and tool denies hold at listing and at dispatch', () => {
  it('a tool that is hidden is denied whatever it is called with', () => {
    let hidden = 0;
    const consistent = anyCall.map((facts) => ({
      ...facts,
      kind: facts.executes ? ('execute' as const) : facts.kind,
      paths: facts.executes
        ? facts.paths
        : facts.paths.map((path) => ({ ...path, access: isWriting(facts.kind) ? ('write' as const) : ('read' as const) })),
    }));
    fc.assert(
      fc.property(consistent, anySession, rules(), (facts, session, list) => {
        const policy = compilePolicy(list, options);
        if (!isHidden(facts.tool, session, policy, facts.agent, facts.source, NOW, () => facts.kind)) return;
        hidden += 1;
        expect(decide(facts, session, policy, NOW).verdict).toBe('deny');
      }),
      { numRuns: numRuns * 2 },
    );
    expect(hidden).toBeGreaterThan(numRuns / 10);
  });
  const isWriting = (kind: Kind): boolean => kind === 'edit' || kind === 'delete';
});

describe('10: the same facts, policy and time give the same verdict and trace', () => {
  it('from copies of the facts and a policy compiled anew from the same rules in another order', () => {
    fc.assert(
      fc.property(anyCall, anySession, rules(), anyOutcomes, (facts, session, list, outcomes) => {
        const was = JSON.stringify(ruling(facts, session, list, outcomes));
        expect(JSON.stringify(ruling(structuredClone(facts), structuredClone(session), structuredClone(list).toReversed(), outcomes))).toBe(was);
      }),
      { numRuns },
    );
  });
});

describe('3.3: what a caller declares can add checks and never remove any', () => {
  const STRENGTH = (is: Ruling): number => (is.verdict === 'require' && is.hard ? 1.5 : STRICTNESS[is.verdict]);
  it.each<[string, fc.Arbitrary<Partial<CallFacts>>]>([
    ['a kind', fc.constantFrom(...KINDS).map((declaredKind) => ({ declaredKind }))],
    ['hosts', fc.constant({ hosts: ['example.com'] })],
    [
      'paths',
      fc
        .tuple(canonicalPath, fc.constantFrom('read' as const, 'write' as const))
        .map(([path, access]) => ({ paths: [{ raw: path, canonical: path, access, origin: 'declared' as const }] })),
    ],
  ])('%s', (_name, declared) => {
    const undeclared = anyCall.map(
      ({ declaredKind: _, ...facts }): CallFacts => ({ ...facts, hosts: [], paths: facts.paths.filter((path) => path.origin !== 'declared') }),
    );
    fc.assert(
      fc.property(undeclared, declared, anySession, rules(), (facts, more, session, list) => {
        const was = ruling(facts, session, list);
        const is = ruling({ ...facts, ...more, paths: [...facts.paths, ...(more.paths ?? [])] }, session, list);
        expect(STRENGTH(is)).toBeGreaterThanOrEqual(STRENGTH(was));
      }),
      { numRuns: numRuns * 2 },
    );
  });
});

describe('what every ruling keeps', () => {
  it('is the strictest of its checks, and its trace ends where it was settled', () => {
    const seen = met();
    fc.assert(
      fc.property(anyCall, anySession, rules(), anyOutcomes, (facts, session, list, outcomes) => {
        const is = ruling(facts, session, list, outcomes);
        seen.count(is.verdict);
        const steps = is.trace.map((step) => step.step);
        expect(steps).toEqual(steps.toSorted((a, b) => a - b));
        const checks = is.checks.map((check) => check.verdict);
        if (is.verdict === 'allow') {
          expect(new Set(checks)).toEqual(new Set(['allow']));
          expect(is.cause).not.toBeNull();
          expect(is.message).toBe('');
        }
        if (is.verdict === 'deny') {
          expect(is.cause).not.toBeNull();
          expect(is.message).not.toBe('');
          expect(is.trace.some((step) => step.outcome === 'deny')).toBe(true);
        }
        if (is.verdict === 'require') {
          expect(is.cause).toBe(session.headless ? 'headless' : null);
          expect(is.trace.at(-1)?.step).toBe(12);
          expect(is.message === '').toBe(!session.headless);
          expect(is.message.toLowerCase()).not.toContain('denied');
        }
        if (is.verdict === 'stage') expect(is.trace.at(-1)).toMatchObject({ step: 9, outcome: 'stage', cause: 'outbox' });
      }),
      { numRuns },
    );
    seen.expectSome(['deny', 'require', 'allow', 'stage']);
  });

  it('never allows what a floor, the phase or a withheld name forbids', () => {
    fc.assert(
      fc.property(anyCall, anySession, rules(), anyOutcomes, (facts, session, list, outcomes) => {
        const secret = { raw: 'k', canonical: `${HOME}/.ssh/id`, access: 'read' as const, origin: 'declared' as const };
        expect(verdict({ ...facts, paths: [...facts.paths, secret] }, session, list, outcomes)).toBe('deny');
        expect(verdict(facts, { ...session, withheld: [facts.tool] }, list, outcomes)).toBe('deny');
        expect(verdict({ ...facts, kind: 'other' }, { ...session, phase: 'plan' }, list, outcomes)).toBe('deny');
        expect(verdict(facts, { ...session, cancelled: true }, list, outcomes)).toBe('deny');
      }),
      { numRuns },
    );
  });

  it('asks for nothing more when nobody is there, and allows nothing more', () => {
    fc.assert(
      fc.property(anyCall, anySession, rules(), anyOutcomes, (facts, session, list, outcomes) => {
        const attended = ruling(facts, { ...session, headless: false }, list, outcomes);
        const alone = ruling(facts, { ...session, headless: true }, list, outcomes);
        expect(alone.verdict).toBe(attended.verdict);
      }),
      { numRuns },
    );
  });
});
