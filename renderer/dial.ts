// The grant dial as data: the lines a person can take, what each would cover with the widths that are chosen, and the answer
// each stands for. Pure. The offers are the engine's; nothing is invented here.

import type { Draft } from '../shared/commands';
import type { Request, ScopeOffer, ScopePart } from '../shared/model';
import { durationText } from '../shared/sentences';
import type { Scope, Width } from '../shared/terms';
import type { Answer } from './answer';

export interface DialLine {
  readonly key: string;
  readonly scope: Exclude<Scope, 'once'>;
  readonly duration_s: number | null;
  readonly label: string;
  readonly parts: readonly ScopePart[];
}

const LABELS: Readonly<Record<Exclude<Scope, 'once' | 'timed'>, string>> = {
  session: 'Allow this session',
  ticket: 'Allow for this ticket',
  project: 'Allow for this project',
  always: 'Always allow',
};

export const WIDTH_WORDS: Readonly<Record<Width, string>> = {
  exact: 'this exact command',
  sub: 'program and sub-command',
  program: 'the program',
  file: 'this file',
  folder: 'this folder',
  project_files: 'any file in the project',
  tool: 'this tool',
  server: 'every tool of this server',
};

/** Narrowest first; one line for each duration. Once is no line: it has its own button. */
export function dialLines(offers: readonly ScopeOffer[]): readonly DialLine[] {
  return offers.flatMap((offer): readonly DialLine[] => {
    const { scope, parts } = offer;
    if (scope === 'once') return [];
    if (scope !== 'timed') return [{ key: scope, scope, duration_s: null, label: LABELS[scope], parts }];
    return (offer.durations_s ?? []).map((seconds) => ({
      key: `timed ${seconds}`,
      scope,
      duration_s: seconds,
      label: `Allow for ${durationText(seconds * 1000)
        .replace(/ min$/, ' minutes')
        .replace(/^1 h$/, '1 hour')}`,
      parts,
    }));
  });
}

/** How long it holds, in words; for `always` where the rule goes. */
export function lastsText(line: DialLine, groupName: string): string {
  switch (line.scope) {
    case 'timed':
      return `for ${durationText((line.duration_s ?? 0) * 1000)}, in this session`;
    case 'session':
      return 'until the session ends';
    case 'ticket':
      return 'in every session of this ticket';
    case 'project':
      return 'in every session of this project';
    case 'always':
      return `as a rule in group ${groupName}, until you change it`;
  }
}

/** What is remembered of each part, by its subject: a width, or nothing. Absent: the narrowest. */
export type Picks = ReadonlyMap<string, Width | 'skip'>;

const widthOf = (part: ScopePart, picks: Picks): ScopePart['widths'][number] | undefined => {
  const pick = picks.get(part.subject);
  return pick === 'skip' ? undefined : (part.widths.find((one) => one.width === pick) ?? part.widths[0]);
};

/** What the line would cover, in words; empty when nothing is ticked. */
export const coverage = (line: DialLine, picks: Picks): string => line.parts.flatMap((part) => widthOf(part, picks)?.covers ?? []).join('; ');

/** The answer of a line. Null when nothing is ticked: then there is nothing to remember. */
export function answerOf(line: DialLine, picks: Picks): Answer | null {
  const chosen = line.parts.flatMap((part) => {
    const width = widthOf(part, picks);
    return width === undefined ? [] : [{ unit: part.subject, width: width.width }];
  });
  if (chosen.length === 0) return null;
  const isNarrowest = line.parts.every((part) => widthOf(part, picks) === part.widths[0]);
  return {
    action: 'approve',
    scope: line.scope,
    ...(line.duration_s === null ? {} : { duration_s: line.duration_s }),
    ...(isNarrowest ? {} : { choice: chosen }),
  };
}

/** Rules that would cover the same, to ask what else of the past they would have allowed. */
export function draftRules(request: Request, line: DialLine, picks: Picks, groupId: string): Draft<'replay'>['draft_rules'] {
  const base = { group_id: groupId, action: 'allow', priority: -1_000_000_000 } as const;
  type Drafts = Draft<'replay'>['draft_rules'];
  const rulesFor = (width: ScopePart['widths'][number]): Drafts => {
    switch (width.width) {
      case 'exact':
      case 'sub':
      case 'program':
        return [{ ...base, tool_pattern: request.tool, command_pattern: width.pattern }];
      case 'file':
      case 'folder':
      case 'project_files':
        return [
          { ...base, tool_pattern: request.tool, path_pattern: width.pattern },
          { ...base, tool_pattern: 'external_directory', path_pattern: width.pattern },
        ];
      case 'tool':
      case 'server':
        return [{ ...base, tool_pattern: width.pattern }];
    }
  };
  return line.parts.flatMap((part) => {
    const width = widthOf(part, picks);
    return width === undefined ? [] : rulesFor(width);
  });
}
