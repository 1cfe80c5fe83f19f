// Notifications on Linux straight over D-Bus, because Electron's own shows no buttons there. Owns the talk with
// org.freedesktop.Notifications; words and rules come from elsewhere.

import { Message, type MessageBus, MessageType, sessionBus, Variant } from 'dbus-next';
import type { NoticeBoard, NoticeHandlers } from './notice-board';
import type { NoticeText } from './notice-text';

const SERVICE = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';
const ANSWER_MS = 5_000;
/** Always normal: what is critical breaks through do-not-disturb. */
const NORMAL_URGENCY = 1;
/** The server decides how long it stands. */
const USUAL_TIME = -1;

interface Standing {
  /** Of the server; null while it has not answered. */
  id: number | null;
  text: NoticeText;
  handlers: NoticeHandlers;
  /** Grows with each text, and is part of the buttons' keys: a click answers what the person saw. */
  serial: number;
  isClosed: boolean;
}

/** Null where there is no session bus or nobody who shows notifications. `icon`: a file. */
export async function connectLinuxBoard(
  appName: string,
  icon: string,
  onFault: (error: unknown, where: string) => void,
): Promise<NoticeBoard | null> {
  // Without this address the library looks for an X11 property and throws.
  if (process.platform !== 'linux' || !process.env.DBUS_SESSION_BUS_ADDRESS) return null;
  let bus: MessageBus;
  try {
    bus = sessionBus();
  } catch {
    return null;
  }
  bus.on('error', (error: unknown) => onFault(error, 'session bus'));
  try {
    const [capabilities] = await ask(bus, SERVICE, PATH, SERVICE, 'GetCapabilities');
    await ask(bus, 'org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'AddMatch', 's', [
      `type='signal',interface='${SERVICE}',path='${PATH}'`,
    ]);
    return createBoard(bus, { appName, icon, hasActions: Array.isArray(capabilities) && capabilities.includes('actions') }, onFault);
  } catch {
    bus.disconnect();
    return null;
  }
}

async function ask(bus: MessageBus, destination: string, path: string, on: string, member: string, signature = '', body: readonly unknown[] = []) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${member} was not answered`)), ANSWER_MS);
  });
  try {
    const call = bus.call(new Message({ destination, path, interface: on, member, signature, body: [...body] }));
    const answer: readonly unknown[] = (await Promise.race([call, late]))?.body ?? [];
    return answer;
  } finally {
    clearTimeout(timer);
  }
}

function createBoard(
  bus: MessageBus,
  app: { readonly appName: string; readonly icon: string; readonly hasActions: boolean },
  onFault: (error: unknown, where: string) => void,
): NoticeBoard {
  const standing = new Map<string, Standing>();
  let serial = 0;

  bus.on('message', (message) => {
    if (message.type !== MessageType.SIGNAL || message.interface !== SERVICE || message.path !== PATH) return;
    const [id, detail]: readonly unknown[] = message.body;
    for (const [key, notice] of standing) {
      if (notice.id !== id) continue;
      if (message.member === 'ActionInvoked' && typeof detail === 'string') acted(notice, detail);
      if (message.member === 'NotificationClosed') {
        standing.delete(key);
        notice.handlers.dismissed();
      }
    }
  });

  function acted(notice: Standing, key: string): void {
    const [name, of] = key.split('.');
    if (name === 'default' || name === 'open') notice.handlers.acted('open');
    else if (of === String(notice.serial) && (name === 'allow' || name === 'deny')) notice.handlers.acted(name);
    // A button of an earlier text: the person saw something else. Show them what is there now.
    else notice.handlers.acted('open');
  }

  async function put(notice: Standing): Promise<void> {
    const { text } = notice;
    const buttons = text.actions.flatMap(({ action, label }) => [action === 'open' ? action : `${action}.${notice.serial}`, label]);
    const [id] = await ask(bus, SERVICE, PATH, SERVICE, 'Notify', 'susssasa{sv}i', [
      app.appName,
      notice.id ?? 0,
      app.icon,
      text.title,
      escaped(text.body),
      app.hasActions ? ['default', 'Open', ...buttons] : [],
      { urgency: new Variant('y', NORMAL_URGENCY), 'desktop-entry': new Variant('s', app.appName.toLowerCase()), category: new Variant('s', 'im') },
      USUAL_TIME,
    ]);
    if (typeof id === 'number') notice.id = id;
    if (notice.isClosed) await take(notice);
  }

  async function take(notice: Standing): Promise<void> {
    if (notice.id !== null) await ask(bus, SERVICE, PATH, SERVICE, 'CloseNotification', 'u', [notice.id]);
  }

  /** One call at a time for one notification, so that an update carries the number of what it replaces. */
  const queues = new Map<Standing, Promise<void>>();
  function enqueue(notice: Standing, work: () => Promise<void>): void {
    const done = (queues.get(notice) ?? Promise.resolve()).then(work).catch((error: unknown) => onFault(error, 'notification'));
    queues.set(notice, done);
    void done.then(() => {
      if (queues.get(notice) === done) queues.delete(notice);
    });
  }

  function close(key: string): void {
    const notice = standing.get(key);
    if (notice === undefined) return;
    standing.delete(key);
    notice.isClosed = true;
    enqueue(notice, () => take(notice));
  }

  return {
    show(key, text, handlers) {
      serial += 1;
      const before = standing.get(key);
      const notice: Standing = before ?? { id: null, text, handlers, serial, isClosed: false };
      Object.assign(notice, { text, handlers, serial });
      standing.set(key, notice);
      enqueue(notice, () => put(notice));
    },
    close,
    end() {
      for (const key of [...standing.keys()]) close(key);
      void Promise.all(queues.values()).finally(() => bus.disconnect());
    },
  };
}

/** Servers may read the body as markup. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
