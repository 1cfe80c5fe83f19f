// Claude Code: recognises it on this machine and connects it through its hooks in settings.json. PreToolUse and
// PermissionRequest are the gate and are blocked by Claude Code itself when Gatehouse cannot be reached
// (`onFailure: "block"`, from 2.1.295 on; older versions get the command shim, which refuses by itself). The other
// events only observe. What the hooks say is translated in claude-code-hooks.ts.

import { join } from 'node:path';
import { applyEdits, type FormattingOptions, modify, type ParseError, parse } from 'jsonc-parser';
import { fail, ok, type Result } from '../../shared/failure';
import { type AgentAdapter, type GateAddress, type Inspection, type Machine, readIfThere } from './adapter';
import { shimCommand, shimPath } from './shim';

export const CLAUDE_CODE = 'claude-code';
export const CLAUDE_CODE_ROUTE = '/hooks/claude-code';

/** Claude Code's own limit for our gate, in seconds. Requests expire a minute earlier, so that we answer first. */
export const HOST_LIMIT_S = 86_400;
export const REQUEST_EXPIRES_S = HOST_LIMIT_S - 60;
const OBSERVE_LIMIT_S = 10;

const GATING_EVENTS = ['PreToolUse', 'PermissionRequest'] as const;
/** Not SessionStart: it starts programs only (seen on 2.1.332), and the first prompt tells the agent the same. */
const OBSERVED_EVENTS = ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SessionEnd'] as const;
/** First version whose HTTP hooks can be told to block when they fail. */
const BLOCKING_VERSION = [2, 1, 295] as const;

type Handler =
  | {
      readonly type: 'http';
      readonly url: string;
      readonly timeout: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly onFailure?: 'block';
    }
  | { readonly type: 'command'; readonly command: string; readonly timeout: number; readonly onFailure?: 'block' };
interface HookEntry {
  readonly matcher?: string;
  readonly hooks: readonly Handler[];
}

export const claudeCode: AgentAdapter = {
  agent: CLAUDE_CODE,
  name: 'Claude Code',
  inspect,
  rewrite,
};

function settingsFile(machine: Machine): string {
  return join(machine.env.CLAUDE_CONFIG_DIR ?? join(machine.home, '.claude'), 'settings.json');
}

async function inspect(machine: Machine, gate: GateAddress): Promise<Inspection> {
  const file = settingsFile(machine);
  const [text, version] = [readIfThere(file), await machine.version('claude')];
  const settings = text === null ? {} : readSettings(text);
  if (settings === null) return { state: 'not_connected', file, detail: `${file} is not valid JSON, so nothing was changed.` };
  const ours = entriesOf(settings).filter(({ entry }) => isOurs(entry, gate));
  if (ours.length === 0) {
    const found = version !== null || text !== null;
    return found
      ? { state: 'not_connected', file, detail: version === null ? 'Settings were found, the program was not.' : `Version ${version} was found.` }
      : { state: 'not_found', file, detail: 'No `claude` program and no settings were found.' };
  }
  const wanted = JSON.stringify(wantedEntries(machine, gate, version));
  const present = JSON.stringify(
    Object.fromEntries(
      [...GATING_EVENTS, ...OBSERVED_EVENTS].map((event) => [event, ours.filter((one) => one.event === event).map((one) => one.entry)]),
    ),
  );
  if (wanted !== present)
    return { state: 'outdated', file, detail: 'The hook is installed for another address or version. Connect again to renew it.' };
  return { state: 'connected', file, detail: version === null ? 'The hook is installed.' : `The hook is installed. Claude Code ${version}.` };
}

