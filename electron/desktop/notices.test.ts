// The rules of ux section 15, told as small stories on a clock that is only a number.

import { describe, expect, it } from 'vitest';
import type { RiskLevel } from '../../shared/terms';
import { forgetNotice, NO_NOTICES, type NoticeFacts, type NoticeMemory, PATIENCE_MS, planNotices } from './notices';

const ask = (id: string, session = 's1', level: RiskLevel = 'medium') => ({ id, session_id: session, risk: { level, facts: [] } });
const at = (nowMs: number, pending: NoticeFacts['pending'], more: Partial<NoticeFacts> = {}): NoticeFacts => ({
  nowMs,
  isFocused: false,
  isHeld: false,
  wish: 'grouped',
  pending,
  ...more,
});
/** Plans once after another and keeps what each said. */
function tell(...facts: readonly NoticeFacts[]) {
  let memory: NoticeMemory = NO_NOTICES;
  return facts.map((one) => {
    const plan = planNotices(memory, one);
    memory = plan.memory;
    return plan;
  });
}

describe('patience', () => {
  it('says nothing for four seconds, then once', () => {
    const [first, early, due, later] = tell(at(1000, [ask('a')]), at(4999, [ask('a')]), at(1000 + PATIENCE_MS, [ask('a')]), at(90_000, [ask('a')]));
    expect(first).toMatchObject({ steps: [], wakeAtMs: 1000 + PATIENCE_MS });
    expect(early?.steps).toEqual([]);
    expect(due?.steps).toEqual([{ show: 's1', requests: ['a'], isUpdate: false }]);
    expect(due?.wakeAtMs).toBeNull();
    expect(later?.steps).toEqual([]);
  });

  it('says nothing at all when a rule settles the request in time', () => {
    expect(tell(at(0, [ask('a')]), at(3000, []), at(5000, [])).flatMap((plan) => plan.steps)).toEqual([]);
  });

  it('is skipped for high risk, but the grouping is not', () => {
    const [plan] = tell(at(0, [ask('a', 's1', 'high'), ask('b', 's1', 'high'), ask('c', 's2', 'low')]));
    expect(plan?.steps).toEqual([{ show: 's1', requests: ['a', 'b'], isUpdate: false }]);
    expect(plan?.wakeAtMs).toBe(PATIENCE_MS);
  });
});

describe('grouping', () => {
  it('keeps one notification a session and changes it as requests come and go', () => {
    const plans = tell(
      at(0, [ask('a'), ask('x', 's2')]),
      at(4000, [ask('a'), ask('x', 's2')]),
      at(5000, [ask('a'), ask('b'), ask('x', 's2')]),
      at(9000, [ask('a'), ask('b'), ask('x', 's2')]),
      at(9500, [ask('b'), ask('x', 's2')]),
      at(9600, [ask('x', 's2')]),
    );
    expect(plans.map((plan) => plan.steps)).toEqual([
      [],
      [
        { show: 's1', requests: ['a'], isUpdate: false },
        { show: 's2', requests: ['x'], isUpdate: false },
      ],
      [],
      [{ show: 's1', requests: ['a', 'b'], isUpdate: true }],
      [{ show: 's1', requests: ['b'], isUpdate: true }],
      [{ close: 's1' }],
    ]);
  });

  it('gives each request its own when the person wants each', () => {
    const [, plan] = tell(at(0, [ask('a'), ask('b')], { wish: 'each' }), at(4000, [ask('a'), ask('b')], { wish: 'each' }));
    expect(plan?.steps).toEqual([
      { show: 'a', requests: ['a'], isUpdate: false },
      { show: 'b', requests: ['b'], isUpdate: false },
    ]);
  });
});

describe('silence', () => {
  it('holds while the window is focused, and what was seen there is not told later', () => {
    const plans = tell(
      at(0, [ask('a')], { isFocused: true }),
      at(9000, [ask('a')]),
      at(10_000, [ask('a'), ask('b')]),
      at(14_000, [ask('a'), ask('b')]),
    );
    expect(plans.map((plan) => plan.steps)).toEqual([[], [], [], [{ show: 's1', requests: ['a', 'b'], isUpdate: false }]]);
  });

  it('takes standing notifications back when the window gets the focus', () => {
    const [, , focused] = tell(at(0, [ask('a')]), at(4000, [ask('a')]), at(5000, [ask('a')], { isFocused: true }));
    expect(focused?.steps).toEqual([{ close: 's1' }]);
  });

  it('holds while questions are held, and ends with the hold', () => {
    const plans = tell(at(0, [ask('a', 's1', 'high')], { isHeld: true }), at(60_000, [ask('a', 's1', 'high')]));
    expect(plans.map((plan) => plan.steps)).toEqual([[], [{ show: 's1', requests: ['a'], isUpdate: false }]]);
  });

  it('is kept when the person wants no notifications, high risk included', () => {
    expect(tell(at(0, [ask('a', 's1', 'high')], { wish: 'none' }), at(9000, [ask('a')], { wish: 'none' })).flatMap((plan) => plan.steps)).toEqual([]);
  });

  it('follows a dismissal: the same requests do not come back, a new one does', () => {
    const [, shown] = tell(at(0, [ask('a')]), at(4000, [ask('a')]));
    const dismissed = forgetNotice(shown?.memory ?? NO_NOTICES, 's1');
    const quiet = planNotices(dismissed, at(20_000, [ask('a')]));
    expect(quiet.steps).toEqual([]);
    const high = planNotices(quiet.memory, at(21_000, [ask('a'), ask('b', 's1', 'high')]));
    expect(high.steps).toEqual([{ show: 's1', requests: ['a', 'b'], isUpdate: false }]);
  });
});

it('remembers nothing of requests that are settled', () => {
  const [, , plan] = tell(at(0, [ask('a')]), at(4000, [ask('a')]), at(5000, []));
  expect(plan?.memory).toEqual(NO_NOTICES);
});
