// Shell text for tests, together with what it runs: nested lists, quotes, substitutions, groups, loops, functions and wrappers.
// The expected units are known by construction and never asked of the reading under test.

import fc from 'fast-check';

export interface GeneratedShell {
  readonly text: string;
  /** Text of every unit, in no particular order. */
  readonly units: readonly string[];
  /** Files that redirects open, such as `write out`. */
  readonly redirects: readonly string[];
}

/** Programs that no table knows, so that their arguments are only arguments. */
export const PLAIN_PROGRAMS = ['aa', 'bb', 'cc', 'rm', 'ls', 'mk'] as const;

interface GeneratedWord {
  readonly text: string;
  readonly value: string;
  /** Commands inside it. */
  readonly inside: readonly GeneratedShell[];
}

const NOTHING = { units: [], redirects: [] } as const;

const characters = fc.constantFrom(
  'a',
  'b',
  'x',
  '1',
  '-',
  '_',
  '%',
  '+',
  ' ',
  ';',
  '&',
  '|',
  '$',
  '(',
  ')',
  '"',
  "'",
  '\\',
  '#',
  '*',
  '!',
  '<',
  '>',
  '`',
  '{',
  '}',
  '~',
  '=',
  ',',
  '\u00fc',
);
const values = fc.array(characters, { minLength: 1, maxLength: 6 }).map((list) => list.join(''));

const inSingleQuotes = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;
const inDoubleQuotes = (value: string): string => `"${value.replace(/[\\"$`]/g, '\\$&')}"`;
const escaped = (value: string): string => value.replace(/[^\w\u00fc]/g, '\\$&');
const inAnsiQuotes = (value: string): string =>
  `$'${[...value].map((char) => (/\w/.test(char) ? char : `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)).join('')}'`;

const quoting = fc.constantFrom(inSingleQuotes, inDoubleQuotes, escaped, inAnsiQuotes);

/** A word whose value is known, in one kind of quotes or pieced together from two. */
const quotedWord: fc.Arbitrary<GeneratedWord> = fc.oneof(
  fc.tuple(values, quoting).map(([value, quote]) => ({ text: quote(value), value, inside: [] })),
  fc
    .tuple(values, quoting, values, quoting)
    .map(([one, quoteOne, other, quoteOther]) => ({ text: quoteOne(one) + quoteOther(other), value: one + other, inside: [] })),
  fc.constantFrom('x', '-f', '--all', 'file.txt', 'src/a', './b').map((text) => ({ text, value: text, inside: [] })),
);

const merge = (parts: readonly GeneratedShell[], text: string): GeneratedShell => ({
  text,
  units: parts.flatMap((part) => part.units),
  redirects: parts.flatMap((part) => part.redirects),
});

const isOneLine = (shell: GeneratedShell): boolean => !shell.text.includes('\n');

