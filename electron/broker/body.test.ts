import { describe, expect, it } from 'vitest';
import { parseJson } from './body';

const nested = (levels: number, inside = ''): string => `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`;
const codeOf = (text: string): string => {
  const parsed = parseJson(text);
  return parsed.ok ? 'ok' : parsed.failure.code;
};

describe('JSON that comes in', () => {
  it.each([
    ['256 levels of lists', nested(256), 'ok'],
    ['257 levels of lists', nested(257), 'invalid'],
    ['256 levels of objects', `${'{"a":'.repeat(256)}1${'}'.repeat(256)}`, 'ok'],
    ['257 levels of objects', `${'{"a":'.repeat(257)}1${'}'.repeat(257)}`, 'invalid'],
    ['many lists beside each other', `[${Array(1_000).fill('[]').join(',')}]`, 'ok'],
    ['brackets in a text', JSON.stringify('[{'.repeat(1_000)), 'ok'],
    ['brackets in a text after a quote', JSON.stringify(`"${'[{'.repeat(1_000)}`), 'ok'],
    ['brackets in a text after a backslash and a quote', JSON.stringify(`\\"${'[{'.repeat(1_000)}`), 'ok'],
    ['levels after a text that ends in a backslash', `["\\\\",${nested(300)}]`, 'invalid'],
    ['levels after a text with a quote', `["\\"",${nested(300)}]`, 'invalid'],
    ['levels in the name of a field', `{"${'['.repeat(300)}":1}`, 'ok'],
    ['closing brackets before the levels', `${']'.repeat(300)}${nested(300)}`, 'not_json'],
    ['a text without end', `"${'['.repeat(300)}`, 'not_json'],
    ['nothing', '', 'not_json'],
    ['two values', '1 2', 'not_json'],
    ['a number that is none', 'NaN', 'not_json'],
  ])('with %s is judged by its depth', (_what, text, code) => {
    expect(codeOf(text)).toBe(code);
  });
});
