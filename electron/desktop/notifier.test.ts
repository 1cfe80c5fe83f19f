// From a request to a notification to an answer, on a clock that the test moves and a board that writes down.

import { expect, it } from 'vitest';
import { createDeskProjection } from './desk-view';
import type { NoticeBoard, NoticeHandlers } from './notice-board';
import { createNotifier } from './notifier';
import { aClock, aRequest, aSession, aSnapshot } from './samples';

function setUp() {
  const clock = aClock();
  const desk = createDeskProjection(aSnapshot({ revision: 0, sessions: [aSession()] }));
  const said: string[] = [];
  const answers: unknown[] = [];
  const handlers = new Map<string, NoticeHandlers>();
  const board: NoticeBoard = {
    show(key, text, handler) {
      said.push(`${key}: ${text.title}`);
      handlers.set(key, handler);
    },
    close: (key) => void said.push(`${key} closed`),
    end: () => void said.push('end'),
  };
  let isFocused = false;
  const notifier = createNotifier({
    clock,
    board,
    view: () => desk.view,
    isFocused: () => isFocused,
    open: ({ id }) => void answers.push(['open', id]),
    answer: (requests, action) => void answers.push([action, ...requests.map(({ id, digest }) => [id, digest[0]])]),
  });
  let revision = 0;
  const ask = (more: Parameters<typeof aRequest>[0]): void => {
    revision += 1;
    desk.apply({ revision, changes: [{ put: 'request', value: aRequest(more) }] });
    notifier.update();
  };
  const focus = (value: boolean): void => {
    isFocused = value;
    notifier.update();
  };
  return { clock, said, answers, handlers, ask, focus, notifier };
}

it('says a request after four seconds by itself, and its buttons answer what was shown', () => {
  const { clock, said, answers, handlers, ask } = setUp();
  ask({ id: 'r1', digest: 'a'.repeat(64) });
  clock.advance(3_999);
  expect(said).toEqual([]);
  clock.advance(1);
  expect(said).toEqual(['s1: Claude Code wants to run a command: npm']);
  handlers.get('s1')?.acted('deny');
  handlers.get('s1')?.acted('open');
  expect(answers).toEqual([
    ['deny', ['r1', 'a']],
    ['open', 'r1'],
  ]);
});

it('denies only what the person saw, when more has come since', () => {
  const { clock, answers, handlers, ask } = setUp();
  ask({ id: 'r1' });
  clock.advance(4_000);
  const seen = handlers.get('s1');
  ask({ id: 'r2' });
  seen?.acted('deny');
  expect(answers).toEqual([['deny', ['r1', 'd']]]);
});

it('says high risk at once', () => {
  const { said, ask } = setUp();
  ask({ risk: { level: 'high', facts: [] } });
  expect(said).toHaveLength(1);
});

it('takes a notification back when the request is settled elsewhere or the window has the focus', () => {
  const { clock, said, ask, focus } = setUp();
  ask({});
  clock.advance(4_000);
  ask({ status: 'allowed' });
  expect(said.at(-1)).toBe('s1 closed');
  ask({ id: 'r2' });
  clock.advance(4_000);
  focus(true);
  expect(said.at(-1)).toBe('s1 closed');
});

it('stays silent about what the person dismissed', () => {
  const { clock, said, handlers, ask, notifier } = setUp();
  ask({});
  clock.advance(4_000);
  handlers.get('s1')?.dismissed();
  notifier.update();
  clock.advance(60_000);
  expect(said).toHaveLength(1);
});

it('sets no alarm after its end', () => {
  const { clock, said, ask, notifier } = setUp();
  ask({});
  notifier.end();
  clock.advance(10_000);
  expect(said).toEqual(['end']);
});
