// Where a notification is put up: the shape that the platforms' ways have in common. Owns no rule and no word.

import type { NoticeAction, NoticeText } from './notice-text';

export interface NoticeHandlers {
  /** A button, or a click on the notification itself (`open`). */
  acted(action: NoticeAction): void;
  /** Taken away by the person or the system, without an answer. */
  dismissed(): void;
}

export interface NoticeBoard {
  /** Shows `text` under `key`, in place of what stands there. The handlers are those of the last text shown. */
  show(key: string, text: NoticeText, handlers: NoticeHandlers): void;
  /** Takes it back; says nothing to its handlers. */
  close(key: string): void;
  /** Takes everything back and lets go of the platform. */
  end(): void;
}
