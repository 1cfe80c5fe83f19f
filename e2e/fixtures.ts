// What stories ask for: a launched app with its window, the stand-in desktop, a home of their own, a served control center.
// One X server and one message bus a worker, so that workers see nothing of each other. Keeps a trace, a picture and the
// app's output of a story that failed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, test as base, type ElectronApplication, expect, type Page } from '@playwright/test';
import { type Desktop, startDesktop } from './desktop-stub';
import { type Home, newHome, root, type Server, startBus, startDisplay, startServer } from './machine';

export interface Launched {
  readonly app: ElectronApplication;
  /** The window. */
  readonly page: Page;
  /** kill -9, and nothing of it is left. */
  kill(): Promise<void>;
  /** Quits as a person would. */
  quit(): Promise<void>;
  /** Resolves with the exit code once the app has ended by itself. */
  readonly ended: Promise<number | null>;
  /** What the app has written so far. */
  output(): string;
}

export interface LaunchOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Another folder than the home's. */
  readonly dataDir?: string;
}

interface Worker {
  readonly display: string;
  readonly bus: string;
}
interface Each {
  readonly home: Home;
  readonly desktop: Desktop;
  launch(options?: LaunchOptions): Promise<Launched>;
  serve(): Promise<Server>;
}

const CLOSE_MS = 10_000;

/** Chromium's sandbox does not start as root. The software renderer is quickest without its own process for it. */
export const CHROMIUM_SWITCHES = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-software-rasterizer'];

export const test = base.extend<Each, Worker>({
  display: [
    async ({ browserName: _ }, use) => {
      const { display, stop } = await startDisplay();
      await use(display);
      await stop();
    },
    { scope: 'worker' },
  ],
  bus: [
    async ({ browserName: _ }, use) => {
      const { address, stop } = await startBus();
      await use(address);
      await stop();
    },
    { scope: 'worker' },
  ],
  home: async ({ browserName: _ }, use) => {
    const home = newHome();
    await use(home);
    home.remove();
  },
  desktop: async ({ bus }, use) => {
    const desktop = await startDesktop(bus);
    await use(desktop);
    desktop.stop();
  },
  // Asks for the desktop, so that it is there before the app looks for it.
  launch: async ({ display, bus, home, desktop: _desktop }, use, info) => {
    const running: { readonly launched: Launched; isGone: boolean }[] = [];
    await use(async (options = {}) => {
      const app = await _electron.launch({
        args: [...CHROMIUM_SWITCHES, root, '--data-dir', options.dataDir ?? home.dataDir, '--port', '0', ...(options.args ?? [])],
        cwd: root,
        env: {
          ...environment(),
          ...home.env,
          DISPLAY: display,
          DBUS_SESSION_BUS_ADDRESS: bus,
          NO_AT_BRIDGE: '1',
          ...options.env,
        },
      });
      let text = '';
      for (const stream of [app.process().stdout, app.process().stderr]) {
        stream?.on('data', (chunk: Buffer) => {
          text += chunk;
        });
      }
      const child = app.process();
      const ended = new Promise<number | null>((done) => child.once('exit', done));
      const page = await app.firstWindow();
      await app.context().tracing.start({ screenshots: true, snapshots: true, sources: true });
      const launched: Launched = {
        app,
        page,
        output: () => text,
        ended,
        async kill() {
          child.kill('SIGKILL');
          await ended;
        },
        async quit() {
          await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
          await ended;
        },
      };
      const entry = { launched, isGone: false };
      child.once('exit', () => {
        entry.isGone = true;
      });
      running.push(entry);
      return launched;
    });
    const hasFailed = info.status !== info.expectedStatus;
    for (const [index, entry] of running.entries()) {
      const { app, page, output } = entry.launched;
      if (hasFailed) {
        await info.attach(`app-${index}.log`, { body: output(), contentType: 'text/plain' });
        if (!entry.isGone) {
          await info.attach(`window-${index}`, { body: await page.screenshot().catch(() => Buffer.alloc(0)), contentType: 'image/png' });
          await app
            .context()
            .tracing.stop({ path: info.outputPath(`trace-${index}.zip`) })
            .catch(() => undefined);
        }
      }
      if (!entry.isGone) await closeApp(entry.launched);
    }
  },
  serve: async ({ home }, use, info) => {
    const servers: Server[] = [];
    await use(async () => {
      const server = await startServer(home);
      servers.push(server);
      return server;
    });
    for (const [index, server] of servers.entries()) {
      if (info.status !== info.expectedStatus) await info.attach(`server-${index}.log`, { body: server.output(), contentType: 'text/plain' });
      await server.stop();
    }
  },
});

/** Ends the app as a person would by Quit, and by force when it does not end. */
async function closeApp({ app, kill, quit, ended }: Launched): Promise<void> {
  const timer = setTimeout(() => void kill(), CLOSE_MS);
  await quit();
  await ended;
  clearTimeout(timer);
  await app.close().catch(() => undefined);
}

/** Without what would make a story depend on who runs it. */
function environment(): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^(GATEHOUSE_|WAYLAND_|XDG_|ELECTRON_RUN_AS_NODE$|ELECTRON_RENDERER_URL$)/.test(name)) kept[name] = value;
  }
  return kept;
}

/** Whether the window is on the screen. */
export const isVisible = (app: ElectronApplication): Promise<boolean | undefined> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());

/** Hides the window as a person could: once it is there. Before its first picture, Gatehouse would show it right after. */
export async function hideWindow(app: ElectronApplication): Promise<void> {
  await expect.poll(() => isVisible(app)).toBe(true);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await expect.poll(() => isVisible(app)).toBe(false);
}

export const readJson = (home: Home, name: string): unknown => JSON.parse(readFileSync(join(home.dataDir, name), 'utf8'));
export { expect };
