// The one window: created when it is first needed, hidden instead of closed while the tray keeps the app, its place kept.
// Sandboxed, isolated, without Node; stays on its page. Owns the window, not what is in it.

import { BrowserWindow, nativeTheme, type Rectangle, screen } from 'electron';
import type { Settings } from '../../shared/model';
import type { Clock } from './clock';
import { confine } from './page';
import { openWindowMemory } from './window-memory';
import { placeWindow, SMALLEST } from './window-place';

/** `ground` of the theme, so that nothing flashes before the first paint. */
const GROUND = { light: '#FAFAF8', dark: '#171716' };
const KEEP_MS = 500;
/** A page that fails sooner again is left as it is: it would only fail on. */
const RELOAD_AFTER_MS = 10_000;

export interface DeskWindowOptions {
  readonly clock: Clock;
  readonly dataDir: string;
  readonly icon: string;
  readonly preload: string;
  /** Address of the page, and its origin. */
  readonly page: { readonly url: string; readonly origin: string };
  /** Whether closing the window only hides it. */
  staysInTray(): boolean;
  title(): string;
  focusChanged(): void;
  /** The page is gone or starts anew. */
  pageLeft(): void;
}

export interface DeskWindow {
  /** Null until it was shown first, and after it was closed for good. */
  current(): BrowserWindow | null;
  /** Shows it and gives it the focus. */
  show(): void;
  isFocused(): boolean;
  updateTitle(): void;
  /** The app is ending: a close is a close. */
  release(): void;
}

export function createDeskWindow(options: DeskWindowOptions): DeskWindow {
  const memory = openWindowMemory(options.dataDir);
  let window: BrowserWindow | null = null;
  let isReleased = false;
  let reloadedAtMs = Number.NEGATIVE_INFINITY;

  function create(): BrowserWindow {
    const made = new BrowserWindow({
      ...placeWindow(memory.saved, areas()),
      minWidth: SMALLEST.width,
      minHeight: SMALLEST.height,
      show: false,
      title: options.title(),
      icon: options.icon,
      autoHideMenuBar: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
      webPreferences: {
        preload: options.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false,
      },
    });
    window = made;
    confine(made.webContents, options.page.origin, () => {});
    if (memory.saved?.isMaximized) made.maximize();
    keepPlace(made);
    made.on('page-title-updated', (event) => event.preventDefault());
    for (const event of ['focus', 'blur', 'show', 'hide'] as const) made.on(event as 'focus', options.focusChanged);
    // Another document than before: a hash that changes is the same page.
    made.webContents.on('did-navigate', options.pageLeft);
    made.webContents.on('render-process-gone', (_event, { reason }) => {
      options.pageLeft();
      const isRepeated = options.clock.now() - reloadedAtMs < RELOAD_AFTER_MS;
      if (reason === 'clean-exit' || isReleased || isRepeated) return;
      reloadedAtMs = options.clock.now();
      made.webContents.reload();
    });
    made.on('close', (event) => {
      memory.keep(made);
      if (isReleased || !options.staysInTray()) return;
      event.preventDefault();
      made.hide();
    });
    made.on('closed', () => {
      window = null;
      options.pageLeft();
      options.focusChanged();
    });
    void made.loadURL(options.page.url);
    return made;
  }

  function keepPlace(made: BrowserWindow): void {
    let stop = (): void => {};
    const later = (): void => {
      stop();
      stop = options.clock.after(KEEP_MS, () => {
        if (!made.isDestroyed()) memory.keep(made);
      });
    };
    for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) made.on(event as 'resize', later);
  }

  return {
    current: () => window,
    show() {
      const shown = window;
      if (shown === null) {
        const made = create();
        made.once('ready-to-show', () => {
          made.show();
          made.focus();
        });
        return;
      }
      if (shown.isMinimized()) shown.restore();
      shown.show();
      shown.focus();
    },
    isFocused: () => window?.isVisible() === true && window.isFocused(),
    updateTitle() {
      window?.setTitle(options.title());
    },
    release() {
      isReleased = true;
    },
  };
}

const areas = (): readonly Rectangle[] => {
  const primary = screen.getPrimaryDisplay();
  return [primary, ...screen.getAllDisplays().filter(({ id }) => id !== primary.id)].map(({ workArea }) => workArea);
};

/** Native parts and the page's media queries follow the setting. */
export function followTheme(theme: Settings['theme']): void {
  nativeTheme.themeSource = theme;
}
