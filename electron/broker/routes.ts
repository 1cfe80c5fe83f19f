// The HTTP routes of spec 13 as one table: method and path, the command each runs, and how path parameters, query and body
// become its input. A door adds nothing else. Also read by the OpenAPI document and by the tests of every route.

import type { CommandName } from '../../shared/commands';
import { fail, ok, type Result } from '../../shared/failure';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Fields = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, string>>;

export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly command: CommandName;
  /** Of success. */
  readonly status: number;
  /** What the command calls a parameter of the path, where it is not the same. */
  readonly params: Names;
  /** What the command calls a field of the body, where it is not the same. */
  readonly renames: Names;
  /** What is not given otherwise. */
  readonly defaults: Fields;
  /** The body is an object of the command's fields, or the run context itself and the path says whose. */
  readonly body: 'fields' | 'run_context';
}

export interface Parts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Undefined: the request had no body. */
  readonly body: unknown;
}

const route = (method: Method, path: string, command: CommandName, more: Partial<Route> = {}): Route => ({
  status: 200,
  params: {},
  renames: {},
  defaults: {},
  body: 'fields',
  ...more,
  method,
  path,
  command,
});

const CREATED = { status: 201 };
const SESSION = { params: { id: 'session_id' } };
const PROJECT = { params: { id: 'project_id' } };
const TICKET = { params: { id: 'project_id', tid: 'id' } };

/** `POST` and `PUT`, `run_context` and `run-context`, and what results from it. */
function contextRoutes(path: string, params: Names): readonly Route[] {
  return [
    ...(['POST', 'PUT'] as const).flatMap((method) =>
      ['run_context', 'run-context'].map((name) => route(method, `${path}/${name}`, 'run_context.set', { params, body: 'run_context' })),
    ),
    route('GET', `${path}/effective`, 'run_context.effective', { params, body: 'run_context' }),
  ];
}

export const ROUTES: readonly Route[] = [
  // agents
  route('POST', '/api/sessions', 'session.open', CREATED),
  route('POST', '/api/sessions/:id/requests', 'request.submit', SESSION),
  route('GET', '/api/requests/:id', 'request.get'),
  route('POST', '/api/requests/:id/withdraw', 'request.withdraw'),
  route('POST', '/api/sessions/:id/report', 'request.report', SESSION),
  route('POST', '/api/sessions/:id/turn', 'session.turn', SESSION),
  route('POST', '/api/sessions/:id/usage', 'session.usage', SESSION),
  route('GET', '/api/sessions/:id/context', 'session.context', SESSION),
  route('POST', '/api/sessions/:id/inbox', 'session.inbox', SESSION),
  route('POST', '/api/sessions/:id/mail', 'session.mail', SESSION),
  route('GET', '/api/sessions/:id/tools', 'session.tools', { ...SESSION, defaults: { names: [] } }),
  route('POST', '/api/sessions/:id/end', 'session.end', SESSION),

  // answering
  route('GET', '/api/inbox', 'inbox.list'),
  route('GET', '/api/requests', 'request.list'),
  route('GET', '/api/requests/:id/scopes', 'request.scopes'),
  route('POST', '/api/requests/:id/resolve', 'request.resolve'),

  // policy
  route('GET', '/api/groups', 'group.list'),
  route('POST', '/api/groups', 'group.create', CREATED),
  route('PATCH', '/api/groups/:id', 'group.update'),
  route('DELETE', '/api/groups/:id', 'group.delete'),
  route('POST', '/api/groups/:id/duplicate', 'group.duplicate', { renames: { id: 'new_id' }, ...CREATED }),
  route('GET', '/api/rules', 'rule.list'),
  route('POST', '/api/rules', 'rule.create', CREATED),
  route('PATCH', '/api/rules/:id', 'rule.update'),
  route('DELETE', '/api/rules/:id', 'rule.delete'),
  route('POST', '/api/rules/reorder', 'rule.reorder'),
  route('POST', '/api/simulate', 'simulate'),
  route('POST', '/api/replay', 'replay'),

  // projects and tickets
  route('GET', '/api/projects', 'project.list'),
  route('POST', '/api/projects', 'project.create', CREATED),
  route('PATCH', '/api/projects/:id', 'project.update'),
  route('DELETE', '/api/projects/:id', 'project.delete'),
  route('GET', '/api/projects/:id/tickets', 'ticket.list', PROJECT),
  route('POST', '/api/projects/:id/tickets', 'ticket.create', { ...PROJECT, ...CREATED }),
  route('PATCH', '/api/projects/:id/tickets/:tid', 'ticket.update', TICKET),
  route('DELETE', '/api/projects/:id/tickets/:tid', 'ticket.delete', TICKET),
  route('POST', '/api/projects/:id/tickets/:tid/start', 'ticket.start', TICKET),
  route('POST', '/api/projects/:id/tickets/:tid/reset', 'ticket.reset', TICKET),

  // run contexts
  ...contextRoutes('/api/sessions/:id', { id: 'session_id' }),
  ...contextRoutes('/api/projects/:id', { id: 'project_id' }),
  ...contextRoutes('/api/projects/:id/tickets/:tid', { id: 'project_id', tid: 'ticket_id' }),
  ...contextRoutes('/api/jobs/:id', { id: 'job_id' }),

  // sessions
  route('GET', '/api/sessions', 'session.list'),
  route('GET', '/api/sessions/:id', 'session.get', SESSION),
  route('POST', '/api/sessions/:id/mode', 'session.mode', SESSION),
  route('POST', '/api/sessions/:id/steer', 'session.steer', SESSION),
  route('POST', '/api/sessions/:id/cancel', 'session.cancel', SESSION),
  route('POST', '/api/sessions/:id/fork', 'session.fork', { ...SESSION, ...CREATED }),
  route('GET', '/api/sessions/:id/access', 'access.list', SESSION),
  route('POST', '/api/sessions/:id/access', 'access.add', SESSION),
  route('DELETE', '/api/sessions/:id/access', 'access.remove', SESSION),
  route('GET', '/api/access/defaults', 'access_defaults.list'),
  route('POST', '/api/access/defaults', 'access_defaults.add'),
  route('DELETE', '/api/access/defaults', 'access_defaults.remove'),
  route('GET', '/api/sessions/:id/session_rules', 'session_rule.list', SESSION),
  route('DELETE', '/api/sessions/:id/session_rules/:rid', 'session_rule.revoke', { params: { id: 'session_id', rid: 'id' } }),
  route('GET', '/api/grants', 'grant.list'),
  route('DELETE', '/api/grants/:id', 'grant.revoke'),

  // outbox and jobs
  route('GET', '/api/outbox', 'outbox.list'),
  route('PATCH', '/api/outbox/:id', 'outbox.edit'),
  route('POST', '/api/outbox/:id/release', 'outbox.release'),
  route('POST', '/api/outbox/:id/reject', 'outbox.reject'),
  route('GET', '/api/jobs', 'job.list'),
  route('POST', '/api/jobs', 'job.create', CREATED),
  route('PATCH', '/api/jobs/:id', 'job.update'),
  route('DELETE', '/api/jobs/:id', 'job.delete'),
  route('POST', '/api/jobs/:id/run', 'job.run', CREATED),
  route('POST', '/api/jobs/:id/kill', 'job.kill'),
  route('GET', '/api/jobs/:id/runs', 'job.runs'),

  // history and settings
  route('GET', '/api/activity', 'activity.list'),
  route('GET', '/api/activity/verify', 'activity.verify'),
  route('GET', '/api/settings', 'settings.get'),
  route('PATCH', '/api/settings', 'settings.update'),
  route('GET', '/api/health', 'health.get'),

  // agents of this machine
  route('GET', '/api/agents', 'agent.list'),
  route('GET', '/api/agents/:agent/preview', 'agent.preview', { defaults: { connect: true } }),
  route('POST', '/api/agents/:agent/connect', 'agent.connect'),
  route('POST', '/api/agents/:agent/disconnect', 'agent.disconnect'),
];

