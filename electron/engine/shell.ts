// Shell text as facts (spec 6): which simple commands it runs, which files its redirects and operands name, and in which
// directory each of them stands. Reads text only: existence, links and the meaning of a directory are the broker's edge.

import { TooMuchToRead } from './shell-operands';
import { START } from './shell-places';
import { createReader, readCommandLine } from './shell-reader';
import type { ReadUnit, ShellReading } from './shell-reading';
import { setOnTheWay } from './shell-variables';
import { readText, settleFunctions } from './shell-walk';
import { literalArg } from './shell-words';

export type { Directories, Place, Step } from './shell-places';
export type { ReadUnit, ShellReading, ShellTarget } from './shell-reading';

/** Shell that the text is for: one like bash, one that may know no more than POSIX, or one whose text is not read at all. */
export type ShellDialect = 'bash' | 'sh' | 'other';

/** Longer text is one opaque unit: nobody reads it, and reading it would take too long to answer. */
export const MAX_SHELL_CHARS = 65_536;
/**
 * The same for text with more of what costs the parser most. Generous: a file of that size written through a heredoc, whatever
 * its language, stays below.
 */
const MAX_OPEN = 200;
const MAX_SUBSTITUTIONS = 2000;
const MAX_WORDS = 14_000;
const MAX_OPERATORS = 6000;
const MAX_ARROWS = 12_000;

/**
 * Spec 6. Never throws. Text that does not parse, is too long or is in another language comes back as one opaque unit with the
 * text itself, and `errors` says why.
 */
export function parseShell(text: string, dialect: ShellDialect = 'bash'): ShellReading {
  const refused = dialect === 'other' ? 'the text is not in the language of sh' : (unreadable(text) ?? setOnTheWay(text));
  if (refused !== null) return asOneUnit(text, refused);
  const reader = createReader(text, readText);
  reader.mayBePlainSh = dialect === 'sh';
  try {
    readText(reader, text);
  } catch (error) {
    if (error instanceof TooMuchToRead) return asOneUnit(text, 'the text runs more commands than a person could look at');
    // The parser recurses: nesting that it does not bound itself ends in a full stack.
    if (error instanceof RangeError) return asOneUnit(text, 'the text is nested too deeply');
    throw error;
  }
  const [error] = reader.errors;
  if (error !== undefined) return asOneUnit(text, `the text does not parse: ${error}`);
  settleFunctions(reader);
  return { units: reader.units, targets: reader.targets, addresses: reader.addresses, errors: [] };
}

/** A program and its arguments as they reach it, without a shell between (Codex `shell`). Never throws. */
export function readArgv(argv: readonly string[]): ShellReading {
  const text = argv.join(' ');
  const refused = unreadable(text) ?? setOnTheWay(text);
  if (argv.length === 0) return { units: [], targets: [], addresses: [], errors: [] };
  if (refused !== null) return asOneUnit(text, refused);
  const reader = createReader(text, readText);
  try {
    readCommandLine(reader, { args: argv.map(literalArg), assignments: [], input: null });
  } catch (error) {
    if (error instanceof TooMuchToRead || error instanceof RangeError) return asOneUnit(text, 'it runs more than a person could look at');
    throw error;
  }
  const [error] = reader.errors;
  if (error !== undefined) return asOneUnit(text, `the text does not parse: ${error}`);
  settleFunctions(reader);
  return { units: reader.units, targets: reader.targets, addresses: reader.addresses, errors: [] };
}

/** Text that is code for something else than a shell: one opaque unit. */
export function asOneUnit(text: string, reason: string): ShellReading {
  const shown = text.trim();
  const unit: ReadUnit = { text: shown, words: [shown], assignments: [], opaque: true, opaque_reason: reason, directories: START };
  return { units: [unit], targets: [], addresses: [], errors: [reason] };
}

/** One pass over the text, without looking at quotes: why it is not read at all. */
function unreadable(text: string): string | null {
  if (text.length > MAX_SHELL_CHARS) return `the text is longer than ${MAX_SHELL_CHARS} characters`;
  // Text this short cannot exceed the counts below.
  if (text.length <= MAX_OPEN && !/[\0\uD800-\uDFFF]/.test(text)) return null;
  let parentheses = 0;
  let braces = 0;
  let substitutions = 0;
  let heredocs = 0;
  let words = 0;
  let operators = 0;
  let arrows = 0;
  let before = SPACE;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > SPACE && before <= SPACE) words++;
    switch (code) {
      case 0:
        return 'the text holds a NUL character';
      case 40:
        if (++parentheses > MAX_OPEN) return TOO_DEEP;
        if (before === 36 || before === 60 || before === 62) substitutions++;
        break;
      case 41:
        if (parentheses > 0) parentheses--;
        break;
      case 123:
        if (++braces > MAX_OPEN) return TOO_DEEP;
        break;
      case 125:
        if (braces > 0) braces--;
        break;
      case 96:
        substitutions++;
        break;
      case 60:
        if (before === 60 && ++heredocs > MAX_OPEN) return TOO_DEEP;
        arrows++;
        break;
      case 62:
        arrows++;
        break;
      case 38:
      case 59:
      case 124:
        operators++;
        break;
      default:
        if (code >= 0xd800 && code <= 0xdfff && !isWellFormed(text)) return 'the text is not valid Unicode';
    }
    before = code;
  }
  const isTooMuch = substitutions > MAX_SUBSTITUTIONS || words > MAX_WORDS || operators > MAX_OPERATORS || arrows > MAX_ARROWS;
  return isTooMuch ? 'the text runs more than a person could look at' : null;
}
const TOO_DEEP = 'the text is nested too deeply to be followed';
const SPACE = 32;

/** No half of a surrogate pair: it could not be written as UTF-8, so the shell would get other text than was shown. */
export function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:^|[^\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}
