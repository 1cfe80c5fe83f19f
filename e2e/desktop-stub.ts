// A stand-in desktop for the stories: owns the notification service and the tray host of a private session bus, writes
// down what the app says there, and does what a person would do with it (press a button, click the icon, pick an entry).

import { interface as dbusInterface, Message, type MessageBus, sessionBus, Variant } from 'dbus-next';

export interface ShownNotification {
  readonly id: number;
  readonly summary: string;
  readonly body: string;
  readonly actions: readonly { readonly key: string; readonly label: string }[];
  readonly urgency: number;
  /** How often the app has changed it. */
  readonly updates: number;
}

export interface MenuEntry {
  readonly id: number;
  readonly label: string;
  readonly isSeparator: boolean;
  readonly isEnabled: boolean;
  readonly isChecked: boolean;
}

export interface TrayItem {
  tooltip(): Promise<string>;
  /** Size and pixels of the drawing that the host shows. */
  icon(): Promise<{ readonly width: number; readonly height: number; readonly pixels: string }>;
  menu(): Promise<readonly MenuEntry[]>;
  clickMenu(label: string | RegExp): Promise<void>;
  click(): Promise<void>;
}

export interface Desktop {
  /** Notifications that stand now, oldest first. */
  notifications(): readonly ShownNotification[];
  /** Presses a button by its label, as a person would. */
  press(notification: ShownNotification, label: string): void;
  /** Swipes it away. */
  dismiss(notification: ShownNotification): void;
  /** The app's item, once it has registered. */
  trayItem(): Promise<TrayItem>;
  stop(): void;
}

const NOTIFICATIONS = 'org.freedesktop.Notifications';
const WATCHER = 'org.kde.StatusNotifierWatcher';
const ITEM = 'org.kde.StatusNotifierItem';
const WAIT_MS = 10_000;

class NotificationService extends dbusInterface.Interface {
  private lastId = 0;
  readonly standing = new Map<number, ShownNotification>();

  constructor() {
    super(NOTIFICATIONS);
  }
  GetCapabilities(): readonly string[] {
    return ['actions', 'body', 'persistence'];
  }
  GetServerInformation(): readonly string[] {
    return ['stand-in', 'tests', '1', '1.2'];
  }
  Notify(
    _app: string,
    replaces: number,
    _icon: string,
    summary: string,
    body: string,
    actions: readonly string[],
    hints: Record<string, Variant>,
  ): number {
    const before = this.standing.get(replaces);
    if (before === undefined) this.lastId += 1;
    const id = before?.id ?? this.lastId;
    const pairs = actions.flatMap((key, index) => (index % 2 === 0 ? [{ key, label: actions[index + 1] ?? '' }] : []));
    this.standing.set(id, {
      id,
      summary,
      body,
      actions: pairs,
      urgency: Number(hints.urgency?.value),
      updates: before === undefined ? 0 : before.updates + 1,
    });
    return id;
  }
  CloseNotification(id: number): void {
    if (this.standing.delete(id)) this.NotificationClosed(id, 3);
  }
  NotificationClosed(id: number, reason: number): readonly number[] {
    return [id, reason];
  }
  ActionInvoked(id: number, key: string): readonly (number | string)[] {
    return [id, key];
  }
}
NotificationService.configureMembers({
  methods: {
    GetCapabilities: { inSignature: '', outSignature: 'as' },
    GetServerInformation: { inSignature: '', outSignature: 'ssss' },
    Notify: { inSignature: 'susssasa{sv}i', outSignature: 'u' },
    CloseNotification: { inSignature: 'u', outSignature: '' },
  },
  signals: { NotificationClosed: { signature: 'uu' }, ActionInvoked: { signature: 'us' } },
});

class TrayHost extends dbusInterface.Interface {
  readonly items: string[] = [];
  readonly IsStatusNotifierHostRegistered = true;
  readonly ProtocolVersion = 0;

