// The words and buttons of one notification: agent, verb, target, session. Notifications stand on lock screens, so never a
// full command and never what is in a file.

import type { Request, Session, Settings } from '../../shared/model';
import { agentName, quietSentence, shortText } from '../../shared/sentences';

const TARGET_CHARS = 40;

export type NoticeAction = 'open' | 'allow' | 'deny';
export interface NoticeText {
  readonly title: string;
  readonly body: string;
  readonly actions: readonly { readonly action: NoticeAction; readonly label: string }[];
}

/** `requests`: those it names, oldest first, at least one. */
export function noticeText(
  requests: readonly [Request, ...Request[]],
  session: Session | undefined,
  settings: Pick<Settings, 'allow_from_notification'>,
): NoticeText {
  const [oldest] = requests;
  const where = session === undefined || session.title === '' ? '' : `Session ${shortText(session.title, TARGET_CHARS)}`;
  const open = { action: 'open', label: 'Open' } as const;
  if (requests.length > 1) {
    const body = [`Oldest: ${quietSentence(oldest).replace(`${agentName(oldest.agent)} wants to `, '')}${onTarget(oldest)}`, where];
    return {
      title: `${agentName(oldest.agent)}: ${requests.length} waiting`,
      body: lines(body),
      actions: [open, { action: 'deny', label: `Deny all ${requests.length}` }],
    };
  }
  // A notification cannot show what an allow would let through: low risk only, and only where the person asked for it.
  const mayAllow = settings.allow_from_notification && oldest.risk.level === 'low';
  return {
    title: `${quietSentence(oldest)}${onTarget(oldest)}`,
    body: lines([oldest.risk.level === 'high' ? 'High risk' : '', where]),
    actions: [open, ...(mayAllow ? [{ action: 'allow', label: 'Allow once' } as const] : []), { action: 'deny', label: 'Deny' }],
  };
}

const lines = (all: readonly string[]): string => all.filter((line) => line !== '').join('\n');

/** The last part of a path, the name of a program, a host: enough to know it by. */
function onTarget(request: Request): string {
  const target = targetOf(request);
  return target === null || target === '' ? '' : `: ${shortText(target, TARGET_CHARS)}`;
}

function targetOf(request: Request): string | null {
  const [unit] = request.units;
  if (unit !== undefined) return unit.opaque ? null : lastPart(unit.words[0] ?? '');
  if (request.kind === 'execute') return null;
  const [path] = request.paths;
  if (path !== undefined) return lastPart(path.canonical ?? path.raw);
  return request.hosts[0] ?? null;
}

const lastPart = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
