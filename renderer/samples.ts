// Records for tests of the renderer: whole, valid, with what a test is about on top.

import type { Request } from '../shared/model';

export function requestSample(over: Partial<Request> = {}): Request {
  return {
    id: 'r1',
    session_id: 's1',
    call_id: 'c1',
    agent: 'claude-code',
    source: 'interactive',
    tool: 'Bash',
    input: { command: 'npm test' },
    kind: 'execute',
    paths: [],
    units: [],
    hosts: [],
    cwd: '/home/me/shop',
    digest: '0'.repeat(64),
    risk: { level: 'low', facts: [] },
    status: 'pending',
    decision: null,
    trace: [],
    created_at: '2026-12-01T10:00:00.000Z',
    expires_at: null,
    detached: false,
    ...over,
  };
}

export const settledSample = (over: Partial<Request> = {}): Request =>
  requestSample({
    status: 'allowed',
    decision: {
      status: 'allowed',
      cause: 'human',
      scope: 'once',
      rule_id: null,
      note: null,
      message: '',
      trace: [],
      resolved_by: 'person:window',
      resolved_at: '2026-12-01T10:01:00.000Z',
    },
    trace: null,
    ...over,
  });
