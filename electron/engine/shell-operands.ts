// Which paths and addresses the arguments of a command name (spec 4, "paths found inside shell text"). Offers candidates; whether
// a word names something that exists is the broker's edge's to find out.

import type { Directories } from './shell-places';
import type { ShellTarget } from './shell-reading';
import { type Arg, type SpellingOptions, spellingsOf, UNKNOWN } from './shell-words';

/** Where candidates go while a command is read. */
export interface OperandSink {
  readonly targets: Draft<ShellTarget>[];
  readonly addresses: string[];
  readonly directories: Directories;
  /** Unit whose words are read; null for words of none, such as those of a loop. */
  current: { names?: string[] } | null;
  /** Its index, -1 for none. */
  unit: number;
  /** Candidates so far, of all units. */
  offered: number;
}
type Draft<T> = { -readonly [key in keyof T]: T[key] };

/** Beyond these the whole text is one opaque unit: nobody looks at so much, and an answer would take too long. */
const MAX_OFFERED = 4000;
export class TooMuchToRead extends Error {}

/** `certain`: a path by its form. `maybe`: counts when it names something. `unknown`: a path that only the shell knows. */
function addPath(sink: OperandSink, raw: string, standing: ShellTarget['standing'], isGlob: boolean): void {
  if (++sink.offered > MAX_OFFERED) throw new TooMuchToRead();
  const { current } = sink;
  if (standing !== 'maybe' || isGlob || current === null) {
    sink.targets.push({ raw, access: 'read', origin: 'operand', unit: sink.unit, directories: sink.directories, standing, isGlob });
  } else if (current.names === undefined) current.names = [raw];
  else current.names.push(raw);
}

/** Words that name hosts and remote paths, so that `host:/x` is nothing on this machine. */
const REMOTE: ReadonlySet<string> = new Set(['scp', 'sftp', 'rsync', 'git', 'ssh', 'mosh', 'curl', 'wget', 'docker', 'podman', 'kubectl']);
const URL = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

export function readOperand(arg: Arg, program: string, options: SpellingOptions, sink: OperandSink): void {
  const { text } = arg;
  const first = text.charCodeAt(0);
  if (text.length > MAX_PATH_CHARS) return;
  // The common case first: a short option, or a plain name.
  if (first === DASH && text.length <= 2) return;
  if (arg.literal && arg.word?.parts === undefined && isPlainName(text)) {
    if (first !== DASH) addPath(sink, text, 'maybe', false);
    return;
  }
  // Literal words read as their text, but for a tilde that may be quoted.
  if (arg.word === null || (arg.literal && first !== TILDE)) {
    readSpelling(text, false, program, sink);
    return;
  }
  if (!arg.literal && first !== TILDE && !MAY_BE_PATH.test(text)) return;
  for (const spelling of spellingsOf(arg, options)) readSpelling(spelling.text, spelling.isGlob, program, sink);
}

const DASH = 45;
const TILDE = 126;
/** What is put together without any of these is no path that could be followed. */
const MAY_BE_PATH = /[/*?[{]/;
/** No system opens a longer path. */
const MAX_PATH_CHARS = 8192;
/** Holds none of `/ ~ = : , @ \\ .`: nothing but a name. */
function isPlainName(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 44:
      case 46:
      case 47:
      case 58:
      case 61:
      case 64:
      case 92:
      case 126:
        return false;
    }
  }
  return true;
}

