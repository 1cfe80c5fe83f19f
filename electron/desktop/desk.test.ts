// The desktop's plain parts: view, feed, tray face, notification words, launch options, window place.

import { describe, expect, it } from 'vitest';
import { fail } from '../../shared/failure';
import type { Changes } from '../../shared/projection';
import { DEFAULT_SETTINGS } from '../store/settings';
import { createChangeFeed } from './change-feed';
import { createDeskProjection, type DeskView } from './desk-view';
import { readLaunchOptions } from './launch-options';
import { noticeText } from './notice-text';
import { aClock, aGrant, aRequest, aSession, aSnapshot } from './samples';
import { titleText, trayFace } from './tray-face';
import { placeWindow } from './window-place';

const settled = { ...aRequest(), status: 'allowed' } as const;

describe('the view', () => {
  it('follows requests, grants, settings and health by numbered changes', () => {
    const desk = createDeskProjection(aSnapshot({ pending: [aRequest()], sessions: [aSession()] }));
    expect(desk.apply({ revision: 8, changes: [{ put: 'request', value: aRequest({ id: 'r2' }) }] })).toBe(true);
    expect([...desk.view.pending.keys()]).toEqual(['r1', 'r2']);
    expect(
      desk.apply({
        revision: 9,
        changes: [
          { put: 'request', value: settled },
          { put: 'grant', value: aGrant() },
        ],
      }),
    ).toBe(true);
    expect([...desk.view.pending.keys()]).toEqual(['r2']);
    desk.apply({ revision: 10, changes: [{ remove: 'grant', id: 'g1' }, { settings: { ...DEFAULT_SETTINGS, questions_held: true } }] });
    expect(desk.view.grants.size).toBe(0);
    expect(desk.view.settings.questions_held).toBe(true);
  });

  it('ignores what the snapshot has already, and changes it does not show', () => {
    const desk = createDeskProjection(aSnapshot({ revision: 7, pending: [] }));
    expect(desk.apply({ revision: 7, changes: [{ put: 'request', value: aRequest() }] })).toBe(false);
    expect(desk.apply({ revision: 8, changes: [{ remove: 'rule', id: 'x' }] })).toBe(false);
    expect(desk.view.pending.size).toBe(0);
  });
});

describe('the change feed', () => {
  const batch = (revision: number): Changes => ({ revision, changes: [] });

  it('sends the first at once and what follows in one message a frame, in order', () => {
    const clock = aClock();
    const sent: number[][] = [];
    const feed = createChangeFeed(clock, (batches) => sent.push(batches.map(({ revision }) => revision)));
    for (const revision of [1, 2, 3]) feed.push(batch(revision));
    expect(sent).toEqual([[1]]);
    clock.advance(16);
    feed.push(batch(4));
    clock.advance(16);
    expect(sent).toEqual([[1], [2, 3], [4]]);
    clock.advance(1000);
    feed.push(batch(5));
    expect(sent.at(-1)).toEqual([5]);
  });

  it('forgets what waits when the page starts anew', () => {
    const clock = aClock();
    const sent: unknown[] = [];
    const feed = createChangeFeed(clock, (batches) => sent.push(batches));
    feed.push(batch(1));
    feed.push(batch(2));
    feed.clear();
    clock.advance(100);
    expect(sent).toHaveLength(1);
  });
});

describe('the tray', () => {
  const view = (more: Partial<DeskView> = {}): DeskView => ({
    pending: new Map(),
    sessions: new Map([['s1', aSession()]]),
    grants: new Map(),
    settings: DEFAULT_SETTINGS,
    problems: [],
    ...more,
  });
  const many = (count: number): DeskView['pending'] =>
    new Map(Array.from({ length: count }, (_, index) => [`r${index}`, aRequest({ id: `r${index}` })]));
  const face = (one: DeskView) => trayFace(one, Date.parse('2026-03-04T10:00:00Z'), () => '10:15');
  const labels = (one: DeskView): readonly string[] => face(one).menu.map((entry) => ('label' in entry ? entry.label : '-'));

  it('has four shapes: quiet, waiting with its count, held, broken', () => {
    const held = { ...DEFAULT_SETTINGS, questions_held: true };
    const problems = [{ code: 'x', message: 'm', hint: 'h' }];
    expect(face(view()).icon).toBe('quiet');
    expect(face(view({ pending: many(1) })).icon).toBe('waiting-1');
    expect(face(view({ pending: many(9) })).icon).toBe('waiting-9');
    expect(face(view({ pending: many(10) })).icon).toBe('waiting-more');
    expect(face(view({ pending: many(2), settings: held })).icon).toBe('held');
    expect(face(view({ pending: many(2), settings: held, problems })).icon).toBe('broken');
  });

  it('counts in the tooltip and in the title', () => {
    expect(face(view({ pending: many(2) })).tooltip).toBe('Gatehouse: 2 waiting');
    expect(face(view()).tooltip).toBe('Gatehouse: nothing waiting');
    expect(titleText(view())).toBe('Gatehouse');
    expect(titleText(view({ pending: many(2) }))).toBe('Gatehouse: 2 waiting');
  });

  it('lists the oldest three as sentences, and opens each', () => {
    const one = view({ pending: many(5) });
    expect(labels(one)).toEqual([
      '5 waiting',
      ...Array(3).fill('Claude Code: Run npm test -- --token hush'),
      '-',
      'Show inbox',
      'Hold questions',
      '-',
      'Quit Gatehouse',
    ]);
    expect(face(one).menu[1]).toMatchObject({ action: { do: 'open', request_id: 'r0' } });
  });

  it('lists grants that reach further than one file, with the way to revoke them', () => {
    const grants = new Map(
      [
        aGrant(),
        aGrant({ id: 'narrow', width: 'file' }),
        aGrant({ id: 'denial', action: 'deny' }),
        aGrant({ id: 'timed', scope: 'timed', expires_at: '2026-03-04T10:15:00Z' }),
        aGrant({ id: 'over', scope: 'timed', expires_at: '2026-03-04T09:59:59Z' }),
      ].map((grant) => [grant.id, grant]),
    );
    expect(labels(view({ grants })).filter((label) => label.startsWith('Revoke'))).toEqual([
      'Revoke Write /home/me/shop/src/* (shop, this session)',
      'Revoke Write /home/me/shop/src/* (shop, until 10:15)',
    ]);
    expect(face(view({ grants })).changesAtMs).toBe(Date.parse('2026-03-04T10:15:00Z'));
  });
});

