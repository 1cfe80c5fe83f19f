// The HTTP routes of spec 13 as one table: method and path, the command each runs, and how path parameters, query and body
// become its input. A door adds nothing else. Also read by the OpenAPI document and by the tests of every route.

import type { CommandName } from '../../shared/commands';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Fields = Readonly<Record<string, unknown>>;

export interface Parts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined: the request had no body. */
  readonly body: unknown;
}

export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly command: CommandName;
  /** Of success; 200 unless given. */
  readonly status?: number;
  /** The command's input, not validated. */
  input(parts: Parts): unknown;
  /** The part of the command's input that the body carries, for the API document: a field name, or the whole. */
  readonly body?: 'object' | 'run_context' | 'none';
}

/** An object body, with the path's parameters under the names the command has for them. A body that is no object stays as it is and fails validation. */
const withBody =
  (names: Readonly<Record<string, string>> = {}) =>
  ({ params, body }: Parts): unknown => {
    if (body === undefined) return renamed(params, names);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    return { ...body, ...renamed(params, names) };
  };
const withQuery =
  (names: Readonly<Record<string, string>> = {}, more: (query: Parts['query']) => Fields = (query) => query) =>
  ({ params, query }: Parts): unknown => ({ ...more(query), ...renamed(params, names) });

function renamed(params: Parts['params'], names: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [names[name] ?? name, value]));
}

const SESSION = { id: 'session_id' };
const flag = (text: string | undefined): Fields => (text === undefined ? {} : { force: text === 'true' || text === '1' });

const route = (
  method: Method,
  path: string,
  command: CommandName,
  input: Route['input'],
  more: { readonly status?: number; readonly body?: Route['body'] } = {},
): Route => ({ method, path, command, input, body: method === 'GET' || method === 'DELETE' ? 'none' : 'object', ...more });

const CREATED = { status: 201 };

/** The body describes the copy, as the body of `POST /api/groups` would: its `id` is the new one. */
function duplicateOf({ params, body }: Parts): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body === undefined ? params : body;
  const { id, ...rest } = body as Record<string, unknown>;
  return { ...rest, ...(id === undefined ? {} : { new_id: id }), ...params };
}

/** `POST` and `PUT`, `run_context` and `run-context`; the body is the run context itself or null. */
function contextRoutes(path: string, target: (params: Parts['params']) => Fields): readonly Route[] {
  const set = ({ params, body }: Parts): unknown => ({ target: target(params), run_context: body });
  return [
    ...(['POST', 'PUT'] as const).flatMap((method) =>
      ['run_context', 'run-context'].map((name) => route(method, `${path}/${name}`, 'run_context.set', set, { body: 'run_context' })),
    ),
    route('GET', `${path}/effective`, 'run_context.effective', ({ params }) => ({ target: target(params) })),
  ];
}