async function rewrite(
  machine: Machine,
  gate: GateAddress,
  connect: boolean,
): Promise<Result<{ readonly file: string; readonly before: string | null; readonly after: string }>> {
  const file = settingsFile(machine);
  const before = readIfThere(file);
  const settings = before === null ? {} : readSettings(before);
  if (settings === null) {
    return fail('invalid', `\`${file}\` is not a JSON object, so it was left alone.`, {
      hint: 'Repair the file or move it away, then connect.',
      subject: 'file',
    });
  }
  const wanted = connect ? wantedEntries(machine, gate, await machine.version('claude')) : {};
  const events = new Set<string>([...Object.keys(settings.hooks ?? {}), ...Object.keys(wanted)]);
  let after = before ?? '{}\n';
  for (const event of events) {
    const foreign = (settings.hooks?.[event] ?? []).filter((entry) => !isOurs(entry, gate));
    const next = [...foreign, ...(wanted[event] ?? [])];
    if (JSON.stringify(next) === JSON.stringify(settings.hooks?.[event] ?? [])) continue;
    after = edit(after, ['hooks', event], next.length === 0 ? undefined : next);
  }
  const left = readSettings(after)?.hooks;
  if (!connect && left !== undefined && Object.keys(left).length === 0) after = edit(after, ['hooks'], undefined);
  return ok({ file, before, after });
}

function wantedEntries(machine: Machine, gate: GateAddress, version: string | null): Record<string, HookEntry[]> {
  const overHttp = version !== null && isAtLeast(version, BLOCKING_VERSION);
  const handler = (timeout: number, gates: boolean): Handler => {
    const block = gates ? ({ onFailure: 'block' } as const) : {};
    if (overHttp) {
      return { type: 'http', url: `${gate.url}${CLAUDE_CODE_ROUTE}`, timeout, headers: { Authorization: `Bearer ${gate.agentToken}` }, ...block };
    }
    return { type: 'command', command: shimCommand(gate, CLAUDE_CODE, gates ? 'gate' : 'observe', machine.platform), timeout, ...block };
  };
  const entries: Record<string, HookEntry[]> = {};
  for (const event of GATING_EVENTS) entries[event] = [{ matcher: '*', hooks: [handler(HOST_LIMIT_S, true)] }];
  for (const event of OBSERVED_EVENTS) entries[event] = [{ hooks: [handler(OBSERVE_LIMIT_S, false)] }];
  return entries;
}

/** An entry is ours when all its handlers lead to this route, on any port, or to the shim in this data folder. */
function isOurs(entry: HookEntry, gate: GateAddress): boolean {
  if (!Array.isArray(entry?.hooks) || entry.hooks.length === 0) return false;
  return entry.hooks.every((handler) =>
    handler.type === 'http'
      ? /^http:\/\/127\.0\.0\.1:\d+\/hooks\/claude-code$/.test(handler.url)
      : handler.type === 'command' && typeof handler.command === 'string' && handler.command.includes(shimPath(gate, CLAUDE_CODE)),
  );
}

interface ClaudeSettings {
  readonly hooks?: Readonly<Record<string, readonly HookEntry[]>>;
}

function entriesOf(settings: ClaudeSettings): { readonly event: string; readonly entry: HookEntry }[] {
  return Object.entries(settings.hooks ?? {}).flatMap(([event, entries]) =>
    (Array.isArray(entries) ? entries : []).map((entry) => ({ event, entry })),
  );
}

/** Null when the text is no JSON object, or its `hooks` are not lists by event. */
function readSettings(text: string): ClaudeSettings | null {
  if (text.trim() === '') return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const hooks = (value as { hooks?: unknown }).hooks;
  if (hooks === undefined) return value as ClaudeSettings;
  if (typeof hooks !== 'object' || hooks === null || !Object.values(hooks).every(Array.isArray)) return null;
  return value as ClaudeSettings;
}

function edit(text: string, path: string[], value: unknown): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const formattingOptions: FormattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length };
  const source = text.trim() === '' ? '{}\n' : text;
  return applyEdits(source, modify(source, path, value, { formattingOptions }));
}

function isAtLeast(version: string, wanted: readonly [number, number, number]): boolean {
  const parts = /(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (parts === null) return false;
  for (const [index, want] of wanted.entries()) {
    const have = Number(parts[index + 1]);
    if (have !== want) return have > want;
  }
  return true;
}
