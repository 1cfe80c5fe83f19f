// Puts Gatehouse on the desktop: window, its door to main, tray, notifications, title and badge, all fed from one view of
// main's state. Owns how they hang together; each does its own work in the file of its name.

import { join } from 'node:path';
import { app, session } from 'electron';
import type { CommandName, Draft } from '../../shared/commands';
import type { Request } from '../../shared/model';
import type { Nudge } from '../../shared/projection';
import type { Broker } from '../broker/broker';
import { setAppMenu } from './app-menu';
import type { Clock } from './clock';
import { createDeskProjection } from './desk-view';
import { createElectronBoard } from './electron-board';
import { openWindowDoor, WINDOW_CALLER } from './ipc';
import { connectLinuxBoard } from './linux-board';
import { createNotifier } from './notifier';
import { denyPermissions } from './page';
import { createTray } from './tray';
import { type TrayAction, titleText } from './tray-face';
import { createDeskWindow, followTheme } from './window';

/** Title, badge and notifications follow at most ten times a second. */
const FOLLOW_MS = 100;

export interface DesktopOptions {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly dataDir: string;
  /** Folder with icon.png and tray/. */
  readonly resources: string;
  readonly preload: string;
  readonly page: { readonly url: string; readonly origin: string };
  readonly isDevelopment: boolean;
  onFault(error: unknown, where: string): void;
}

export interface Desktop {
  /** Shows the window, on a request when one is named, without answering anything. */
  show(requestId?: string): void;
  /** Whether the app goes on when its window is closed. */
  staysInTray(): boolean;
  end(): void;
}

export async function startDesktop(options: DesktopOptions): Promise<Desktop> {
  const { broker, clock, onFault } = options;
  const icon = join(options.resources, 'icon.png');
  // Subscribed first, so that nothing falls between the snapshot and the first change.
  const early: Parameters<Parameters<Broker['onChanges']>[0]>[0][] = [];
  let receive = (batch: (typeof early)[number]): void => void early.push(batch);
  const endChanges = broker.onChanges((batch) => receive(batch));
  const projection = createDeskProjection(await broker.snapshot());
  for (const batch of early) projection.apply(batch);
  const view = (): typeof projection.view => projection.view;

  denyPermissions(session.defaultSession);
  setAppMenu({ appName: app.getName(), isDevelopment: options.isDevelopment, quit: () => app.quit() });
  followTheme(view().settings.theme);

  const window = createDeskWindow({
    clock,
    dataDir: options.dataDir,
    icon,
    preload: options.preload,
    page: options.page,
    staysInTray: () => view().settings.keep_in_tray,
    title: () => titleText(view()),
    focusChanged: () => notifier.update(),
    pageLeft: () => door.pageLeft(),
  });
  const door = openWindowDoor({ broker, clock, window: window.current, pageOrigin: options.page.origin, onFault });
  const tray = createTray({ clock, icons: join(options.resources, 'tray'), view, act });
  const notifier = createNotifier({
    clock,
    board: (await connectLinuxBoard(app.getName(), icon, onFault)) ?? createElectronBoard(onFault),
    view,
    isFocused: window.isFocused,
    open: (request) => show(request.id),
    answer: (requests, action) => void answer(requests, action),
  });

  function show(requestId?: string): void {
    window.show();
    const nudge: Nudge = requestId === undefined ? { show: 'inbox' } : { show: 'inbox', request_id: requestId };
    door.nudge(nudge);
  }

  function act(action: TrayAction): void {
    switch (action.do) {
      case 'open':
        show(action.request_id);
        return;
      case 'hold':
        void run('settings.update', { questions_held: action.held });
        return;
      case 'revoke':
        void run('grant.revoke', { id: action.grant_id });
        return;
      case 'quit':
        app.quit();
        return;
    }
  }

  /** A failure shows the window: its cause is seen there, and nowhere else would it be seen at all. */
  async function run<N extends CommandName>(name: N, input: Draft<N>): Promise<void> {
    const result = await broker.call(name, input, WINDOW_CALLER);
    if (!result.ok && result.failure.code !== 'not_found') show();
  }

  async function answer(requests: readonly Request[], action: 'approve' | 'deny'): Promise<void> {
    for (const { id, digest } of requests) {
      const result = await broker.call('request.resolve', { id, action, digest }, WINDOW_CALLER);
      // Settled meanwhile by somebody else: nothing is left to do. Anything else the person has to see.
      if (!result.ok && result.failure.code !== 'settled') return show(id);
    }
  }

  let isDue = false;
  function follow(): void {
    isDue = false;
    followTheme(view().settings.theme);
    window.updateTitle();
    app.setBadgeCount(view().pending.size);
    notifier.update();
  }
  receive = (batch) => {
    if (!projection.apply(batch)) return;
    tray.update();
    if (isDue) return;
    isDue = true;
    clock.after(FOLLOW_MS, follow);
  };
  follow();

  return {
    show,
    staysInTray: () => view().settings.keep_in_tray,
    end() {
      window.release();
      endChanges();
      door.close();
      notifier.end();
      tray.end();
    },
  };
}
