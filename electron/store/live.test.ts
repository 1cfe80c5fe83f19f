import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LiveState, Store } from './contract';
import type { StateEvent, Write } from './events';
import * as make from './samples';
import { openStore } from './store';

const id = (prefix: string) => fc.integer({ min: 0, max: 3 }).map((number) => `${prefix}${number}`);
const session = id('s');
const seconds = fc.integer({ min: 0, max: 50 });

/** Writes over a few ids, so that they meet: records come and go, counters and settlements hit what is there and what is not. */
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.tuple(session, fc.string({ maxLength: 4 })).map(([value, title]): Write => ({ put: 'session', value: make.session(value, { title }) })),
  fc.tuple(id('g'), fc.string({ maxLength: 4 })).map(([value, name]): Write => ({ put: 'group', value: make.group(value, { name }) })),
  fc.tuple(id('x'), id('g')).map(([value, group_id]): Write => ({ put: 'rule', value: make.rule(value, { group_id }) })),
  id('p').map((value): Write => ({ put: 'project', value: make.project(value) })),
  fc.tuple(id('t'), id('p')).map(([value, owner]): Write => ({ put: 'ticket', value: make.ticket(value, owner) })),
  fc.tuple(id('n'), session).map(([value, session_id]): Write => ({ put: 'grant', value: make.grant(value, { session_id }) })),
  fc.tuple(id('n'), id('t')).map(([value, ticket_id]): Write => ({ put: 'grant', value: make.grant(value, { scope: 'ticket', ticket_id }) })),
  fc.tuple(id('n'), id('p')).map(([value, project_id]): Write => ({ put: 'grant', value: make.grant(value, { scope: 'project', project_id }) })),
  fc
    .tuple(id('r'), session, fc.boolean())
    .map(([value, owner, detached]): Write => ({ put: 'request', value: make.request(value, owner, { detached }) })),
  id('r').map((settle): Write => ({ settle, decision: make.decision() })),
  fc.tuple(id('o'), session).map(([value, owner]): Write => ({ put: 'outbox', value: make.outboxItem(value, owner) })),
  fc
    .tuple(id('o'), fc.constantFrom('released' as const, 'rejected' as const))
    .map(([finish, state]): Write => ({ finish, state, note: null, at: make.timeAt(1) })),
  id('j').map((value): Write => ({ put: 'job', value: make.job(value) })),
  fc.tuple(id('u'), id('j'), fc.boolean()).map(
    ([value, owner, isOver]): Write => ({
      put: 'job_run',
      value: make.jobRun(`${value}${owner}`, owner, {
        started_at: make.timeAt(Number(value.charAt(1)) >> 1),
        outcome: isOver ? 'failed' : 'running',
      }),
    }),
  ),
  fc.tuple(fc.array(id('x'), { maxLength: 3 }), seconds).map(([hit, at]): Write => ({ hit, at: make.timeAt(at) })),
  fc.tuple(session, fc.integer({ min: 0, max: 9 })).map(([use, turns]): Write => ({ use, turns, cost_usd: turns / 4 })),
  fc.tuple(id('m'), session).map(([value, owner]): Write => ({ put: 'mail', value: make.mail(value, owner) })),
  id('m').map((value): Write => ({ deliver: 'mail', ids: [value], at: make.timeAt(2) })),
  fc
    .constantFrom('session', 'rule', 'group', 'project', 'ticket', 'grant', 'outbox', 'job', 'mail' as const)
    .chain((remove) => id(remove === 'grant' ? 'n' : remove === 'rule' ? 'x' : remove.charAt(0)).map((value) => ({ remove, id: value }) as Write)),
);
const events: fc.Arbitrary<readonly StateEvent[]> = fc
  .array(fc.array(write, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
  .map((lists) => lists.map((writes) => make.event('thing.happened', ...writes)));

/** Owners for the records above, so that most commits find theirs. */
const owners: readonly Write[] = [0, 1, 2, 3].flatMap((number): Write[] => [
  { put: 'session', value: make.session(`s${number}`) },
  { put: 'group', value: make.group(`g${number}`) },
  { put: 'project', value: make.project(`p${number}`) },
  { put: 'ticket', value: make.ticket(`t${number}`, `p${number}`) },
  { put: 'job', value: make.job(`j${number}`) },
]);

const plain = (live: LiveState) =>
  Object.fromEntries(Object.entries(live).map(([name, value]) => [name, value instanceof Map ? [...value.entries()] : value]));

const RUNS = process.env.GATEHOUSE_DEEP ? 300 : 25;

test('INVARIANT: a state that grew by commits equals the one that is loaded from disk', { timeout: 120_000 }, async () => {
  let applied = 0;
  const commits = fc.array(fc.tuple(events, fc.boolean()), { minLength: 1, maxLength: 40 });
  const property = fc.asyncProperty(commits, async (list) => {
    const folder = make.temporaryFolder();
    const open = (): Store => openStore({ dataDir: folder.dataDir, now: () => make.START_MS }).store;
    let store = open();
    try {
      store.commit([make.event('thing.happened', ...owners)]);
      for (const [commit, isFlushed] of list) {
        if (store.commit(commit).applied) applied += 1;
        if (isFlushed) await store.flushed();
      }
      await store.flushed();
      const grown = plain(store.live);
      store.close();
      store = open();
      expect(plain(store.live)).toEqual(grown);
      expect(await store.activity.verify()).toMatchObject({ intact: true });
    } finally {
      store.close();
      folder.clean();
    }
  });
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: 100_000 });
  expect(applied).toBeGreaterThan(RUNS);
});
