// Plain sentences about a request, the same in the window, the tray and a notification. Owns wording and lengths
// (headline at most 60 characters, consequence at most 90, paths cut in the middle with the file name kept). Shows no
// secret: a notification leaves the full command out by asking for `quietSentence`.

import type { Decision, Request, Session } from './model';
import type { Cause } from './terms';

const HEADLINE_CHARS = 60;
const CONSEQUENCE_CHARS = 90;

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

const DOOR_NAMES: Readonly<Record<string, string>> = {
  window: 'You',
  websocket: 'A person in a browser',
  cli: 'A person at the command line',
  http: 'A person over the API',
  socket: 'A person over the API',
};

/** Who acted, as the log names it (`person:window`, `agent:<session>`, `gate`, `clock`): `You`, `The agent`, `Gatehouse`. */
export function actorName(actor: string): string {
  const [who = '', where = ''] = actor.split(':');
  if (who === 'person') return DOOR_NAMES[where] ?? 'A person';
  if (who === 'agent') return 'The agent';
  return who === 'clock' ? 'The clock' : 'Gatehouse';
}

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

/** What the agent wants, without its name, in two parts: `Run` and `npm test`, `Edit` and `src/tax/round.ts`. Together at most `maxChars`. */
export function actionParts(
  request: Request,
  session: Session | undefined,
  maxChars = HEADLINE_CHARS,
): { readonly verb: string; readonly target: string } {
  const command = commandOf(request);
  if (command !== null) return { verb: 'Run', target: shortText(command, maxChars - 4) };
  const [path] = request.paths;
  if (path !== undefined) {
    const verb = verbOf(request);
    const more = request.paths.length > 1 ? ` and ${request.paths.length - 1} more` : '';
    const shown = shortPath(relativeTo(path.canonical ?? path.raw, session), maxChars - verb.length - more.length - 1);
    return { verb, target: `${shown}${more}` };
  }
  const [host] = request.hosts;
  if (host !== undefined) return { verb: 'Fetch', target: shortText(host, maxChars - 6) };
  return { verb: 'Use', target: shortText(request.tool, maxChars - 4) };
}

/** The same in one sentence: `Run npm test`. */
export function actionSentence(request: Request, session: Session | undefined, maxChars = HEADLINE_CHARS): string {
  const { verb, target } = actionParts(request, session, maxChars);
  return `${verb} ${target}`;
}

/**
 * The line that names a request, at most 60 characters: who wants what, and for high risk the decisive fact. Parts in
 * backticks are text of the call.
 */
export function headline(request: Request): string {
  const fact = decisiveFact(request);
  return fact === null ? quietSentence(request) : cutFact(sentencesOf(fact)[0], HEADLINE_CHARS);
}

/**
 * What comes of it, at most 90 characters: for high risk what the headline left out of the decisive fact, else the gravest fact.
 * Null where nothing is known. Parts in backticks are text of the call.
 */
export function consequence(request: Request): string | null {
  const fact = decisiveFact(request);
  const text = fact === null ? (request.risk.facts[0]?.text ?? '') : sentencesOf(fact).slice(1).join(' ');
  return text === '' ? null : cutFact(text, CONSEQUENCE_CHARS);
}

/** The fact that makes a call one of high risk, whole; null for other calls. */
export function decisiveFact(request: Pick<Request, 'risk'>): string | null {
  return request.risk.level === 'high' ? (request.risk.facts.find((fact) => fact.level === 'high')?.text ?? null) : null;
}

/** Sentences of a fact; a full stop within backticks ends none. */
function sentencesOf(text: string): readonly [string, ...string[]] {
  const found = text.match(/(?:`[^`]*`|[^`.]|\.(?! |$))+\.?|`/g)?.map((part) => part.trim()) ?? [];
  const [first = text, ...rest] = found.filter((part) => part !== '');
  return [first, ...rest];
}

/** Shorter where it is longest: the text of the call, in its middle. The words around it are kept. */
function cutFact(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const quoted = /`([^`]+)`/.exec(text);
  const inner = quoted?.[1] ?? '';
  const room = maxChars - (text.length - inner.length);
  return room < 12 ? shortText(text.replaceAll('`', ''), maxChars) : text.replace(`\`${inner}\``, () => `\`${shortPath(inner, room)}\``);
}

/** The verb and the kind of target alone, for lock screens. */
export function quietSentence(request: Request): string {
  const who = agentName(request.agent);
  switch (request.kind) {
    case 'read':
      return `${who} wants to read ${filesOf(request)}`;
    case 'search':
      return `${who} wants to search files`;
    case 'edit':
      return `${who} wants to edit ${filesOf(request)}`;
    case 'delete':
      return `${who} wants to delete ${filesOf(request)}`;
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

const filesOf = (request: Request): string => (request.paths.length > 1 ? `${request.paths.length} files` : 'a file');

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
