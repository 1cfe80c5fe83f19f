// What the agent is told (ux: words). Plain and final: what happened, why, and whether to adapt, stop or ask again. A call
// that nobody answered is never reported as refused by anybody (spec 2 and 8).

import type { CallFacts, SessionFacts } from './facts';
import type { Finding, FloorReason, Judgement } from './judge';
import { clip } from './trace';

const NO_OTHER_WAY = 'Do not try to reach the same by another way.';

/** For a deny or stage, and for the blocked answer of a headless session; empty for allow and while a person is asked. */
export function messageOf(judgement: Judgement, call: CallFacts, session: SessionFacts): string {
  const { settled } = judgement;
  switch (settled.step) {
    case 1:
      if (settled.cause === 'cancelled') return 'This run was cancelled. Stop here: no further call will be let through.';
      return budgetMessage(settled.use.ceiling, settled.use.used, settled.use.limit);
    case 2:
      return `Denied: this run is in its plan phase, in which only reading and searching is possible. \`${clip(call.tool)}\` is neither. Finish the plan without it.`;
    case 3:
      return `Denied: \`${clip(call.tool)}\` is withheld for this run. Go on without it. ${NO_OTHER_WAY}`;
    case 4:
      return floorMessage(settled.floor);
    case 5:
      return `Denied: \`${clip(settled.path.canonical ?? settled.path.raw)}\` is in a directory that this session may only read (\`${clip(settled.directory)}\`). ${NO_OTHER_WAY}`;
    case 6:
      return settled.path === null
        ? `Denied: this session is in mode ${session.mode ?? 'unset'}, in which nothing is changed and no command is run. ${NO_OTHER_WAY}`
        : `Denied: \`${clip(settled.path.canonical ?? settled.path.raw)}\` is outside the boundary of this session (mode ${session.mode ?? 'unset'}). ${NO_OTHER_WAY}`;
    case 7:
      return deniedCheck(settled.finding);
    case 8:
      return `Denied by a hook${settled.reason.trim() === '' ? '.' : `: ${settled.reason.trim()}`} ${NO_OTHER_WAY}`;
    case 9:
      return stagedMessage(call.tool);
    case 11:
      if ('refused' in settled) return `Denied by the reviewer${settled.refused.trim() === '' ? '.' : `: ${settled.refused.trim()}`} ${NO_OTHER_WAY}`;
      return '';
    case 10:
      return '';
    case 12:
      return settled.cause === 'headless' ? blockedMessage('headless') : '';
  }
}

function budgetMessage(ceiling: string, used: number, limit: number): string {
  const over = used - limit;
  const amount = over > 0 ? `, ${round(over)} over` : '';
  return `Denied: the budget of this run is used up. ${ceiling}: ${round(used)} of ${round(limit)}${amount}. Stop here and report what is done.`;
}

/** Costs are sums of fractions: no digits beyond a hundredth of a cent. */
const round = (value: number): string => String(Math.round(value * 10_000) / 10_000);

function floorMessage(floor: FloorReason): string {
  switch (floor.by) {
    case 'unresolvable':
      return `Denied: \`${clip(floor.path.raw)}\` cannot be resolved to one place, so nothing is written there. Name the file directly.`;
    case 'protection': {
      const place = `\`${clip(floor.path.canonical ?? floor.path.raw)}\``;
      const what = PROTECTED_AS[floor.protection.kind];
      return `Denied: ${place} is protected (${what}). No answer can change this. ${NO_OTHER_WAY}`;
    }
    case 'rule':
      return deniedByRule(floor.check.value, floor.rule.reason);
  }
}

const PROTECTED_AS = {
  credentials: 'credentials',
  own_data: "the permission gate's own files",
  added: 'closed by the person',
  agent_settings: "an agent's settings",
} as const;

function deniedCheck({ check, ground }: Finding): string {
  if (ground.by === 'rule') return deniedByRule(check.value, ground.rule.reason);
  if (ground.by !== 'denial') return deniedByRule(check.value, '');
  const note = ground.grant.note.trim();
  return `Denied: a person refused \`${clip(check.value)}\`, and that answer still holds.${note === '' ? '' : ` Their note: ${note}`} ${NO_OTHER_WAY}`;
}

function deniedByRule(value: string, reason: string): string {
  const why = reason.trim();
  return `Denied by a rule: \`${clip(value)}\`.${why === '' ? '' : ` ${why}`} ${NO_OTHER_WAY}`;
}

/** A person's denial. With a note it is a correction, given verbatim; without one it is a stop. */
export function deniedByPerson(note: string | null): string {
  if (note === null || note.trim() === '') return `A person denied this call. Stop this line of work and wait for instructions. ${NO_OTHER_WAY}`;
  return `A person denied this call. Their note: ${note}\nAdapt to the note. Do not repeat the call unchanged.`;
}

/** INVARIANT (spec 8, 15.7): none of these says that anybody refused. */
export function blockedMessage(cause: 'headless' | 'expired' | 'withdrawn' | 'cancelled' | 'fault'): string {
  switch (cause) {
    case 'headless':
      return 'Blocked: this call needs the answer of a person, and nobody is there to ask in this session. Go on without it and report that it is open.';
    case 'expired':
      return 'Blocked: nobody answered in time. Ask again if the call is still needed.';
    case 'withdrawn':
      return 'Blocked: the call was withdrawn before it was answered. Ask again if it is still needed.';
    case 'cancelled':
      return 'Blocked: this run was cancelled while the call waited. Stop here.';
    case 'fault':
      return 'Blocked: the permission gate met an error of its own and let nothing through. Ask again later.';
  }
}

export function stagedMessage(tool: string): string {
  return `Drafted, not sent: \`${clip(tool)}\` is kept in the outbox until a person releases it. Do not send it again, and do not report it as sent.`;
}

/** What an agent is told with a one-call grant, when a person released a draft that only the agent can send. */
export function releasedMessage(tool: string): string {
  return `A person released the draft of \`${clip(tool)}\`. Make exactly this call once more, with the same arguments, to send it.`;
}
