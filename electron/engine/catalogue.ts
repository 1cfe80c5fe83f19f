// The tool catalogue (spec 3.3): finds the row of a tool. A name is looked up at its own agent first, then at all others; where
// those disagree, or a guess could take a call for a harmless read, the tool stays `other`. Says nothing about what a call may do.

import type { Kind } from '../../shared/terms';
import { type AddressField, AGENT_ROWS, type CommandField, FILESYSTEM_ROWS, type PathField, type RowData, type Rows } from './catalogue-rows';
import { mcpName } from './match';

export type { AddressField, CommandField, PathField } from './catalogue-rows';

export interface ToolRow extends RowData {
  /** Agent whose row it is; null when the name is in no row of the agent that calls. */
  readonly agent: string | null;
  /** The tool runs shell text or an argv. */
  readonly executes: boolean;
  /** The tool reads below a directory. */
  readonly readsBelow: boolean;
  /** The name was found at other agents only: a read counts only when one of its path fields is there. */
  readonly isGuess: boolean;
}

const UNKNOWN: ToolRow = { agent: null, kind: 'other', paths: [], commands: [], addresses: [], executes: false, readsBelow: false, isGuess: false };

/** Spellings of agents that are not the one of the table. */
const AGENT_NAMES: Readonly<Record<string, string>> = {
  claude: 'claude-code',
  claude_code: 'claude-code',
  claudecode: 'claude-code',
  'codex-cli': 'codex',
  'openai-codex': 'codex',
  'gemini-cli': 'gemini',
  gemini_cli: 'gemini',
  'qwen-code': 'qwen',
  qwen_code: 'qwen',
  'pi-coding-agent': 'pi',
  'copilot-cli': 'copilot',
  'github-copilot': 'copilot',
  'cline-cli': 'cline',
};

/** Names under which the MCP filesystem server is usually registered. */
const FILESYSTEM_SERVERS: ReadonlySet<string> = new Set(['filesystem', 'server-filesystem', 'server_filesystem', 'mcp-server-filesystem']);
/** `filesystem_write_file`, `filesystem__write_file`, `mcp_filesystem_write_file`: hosts that join the names with something else. */
const JOINED_FILESYSTEM = /^(?:mcp_)?filesystem(?:__|[_-])([a-z_]+)$/;

const own = (rows: Rows | undefined, name: string): RowData | undefined => (rows !== undefined && Object.hasOwn(rows, name) ? rows[name] : undefined);

/** Row of `tool` as `agent` calls it. Never fails: a tool that is not known is kind `other` and names nothing. */
export function lookupTool(agent: string, tool: string): ToolRow {
  const name = mcpName(tool);
  const joined = name === null ? JOINED_FILESYSTEM.exec(tool)?.[1] : undefined;
  const bare = name !== null && FILESYSTEM_SERVERS.has(name.server.toLowerCase()) ? name.tool : joined;
  const filesystem = bare === undefined ? undefined : own(FILESYSTEM_ROWS, bare);
  if (filesystem !== undefined) return knownRow(filesystem, 'filesystem');
  if (name !== null) return UNKNOWN;
  const key = agent.toLowerCase();
  const known = own(AGENT_ROWS[AGENT_NAMES[key] ?? key], tool);
  if (known !== undefined) return knownRow(known, AGENT_NAMES[key] ?? key);
  return anywhere(tool);
}

/** Rows are data: each is completed once. */
const completed = new WeakMap<RowData, ToolRow>();

function knownRow(data: RowData, agent: string): ToolRow {
  const kept = completed.get(data);
  // Qwen Code shares rows with Gemini CLI.
  if (kept !== undefined && kept.agent === agent) return kept;
  const row = toRow(data, agent, false);
  completed.set(data, row);
  return row;
}

function toRow(data: RowData, agent: string | null, isGuess: boolean): ToolRow {
  return {
    ...data,
    agent,
    executes: data.commands.length > 0,
    readsBelow: data.paths.some((path) => path.recursive === true),
    isGuess,
  };
}

/**
 * The name at any agent. One kind everywhere: that kind, with the fields of all. Several kinds: `other`, with the fields of
 * all, each path with the stricter access, so that nothing is looked at less than under the right row.
 */
function anywhere(tool: string): ToolRow {
  const found = [...Object.values(AGENT_ROWS), FILESYSTEM_ROWS].flatMap((rows) => own(rows, tool) ?? []);
  const [first] = found;
  if (first === undefined) return UNKNOWN;
  const kinds = new Set<Kind>(found.map((data) => data.kind));
  const isAmbiguous = kinds.size > 1;
  const writes = found.some((data) => data.paths.some((path) => path.access === 'write'));
  const paths = mergePaths(
    found.flatMap((data) => data.paths),
    isAmbiguous && writes,
  );
  return toRow(
    {
      kind: isAmbiguous ? 'other' : first.kind,
      paths: isAmbiguous ? paths.map((path) => ({ ...path, optional: true })) : paths,
      commands: mergeCommands(found.flatMap((data) => data.commands)),
      addresses: mergeAddresses(found.flatMap((data) => data.addresses)),
    },
    null,
    true,
  );
}

const union = (lists: readonly (readonly string[])[]): readonly string[] => [...new Set(lists.flat())];

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

function mergePaths(fields: readonly PathField[], asWrites: boolean): readonly PathField[] {
  const strict = fields.map((field): PathField => (asWrites ? { ...field, access: 'write' } : field));
  return grouped(strict, (field) => JSON.stringify([field.access, field.form, field.optional, field.deletes])).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const within = union(group.map((field) => field.within ?? []));
    const isRecursive = group.some((field) => field.recursive === true);
    return [
      { ...first, at: union(group.map((field) => field.at)), ...(within.length > 0 ? { within } : {}), ...(isRecursive ? { recursive: true } : {}) },
    ];
  });
}

function mergeCommands(fields: readonly CommandField[]): readonly CommandField[] {
  return grouped(fields, (field) => JSON.stringify([field.form, field.dialect, field.shell])).flatMap((group) => {
    const [first] = group;
    const directory = union(group.map((field) => field.directory ?? []));
    return first === undefined ? [] : [{ ...first, at: union(group.map((field) => field.at)), ...(directory.length > 0 ? { directory } : {}) }];
  });
}

function mergeAddresses(fields: readonly AddressField[]): readonly AddressField[] {
  return grouped(fields, (field) => field.form).flatMap((group) =>
    group[0] === undefined ? [] : [{ ...group[0], at: union(group.map((field) => field.at)) }],
  );
}
