// Records for the tests of this room: whole, small, and changed where a test says so.

import type { Grant, Request, SessionView } from '../../shared/model';
import type { Snapshot } from '../../shared/projection';
import { DEFAULT_SETTINGS } from '../store/settings';
import type { Clock } from './clock';

const AT = '2026-03-04T10:00:00.000Z';

export const aRequest = (more: Partial<Request> = {}): Request => ({
  id: 'r1',
  session_id: 's1',
  call_id: 'c1',
  agent: 'claude-code',
  source: 'interactive',
  tool: 'Bash',
  input: { command: 'npm test -- --token hush' },
  kind: 'execute',
  paths: [],
  units: [{ text: 'npm test -- --token hush', words: ['npm', 'test', '--', '--token', 'hush'], assignments: [], opaque: false }],
  hosts: [],
  cwd: '/home/me/shop',
  digest: 'd'.repeat(64),
  risk: { level: 'medium', facts: [] },
  status: 'pending',
  decision: null,
  trace: [],
  created_at: AT,
  expires_at: null,
  detached: false,
  ...more,
});

/** What tests here look at; the rest of a session view plays no part on the desktop. */
export const aSession = (more: Partial<SessionView> = {}): SessionView =>
  ({ id: 's1', agent: 'claude-code', title: 'shop', root: '/home/me/shop', cwd: '/home/me/shop', state: 'turn', ...more }) as SessionView;

export const aGrant = (more: Partial<Grant> = {}): Grant => ({
  id: 'g1',
  surface: 'Write',
  pattern: '/home/me/shop/src/*',
  action: 'allow',
  scope: 'session',
  session_id: 's1',
  ticket_id: null,
  project_id: null,
  match: 'path',
  width: 'folder',
  access: 'write',
  expires_at: null,
  created_at: AT,
  request_id: 'r0',
  note: '',
  ...more,
});

export const aSnapshot = (more: Partial<Snapshot> = {}): Snapshot => ({
  revision: 7,
  pending: [],
  recent: [],
  sessions: [],
  groups: [],
  rules: [],
  projects: [],
  tickets: [],
  grants: [],
  outbox: [],
  jobs: [],
  settings: DEFAULT_SETTINGS,
  health: { status: 'ok', version: '0', pid: 1, started_at: AT, pending: 0, problems: [] },
  ...more,
});

/** A clock that stands until a test moves it. */
export function aClock(startMs = 0): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  let alarms: { readonly at: number; readonly then: () => void }[] = [];
  return {
    now: () => nowMs,
    after(delayMs, then) {
      const alarm = { at: nowMs + delayMs, then };
      alarms.push(alarm);
      return () => {
        alarms = alarms.filter((one) => one !== alarm);
      };
    },
    advance(ms) {
      const until = nowMs + ms;
      for (;;) {
        const next = alarms.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        alarms = alarms.filter((one) => one !== next);
        nowMs = next.at;
        next.then();
      }
      nowMs = until;
    },
  };
}
