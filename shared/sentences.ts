// Plain sentences about a request, the same in the window, the tray and a notification. Owns wording and lengths
// (headline at most 60 characters, consequence at most 90, paths cut in the middle with the file name kept). Shows no
// secret: a notification leaves the full command out by asking for `quietSentence`.

import type { Decision, Request, Session } from './model';
import type { Cause } from './terms';

const HEADLINE_CHARS = 60;

const AGENT_NAMES: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'OpenCode',
  'gemini-cli': 'Gemini CLI',
  'qwen-code': 'Qwen Code',
  pi: 'pi',
  'copilot-cli': 'Copilot CLI',
  cline: 'Cline',
};

export const agentName = (agent: string): string => AGENT_NAMES[agent] ?? agent;

/** Cut in the middle, the end kept: `/home/me/…/tax/round.ts`. */
export function shortPath(path: string, maxChars: number): string {
  if (path.length <= maxChars) return path;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const tail = name.length + 2 > maxChars ? name.slice(name.length - maxChars + 2) : name;
  const head = path.slice(0, Math.max(0, maxChars - tail.length - 2));
  return `${head}…/${tail}`;
}

export function shortText(text: string, maxChars: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}

/** What the agent wants, without its name: `Run npm test`, `Edit src/tax/round.ts`. */
export function actionSentence(request: Request, session: Session | undefined, maxChars = HEADLINE_CHARS): string {
  const command = commandOf(request);
  if (command !== null) return `Run ${shortText(command, maxChars - 4)}`;
  const [path] = request.paths;
  if (path !== undefined) return `${verbOf(request)} ${shortPath(relativeTo(path.canonical ?? path.raw, session), maxChars - 8)}`;
  const [host] = request.hosts;
  if (host !== undefined) return `Fetch ${shortText(host, maxChars - 6)}`;
  return `Use ${shortText(request.tool, maxChars - 4)}`;
}

/** The verb and the kind of target alone, for lock screens. */
export function quietSentence(request: Request): string {
  const who = agentName(request.agent);
  switch (request.kind) {
    case 'read':
      return `${who} wants to read a file`;
    case 'search':
      return `${who} wants to search files`;
    case 'edit':
      return `${who} wants to write a file`;
    case 'delete':
      return `${who} wants to delete a file`;
    case 'execute':
      return `${who} wants to run a command`;
    case 'fetch':
      return `${who} wants to fetch a page`;
    case 'message':
      return `${who} wants to send a message`;
    case 'other':
      return `${who} wants to use ${shortText(request.tool, 30)}`;
  }
}

/** Shell text or argv of a call that runs something; null for other calls. */
export function commandOf(request: Pick<Request, 'kind' | 'input' | 'units'>): string | null {
  if (request.kind !== 'execute') return null;
  for (const key of ['command', 'cmd', 'script', 'commands']) {
    const value = request.input[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map(String).join(' ');
  }
  return request.units.length > 0 ? request.units.map((unit) => unit.text).join('; ') : null;
}

function verbOf(request: Request): string {
  switch (request.kind) {
    case 'read':
      return 'Read';
    case 'search':
      return 'Search';
    case 'edit':
      return 'Edit';
    case 'delete':
      return 'Delete';
    case 'execute':
    case 'fetch':
    case 'message':
    case 'other':
      return `Use ${shortText(request.tool, 24)} on`;
  }
}

/** Below the session's root the path is shown from there; elsewhere whole. */
export function relativeTo(path: string, session: Session | undefined): string {
  const root = session?.root;
  if (root === undefined || root === null) return path;
  if (path === root) return '.';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

const CAUSE_WORDS: Readonly<Record<Cause, string>> = {
  rule: 'by a rule',
  floor: 'by a floor',
  directory: 'by directory access',
  mode: 'by the mode',
  phase: 'by the plan phase',
  withheld: 'tool withheld',
  budget: 'budget used up',
  cancelled: 'run cancelled',
  hook: 'by a hook',
  run_context: 'by the run context',
  session_rule: 'by an answer for this session',
  grant: 'by a grant',
  reviewer: 'by the reviewer',
  human: 'by a person',
  headless: 'nobody is there to ask',
  expired: 'nobody answered',
  withdrawn: 'the agent stopped waiting',
  fault: 'Gatehouse failed',
  outbox: 'kept in the outbox',
};

const STATUS_WORDS: Readonly<Record<Decision['status'], string>> = { allowed: 'Allowed', denied: 'Denied', blocked: 'Blocked', staged: 'Staged' };

/** `Denied by a person`, `Blocked: nobody answered`. Blocked never reads as a person's denial. */
export function outcomeSentence(decision: Pick<Decision, 'status' | 'cause'>): string {
  const words = CAUSE_WORDS[decision.cause];
  return words.startsWith('by ') ? `${STATUS_WORDS[decision.status]} ${words}` : `${STATUS_WORDS[decision.status]}: ${words}`;
}

/** `18 s`, `4 min`, `2 h`, `3 d`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
