// What an answer with a scope is about (spec 7): the parts of a call that a person can tick, each with its widths, narrowest
// first, and what would be written for each. Whether a width keeps its promise is found out by evaluating (round-trip.ts).

import type { Check, Grant, ShellUnit } from '../../shared/model';
import { type Access, EXTERNAL_DIRECTORY, type Width } from '../../shared/terms';
import { deriveApprovalPattern } from './evaluate';
import type { CallFacts, CheckRuling, SessionFacts } from './facts';
import { longName, TOOL_CLASSES } from './match';
import { placeText } from './narrative';
import type { Reach } from './overlap';
import { comparable, within } from './path-text';

/** One entry to be remembered for one check: what a grant, or a rule, matches with. */
export interface Target {
  readonly surface: string;
  readonly pattern: string;
  readonly match: Grant['match'];
  readonly access: Access | null;
  /** The rules that asked: a rule of an `always` answer goes above them. */
  readonly askedBy: readonly string[];
  /** For a rule written by hand: what it is as a rule. */
  readonly reach?: Reach;
}

export interface PartWidth {
  readonly width: Width;
  /** What it would cover, in words. */
  readonly covers: string;
  readonly pattern: string;
  readonly targets: readonly Target[];
}

export interface Part {
  readonly about: 'unit' | 'path' | 'tool';
  /** Text of the unit, canonical path, or tool: the name by which a choice picks it. */
  readonly subject: string;
  /** First unit with that text. */
  readonly unit?: number;
  /** For a path of shell text: texts of the units that name it; empty when intake did not tell. */
  readonly units: readonly string[];
  readonly widths: readonly PartWidth[];
  /** The checks that ask. */
  readonly checks: readonly PartCheck[];
}

export interface PartCheck {
  readonly key: string;
  readonly surface: string;
  readonly access: Access | null;
  readonly askedBy: readonly string[];
}

/** A part with the width it was chosen at. */
export interface Picked {
  readonly part: Part;
  readonly width: Width | 'rule';
  readonly targets: readonly Target[];
}

/**
 * A path of shell text goes with the units that name it (spec 7: the round trip holds for the ticked units). Where intake did
 * not tell which, it goes with all of them together.
 */
export function goesAlong(part: Part, picked: readonly Part[], parts: readonly Part[]): boolean {
  if (part.about !== 'path') return false;
  if (part.units.length > 0) return picked.some((one) => one.about === 'unit' && part.units.includes(one.subject));
  const units = parts.filter((one) => one.about === 'unit');
  return units.length > 0 && units.every((unit) => picked.includes(unit));
}

/** Names a check in every ruling on the same call. */
export const checkKey = ({ surface, value, access, unit, path }: Check): string => JSON.stringify([surface, value, access, unit, path]);

/** What the session belongs to, as records say; never as a call says. */
export interface Bindings {
  readonly ticketId: string | null;
  readonly projectId: string | null;
  /** Group that an `always` answer goes to; null, also for a group that was deleted: `default`. */
  readonly groupId: string | null;
  /** Canonical folder of the project; absent: the session root stands for it. */
  readonly projectFolder?: string | null;
}

interface Gathered {
  readonly about: Part['about'];
  readonly subject: string;
  readonly unit: number | null;
  readonly units: Set<string>;
  readonly checks: CheckRuling[];
  isFolder: boolean;
}

/**
 * The checks that ask, hard ones among them, put together to parts: equal units are one, and both checks of an outside path
 * are. In the order of the checks.
 */
export function partsOf(call: CallFacts, session: SessionFacts, checks: readonly CheckRuling[], bindings: Bindings): readonly Part[] {
  const gathered = new Map<string, Gathered>();
  for (const ruling of checks) {
    if (ruling.verdict !== 'require') continue;
    const { check } = ruling;
    const path = check.path === undefined ? undefined : call.paths[check.path];
    const about = check.unit !== undefined ? 'unit' : check.access !== undefined ? 'path' : 'tool';
    const key = `${about} ${check.value}`;
    const part = gathered.get(key) ?? { about, subject: check.value, unit: check.unit ?? null, units: new Set(), checks: [], isFolder: false };
    gathered.set(key, part);
    part.checks.push(ruling);
    if (path?.unit !== undefined) part.units.add(call.units[path.unit]?.text ?? '');
    if (path?.recursive === true || /[\\/]$/.test(path?.raw ?? '')) part.isFolder = true;
  }
  return [...gathered.values()].map((part) => ({
    about: part.about,
    subject: part.subject,
    ...(part.unit === null ? {} : { unit: part.unit }),
    units: [...part.units],
    widths: widthsOf(part, call, session, bindings),
    checks: part.checks.map(partCheck),
  }));
}

function widthsOf(part: Gathered, call: CallFacts, session: SessionFacts, bindings: Bindings): readonly PartWidth[] {
  switch (part.about) {
    case 'unit':
      return unitWidths(part, part.unit === null ? undefined : call.units[part.unit]);
    case 'path':
      return pathWidths(part, session, bindings);
    case 'tool':
      return toolWidths(part, call);
  }
}

/** A name that means itself as a surface: no wildcard, no class, not the surface of outside paths. */
export const isPlainName = (tool: string): boolean => !tool.includes('*') && tool !== EXTERNAL_DIRECTORY && !TOOL_CLASSES.some((one) => one === tool);