export const ROUTES: readonly Route[] = [
  // agents
  route('POST', '/api/sessions', 'session.open', withBody(), CREATED),
  route('POST', '/api/sessions/:id/requests', 'request.submit', withBody(SESSION)),
  route(
    'GET',
    '/api/requests/:id',
    'request.get',
    withQuery({}, ({ wait_ms, ...rest }) => ({ ...rest, ...(wait_ms === undefined ? {} : { wait_ms: numberOr(wait_ms) }) })),
  ),
  route('POST', '/api/requests/:id/withdraw', 'request.withdraw', withBody()),
  route('POST', '/api/sessions/:id/report', 'request.report', withBody(SESSION)),
  route('POST', '/api/sessions/:id/turn', 'session.turn', withBody(SESSION)),
  route('POST', '/api/sessions/:id/usage', 'session.usage', withBody(SESSION)),
  route('GET', '/api/sessions/:id/context', 'session.context', withQuery(SESSION)),
  route('POST', '/api/sessions/:id/inbox', 'session.inbox', withBody(SESSION)),
  route('POST', '/api/sessions/:id/mail', 'session.mail', withBody(SESSION)),
  route(
    'GET',
    '/api/sessions/:id/tools',
    'session.tools',
    withQuery(SESSION, ({ names, ...rest }) => ({ ...rest, names: (names ?? '').split(',').filter((name) => name !== '') })),
  ),
  route('POST', '/api/sessions/:id/end', 'session.end', withBody(SESSION)),

  // answering
  route('GET', '/api/inbox', 'inbox.list', withQuery()),
  route('GET', '/api/requests', 'request.list', withQuery()),
  route('GET', '/api/requests/:id/scopes', 'request.scopes', withQuery()),
  route('POST', '/api/requests/:id/resolve', 'request.resolve', withBody()),

  // policy
  route('GET', '/api/groups', 'group.list', withQuery()),
  route('POST', '/api/groups', 'group.create', withBody(), CREATED),
  route('PATCH', '/api/groups/:id', 'group.update', withBody()),
  route(
    'DELETE',
    '/api/groups/:id',
    'group.delete',
    withQuery({}, ({ force, ...rest }) => ({ ...rest, ...flag(force) })),
  ),
  route('POST', '/api/groups/:id/duplicate', 'group.duplicate', duplicateOf, CREATED),
  route('GET', '/api/rules', 'rule.list', withQuery()),
  route('POST', '/api/rules', 'rule.create', withBody(), CREATED),
  route('PATCH', '/api/rules/:id', 'rule.update', withBody()),
  route('DELETE', '/api/rules/:id', 'rule.delete', withQuery()),
  route('POST', '/api/rules/reorder', 'rule.reorder', withBody()),
  route('POST', '/api/simulate', 'simulate', withBody()),
  route('POST', '/api/replay', 'replay', withBody()),

  // projects and tickets
  route('GET', '/api/projects', 'project.list', withQuery()),
  route('POST', '/api/projects', 'project.create', withBody(), CREATED),
  route('PATCH', '/api/projects/:id', 'project.update', withBody()),
  route(
    'DELETE',
    '/api/projects/:id',
    'project.delete',
    withQuery({}, ({ force, ...rest }) => ({ ...rest, ...flag(force) })),
  ),
  route('GET', '/api/projects/:id/tickets', 'ticket.list', withQuery({ id: 'project_id' })),
  route('POST', '/api/projects/:id/tickets', 'ticket.create', withBody({ id: 'project_id' }), CREATED),
  route('PATCH', '/api/projects/:id/tickets/:tid', 'ticket.update', withBody({ id: 'project_id', tid: 'id' })),
  route('DELETE', '/api/projects/:id/tickets/:tid', 'ticket.delete', withQuery({ id: 'project_id', tid: 'id' })),
  route('POST', '/api/projects/:id/tickets/:tid/start', 'ticket.start', withBody({ id: 'project_id', tid: 'id' })),
  route('POST', '/api/projects/:id/tickets/:tid/reset', 'ticket.reset', withBody({ id: 'project_id', tid: 'id' })),

  // run contexts
  ...contextRoutes('/api/sessions/:id', ({ id }) => ({ owner: 'session', session_id: id })),
  ...contextRoutes('/api/projects/:id', ({ id }) => ({ owner: 'project', project_id: id })),
  ...contextRoutes('/api/projects/:id/tickets/:tid', ({ id, tid }) => ({ owner: 'ticket', project_id: id, ticket_id: tid })),
  ...contextRoutes('/api/jobs/:id', ({ id }) => ({ owner: 'job', job_id: id })),

  // sessions
  route(
    'GET',
    '/api/sessions',
    'session.list',
    withQuery({}, ({ ended, ...rest }) => ({ ...rest, ...(ended === undefined ? {} : { ended: ended === 'true' }) })),
  ),
  route('GET', '/api/sessions/:id', 'session.get', withQuery(SESSION)),
  route('POST', '/api/sessions/:id/mode', 'session.mode', withBody(SESSION)),
  route('POST', '/api/sessions/:id/steer', 'session.steer', withBody(SESSION)),
  route('POST', '/api/sessions/:id/cancel', 'session.cancel', withBody(SESSION)),
  route('POST', '/api/sessions/:id/fork', 'session.fork', withBody(SESSION), CREATED),
  route('GET', '/api/sessions/:id/access', 'access.list', withQuery(SESSION)),
  route('POST', '/api/sessions/:id/access', 'access.add', withBody(SESSION)),
  route('DELETE', '/api/sessions/:id/access', 'access.remove', withQuery(SESSION)),
  route('GET', '/api/access/defaults', 'access_defaults.list', withQuery()),
  route('POST', '/api/access/defaults', 'access_defaults.add', ({ query, body }) =>
    typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...query, ...body } : body,
  ),
  route('DELETE', '/api/access/defaults', 'access_defaults.remove', withQuery()),
  route('GET', '/api/sessions/:id/session_rules', 'session_rule.list', withQuery(SESSION)),
  route('DELETE', '/api/sessions/:id/session_rules/:rid', 'session_rule.revoke', withQuery({ id: 'session_id', rid: 'id' })),
  route('GET', '/api/grants', 'grant.list', withQuery()),
  route('DELETE', '/api/grants/:id', 'grant.revoke', withQuery()),

  // outbox and jobs
  route('GET', '/api/outbox', 'outbox.list', withQuery()),
  route('PATCH', '/api/outbox/:id', 'outbox.edit', withBody()),
  route('POST', '/api/outbox/:id/release', 'outbox.release', withBody()),
  route('POST', '/api/outbox/:id/reject', 'outbox.reject', withBody()),
  route('GET', '/api/jobs', 'job.list', withQuery()),
  route('POST', '/api/jobs', 'job.create', withBody(), CREATED),
  route('PATCH', '/api/jobs/:id', 'job.update', withBody()),
  route('DELETE', '/api/jobs/:id', 'job.delete', withQuery()),
  route('POST', '/api/jobs/:id/run', 'job.run', withBody(), CREATED),
  route('POST', '/api/jobs/:id/kill', 'job.kill', withBody()),
  route('GET', '/api/jobs/:id/runs', 'job.runs', withQuery()),

  // history and settings
  route('GET', '/api/activity', 'activity.list', withQuery()),
  route('GET', '/api/activity/verify', 'activity.verify', withQuery()),
  route('GET', '/api/settings', 'settings.get', withQuery()),
  route('PATCH', '/api/settings', 'settings.update', withBody()),
  route('GET', '/api/health', 'health.get', withQuery()),

  // agents of this machine
  route('GET', '/api/agents', 'agent.list', withQuery()),
  route(
    'GET',
    '/api/agents/:agent/preview',
    'agent.preview',
    withQuery({}, ({ connect, ...rest }) => ({ ...rest, connect: connect !== 'false' })),
  ),
  route('POST', '/api/agents/:agent/connect', 'agent.connect', withBody()),
  route('POST', '/api/agents/:agent/disconnect', 'agent.disconnect', withBody()),
];

/** Text of a query as the number it spells, else as it is, so that validation names the field. */
function numberOr(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}
