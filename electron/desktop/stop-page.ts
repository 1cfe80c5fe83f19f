// The window that stands instead of the control center when Gatehouse cannot start: what is wrong, what to do, and the
// ways on. Static text without script or bridge; its buttons are links that main catches and never follows.

import { BrowserWindow } from 'electron';
import type { Failure } from '../../shared/failure';
import type { StaticFile } from '../broker/static';
import { confine, PAGE_ORIGIN } from './page';

export const STOP_PATH = '/stopped';

export interface StopReason {
  readonly title: string;
  readonly failure: Pick<Failure, 'message' | 'hint'>;
  /** Where another copy answers. */
  readonly url: string | null;
}

export type StopChoice = 'retry' | 'show' | 'quit';

/** What a person may do here; `show` only where there is an address. */
const CHOICES: Readonly<Record<StopChoice, string>> = { retry: 'Try again', show: 'Show it in the browser', quit: 'Quit' };
const linkOf = (choice: StopChoice): string => `${PAGE_ORIGIN}${STOP_PATH}/${choice}`;

export const ownedElsewhere = (dataDir: string, url: string | null): StopReason => ({
  title: 'Another copy of Gatehouse owns this data folder',
  failure: {
    message: `It is at work on \`${dataDir}\`${url === null ? '' : ` and answers at ${url}`}. Two copies on one folder would not agree about answers, so this one did not start.`,
    hint: 'Use the other copy, or end it and try again.',
  },
  url,
});

export const cannotStart = (failure: Pick<Failure, 'message' | 'hint'>): StopReason => ({ title: 'Gatehouse could not start', failure, url: null });

/** The page, to be served under `STOP_PATH`. Both themes. */
export function stopPage(reason: StopReason): StaticFile {
  const { title, failure, url } = reason;
  const choices = (Object.keys(CHOICES) as StopChoice[]).filter((choice) => choice !== 'show' || url !== null);
  const buttons = choices.map((choice) => `<a role="button" href="${linkOf(choice)}">${CHOICES[choice]}</a>`).join('');
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>
    :root { color-scheme: light dark; --ground: #fafaf8; --text: #1d1c1a; --quiet: #5c5a54; --accent: #2b5bb5; --on: #fff; }
    @media (prefers-color-scheme: dark) { :root { --ground: #171716; --text: #eceae4; --quiet: #a9a69d; --accent: #8fb4f5; --on: #171716; } }
    body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--text); font: 14px/22px system-ui, sans-serif; }
    main { max-width: 60ch; padding: 24px; }
    h1 { font-size: 20px; line-height: 28px; margin: 0 0 12px; }
    p { margin: 0 0 12px; overflow-wrap: anywhere; }
    p + p { color: var(--quiet); }
    nav { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 20px; }
    a { padding: 6px 14px; border-radius: 6px; border: 1px solid var(--accent); color: var(--accent); text-decoration: none; }
    a:first-child { background: var(--accent); color: var(--on); }
    a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    </style></head><body><main><h1>${escaped(title)}</h1><p role="alert">${escaped(failure.message)}</p><p>${escaped(failure.hint ?? '')}</p>
    <nav aria-label="What now">${buttons}</nav></main></body></html>`;
  return { body: Buffer.from(body), type: 'text/html; charset=utf-8', immutable: false };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('`', '');

/** Opens the window; closing it is `quit`. The caller serves `stopPage` first. */
export function openStopWindow(icon: string, chosen: (choice: StopChoice) => void): void {
  const window = new BrowserWindow({
    width: 720,
    height: 420,
    title: 'Gatehouse',
    icon,
    autoHideMenuBar: true,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false },
  });
  confine(window.webContents, '', (link) => {
    for (const choice of Object.keys(CHOICES) as StopChoice[]) if (link === linkOf(choice)) chosen(choice);
  });
  window.on('closed', () => chosen('quit'));
  void window.loadURL(`${PAGE_ORIGIN}${STOP_PATH}`);
}