  constructor() {
    super(WATCHER);
  }
  get RegisteredStatusNotifierItems(): readonly string[] {
    return this.items;
  }
  RegisterStatusNotifierItem(service: string): void {
    this.items.push(service);
    this.StatusNotifierItemRegistered(service);
  }
  StatusNotifierItemRegistered(service: string): string {
    return service;
  }
}
TrayHost.configureMembers({
  properties: {
    RegisteredStatusNotifierItems: { signature: 'as', access: dbusInterface.ACCESS_READ },
    IsStatusNotifierHostRegistered: { signature: 'b', access: dbusInterface.ACCESS_READ },
    ProtocolVersion: { signature: 'i', access: dbusInterface.ACCESS_READ },
  },
  methods: { RegisterStatusNotifierItem: { inSignature: 's', outSignature: '' } },
  signals: { StatusNotifierItemRegistered: { signature: 's' } },
});

/** On the bus at this address; to be started before the app looks for the services. */
export async function startDesktop(busAddress: string): Promise<Desktop> {
  const bus = sessionBus({ busAddress });
  const service = new NotificationService();
  const host = new TrayHost();
  bus.export('/org/freedesktop/Notifications', service);
  bus.export('/StatusNotifierWatcher', host);
  await bus.requestName(NOTIFICATIONS, 0);
  await bus.requestName(WATCHER, 0);

  function end(id: number): void {
    service.standing.delete(id);
    service.NotificationClosed(id, 2);
  }

  return {
    notifications: () => [...service.standing.values()],
    press({ id, actions }, label) {
      const action = actions.findLast((one) => one.label === label);
      if (action === undefined) throw new Error(`no button ${label}: ${actions.map((one) => one.label).join(', ')}`);
      service.ActionInvoked(id, action.key);
      end(id);
    },
    dismiss: ({ id }) => end(id),
    async trayItem() {
      const until = Date.now() + WAIT_MS;
      while (host.items.length === 0) {
        if (Date.now() > until) throw new Error('the app registered no tray item');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return trayItem(bus, host.items.at(-1) ?? '');
    },
    stop: () => bus.disconnect(),
  };
}

/** Raw calls: the item answers no introspection, so the library cannot build an object from it. */
function trayItem(bus: MessageBus, service: string): TrayItem {
  const slash = service.indexOf('/');
  const destination = slash === -1 ? service : service.slice(0, slash);
  const path = slash === -1 ? '/StatusNotifierItem' : service.slice(slash);

  async function call(at: string, on: string, member: string, signature: string, body: readonly unknown[]): Promise<readonly unknown[]> {
    const answer = await bus.call(new Message({ destination, path: at, interface: on, member, signature, body: [...body] }));
    return answer?.body ?? [];
  }
  async function read(property: string): Promise<unknown> {
    const [value] = await call(path, 'org.freedesktop.DBus.Properties', 'Get', 'ss', [ITEM, property]);
    return (value as Variant<unknown>).value;
  }
  const menuPath = async (): Promise<string> => String(await read('Menu'));
  async function menu(): Promise<readonly MenuEntry[]> {
    type Node = readonly [number, Record<string, Variant | undefined>, readonly Variant<Node>[]];
    const [, root] = await call(await menuPath(), 'com.canonical.dbusmenu', 'GetLayout', 'iias', [0, -1, []]);
    const [, , entries] = root as Node;
    return entries.map(({ value: [id, properties] }) => ({
      id,
      label: String(properties.label?.value ?? '')
        .replaceAll('__', '\u0000')
        .replaceAll('_', '')
        .replaceAll('\u0000', '_'),
      isSeparator: properties.type?.value === 'separator',
      isEnabled: properties.enabled?.value !== false,
      isChecked: properties['toggle-state']?.value === 1,
    }));
  }

  return {
    async tooltip() {
      const parts = (await read('ToolTip')) as readonly unknown[];
      return String(parts[2]);
    },
    async icon() {
      const [first] = (await read('IconPixmap')) as readonly (readonly [number, number, Uint8Array])[];
      if (first === undefined) throw new Error('the tray item has no drawing');
      return { width: first[0], height: first[1], pixels: Buffer.from(first[2]).toString('base64') };
    },
    menu,
    async clickMenu(label) {
      const entries = await menu();
      const entry = entries.find((one) => (typeof label === 'string' ? one.label === label : label.test(one.label)));
      if (entry === undefined) throw new Error(`no entry ${label}: ${entries.map((one) => one.label).join(' | ')}`);
      await call(await menuPath(), 'com.canonical.dbusmenu', 'Event', 'isvu', [entry.id, 'clicked', new Variant('i', 0), 0]);
    },
    async click() {
      await call(path, ITEM, 'Activate', 'ii', [0, 0]);
    },
  };
}
