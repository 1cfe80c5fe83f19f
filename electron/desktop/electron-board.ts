// Notifications through Electron: macOS and Windows with buttons, and Linux without a bus, where only a click arrives.

import { Notification } from 'electron';
import type { NoticeBoard } from './notice-board';

export function createElectronBoard(onFault: (error: unknown, where: string) => void): NoticeBoard {
  // Kept: a notification that is collected loses its events.
  const standing = new Map<string, Notification>();

  function close(key: string): void {
    const shown = standing.get(key);
    standing.delete(key);
    shown?.close();
  }

  return {
    show(key, text, handlers) {
      close(key);
      if (!Notification.isSupported()) return;
      const buttons = text.actions.filter(({ action }) => action !== 'open');
      const notification = new Notification({
        title: text.title,
        body: text.body,
        actions: buttons.map(({ label }) => ({ type: 'button', text: label })),
      });
      standing.set(key, notification);
      const isCurrent = (): boolean => standing.get(key) === notification;
      // The listener's shape differs between versions: the index is its second value, or stands in the event.
      notification.on('action', (event: object, index?: number) => {
        const at = index ?? ('actionIndex' in event ? Number(event.actionIndex) : -1);
        const button = buttons[at];
        if (isCurrent() && button !== undefined) handlers.acted(button.action);
      });
      notification.on('click', () => {
        if (isCurrent()) handlers.acted('open');
      });
      notification.on('close', () => {
        if (!isCurrent()) return;
        standing.delete(key);
        handlers.dismissed();
      });
      notification.on('failed', (_event, error) => onFault(new Error(error), 'notification'));
      notification.show();
    },
    close,
    end() {
      for (const key of [...standing.keys()]) close(key);
    },
  };
}
