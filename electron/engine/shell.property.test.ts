import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseShell, readArgv } from './shell';
import { shellCommand, shellText } from './shell-generator';

const numRuns = process.env.GATEHOUSE_DEEP === undefined ? 500 : 10_000;
const timeout = process.env.GATEHOUSE_DEEP === undefined ? 20_000 : 300_000;

const sorted = (list: readonly string[]): readonly string[] => [...list].sort();

describe('generated shell text', () => {
  it('is read to exactly the units it was built from (spec 6)', { timeout }, () => {
    fc.assert(
      fc.property(shellText, ({ text, units }) => {
        const reading = parseShell(text);
        expect(reading.errors).toEqual([]);
        expect(sorted(reading.units.map((unit) => unit.text))).toEqual(sorted(units));
      }),
      { numRuns },
    );
  });

  it('is read to exactly the redirects it was built with', { timeout }, () => {
    fc.assert(
      fc.property(shellText, ({ text, redirects }) => {
        const found = parseShell(text).targets.filter((target) => target.origin === 'redirect');
        expect(sorted(found.map((target) => `${target.access} ${target.raw}`))).toEqual(sorted(redirects));
      }),
      { numRuns },
    );
  });

  it('hides no unit whatever stands before or after it (spec 15.4)', { timeout }, () => {
    const operators = fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n');
    fc.assert(
      fc.property(shellText, operators, shellCommand, fc.boolean(), (one, operator, command, isFirst) => {
        const text = isFirst ? `${command.text}${operator}${one.text}` : `${one.text}\n${command.text}`;
        const found = parseShell(text).units.map((unit) => unit.text);
        for (const unit of command.units) expect(found).toContain(unit);
      }),
      { numRuns },
    );
  });

  it('gives the same units inside a wrapper, each named as wrapped', { timeout }, () => {
    fc.assert(
      fc.property(shellText, ({ text, units }) => {
        const quoted = `'${text.replaceAll("'", "'\\''")}'`;
        const reading = parseShell(`bash -c ${quoted}`);
        expect(sorted(reading.units.slice(1).map((unit) => unit.text))).toEqual(sorted(units));
        expect(reading.units[0]?.wrapped_by).toBeUndefined();
        for (const unit of reading.units.slice(1)) expect(unit.wrapped_by).toBeDefined();
        expect(readArgv(['bash', '-c', text]).units.map((unit) => unit.text)).toEqual(reading.units.map((unit) => unit.text));
      }),
      { numRuns },
    );
  });
});

describe('any text', () => {
  const tokens = fc.constantFrom(
    '$(',
    '`',
    ')',
    '(',
    '{ ',
    ' }',
    '"',
    "'",
    '\\',
    ' ',
    'rm',
    '<<E',
    '\nE\n',
    '>o',
    '<',
    '#',
    '$',
    'if ',
    'then ',
    'fi ',
    'do ',
    'done ',
    'case ',
    ' in ',
    'esac',
    '!',
    '<(',
    '[[ ',
    ' ]]',
    '((',
    '))',
    '${',
    '}',
    '=',
    ';',
    '&&',
    '||',
    '|',
    '\n',
    'bash -c ',
    'sudo ',
    'cd ',
    '~',
    '*',
    '\u0000',
    '\uD800',
    '\u202E',
  );
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(tokens, { maxLength: 25 }).map((list) => list.join('')),
  );

  it('is read without an exception to units and targets that refer to each other', { timeout }, () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { units, targets, errors } = parseShell(text);
        units.forEach((unit, index) => {
          if (unit.wrapped_by !== undefined) expect(unit.wrapped_by).toBeLessThan(index);
          if (unit.opaque) expect(unit.opaque_reason).toBeTruthy();
        });
        for (const target of targets) expect(target.unit).toBeLessThan(units.length);
        if (errors.length > 0) expect(units.map((unit) => [unit.text, unit.opaque])).toEqual([[text.trim(), true]]);
      }),
      { numRuns },
    );
  });

  it('is read the same twice (spec 15.10)', { timeout }, () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(parseShell(text)).toEqual(parseShell(text));
      }),
      { numRuns },
    );
  });
});