// ------------------------------------------------------------------ a request as the command's input

/** The command's input, not validated. `invalid`: the request says one thing twice, and not the same. */
export function inputOf(route: Route, parts: Parts): Result<unknown> {
  const given = renamed(parts.params, route.params);
  if (route.body === 'run_context') {
    const query = queryOf(parts.query);
    if (!query.ok) return query;
    return ok({ ...query.value, target: { owner: ownerOf(given), ...given }, ...(route.method === 'GET' ? {} : { run_context: parts.body }) });
  }
  // What is no object stays as it is, for the schema to refuse.
  if (parts.body !== undefined && !isObject(parts.body)) return ok(parts.body);
  const query = queryOf(parts.query);
  if (!query.ok) return query;
  const fields = merged(query.value, renamed(parts.body ?? {}, route.renames));
  if (!fields.ok) return fields;
  const input = merged(fields.value, given);
  return input.ok ? ok({ ...route.defaults, ...input.value }) : input;
}

/** Whose run context it is, by the parameters of its path. */
function ownerOf(given: Fields): 'ticket' | 'project' | 'session' | 'job' {
  if ('ticket_id' in given) return 'ticket';
  if ('project_id' in given) return 'project';
  return 'session_id' in given ? 'session' : 'job';
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const renamed = (fields: Fields, names: Names): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [Object.hasOwn(names, name) ? names[name] : name, value]));

function merged(first: Fields, second: Fields): Result<Fields> {
  for (const [name, value] of Object.entries(second)) {
    if (Object.hasOwn(first, name) && first[name] !== value) {
      return fail('invalid', `The field \`${name}\` is given twice, and not the same.`, { hint: 'Leave one of them out.', subject: name });
    }
  }
  return ok({ ...first, ...second });
}

/** A query carries text; these fields are of another type. Text that spells no such value stays, so that validation names the field. */
const QUERY_TYPES: Readonly<Record<string, (text: string) => unknown>> = {
  wait_ms: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  force: flag,
  ended: flag,
  connect: flag,
};

function flag(text: string): boolean | string {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : text;
}

function queryOf(query: URLSearchParams): Result<Fields> {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, text] of query) {
    if (name === 'names') fields.names = [...((fields.names as string[] | undefined) ?? []), ...text.split(',').filter((one) => one !== '')];
    else if (name in fields) return fail('invalid', `The parameter \`${name}\` is given twice.`, { hint: 'Leave one of them out.', subject: name });
    else fields[name] = Object.hasOwn(QUERY_TYPES, name) ? QUERY_TYPES[name]?.(text) : text;
  }
  return ok({ ...fields });
}