const { program } = fc.letrec<{ program: GeneratedShell; statement: GeneratedShell; command: GeneratedShell; word: GeneratedWord }>((tie) => ({
  word: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 5, arbitrary: quotedWord },
    {
      weight: 1,
      arbitrary: tie('program')
        .filter(isOneLine)
        .map((inner) => ({ text: `$(${inner.text})`, value: `$(${inner.text})`, inside: [inner] })),
    },
    {
      weight: 1,
      arbitrary: tie('command')
        .filter(isOneLine)
        .map((inner) => ({ text: `"pre $(${inner.text})"`, value: `pre $(${inner.text})`, inside: [inner] })),
    },
    {
      weight: 1,
      arbitrary: tie('command')
        .filter(isOneLine)
        .map((inner) => ({ text: `<(${inner.text})`, value: `<(${inner.text})`, inside: [inner] })),
    },
  ),
  command: fc.oneof(
    { maxDepth: 3 },
    {
      weight: 5,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...PLAIN_PROGRAMS),
          fc.array(tie('word'), { maxLength: 3 }),
          fc.constantFrom('', 'A=1 ', 'B="two words" '),
          fc.constantFrom('', ' > out', ' 2>> err', ' < in', ' 2>&1', ' >/dev/null'),
        )
        .map(([name, words, assignment, redirect]): GeneratedShell => {
          const own = { text: '', units: [[name, ...words.map((word) => word.value)].join(' ')], redirects: redirectsOf(redirect) };
          return merge(
            [own, ...words.flatMap((word) => word.inside)],
            `${assignment}${[name, ...words.map((word) => word.text)].join(' ')}${redirect}`,
          );
        }),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('sudo', 'nice -n 3', 'timeout 5', 'env', 'nohup', 'command'), simpleCommand())
        .map(([wrapper, inner]) => wrapped(wrapper, inner)),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('bash -c', 'bash -ec'), tie('program')).map(([shell, inner]) => scripted(shell, inner)) },
  ),
  statement: fc.oneof(
    { maxDepth: 3 },
    { weight: 6, arbitrary: tie('command') },
    { weight: 1, arbitrary: tie('program').map((inner) => merge([inner], `( ${inner.text}\n)`)) },
    { weight: 1, arbitrary: tie('program').map((inner) => merge([inner], `{ ${inner.text}\n}`)) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('program'), tie('program')).map(([test, body]) => merge([test, body], `if ${test.text}\nthen ${body.text}\nfi`)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('program'), tie('program'))
        .map(([test, body]) => merge([test, body], `while ${test.text}\ndo ${body.text}\nbreak\ndone`))
        .map(withUnit('break')),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('word'), tie('program'))
        .map(([word, body]) => merge([...word.inside, body], `for i in ${word.text}; do ${body.text}\ndone`)),
    },
    { weight: 1, arbitrary: tie('program').map((body) => merge([body], `case x in x) ${body.text}\n;; esac`)) },
    { weight: 1, arbitrary: tie('program').map((body) => merge([body], `fn() { ${body.text}\n}`)) },
    { weight: 1, arbitrary: tie('command').map((inner) => merge([inner], `{ ! ${inner.text}\n}`)) },
    {
      weight: 1,
      arbitrary: tie('program')
        .filter(isOneLine)
        .map((inner) => merge([inner, { ...NOTHING, text: '', units: ['cat'] }], `cat <<EOF\ntext $(${inner.text})\nEOF`)),
    },
    {
      weight: 1,
      arbitrary: tie('program')
        .filter(isOneLine)
        .map((inner) => merge([inner], `v=$(${inner.text})`)),
    },
  ),
  program: fc.oneof(
    { maxDepth: 3 },
    { weight: 2, arbitrary: tie('statement') },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('statement'), fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n', ' |& '), tie('statement'))
        .map(([one, operator, other]) =>
          merge([one, other], one.text.includes('<<EOF') ? `${one.text}\n${other.text}` : one.text + operator + other.text),
        ),
    },
  ),
}));

function simpleCommand(): fc.Arbitrary<GeneratedShell> {
  return fc.tuple(fc.constantFrom(...PLAIN_PROGRAMS), fc.array(quotedWord, { maxLength: 2 })).map(([name, words]) => ({
    text: [name, ...words.map((word) => word.text)].join(' '),
    units: [[name, ...words.map((word) => word.value)].join(' ')],
    redirects: [],
  }));
}

function withUnit(unit: string): (shell: GeneratedShell) => GeneratedShell {
  return (shell) => ({ ...shell, units: [...shell.units, unit] });
}

/** The wrapper's own unit names the whole line. */
function wrapped(wrapper: string, inner: GeneratedShell): GeneratedShell {
  return { text: `${wrapper} ${inner.text}`, units: [`${wrapper} ${inner.units[0]}`, ...inner.units], redirects: inner.redirects };
}

function scripted(shell: string, inner: GeneratedShell): GeneratedShell {
  return { text: `${shell} ${inSingleQuotes(inner.text)}`, units: [`${shell} ${inner.text}`, ...inner.units], redirects: inner.redirects };
}

function redirectsOf(redirect: string): readonly string[] {
  if (redirect === ' > out') return ['write out'];
  if (redirect === ' 2>> err') return ['write err'];
  return redirect === ' < in' ? ['read in'] : [];
}

/** Shell text whose units are known, none of them opaque. */
export const shellText: fc.Arbitrary<GeneratedShell> = program.filter((shell) => shell.text.length < 4000);

/** One command line without nesting, such as a rule could be about. */
export const shellCommand: fc.Arbitrary<GeneratedShell> = simpleCommand();
