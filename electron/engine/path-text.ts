// Canonical paths as text: how they compare on a platform, what lies within what, what a path is relative to another.
// Works on paths that are canonical already; asks no disk and resolves no link.

import type { PlatformFacts } from './facts';

/**
 * The form in which paths are compared: `/` between segments, and lower case where the platform ignores case (spec 3.4).
 * On a case-sensitive `/` platform it is the path itself.
 */
export function comparable(path: string, platform: PlatformFacts): string {
  const slashed = platform.separator === '\\' && path.includes('\\') ? path.replaceAll('\\', '/') : path;
  return platform.caseSensitive ? slashed : slashed.normalize('NFC').toLowerCase();
}

/** `path` is `dir` or below it, on directory boundaries. Both in comparable form. */
export function within(dir: string, path: string): boolean {
  if (!path.startsWith(dir)) return false;
  return path.length === dir.length || path.charCodeAt(dir.length) === SLASH || dir.charCodeAt(dir.length - 1) === SLASH;
}

export const SLASH = 47;

/** Index in `path` where its part relative to `base` begins; -1 outside; `path.length` for the base itself. Comparable forms. */
export function relativeStart(base: string, path: string): number {
  if (!within(base, path)) return -1;
  if (path.length === base.length) return path.length;
  return base.charCodeAt(base.length - 1) === SLASH ? base.length : base.length + 1;
}

/** Absolute on this platform: `/a`, and on Windows `C:\a`, `C:/a`, `\\server\share`. `path` may use either slash there. */
export function isAbsolute(path: string, platform: PlatformFacts): boolean {
  if (path.startsWith('/')) return true;
  return platform.separator === '\\' && (path.startsWith('\\') || /^[A-Za-z]:(?:[\\/]|$)/.test(path));
}

/**
 * `path` put on `base` and freed of `.`, `..` and doubled slashes, by text alone: links are not followed. With `/` between
 * segments. For paths that could not be resolved, where only a denial may lean on it.
 */
export function lexical(base: string | null, path: string, platform: PlatformFacts): string {
  if (base === null && isTidy(path, platform)) return path;
  const absolute = isAbsolute(path, platform) || base === null ? path : `${base}/${path}`;
  const slashed = platform.separator === '\\' ? absolute.replaceAll('\\', '/') : absolute;
  const prefix = /^(?:\/\/(?=[^/])|[A-Za-z]:\/|\/)?/.exec(slashed)?.[0] ?? '';
  const kept: string[] = [];
  for (const segment of slashed.slice(prefix.length).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && (kept.length > 0 || prefix !== '') && kept.at(-1) !== '..') kept.pop();
    else kept.push(segment);
  }
  return prefix + kept.join('/');
}

/** Nothing in it that could be taken out: no `.` at the beginning of a segment, no doubled slash, none at the end. */
function isTidy(path: string, platform: PlatformFacts): boolean {
  if (platform.separator !== '/' || path.startsWith('.') || path.includes('/.') || path.includes('//')) return false;
  return !path.endsWith('/') || path === '/';
}

/** Last segment; the whole text when there is none. Either slash counts on Windows. */
export function lastSegment(path: string, platform: PlatformFacts): string {
  const at = platform.separator === '\\' ? Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) : path.lastIndexOf('/');
  return path.slice(at + 1);
}
