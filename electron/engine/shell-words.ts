// Words of shell text as the program gets them: quotes resolved, and what is known about the rest. Says which words are literal,
// which may become several words, and how a word reads as a path. Runs no expansion: what only the shell knows stays unknown.

import type { Word, WordPart } from 'unbash';
import { expandBraces } from './shell-braces';

/** One argument. `word` is null where no shell stands between (argv) or where it was cut out of another word. */
export interface Arg {
  /** Quotes resolved; what is not literal stays as written. */
  readonly text: string;
  /** The program gets exactly `text`. */
  readonly literal: boolean;
  /** May become no word or several: an expansion or wildcard outside quotes. */
  readonly splits: boolean;
  readonly word: Word | null;
}

export const literalArg = (text: string): Arg => ({ text, literal: true, splits: false, word: null });

export function argOf(word: Word): Arg {
  const { parts } = word;
  if (parts === undefined) return { text: word.value, literal: true, splits: false, word };
  let literal = true;
  let splits = false;
  for (const part of parts) {
    if (isLiteralPart(part)) continue;
    literal = false;
    if (part.type !== 'DoubleQuoted' && part.type !== 'LocaleString' && part.type !== 'ProcessSubstitution') splits = true;
  }
  return { text: word.value, literal, splits, word };
}

function isLiteralPart(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return true;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.every((child) => child.type === 'Literal');
    default:
      return false;
  }
}

/** Stands in a spelling for what only the shell knows. Text with NUL never gets here. */
export const UNKNOWN = '\0';

/** How a word reads as a path. */
export interface Spelling {
  /** `~` for the home folder where the shell puts it; `UNKNOWN` for an unknown run of characters. */
  readonly text: string;
  /** `*`, `?` and `[…]` in it are wildcards, and a backslash makes the next character literal. */
  readonly isGlob: boolean;
}

export interface SpellingOptions {
  /** Nothing in the text sets HOME or PWD. */
  readonly homeIsKnown: boolean;
}

const MAX_SPELLINGS = 64;
const ALL_UNKNOWN: readonly Spelling[] = [{ text: UNKNOWN, isGlob: false }];

/** Every path that a word can stand for: several for `{a,b}`. */
export function spellingsOf(arg: Arg, options: SpellingOptions): readonly Spelling[] {
  const { word } = arg;
  if (word === null) return [{ text: arg.text, isGlob: false }];
  const { parts } = word;
  if (parts === undefined) return [{ text: word.text.startsWith('\\~') ? `./${arg.text}` : arg.text, isGlob: false }];
  const isGlob = parts.some((part) => part.type === 'Glob' || (part.type === 'BraceExpansion' && /[*?[]/.test(part.text)));
  const lead = options.homeIsKnown ? leadOf(parts[0]) : null;
  let texts: readonly string[] = [''];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part === undefined) continue;
    const pieces = piecesOf(part, isGlob, index === 0 && lead !== null);
    if (pieces === null || pieces.length * texts.length > MAX_SPELLINGS) return ALL_UNKNOWN;
    texts = pieces.length === 1 ? texts.map((text) => text + (pieces[0] ?? '')) : texts.flatMap((text) => pieces.map((piece) => text + piece));
  }
  if (lead !== null) return texts.map((text) => ({ text: text === '' || text.startsWith('/') ? lead + text : UNKNOWN, isGlob }));
  const isPlainTilde = parts[0]?.type === 'Literal' || parts[0]?.type === 'BraceExpansion';
  return texts.map((text) => ({ text: text.startsWith('~') && !isPlainTilde ? `./${text}` : text, isGlob }));
}

/** `~` or `.` when a word begins with `$HOME` or `$PWD`, in quotes or not. */
function leadOf(part: WordPart | undefined): '~' | '.' | null {
  const first = part?.type === 'DoubleQuoted' ? part.parts[0] : part;
  if (first?.type !== 'SimpleExpansion' && first?.type !== 'ParameterExpansion') return null;
  const variable = /^\$(?:(HOME|PWD)|\{(HOME|PWD)\})$/.exec(first.text);
  const name = variable?.[1] ?? variable?.[2];
  return name === 'HOME' ? '~' : name === 'PWD' ? '.' : null;
}

function piecesOf(part: WordPart, isGlob: boolean, isLead: boolean): readonly string[] | null {
  const quoted = (text: string): string => (isGlob ? text.replace(/[\\*?[\]]/g, '\\$&') : text);
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [quoted(part.value)];
    case 'DoubleQuoted':
    case 'LocaleString':
      return [part.parts.map((child, at) => (child.type === 'Literal' ? quoted(child.value) : isLead && at === 0 ? '' : UNKNOWN)).join('')];
    case 'Glob':
      return [part.text];
    case 'BraceExpansion':
      return expandBraces(part.text, MAX_SPELLINGS);
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return [isLead ? '' : UNKNOWN];
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
      return [UNKNOWN];
  }
}
