import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, Bench } from './test-bench';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('two operators', () => {
  it('race on 1,000 requests: exactly one wins each, and the loser is told who', async () => {
    const session = await bench.open();
    const requests = await Promise.all(Array.from({ length: 1_000 }, (_, index) => bench.write(session, `file-${index}`)));
    const answers = await Promise.all(
      requests.map(async ({ id, digest }, index) => {
        const approve = () => bench.call('request.resolve', { id, digest, action: 'approve' }, { ...ADMIN, door: 'window' });
        const deny = () => bench.call('request.resolve', { id, digest, action: 'deny' }, { ...ADMIN, door: 'http' });
        return index % 2 === 0 ? Promise.all([approve(), deny()]) : Promise.all([deny(), approve()]);
      }),
    );
    for (const [index, pair] of answers.entries()) {
      const winners = pair.filter((result) => result.ok);
      const [loser] = pair.filter((result) => !result.ok);
      expect(winners).toHaveLength(1);
      const recorded = bench.store.request(requests[index]?.id ?? '');
      expect(loser).toMatchObject({
        failure: { code: 'settled', subject: { status: recorded?.status, cause: 'human', resolved_by: recorded?.decision?.resolved_by } },
      });
    }
    expect((await bench.ok('inbox.list', {})).items).toEqual([]);
  }, 60_000);
});

describe('an allow for this call only', () => {
  it('is consumed once under any interleaving of retries, polls, answers and other calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const one = new Bench();
        try {
          const session = await one.open();
          const asked = await one.write(session, 'a', { call_id: 'asked' });
          const other = await one.write(session, 'a', { call_id: 'other' });
          const step = <T>(work: () => Promise<T>): Promise<T> => scheduler.schedule(Promise.resolve()).then(work);
          const seen = await Promise.all([
            step(() => one.approve(asked)),
            step(() => one.write(session, 'a', { call_id: 'asked' })),
            step(() => one.get(asked)),
            step(() => one.write(session, 'a', { call_id: 'asked' })),
            step(() => one.write(session, 'a', { call_id: 'third' })),
            step(() => one.get(other)),
            scheduler.waitAll(),
          ]);
          // Whatever was told allowed was told so of the one request that was answered.
          const allowed = seen.flatMap((request) => (request?.status === 'allowed' ? [request.id] : []));
          expect(new Set(allowed)).toEqual(new Set([asked.id]));
          expect(one.store.requests({ status: 'allowed' }).items.map((request) => request.id)).toEqual([asked.id]);
          expect((await one.ok('inbox.list', {})).items).toHaveLength(2);
        } finally {
          await one.close();
        }
      }),
      { numRuns: process.env.GATEHOUSE_DEEP ? 200 : 15 },
    );
  }, 60_000);
});
