import { expect, it } from 'vitest';
import { expandBraces } from './shell-braces';

const table: readonly (readonly [string, readonly string[] | null])[] = [
  ['{a,b}', ['a', 'b']],
  ['x{a,b}y', ['xay', 'xby']],
  ['{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd']],
  ['{a,{b,c}}', ['a', 'b', 'c']],
  ['{,x}', ['', 'x']],
  ['{1..3}', ['1', '2', '3']],
  ['{3..1}', ['3', '2', '1']],
  ['{01..03}', ['01', '02', '03']],
  ['{a..e..2}', ['a', 'c', 'e']],
  ['{a}', ['{a}']],
  ['{}', ['{}']],
  ['{a,b', ['{a,b']],
  ['{a..1}', ['{a..1}']],
  ['a,b', ['a,b']],
  ['{a,$x}', null],
  ['{1..1000}', null],
  ['{a,b}'.repeat(10), null],
  ['{'.repeat(50), ['{'.repeat(50)]],
];
it.each(table)('%j expands to %j', (text, expected) => {
  expect(expandBraces(text, 64)).toEqual(expected);
});
