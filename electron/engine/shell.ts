// Shell text as facts (spec 6): which simple commands it runs, which files its redirects and operands name, and in which
// directory each of them stands. Reads text only: existence, links and the meaning of a directory are the broker's edge.

import { START } from './shell-places';
import { createReader, readCommandLine, TooMuchToRead } from './shell-reader';
import type { ReadUnit, ShellReading } from './shell-reading';
import { readText, settleFunctions } from './shell-walk';
import { literalArg } from './shell-words';

export type { Directories, Place, Step } from './shell-places';
export type { ReadUnit, ShellReading, ShellTarget } from './shell-reading';

/** Language of the text. What is not read as `posix` is one opaque unit. */
export type ShellDialect = 'posix' | 'other';

/** Longer text is one opaque unit: nobody reads it, and reading it would take too long to answer. */
export const MAX_SHELL_CHARS = 65_536;
/** The same for text that nests deeper or opens more substitutions or heredocs: the parser's time grows with their square. */
const MAX_OPEN = 200;
const MAX_OPENINGS = 2000;

/**
 * Spec 6. Never throws. Text that does not parse, is too long or is in another language comes back as one opaque unit with the
 * text itself, and `errors` says why.
 */
export function parseShell(text: string, dialect: ShellDialect = 'posix'): ShellReading {
  const refused = dialect === 'posix' ? unreadable(text) : 'the text is not in the language of sh';
  if (refused !== null) return asOneUnit(text, refused);
  const reader = createReader(text, readText);
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
  const refused = unreadable(text);
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

/** One pass over the text: why it is not read at all. Parentheses, braces, backticks and heredocs count wherever they stand. */
function unreadable(text: string): string | null {
  if (text.length > MAX_SHELL_CHARS) return `the text is longer than ${MAX_SHELL_CHARS} characters`;
  let [parentheses, braces, openings, heredocs] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) {
      if (code >= 0xd800 && code <= 0xdfff && !isWellFormed(text)) return 'the text is not valid Unicode';
    } else if (code === 0) return 'the text holds a NUL character';
    else if (code === 40) {
      openings++;
      parentheses++;
    } else if (code === 41) parentheses = Math.max(0, parentheses - 1);
    else if (code === 123) braces++;
    else if (code === 125) braces = Math.max(0, braces - 1);
    else if (code === 96) openings++;
    else if (code === 60 && text.charCodeAt(at - 1) === 60) heredocs++;
    else continue;
    if (parentheses > MAX_OPEN || braces > MAX_OPEN || heredocs > MAX_OPEN || openings > MAX_OPENINGS)
      return 'the text is nested or substituted too often to be followed';
  }
  return null;
}

/** No half of a surrogate pair: it could not be written as UTF-8, so the shell would get other text than was shown. */
export function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:^|[^\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}