function readSpelling(text: string, isGlob: boolean, program: string, sink: OperandSink): void {
  if (text === '' || text === UNKNOWN) return;
  if (URL.test(text)) {
    if (/^file:/i.test(text)) offer(decoded(text.replace(/^file:\/\/(?:localhost)?/i, '')), false, sink);
    else sink.addresses.push(text);
    return;
  }
  const value = text.startsWith('-') ? optionPart(text) : text;
  if (value === null) return;
  offer(value, isGlob, sink);
  if (!/[=:,@]/.test(value)) return;
  // `key=value`: the key is no path.
  const equals = value.indexOf('=');
  for (const piece of value.slice(equals + 1).split(/[=,]/)) {
    if (piece === value || piece === '') continue;
    if (URL.test(piece)) sink.addresses.push(piece);
    else offer(piece.startsWith('@') ? piece.slice(1) : piece, isGlob, sink);
  }
  if (value.startsWith('@')) offer(value.slice(1), isGlob, sink);
  if (!value.includes(':') || /^[A-Za-z]:[\\/]/.test(value)) return;
  const parts = value.split(':');
  const [head = ''] = parts;
  // `host:/path` is elsewhere; `/here:/there` begins here.
  const isRemote = REMOTE.has(program) && !/^[/~.]/.test(head);
  if (isRemote) {
    if (/^[\w.@[\]-]+$/.test(head)) sink.addresses.push(head.slice(head.lastIndexOf('@') + 1));
  } else for (const part of parts) if (/^(?:\/|~|\.\.(?:\/|$))/.test(part) || part.includes('/../')) offer(part, isGlob, sink);
}

/** `--file=/x` gives `/x`, `-I/x` gives `/x`; null when nothing in an option can be a path. */
function optionPart(text: string): string | null {
  const equals = text.indexOf('=');
  if (equals > 0) return text.slice(equals + 1);
  if (text.startsWith('--')) return null;
  const glued = text.slice(2);
  return glued.length > 1 && (/^[/~.]/.test(glued) || glued.includes('/')) ? glued : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Devices that hold nothing. */
const NOTHING_THERE = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd\/\d+)$/;
export const isHarmlessDevice = (text: string): boolean => NOTHING_THERE.test(text);

function offer(text: string, isGlob: boolean, sink: OperandSink): void {
  if (text === '' || isHarmlessDevice(text)) return;
  const unknownAt = text.indexOf(UNKNOWN);
  if (unknownAt >= 0) {
    offerPartly(text, unknownAt, isGlob, sink);
    return;
  }
  addPath(sink, text, isCertain(text) ? 'certain' : 'maybe', isGlob);
}

const isCertain = (text: string): boolean => /^[/~]/.test(text) || hasParentSegment(text) || /^(?:[A-Za-z]:[\\/]|\\\\)/.test(text);
const hasParentSegment = (text: string): boolean => text.includes('..') && /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(text);

/**
 * Part of the path is known: the directory before the unknown part is looked at, and so is what stands after it, in case it
 * begins with a name that a deny rule names. Climbing out of the unknown is a path that only the shell knows.
 */
function offerPartly(text: string, unknownAt: number, isGlob: boolean, sink: OperandSink): void {
  const before = text.slice(0, unknownAt);
  const after = text.slice(text.lastIndexOf(UNKNOWN) + 1);
  const directory = before.slice(0, before.lastIndexOf('/') + 1);
  if (directory !== '' && isCertain(directory)) addPath(sink, directory, 'certain', isGlob);
  const tail = after.slice(after.indexOf('/') + 1);
  if (!after.includes('/') || tail === '') return;
  if (hasParentSegment(after)) addPath(sink, text.replaceAll(UNKNOWN, '…'), 'unknown', false);
  else addPath(sink, tail, 'maybe', isGlob);
}

/** Programs of the system, which everybody runs: their own path is no path of the call. */
const SYSTEM_PROGRAMS =
  /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/|run\/current-system\/sw\/|snap\/|nix\/store\/[^/]+\/)?s?bin\/[^/]+|\/usr\/libexec\/[^/]+|[A-Za-z]:\\Windows\\(?:System32\\)?[^\\]+)$/i;

/** A program that is given by a path and is none of the system's is a file that the call reads. */
export function readProgramPath(arg: Arg, sink: OperandSink): void {
  if (!arg.literal || !arg.text.includes('/') || SYSTEM_PROGRAMS.test(arg.text)) return;
  addPath(sink, arg.text, isCertain(arg.text) ? 'certain' : 'maybe', false);
}
