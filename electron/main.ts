// The desktop app: settles which data folder this start is about, makes sure it is the only one there, builds the parts,
// puts them on the desktop, and stops them in order. Owns start and stop, and nothing between.

import { webcrypto } from 'node:crypto';

// Electron 25 has no global crypto; libraries expect it.
globalThis.crypto ??= webcrypto as Crypto;

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, protocol, shell } from 'electron';
import ElectronStore from 'electron-store';
import { loadStatic, type StaticFile } from './broker/static';
import { systemClock } from './desktop/clock';
import { type Desktop, startDesktop } from './desktop/desktop';
import { readLaunchOptions } from './desktop/launch-options';
import { answerPage, PAGE_ORIGIN, PAGE_URL, PRIVILEGES, SCHEME } from './desktop/page';
import { cannotStart, openStopWindow, ownedElsewhere, STOP_PATH, type StopReason, stopPage } from './desktop/stop-page';
import { type Parts, rendererBeside, startParts } from './parts';
import { StoreUnavailable } from './store/contract';
import { defaultDataDir } from './store/data-dir';
import { prepareFolder } from './store/data-folder';

declare const GATEHOUSE_VERSION: string;

const CLOSE_LIMIT_MS = 5_000;
const RESOURCES = join(__dirname, '..', '..', 'resources');
const ICON = join(RESOURCES, 'icon.png');

function onFault(error: unknown, where: string): void {
  process.stderr.write(`[gatehouse] fault in ${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

function run(): void {
  process.on('uncaughtException', (error) => onFault(error, 'main'));
  process.on('unhandledRejection', (error) => onFault(error, 'main'));
  const options = readLaunchOptions(process.argv.slice(1), process.env, process.cwd());
  if (!options.ok) {
    process.stderr.write(`${options.failure.message} ${options.failure.hint ?? ''}\n`);
    app.exit(2);
    return;
  }
  const dataDir = options.value.dataDir ?? defaultDataDir();
  protocol.registerSchemesAsPrivileged([PRIVILEGES]);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => app.quit());

  const refusal = folderProblem(dataDir);
  if (refusal !== null) {
    stopInstead(refusal);
    return;
  }
  // Before the lock: it is one instance per data folder, not per machine.
  app.setPath('userData', dataDir);
  app.setPath('sessionData', join(dataDir, 'window'));
  app.setPath('crashDumps', join(dataDir, 'window', 'crashes'));
  if (!app.requestSingleInstanceLock()) {
    // The first instance was told by the attempt, and shows its window.
    app.exit(0);
    return;
  }
  let desktop: Desktop | null = null;
  let isWanted = !options.value.isHidden;
  const showWhenReady = (): void => {
    isWanted = true;
    desktop?.show();
  };
  app.on('second-instance', showWhenReady);
  app.on('activate', showWhenReady);
  app.on('window-all-closed', () => {
    if (desktop !== null && !desktop.staysInTray()) app.quit();
  });
  const built = app.whenReady().then(() => build(dataDir, options.value.port));
  let isQuitting = false;
  app.on('before-quit', () => {
    isQuitting = true;
    desktop?.end();
  });
  // From the first moment on: who is told to stop while starting stops as cleanly.
  closeOnQuit(built);
  built
    .then(async (parts) => {
      if (parts === null || isQuitting) return;
      try {
        desktop = await startDesktop({
          broker: parts.broker,
          clock: systemClock,
          dataDir,
          resources: RESOURCES,
          preload: join(__dirname, '..', 'preload', 'preload.js'),
          page: pageAddress(),
          isDevelopment: !app.isPackaged,
          onFault,
        });
      } catch (error) {
        // Without its window nobody could answer: agents are refused rather than left waiting.
        await parts.close();
        stopInstead(cannotStart(failureOf(error)));
        return;
      }
      if (isQuitting) desktop.end();
      else if (isWanted) desktop.show();
    })
    .catch((error: unknown) => onFault(error, 'start'));
}

/** What stands in the way of using the folder at all, or null. */
function folderProblem(dataDir: string): StopReason | null {
  try {
    prepareFolder(dataDir);
    return null;
  } catch (error) {
    return cannotStart(failureOf(error));
  }
}

function failureOf(error: unknown): { readonly message: string; readonly hint?: string } {
  if (error instanceof StoreUnavailable) return error.failure;
  onFault(error, 'start');
  return {
    message: error instanceof Error ? error.message : String(error),
    hint: 'Try again; if it happens again, start with another folder by --data-dir.',
  };
}

/** The parts, or null when the person was told why there are none. */
async function build(dataDir: string, port: number | undefined): Promise<Parts | null> {
  const rendererDir = rendererBeside(__dirname);
  try {
    const started = await startParts({
      dataDir,
      port,
      version: GATEHOUSE_VERSION,
      rendererDir,
      settingsClass: ElectronStore,
      // Electron runs our command line as plain Node when it is told so.
      cliCommand: ['env', 'ELECTRON_RUN_AS_NODE=1', process.execPath, join(__dirname, 'cli.js')],
    });
    if ('ownedElsewhere' in started) {
      stopInstead(ownedElsewhere(dataDir, started.url));
      return null;
    }
    if (!started.ok) {
      stopInstead(cannotStart(started.failure));
      return null;
    }
    servePage(loadStatic(rendererDir));
    return started.value;
  } catch (error) {
    stopInstead(cannotStart(failureOf(error)));
    return null;
  }
}

function servePage(files: ReadonlyMap<string, StaticFile>): void {
  if (protocol.isProtocolHandled(SCHEME)) protocol.unhandle(SCHEME);
  protocol.handle(SCHEME, (request) => answerPage(files, request));
}

/** The built page, or the development server's. */
function pageAddress(): { readonly url: string; readonly origin: string } {
  const development = process.env.ELECTRON_RENDERER_URL;
  if (app.isPackaged || !development) return { url: PAGE_URL, origin: PAGE_ORIGIN };
  return { url: development, origin: new URL(development).origin };
}

/** Shows why there is no control center, and ends with exit code 1 unless the person tries again with success. */
function stopInstead(reason: StopReason): void {
  process.stderr.write(`${reason.title}. ${reason.failure.message} ${reason.failure.hint ?? ''}\n`);
  // Chromium needs a folder to write to even for this page, and the data folder is not it.
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-stopped-'));
  if (!app.isReady()) app.setPath('userData', folder);
  const leave = (code: number): void => {
    rmSync(folder, { recursive: true, force: true });
    app.exit(code);
  };
  app.on('will-quit', () => leave(1));
  app.whenReady().then(
    () => {
      servePage(new Map([[STOP_PATH, stopPage(reason)]]));
      openStopWindow(ICON, (choice) => {
        if (choice === 'show' && reason.url !== null) void shell.openExternal(reason.url);
        if (choice === 'retry') app.relaunch();
        if (choice !== 'show') leave(choice === 'retry' ? 0 : 1);
      });
    },
    (error: unknown) => onFault(error, 'stop page'),
  );
}

/** What waits stays pending for the next start; agents come back to it by themselves. */
function closeOnQuit(built: Promise<Parts | null>): void {
  let isClosing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    systemClock.after(CLOSE_LIMIT_MS, () => app.exit(1));
    built
      .then((parts) => parts?.close())
      .then(
        () => app.exit(0),
        (error: unknown) => {
          onFault(error, 'stop');
          app.exit(1);
        },
      );
  });
}

run();