const partCheck = ({ check, ruleId }: CheckRuling): PartCheck => ({
  key: checkKey(check),
  surface: check.surface,
  access: check.access ?? null,
  askedBy: ruleId === null ? [] : [ruleId],
});

function targets(part: Gathered, pattern: string, match: Grant['match'], surface?: string): readonly Target[] {
  return part.checks
    .map(partCheck)
    .map((check) => ({ surface: surface ?? check.surface, pattern, match, access: check.access, askedBy: check.askedBy }));
}

// ------------------------------------------------------------------ commands

/** Programs whose first word is a script: it says more than the program, even when it is a path. */
const INTERPRETERS: ReadonlySet<string> = new Set('bash bun deno node perl php python python3 ruby sh zsh'.split(' '));
/** Entering a directory means another place each time; only this very command can be meant. */
const CHANGES_DIRECTORY: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd', 'chdir']);

/** Spec 7: this exact command, `program sub *`, `program *`. */
function unitWidths(part: Gathered, unit: ShellUnit | undefined): readonly PartWidth[] {
  const text = part.subject;
  const exact: PartWidth = { width: 'exact', covers: `exactly \`${text}\``, pattern: text, targets: targets(part, text, 'equal') };
  const [program, sub] = unit?.words ?? [];
  if (unit === undefined || unit.opaque || program === undefined || CHANGES_DIRECTORY.has(program)) return [exact];
  const widths = [exact];
  const add = (width: Width, head: string, covers: string): void => {
    // The words have to be the beginning of the text, or the pattern would mean something else.
    if (/[*\s]/.test(head.replaceAll(' ', '')) || !(text === head || text.startsWith(`${head} `))) return;
    widths.push({ width, covers, pattern: `${head} *`, targets: targets(part, `${head} *`, 'wildcard') });
  };
  if (isOneWord(program)) {
    if (sub !== undefined && isSubcommand(program, sub)) add('sub', `${program} ${sub}`, `\`${program} ${sub}\` with any arguments`);
    add('program', program, `any \`${program}\` command, whatever its arguments`);
  }
  return widths;
}

const isOneWord = (word: string): boolean => word !== '' && !/\s/.test(word);

function isSubcommand(program: string, word: string): boolean {
  if (!isOneWord(word) || word.startsWith('-') || word.includes('*')) return false;
  return !/[\\/]/.test(word) || INTERPRETERS.has(program);
}

// ------------------------------------------------------------------ paths

/** Spec 7: this file, this folder, any file in the project. Each covers the check of the tool and the outside check of the path. */
function pathWidths(part: Gathered, session: SessionFacts, bindings: Bindings): readonly PartWidth[] {
  const path = part.subject;
  const tools = [...new Set(part.checks.map(({ check }) => check.surface).filter((surface) => surface !== EXTERNAL_DIRECTORY))];
  const what = tools.length > 0 ? tools.join(', ') : part.checks.some(({ check }) => check.access === 'write') ? 'Writing' : 'Reading';
  const widths: PartWidth[] = [
    {
      width: 'file',
      covers: `${what}: ${part.isFolder ? 'this folder' : 'this file'}, \`${placeText(path, session)}\``,
      pattern: path,
      targets: targets(part, path, 'equal'),
    },
  ];
  const folder = deriveApprovalPattern(part.isFolder ? path + session.platform.separator : path);
  if (isFolderPattern(folder)) {
    const covers = `${what}: every file in \`${placeText(folder.slice(0, -2), session)}\` and below`;
    widths.push({ width: 'folder', covers, pattern: folder, targets: targets(part, folder, 'path') });
  }
  const base = bindings.projectId === null ? null : (bindings.projectFolder ?? session.root);
  if (base !== null && within(comparable(base, session.platform), comparable(path, session.platform))) {
    const pattern = deriveApprovalPattern(base + session.platform.separator);
    const covers = `${what}: every file of the project, \`${placeText(base, { ...session, root: null })}\` and below`;
    if (isFolderPattern(pattern)) widths.push({ width: 'project_files', covers, pattern, targets: targets(part, pattern, 'path') });
  }
  return widths;
}

/** A star in the name of a folder would be a wildcard, and `/*` is no folder but every file there is. */
const isFolderPattern = (pattern: string): boolean =>
  pattern.indexOf('*') === pattern.length - 1 && !/^(?:[A-Za-z]:)?[\\/]\*$/.test(pattern) && !/^[\\/]{2}[^\\/]*[\\/]\*$/.test(pattern);

// ------------------------------------------------------------------ tools

/** Spec 7: this tool, this server. The server is never first, and covers what its tools are asked for without a path. */
function toolWidths(part: Gathered, call: CallFacts): readonly PartWidth[] {
  const tool = part.subject;
  const widths: PartWidth[] = [
    { width: 'tool', covers: `\`${tool}\`, whatever its arguments`, pattern: tool, targets: targets(part, tool, 'equal') },
  ];
  const { mcp } = call;
  if (mcp !== null && mcp.server !== '' && !mcp.server.includes('*') && longName(call).startsWith(`mcp__${mcp.server}__`)) {
    const pattern = `mcp__${mcp.server}__*`;
    widths.push({
      width: 'server',
      covers: `every tool of the MCP server \`${mcp.server}\``,
      pattern,
      targets: targets(part, pattern, 'wildcard', pattern),
    });
  }
  return widths;
}
