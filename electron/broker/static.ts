// The window's files for a browser: out/renderer and nothing else. Every file is listed once when the server starts, so a
// request can only name what is in the list and no path is ever resolved.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export interface StaticFile {
  readonly body: Buffer;
  readonly type: string;
  /** Names with a content hash never change. */
  readonly immutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  json: 'application/json',
};

/** Same policy as the desktop window. Styles are inline because the accessible primitives place their layers so. */
export const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Files by URL path; `/` is the page. Empty when the renderer was not built. */
export function loadStatic(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const path of filesBelow(folder)) {
    const name = relative(folder, path).split(sep).join('/');
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    files.set(`/${name}`, { body: readFileSync(path), type, immutable: name.startsWith('assets/') });
  }
  const page = files.get('/index.html');
  if (page !== undefined) files.set('/', page);
  return files;
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
    });
  } catch {
    return [];
  }
}
