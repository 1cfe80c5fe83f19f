// What the tray shows, as plain values: one of four shapes, the tooltip, the menu. Pure; tray.ts puts it on screen.

import type { Grant, Request } from '../../shared/model';
import { actionSentence, agentName, shortText } from '../../shared/sentences';
import type { DeskView } from './desk-view';

const SHOWN_REQUESTS = 3;
const SHOWN_GRANTS = 8;
const LABEL_CHARS = 60;
/** Highest number that has a drawing of its own. */
const HIGHEST_NUMBER = 9;

export type TrayAction =
  | { readonly do: 'open'; readonly request_id?: string }
  | { readonly do: 'hold'; readonly held: boolean }
  | { readonly do: 'revoke'; readonly grant_id: string }
  | { readonly do: 'quit' };

export type TrayEntry =
  | { readonly label: string; readonly action: TrayAction; readonly isChecked?: boolean }
  | { readonly label: string }
  | { readonly separator: true };

export interface TrayFace {
  /** Name of a drawing in resources/tray. */
  readonly icon: string;
  readonly tooltip: string;
  readonly menu: readonly TrayEntry[];
  /** When the face changes by the clock alone, in epoch milliseconds. */
  readonly changesAtMs: number | null;
}

/** `Gatehouse: 2 waiting`: the same words in tooltip and title. */
export function attentionText(view: Pick<DeskView, 'pending' | 'settings' | 'problems'>): string {
  const count = view.pending.size;
  const parts = [
    count === 0 ? 'nothing waiting' : `${count} waiting`,
    ...(view.settings.questions_held ? ['questions are held'] : []),
    ...(view.problems.length > 0 ? ['something is wrong'] : []),
  ];
  return `Gatehouse: ${parts.join(', ')}`;
}

/** Of the window: the name alone while there is nothing to say. */
export function titleText(view: Pick<DeskView, 'pending' | 'settings' | 'problems'>): string {
  return view.pending.size === 0 && !view.settings.questions_held ? 'Gatehouse' : attentionText(view);
}

/** `timeOfDay` writes an epoch time as the person's clock shows it. */
export function trayFace(view: DeskView, nowMs: number, timeOfDay: (ms: number) => string): TrayFace {
  const grants = activeGrants(view, nowMs);
  const ends = grants.flatMap(({ expires_at }) => (expires_at === null ? [] : [Date.parse(expires_at)]));
  return {
    icon: iconOf(view),
    tooltip: attentionText(view),
    menu: [
      ...requestEntries(view),
      { separator: true },
      { label: 'Show inbox', action: { do: 'open' } },
      { label: 'Hold questions', action: { do: 'hold', held: !view.settings.questions_held }, isChecked: view.settings.questions_held },
      ...grantEntries(grants, view, timeOfDay),
      { separator: true },
      { label: 'Quit Gatehouse', action: { do: 'quit' } },
    ],
    changesAtMs: ends.length === 0 ? null : Math.min(...ends),
  };
}

function iconOf(view: DeskView): string {
  if (view.problems.length > 0) return 'broken';
  if (view.settings.questions_held) return 'held';
  const count = view.pending.size;
  if (count === 0) return 'quiet';
  return count <= HIGHEST_NUMBER ? `waiting-${count}` : 'waiting-more';
}

function requestEntries(view: DeskView): readonly TrayEntry[] {
  const count = view.pending.size;
  if (count === 0) return [{ label: 'Nothing is waiting' }];
  const oldest: Request[] = [];
  for (const request of view.pending.values()) {
    if (oldest.length === SHOWN_REQUESTS) break;
    oldest.push(request);
  }
  return [
    { label: `${count} waiting` },
    ...oldest.map((request) => {
      const what = actionSentence(request, view.sessions.get(request.session_id), LABEL_CHARS);
      return { label: `${agentName(request.agent)}: ${what}`, action: { do: 'open', request_id: request.id } } as const;
    }),
  ];
}

/** Allows that reach further than one file, one command or one tool call's value (ux 5). */
function activeGrants(view: DeskView, nowMs: number): readonly Grant[] {
  return [...view.grants.values()].filter(
    ({ action, width, expires_at }) =>
      action === 'allow' && width !== 'file' && width !== 'exact' && (expires_at === null || Date.parse(expires_at) > nowMs),
  );
}

function grantEntries(grants: readonly Grant[], view: DeskView, timeOfDay: (ms: number) => string): readonly TrayEntry[] {
  if (grants.length === 0) return [];
  const shown = grants.slice(-SHOWN_GRANTS);
  const hidden = grants.length - shown.length;
  return [
    { separator: true },
    { label: 'Active grants' },
    ...shown.map((grant) => ({
      label: `Revoke ${shortText(`${grant.surface} ${grant.pattern}`, LABEL_CHARS)} (${reachOf(grant, view, timeOfDay)})`,
      action: { do: 'revoke', grant_id: grant.id } as const,
    })),
    ...(hidden > 0 ? [{ label: `${hidden} more in Sessions` }] : []),
  ];
}

function reachOf(grant: Grant, view: DeskView, timeOfDay: (ms: number) => string): string {
  const title = grant.session_id === null ? '' : shortText(view.sessions.get(grant.session_id)?.title ?? '', 24);
  const named = title === '' ? '' : `${title}, `;
  switch (grant.scope) {
    case 'timed':
      return `${named}until ${grant.expires_at === null ? 'revoked' : timeOfDay(Date.parse(grant.expires_at))}`;
    case 'session':
      return `${named}this session`;
    case 'ticket':
      return 'its ticket';
    case 'project':
      return 'its project';
  }
}
