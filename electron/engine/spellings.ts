// Spellings of paths (spec 3.4): what a written path names on a platform, as text alone. Knows the traps of POSIX and Windows
// paths, so that every platform can be tested on any other. Asks no disk and follows no link.

import type { PlatformFacts } from './facts';

export interface SpelledPath {
  readonly form: 'absolute' | 'relative' | 'home';
  /** `/`, `C:\`, `\\server\share\`; `\` for the root of the drive in force; empty for the other forms. */
  readonly prefix: string;
  /** Without empty and `.` segments; `..` is kept, since only the disk knows what it climbs out of. */
  readonly segments: readonly string[];
  /** User whose home it is (`~name`); absent: the own one. */
  readonly user?: string;
  /** A segment that looks like an 8.3 short name: another name for something that exists, or nothing. */
  readonly hasShortName: boolean;
}
export type Spelled = SpelledPath | { readonly problem: string };

/** Reads `raw` as a path of `platform`. `problem`: no program can open it under a name that could be judged. */
export function spellPath(raw: string, platform: PlatformFacts): Spelled {
  if (raw.includes('\0')) return { problem: 'it holds a NUL character' };
  if (hasLoneSurrogate(raw)) return { problem: 'it is not valid Unicode' };
  return platform.separator === '/' ? spellPosix(raw) : spellWindows(raw);
}

/** Half of a surrogate pair alone: it has no spelling in UTF-8, so that every program would open something else. */
export const hasLoneSurrogate = (text: string): boolean => /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:^|[^\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);

/** A path from its parts, spelled the way of the platform. */
export function joinPath(prefix: string, segments: readonly string[], platform: PlatformFacts): string {
  return prefix + segments.join(platform.separator);
}

/** Without `..` that something named stands before: what a program makes of a path that tidies it up before it opens it. */
export function collapseParents(segments: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else kept.push(segment);
  }
  return kept;
}

// ------------------------------------------------------------------ POSIX

function spellPosix(raw: string): Spelled {
  const tilde = /^~([^/]*)(?:\/|$)/.exec(raw);
  if (tilde !== null && isUserName(tilde[1] ?? '')) return home(tilde[1] ?? '', split(raw.slice(tilde[0].length), /\/+/));
  const isAbsolute = raw.startsWith('/');
  return { form: isAbsolute ? 'absolute' : 'relative', prefix: isAbsolute ? '/' : '', segments: split(raw, /\/+/), hasShortName: false };
}

/** A file may be called `~$notes.docx`; a user may not. */
const isUserName = (name: string): boolean => name === '' || /^[A-Za-z_][\w.-]*$/.test(name);

const home = (user: string, segments: readonly string[]): SpelledPath => ({
  form: 'home',
  prefix: '',
  segments,
  hasShortName: false,
  ...(user === '' ? {} : { user }),
});

const split = (text: string, separators: RegExp): readonly string[] => text.split(separators).filter((segment) => segment !== '' && segment !== '.');

// ------------------------------------------------------------------ Windows

const DEVICE = /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$|clock\$)$/i;

function spellWindows(raw: string): Spelled {
  const text = raw.replaceAll('/', '\\');
  const tilde = /^~([^\\]*)(?:\\|$)/.exec(text);
  if (tilde !== null && isUserName(tilde[1] ?? '') && !/^~\d/.test(text)) {
    return withSegments(
      { form: 'home', prefix: '', ...(tilde[1] === '' || tilde[1] === undefined ? {} : { user: tilde[1] }) },
      text.slice(tilde[0].length),
      false,
    );
  }
  // `\\?\`, `\\.\` and `\??\` hand the rest to the system as it stands.
  const verbatim = /^(?:\\\\[?.]\\|\\\?\?\\)/.exec(text)?.[0];
  if (verbatim !== undefined) return spellVerbatim(text.slice(verbatim.length));
  if (text.startsWith('\\\\')) return spellShare(text.slice(2), false);
  const drive = /^([A-Za-z]):(\\?)/.exec(text);
  if (drive !== null) {
    // `C:x` stands in the directory that the drive was last left in, which nobody here knows.
    if (drive[2] !== '\\') return { problem: 'it depends on the current directory of a drive' };
    return withSegments({ form: 'absolute', prefix: `${drive[1]?.toUpperCase()}:\\` }, text.slice(3), false);
  }
  if (text.startsWith('\\')) return withSegments({ form: 'absolute', prefix: '\\' }, text.slice(1), false);
  return withSegments({ form: 'relative', prefix: '' }, text, false);
}

function spellVerbatim(rest: string): Spelled {
  const drive = /^([A-Za-z]):(?:\\|$)/.exec(rest);
  if (drive !== null) return withSegments({ form: 'absolute', prefix: `${drive[1]?.toUpperCase()}:\\` }, rest.slice(drive[0].length), true);
  const share = /^UNC\\/i.exec(rest);
  return share === null ? { problem: 'it names a device' } : spellShare(rest.slice(share[0].length), true);
}

function spellShare(rest: string, isVerbatim: boolean): Spelled {
  const [server = '', share = '', ...tail] = rest.split('\\');
  if (server === '' || share === '' || server === '.' || server === '?') return { problem: 'it names no share' };
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|::1|0--1\.ipv6-literal\.net)$/i.test(server);
  const drive = isHere ? /^([A-Za-z])\$$/.exec(share)?.[1] : undefined;
  const prefix = drive === undefined ? `\\\\${server}\\${share}\\` : `${drive.toUpperCase()}:\\`;
  return withSegments({ form: 'absolute', prefix }, tail.join('\\'), isVerbatim);
}

function withSegments(start: Pick<SpelledPath, 'form' | 'prefix' | 'user'>, rest: string, isVerbatim: boolean): Spelled {
  const segments: string[] = [];
  let hasShortName = false;
  for (const written of rest.split('\\')) {
    if (written === '' || written === '.') continue;
    if (written === '..') {
      if (isVerbatim) return { problem: '`..` is a name in a path that is handed on as it stands' };
      segments.push(written);
      continue;
    }
    // Win32 drops dots and spaces at the end of a name; `name:stream` is a part of the file `name`.
    const [file = ''] = written.split(':');
    const name = file.replace(/[. ]+$/, '');
    if (isVerbatim && name !== file) return { problem: 'a name ends with a dot or a space' };
    if (name === '') return { problem: `\`${written}\` is no name` };
    if (/[<>"|?*]/.test(name) || hasControl(name)) return { problem: `\`${written}\` holds a character that no name may hold` };
    if (DEVICE.test(name.replace(/\..*$/, '').trimEnd())) return { problem: `\`${written}\` is a device` };
    if (/~\d/.test(name)) hasShortName = true;
    segments.push(name);
  }
  return { ...start, segments, hasShortName };
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x20) return true;
  return false;
}

/** `/c/Users` and `/cygdrive/c/Users`, as POSIX shells on Windows spell `C:\Users`. Other paths come back as they are. */
export function fromPosixShell(raw: string, platform: PlatformFacts): string {
  if (platform.separator === '/') return raw;
  const drive = /^\/(?:cygdrive\/|mnt\/)?([A-Za-z])(\/|$)/.exec(raw);
  return drive === null ? raw : `${drive[1]?.toUpperCase()}:\\${raw.slice(drive[0].length)}`;
}
