import { describe, expect, it } from 'vitest';
import { arrivalText, outcomeText } from './announcements';
import { requestSample, settledSample } from './testing/samples';

describe('what is read out', () => {
  it('sums new requests up', () => {
    expect(arrivalText([requestSample()], 1)).toBe('One new request from Claude Code; one waiting.');
    expect(arrivalText([requestSample(), requestSample({ agent: 'codex' })], 12)).toBe('Two new requests from Claude Code and Codex; 12 waiting.');
  });

  it('says how a request came out, and sums up when several did', () => {
    expect(outcomeText([settledSample()])).toBe('Allowed by a person.');
    expect(outcomeText([settledSample(), settledSample()])).toBe('Two requests: Allowed by a person.');
    expect(outcomeText([settledSample(), settledSample({}, { status: 'blocked', cause: 'expired' })])).toBe('Two requests were settled.');
  });
});
