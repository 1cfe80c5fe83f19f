import { describe, expect, it } from 'vitest';
import type { Activity } from '../shared/model';
import { entryParts, withNewest } from './activity-log';

const entry = (seq: number): Activity => ({ seq, summary: '' }) as Activity;
const seqs = (items: readonly Activity[]): readonly number[] => items.map(({ seq }) => seq);

describe('pages of the log', () => {
  const known = [entry(5), entry(4), entry(3)];

  it('put what is fresh on top', () => {
    expect(seqs(withNewest(known, [entry(7), entry(6), entry(5)]))).toEqual([7, 6, 5, 4, 3]);
  });
  it('stay the same list when nothing is fresh', () => {
    expect(withNewest(known, [entry(5), entry(4)])).toBe(known);
  });
  it('begin anew where there may be a gap', () => {
    expect(seqs(withNewest(known, [entry(20), entry(19)]))).toEqual([20, 19]);
  });
});

describe('an entry', () => {
  it('is read as what it is about and how it came out', () => {
    expect(entryParts({ summary: 'Bash `npm test`: allowed (rule).', cause: 'rule' })).toEqual({
      text: 'Bash `npm test`',
      outcome: { word: 'allowed', cause: 'rule' },
    });
  });
  it('is a sentence of its own where it settled nothing', () => {
    expect(entryParts({ summary: 'The group `x` was made.', cause: null })).toEqual({ text: 'The group `x` was made.', outcome: null });
  });
});
