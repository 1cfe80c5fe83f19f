// Small facts for tests: a session, calls as intake would make them, rules and grants with their plain defaults. For tests only;
// nothing that ships imports it.

import type { Grant, RequestPath, Rule, ShellUnit } from '../../shared/model';
import type { Access } from '../../shared/terms';
import type { CallFacts, PlatformFacts, SessionFacts } from './facts';
import { mcpName } from './match';
import { type CompiledPolicy, compilePolicy } from './policy';

export const POSIX: PlatformFacts = { separator: '/', caseSensitive: true };
export const MAC: PlatformFacts = { separator: '/', caseSensitive: false };
export const WINDOWS: PlatformFacts = { separator: '\\', caseSensitive: false };

export const HOME = '/home/ada';
export const ROOT = '/home/ada/app';
export const NOW = 1_800_000_000_000;

export function session(fields: Partial<SessionFacts> = {}): SessionFacts {
  return {
    id: 's1',
    root: ROOT,
    workingDirectory: fields.root === undefined ? ROOT : fields.root,
    groupId: null,
    mode: null,
    phase: null,
    withheld: [],
    cancelled: false,
    budget: [],
    access: [],
    writeRoots: [],
    readRoots: [],
    grants: [],
    outbox: [],
    headless: false,
    hasReviewer: false,
    hasPreToolHook: false,
    platform: POSIX,
    protectedPlaces: { home: HOME, ownDataDir: `${HOME}/.config/gatehouse`, extra: [], lifted: [] },
    ...fields,
  };
}

/** A path below the root, or an absolute one; `null` stands for one that could not be resolved. */
export const pathOf = (name: string, access: Access, more: Partial<RequestPath> = {}): RequestPath => ({
  raw: name,
  canonical: name.startsWith('/') || /^[A-Za-z]:/.test(name) ? name : name === '.' ? ROOT : `${ROOT}/${name}`,
  access,
  origin: 'argument',
  ...more,
});

export function call(fields: Partial<CallFacts> & { readonly tool: string }): CallFacts {
  return {
    mcp: mcpName(fields.tool),
    agent: 'claude-code',
    source: 'interactive',
    kind: 'other',
    paths: [],
    units: [],
    hosts: [],
    cwd: null,
    executes: false,
    readsBelow: false,
    ...fields,
  };
}

export const reading = (...names: readonly string[]): CallFacts =>
  call({ tool: 'Read', kind: 'read', paths: names.map((name) => pathOf(name, 'read')) });
export const writing = (...names: readonly string[]): CallFacts =>
  call({ tool: 'Write', kind: 'edit', paths: names.map((name) => pathOf(name, 'write')) });
export const searching = (name: string): CallFacts =>
  call({ tool: 'Grep', kind: 'search', readsBelow: true, paths: [pathOf(name, 'read', { recursive: true })] });

/** Each text is one simple command; its words are split at spaces. */
export const unit = (text: string, more: Partial<ShellUnit> = {}): ShellUnit => ({
  text,
  words: text.split(' '),
  assignments: [],
  opaque: false,
  ...more,
});
export const running = (units: readonly (string | ShellUnit)[], paths: readonly RequestPath[] = []): CallFacts =>
  call({ tool: 'Bash', kind: 'execute', executes: true, units: units.map((one) => (typeof one === 'string' ? unit(one) : one)), paths });
export const redirect = (name: string, access: Access = 'write'): RequestPath => pathOf(name, access, { origin: 'redirect' });
export const operand = (name: string): RequestPath => pathOf(name, 'read', { origin: 'operand' });

let made = 0;
export function rule(fields: Partial<Rule> & Pick<Rule, 'tool_pattern' | 'action'>): Rule {
  made += 1;
  return {
    id: `r${String(made).padStart(6, '0')}`,
    group_id: 'default',
    priority: 100,
    path_pattern: null,
    command_pattern: null,
    agent: null,
    source: null,
    hard: false,
    enabled: true,
    note: '',
    reason: '',
    expires_at: null,
    created_at: '2027-01-15T00:00:00.000Z',
    created_by: 'user',
    hits: 0,
    last_hit_at: null,
    ...fields,
  };
}

export function grant(fields: Partial<Grant> & Pick<Grant, 'surface' | 'pattern'>): Grant {
  made += 1;
  return {
    id: `g${String(made).padStart(6, '0')}`,
    scope: 'session',
    session_id: 's1',
    ticket_id: null,
    project_id: null,
    action: 'allow',
    match: 'equal',
    width: 'exact',
    access: null,
    expires_at: null,
    created_at: '2027-01-15T00:00:00.000Z',
    request_id: 'q1',
    note: '',
    ...fields,
  };
}

export const policy = (
  rules: readonly Rule[] = [],
  platform: PlatformFacts = POSIX,
  canonicalPrefix = (pattern: string): string => pattern,
): CompiledPolicy => compilePolicy(rules, { platform, home: HOME, canonicalPrefix });