describe('a notification', () => {
  it('names agent, verb, target and session, and neither arguments nor contents', () => {
    const text = noticeText([aRequest()], aSession(), DEFAULT_SETTINGS);
    expect(text.title).toBe('Claude Code wants to run a command: npm');
    expect(text.body).toBe('Session shop');
    expect(text.actions.map(({ label }) => label)).toEqual(['Open', 'Deny']);
    expect(JSON.stringify(text)).not.toContain('hush');
  });

  it('names the last part of a path only, and nothing of what cannot be read', () => {
    const edit = aRequest({
      tool: 'Write',
      kind: 'edit',
      units: [],
      input: { file_path: '/home/me/shop/src/tax.ts', content: 'hush' },
      paths: [{ raw: 'src/tax.ts', canonical: '/home/me/shop/src/tax.ts', access: 'write', origin: 'argument' }],
    });
    expect(noticeText([edit], aSession(), DEFAULT_SETTINGS).title).toBe('Claude Code wants to edit a file: tax.ts');
    const opaque = aRequest({ units: [{ text: '$X', words: ['$X'], assignments: [], opaque: true }] });
    expect(noticeText([opaque], aSession(), DEFAULT_SETTINGS).title).toBe('Claude Code wants to run a command');
  });

  it('groups a session', () => {
    const text = noticeText([aRequest(), aRequest({ id: 'r2' }), aRequest({ id: 'r3' })], aSession(), DEFAULT_SETTINGS);
    expect(text.title).toBe('Claude Code: 3 waiting');
    expect(text.body).toBe('Oldest: run a command: npm\nSession shop');
    expect(text.actions.map(({ label }) => label)).toEqual(['Open', 'Deny all 3']);
  });

  it('offers Allow once for low risk alone, and only where the person asked for it', () => {
    const wish = { allow_from_notification: true };
    const labels = (level: 'low' | 'medium' | 'high', count = 1) =>
      noticeText([aRequest({ risk: { level, facts: [] } }), ...Array(count - 1).fill(aRequest())], aSession(), wish).actions.map(
        ({ label }) => label,
      );
    expect(labels('low')).toEqual(['Open', 'Allow once', 'Deny']);
    expect(labels('medium')).toEqual(['Open', 'Deny']);
    expect(labels('high')).toEqual(['Open', 'Deny']);
    expect(labels('low', 2)).toEqual(['Open', 'Deny all 2']);
  });
});

describe('launch options', () => {
  const read = (...argv: string[]) => readLaunchOptions(argv, {}, '/srv');

  it('finds the folder and the port among the switches of others', () => {
    expect(read('-r', 'loader.js', '--no-sandbox', '--remote-debugging-port=0', '/app', '--data-dir', 'mine', '--port', '0')).toEqual({
      ok: true,
      value: { dataDir: '/srv/mine', port: 0, isHidden: false },
    });
    expect(read('--data-dir=/a b', '--hidden')).toMatchObject({ value: { dataDir: '/a b', port: undefined, isHidden: true } });
  });

  it('takes the folder of the environment when none is named', () => {
    expect(readLaunchOptions([], { GATEHOUSE_DATA_DIR: '/from-env' }, '/')).toMatchObject({ value: { dataDir: '/from-env' } });
    expect(readLaunchOptions([], {}, '/')).toMatchObject({ value: { dataDir: null } });
  });

  it('refuses a port that is none, and a folder without a name', () => {
    expect(read('--port', 'abc')).toMatchObject(fail('invalid', '`--port` must be a number up to 65535, not `abc`.', { subject: 'port' }));
    expect(read('--port', '65536').ok).toBe(false);
    expect(read('--data-dir').ok).toBe(false);
    expect(read('--data-dir=').ok).toBe(false);
  });
});

describe('the place of the window', () => {
  const screen = { x: 0, y: 0, width: 1920, height: 1080 };
  const at = (x: number, y: number, width = 1000, height = 700) => ({ bounds: { x, y, width, height }, isMaximized: false });

  it('is as it was while a screen shows it', () => {
    expect(placeWindow(at(300, 200), [screen])).toEqual({ x: 300, y: 200, width: 1000, height: 700 });
    expect(placeWindow(at(2000, 50), [screen, { ...screen, x: 1920 }])).toMatchObject({ x: 2000, y: 50 });
  });

  it('is left to the system when no screen shows it any more', () => {
    expect(placeWindow(at(2000, 50), [screen])).toEqual({ width: 1000, height: 700 });
    expect(placeWindow(at(300, -500), [screen])).toEqual({ width: 1000, height: 700 });
    expect(placeWindow(null, [{ ...screen, width: 800, height: 600 }])).toEqual({ width: 800, height: 600 });
  });
});
