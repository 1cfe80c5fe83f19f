import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromColumn, nullableTextOf, recordOf, textOf, toColumn } from './columns';

const text = fc.string({ unit: 'binary' }).chain((base) => fc.constantFrom(base, `${base}\0`, `\u0001${base}`, `${base}\ud800`, `\udc00${base}`));

test('INVARIANT: a column gives back the text that was put in, and no two texts share one', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(fromColumn(toColumn(one))).toBe(one);
      expect(toColumn(one) === toColumn(other)).toBe(one === other);
    }),
  );
});

test('a column holds nothing that ends or changes text on its way through SQLite', () => {
  fc.assert(
    fc.property(text, (value) => {
      const column = toColumn(value);
      expect(column).not.toContain('\0');
      expect(Buffer.from(column, 'utf8').toString('utf8')).toBe(column);
    }),
  );
});

test('ordinary text stands in its column as it is', () => {
  for (const value of ['', 'Bash', 'naïve ✓ 😀', "it's", 'a\u0001b']) expect(toColumn(value)).toBe(value);
});

test('a column of another type is a fault, not a guess', () => {
  expect(() => textOf({ id: 5 }, 'id')).toThrow(TypeError);
  expect(() => recordOf({ body: '[]' }, 'body')).toThrow(TypeError);
  expect(() => recordOf({ body: 'x' }, 'body')).toThrow(SyntaxError);
  expect(nullableTextOf({ id: null }, 'id')).toBeNull();
});
