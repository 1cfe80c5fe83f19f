import { describe, expect, it } from 'vitest';
import type { ScopeOffer } from '../shared/model';
import { answerSchema } from '../shared/schemas';
import { answerOf, coverage, dialLines, draftRules } from './dial';
import { requestSample } from './testing/samples';

const build = {
  subject: 'npm run build',
  unit: 0,
  widths: [
    { width: 'exact', covers: 'exactly npm run build', pattern: 'npm run build' },
    { width: 'program', covers: 'npm with anything', pattern: 'npm *' },
  ],
} as const;
const count = { subject: 'wc -c', unit: 1, widths: [{ width: 'exact', covers: 'exactly wc -c', pattern: 'wc -c' }] } as const;
const offers: readonly ScopeOffer[] = [
  { scope: 'once', parts: [], text: 'This call only' },
  { scope: 'timed', durations_s: [900, 3600], parts: [build, count], text: '' },
  { scope: 'session', parts: [build, count], text: '' },
];
const [quarter, hour, session] = dialLines(offers);

describe('the grant dial', () => {
  it('has a line for each scope wider than once, one for each duration', () => {
    expect(dialLines(offers).map(({ label }) => label)).toEqual(['Allow for 15 minutes', 'Allow for 1 hour', 'Allow this session']);
    expect(dialLines([{ scope: 'once', parts: [], text: '' }])).toEqual([]);
  });

  it('answers without a choice where everything is narrowest', () => {
    expect(quarter && answerOf(quarter, new Map())).toEqual({ action: 'approve', scope: 'timed', duration_s: 900 });
    expect(session && answerOf(session, new Map([['wc -c', 'exact']]))).toEqual({ action: 'approve', scope: 'session' });
  });

  it('names the parts that were ticked with their widths', () => {
    const picks = new Map([
      ['npm run build', 'program'],
      ['wc -c', 'skip'],
    ] as const);
    const given = hour && answerOf(hour, picks);
    expect(given).toEqual({ action: 'approve', scope: 'timed', duration_s: 3600, choice: [{ unit: 'npm run build', width: 'program' }] });
    expect(answerSchema.safeParse({ ...given, digest: '0'.repeat(64) }).success).toBe(true);
    expect(hour && coverage(hour, picks)).toBe('npm with anything');
  });

  it('has nothing to answer when nothing is ticked', () => {
    const none = new Map([
      ['npm run build', 'skip'],
      ['wc -c', 'skip'],
    ] as const);
    expect(session && answerOf(session, none)).toBeNull();
  });

  it('asks of the past with rules that cover the same', () => {
    expect(session && draftRules(requestSample(), session, new Map([['wc -c', 'skip']]), 'careful')).toEqual([
      { group_id: 'careful', action: 'allow', priority: -1_000_000_000, tool_pattern: 'Bash', command_pattern: 'npm run build' },
    ]);
  });
});
