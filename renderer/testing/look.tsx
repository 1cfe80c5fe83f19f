// The real frame over a scripted bridge, to look at screens without an app behind them: `?scene=morning|empty|broken`. Built by
// testing/vite.config.ts alone, never shipped.

import { BROKEN, EMPTY, MORNING, sceneAnswers } from './scene';
import { scriptedBridge } from './scripted-bridge';

const SCENES = { morning: MORNING, empty: EMPTY, broken: BROKEN } as const;
const query = new URLSearchParams(window.location.search);
const name = query.get('scene') ?? 'morning';
const theme = query.get('theme');
const found = SCENES[name === 'empty' || name === 'broken' ? name : 'morning'];
const snapshot = theme === 'light' || theme === 'dark' ? { ...found, settings: { ...found.settings, theme } as const } : found;
const bridge = scriptedBridge(snapshot, {
  ...sceneAnswers(snapshot),
  'request.resolve': (given) => {
    const request = snapshot.pending.find((one) => one.id === given.id) ?? snapshot.pending[0];
    if (request === undefined) throw new Error('the scene has no such request');
    const settled = {
      ...request,
      status: given.action === 'approve' ? ('allowed' as const) : ('denied' as const),
      decision: {
        status: given.action === 'approve' ? ('allowed' as const) : ('denied' as const),
        cause: 'human' as const,
        scope: given.scope ?? 'once',
        rule_id: null,
        note: given.note ?? null,
        message: '',
        trace: request.trace ?? [],
        resolved_by: 'person:window',
        resolved_at: new Date().toISOString(),
      },
      trace: null,
    };
    window.setTimeout(() => bridge.push({ put: 'request', value: settled }));
    return { ok: true, value: settled };
  },
  'settings.update': (patch) => {
    const settings = { ...snapshot.settings, ...patch } as typeof snapshot.settings;
    window.setTimeout(() => bridge.push({ settings }));
    return { ok: true, value: settings };
  },
});
Object.assign(window, { gatehouse: bridge, scripted: bridge });
await import('../main');
