// The window's page: the files of out/renderer under app://gatehouse, and nothing else under any spelling. Owns the scheme,
// the content policy of the page, and what the page may not do (permissions, new windows, navigation, web views).

import type { Session, WebContents } from 'electron';
import { CONTENT_POLICY, type StaticFile } from '../broker/static';

export const SCHEME = 'app';
export const PAGE_ORIGIN = `${SCHEME}://gatehouse`;
export const PAGE_URL = `${PAGE_ORIGIN}/`;

/** For `protocol.registerSchemesAsPrivileged`, before the app is ready. */
export const PRIVILEGES = { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } } as const;

const HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' };

/**
 * Answers a request of the page. INVARIANT: only names in `files` are served, and the list was made at start, so no path
 * is ever resolved.
 */
export function answerPage(files: ReadonlyMap<string, StaticFile>, request: { readonly url: string; readonly method: string }): Response {
  const url = parsed(request.url);
  const file = url !== null && url.origin === PAGE_ORIGIN ? files.get(url.pathname) : undefined;
  if (file === undefined || request.method !== 'GET') return new Response('Not found', { status: 404, headers: HEADERS });
  return new Response(new Uint8Array(file.body), {
    headers: { ...HEADERS, 'content-type': file.type, 'content-security-policy': CONTENT_POLICY, 'cache-control': 'no-store' },
  });
}

/** `origin` of URL is "null" for schemes it does not know; this one is ours and has the shape of a web address. */
function parsed(text: string): { readonly origin: string; readonly pathname: string } | null {
  try {
    const url = new URL(text);
    return { origin: `${url.protocol}//${url.host}`, pathname: url.pathname };
  } catch {
    return null;
  }
}

/** True for the main frame of a page of ours: nothing else may talk to main. */
export function isOurFrame(frame: { readonly url: string; readonly parent: unknown } | null, origin: string = PAGE_ORIGIN): boolean {
  return frame !== null && frame.parent === null && parsed(frame.url)?.origin === origin;
}

/** Denies everything that a control center has no use for, in every page of this session. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}

/**
 * Keeps a page where it is: no other window, no navigation, no web view. `onLink` hears about addresses that the page
 * wanted to open, to refuse or to hand to the browser.
 */
export function confine(contents: WebContents, allowedOrigin: string, onLink: (url: string) => void): void {
  contents.setWindowOpenHandler(({ url }) => {
    onLink(url);
    return { action: 'deny' };
  });
  contents.on('will-navigate', (event, url) => {
    if (parsed(url)?.origin === allowedOrigin) return;
    event.preventDefault();
    onLink(url);
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
}
