// Programs written for awk and sed, as far as it matters here: whether they can start a command or touch a file. Reads the few
// rules of their grammar that this takes; what it does not understand counts as able to.

/** Why an awk program needs a person; null: it only computes and prints. POSIX awk, and gawk's additions. */
export function awkConcern(program: string): string | null {
  return scanAwk(program, 0, { slash: 'regex', inPrint: false }, { branches: MAX_BRANCHES });
}

interface AwkState {
  /** What a slash means here: `either` where only a full parser could tell, so both readings have to be harmless. */
  readonly slash: 'divides' | 'regex' | 'either';
  readonly inPrint: boolean;
}
const MAX_BRANCHES = 16;

function scanAwk(program: string, start: number, from: AwkState, budget: { branches: number }): string | null {
  let { slash, inPrint } = from;
  let at = start;
  while (at < program.length) {
    const char = program[at] ?? '';
    if (char === '"') {
      at = endOfQuoted(program, at);
      if (at < 0) return null;
      slash = 'divides';
    } else if (char === '#') {
      const end = program.indexOf('\n', at);
      at = end < 0 ? program.length : end;
    } else if (char === '/' && slash === 'divides') {
      slash = 'regex';
      at++;
    } else if (char === '/') {
      const end = endOfRegex(program, at);
      if (slash === 'either') {
        if (budget.branches-- <= 0) return 'a program too intricate to follow';
        const divided = scanAwk(program, at + 1, { slash: 'regex', inPrint }, budget);
        if (divided !== null) return divided;
      }
      // A reading that does not end is one that awk refuses.
      if (end < 0) return null;
      at = end;
      slash = 'divides';
    } else if (/[A-Za-z_]/.test(char)) {
      const name = /^\w+/.exec(program.slice(at, at + 64))?.[0] ?? char;
      if (name === 'system' || name === 'getline') return `\`${name}\``;
      if (name === 'print' || name === 'printf') inPrint = true;
      slash = AWK_WORDS_BEFORE_REGEX.has(name) ? 'regex' : 'divides';
      at += name.length;
    } else if (char === '|') {
      if (program[at + 1] !== '|') return 'a pipe';
      slash = 'regex';
      at += 2;
    } else if (char === '>' && inPrint && program[at + 1] !== '=') return 'output to a file';
    else if (char === '@') return 'an indirect call or an include';
    else {
      if (char === ';' || char === '}' || char === '\n') inPrint = false;
      if (char === '\n' || !/\s/.test(char)) slash = slashAfter(char, program[at - 1] ?? '');
      at++;
    }
  }
  return null;
}
const AWK_WORDS_BEFORE_REGEX: ReadonlySet<string> = new Set(['print', 'printf', 'return', 'in', 'case', 'exit', 'else', 'do', 'and', 'or']);

function slashAfter(char: string, before: string): AwkState['slash'] {
  if (char === '\n' && (before === '\\' || before === '\r')) return 'either';
  if (char === ')' || char === '\\' || ((char === '+' || char === '-') && before === char)) return 'either';
  return char === ']' || char === '$' || /[0-9.]/.test(char) ? 'divides' : 'regex';
}

function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

function endOfRegex(text: string, start: number): number {
  let inBrackets = false;
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '[') inBrackets = true;
    else if (char === ']') inBrackets = false;
    else if (char === '\n') return -1;
    else if (char === '/' && !inBrackets) return at + 1;
  }
  return -1;
}

/** Why a sed script needs a person: it starts commands (`e`), or reads or writes files (`r`, `w`); null: it only edits its input. */
export function sedConcern(script: string): string | null {
  let at = 0;
  const skip = (pattern: RegExp): void => {
    pattern.lastIndex = at;
    at += pattern.exec(script)?.[0].length ?? 0;
  };
  while (at < script.length) {
    skip(/[\s;{}]*/y);
    if (at >= script.length) return null;
    if (script[at] === '#') {
      skip(/[^\n]*/y);
      continue;
    }
    at = endOfAddresses(script, at);
    if (at < 0) return 'an address that was not understood';
    skip(/[\s!]*/y);
    const command = script[at] ?? '';
    at++;
    switch (command) {
      case '':
      case '{':
      case '}':
        break;
      case 's': {
        const flagsAt = endOfTwoParts(script, at);
        if (flagsAt < 0) return 'a substitution that was not understood';
        at = flagsAt;
        skip(/[gpiIMm0-9]*/y);
        if (script[at] === 'e') return 'a substitution that runs its result';
        if (script[at] === 'w') return 'a substitution that writes a file';
        if (!isEndOfCommand(script, at)) return 'a substitution that was not understood';
        break;
      }
      case 'y':
        at = endOfTwoParts(script, at);
        if (at < 0) return 'a translation that was not understood';
        break;
      case 'a':
      case 'i':
      case 'c':
        skip(/(?:\\\n|[^\n])*/y);
        break;
      case ':':
      case 'b':
      case 't':
      case 'T':
        skip(/[^\n;}]*/y);
        break;
      case 'q':
      case 'Q':
      case 'l':
      case 'L':
        skip(/\s*\d*/y);
        break;
      case '=':
      case 'd':
      case 'D':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'n':
      case 'N':
      case 'p':
      case 'P':
      case 'x':
      case 'z':
      case 'F':
        break;
      default:
        return `the command \`${command}\``;
    }
  }
  return null;
}

const isEndOfCommand = (script: string, at: number): boolean => at >= script.length || /[\s;}#]/.test(script[at] ?? '');

function endOfAddresses(script: string, start: number): number {
  let at = start;
  while (at < script.length) {
    const char = script[at] ?? '';
    if (/[0-9$,~+\s]/.test(char)) at++;
    else if (char === '/' || char === '\\') {
      const delimiterAt = char === '/' ? at : at + 1;
      at = endOfDelimited(script, delimiterAt + 1, script[delimiterAt] ?? '');
      if (at < 0) return -1;
      while (script[at] === 'I' || script[at] === 'M') at++;
    } else return at;
  }
  return at;
}

/** After `pattern` and `replacement` of `s` and `y`, `at` being the delimiter's place. */
function endOfTwoParts(script: string, at: number): number {
  const delimiter = script[at] ?? '';
  if (delimiter === '' || delimiter === '\n' || delimiter === '\\') return -1;
  const middle = endOfDelimited(script, at + 1, delimiter);
  return middle < 0 ? -1 : endOfDelimited(script, middle, delimiter, false);
}

function endOfDelimited(script: string, start: number, delimiter: string, isPattern = true): number {
  let inBrackets = false;
  for (let at = start; at < script.length; at++) {
    const char = script[at];
    if (char === '\\') at++;
    else if (isPattern && char === '[' && !inBrackets) {
      // POSIX: a delimiter in a bracket expression is an ordinary character; GNU sed ends the pattern there. Whoever reads
      // differently could hide a flag, so such a script is not understood.
      const close = script.indexOf(']', at + 2);
      if (close > 0 && script.slice(at, close).includes(delimiter)) return -1;
      inBrackets = true;
    } else if (char === ']') inBrackets = false;
    else if (char === delimiter) return at + 1;
  }
  return -1;
}
