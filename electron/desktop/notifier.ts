// Carries the plan of notices.ts out: asks again when the view, the focus or the clock says so, puts notifications up and
// takes them back, and turns their buttons into answers. Owns the memory of what was told.

import type { Request } from '../../shared/model';
import type { Clock } from './clock';
import type { DeskView } from './desk-view';
import type { NoticeBoard } from './notice-board';
import { type NoticeAction, noticeText } from './notice-text';
import { forgetNotice, NO_NOTICES, type NoticeFacts, planNotices } from './notices';

export interface NotifierOptions {
  readonly clock: Clock;
  readonly board: NoticeBoard;
  view(): DeskView;
  isFocused(): boolean;
  /** Shows the window on this request, without answering anything. */
  open(request: Request): void;
  /** Answers with the digest of what was shown. */
  answer(requests: readonly Request[], action: 'approve' | 'deny'): void;
}

export interface Notifier {
  /** Something changed: view, focus, settings. */
  update(): void;
  end(): void;
}

export function createNotifier(options: NotifierOptions): Notifier {
  const { board, clock } = options;
  let memory = NO_NOTICES;
  let stopAlarm = (): void => {};

  function update(): void {
    const view = options.view();
    const facts: NoticeFacts = {
      nowMs: clock.now(),
      isFocused: options.isFocused(),
      isHeld: view.settings.questions_held,
      wish: view.settings.notifications,
      pending: view.pending.values(),
    };
    const plan = planNotices(memory, facts);
    memory = plan.memory;
    for (const step of plan.steps) {
      if ('close' in step) board.close(step.close);
      else show(step.show, step.requests, view);
    }
    stopAlarm();
    stopAlarm = plan.wakeAtMs === null ? () => {} : clock.after(plan.wakeAtMs - facts.nowMs, update);
  }

  function show(key: string, ids: readonly string[], view: DeskView): void {
    const [oldest, ...others] = ids.flatMap((id) => view.pending.get(id) ?? []);
    if (oldest === undefined) return;
    const shown: readonly [Request, ...Request[]] = [oldest, ...others];
    board.show(key, noticeText(shown, view.sessions.get(oldest.session_id), view.settings), {
      acted: (action) => act(action, shown),
      dismissed() {
        memory = forgetNotice(memory, key);
      },
    });
  }

  function act(action: NoticeAction, shown: readonly [Request, ...Request[]]): void {
    switch (action) {
      case 'open':
        options.open(shown[0]);
        return;
      case 'allow':
        options.answer(shown, 'approve');
        return;
      case 'deny':
        options.answer(shown, 'deny');
        return;
    }
  }

  return {
    update,
    end() {
      stopAlarm();
      board.end();
    },
  };
}
