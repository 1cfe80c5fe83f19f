// The OpenAPI document: made from the route table and the schemas, so that it cannot say what is not so. Made when it is
// asked for first. Answers are described as records of shared/model.ts, which have no schema at run time.

import { z } from 'zod';
import { COMMANDS, type CommandName } from '../../shared/commands';
import { FAILURE_CODES, HTTP_STATUS } from '../../shared/failure';
import { ROUTES, type Route } from './routes';

type Schema = Readonly<Record<string, unknown>>;
interface ObjectSchema extends Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const ANY_OBJECT: Schema = { type: 'object' };
const json = (schema: Schema): Schema => ({ content: { 'application/json': { schema } } });

let made: { readonly version: string; readonly document: Schema } | null = null;

export function openApiDocument(version: string): Schema {
  if (made?.version !== version) made = { version, document: build(version) };
  return made.document;
}

function build(version: string): Schema {
  const shared: Record<string, Schema> = {};
  const paths: Record<string, Record<string, Schema>> = {};
  const add = (path: string, method: string, operation: Schema): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const route of ROUTES) add(templateOf(route.path), route.method, operation(route, shared));
  add('/api/activity/export', 'GET', exportOperation(shared));
  add('/api/commands/{name}', 'POST', commandOperation());
  add('/api/login-links', 'POST', loginLinkOperation());
  add('/api/openapi.json', 'GET', described('openapi', 'This document', 'Scope: any.', { '200': { description: 'Done', ...json(ANY_OBJECT) } }));
  add('/api/events', 'GET', eventsOperation());
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version,
      description:
        'One gate for the AI agents on this machine. Over loopback HTTP and the Unix socket (a named pipe on Windows) of endpoint.json, and over the WebSocket at /api/events. Bodies are JSON of at most 1 MiB.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A token of the data folder: operator.token or agent.token.' } },
      schemas: { ...shared, Error: errorSchema() },
      responses: { Refused: { description: 'Refused; the code says why', ...json({ $ref: '#/components/schemas/Error' }) } },
    },
  };
}

const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

function errorSchema(): Schema {
  const statuses = FAILURE_CODES.map((code) => `${code} (${HTTP_STATUS[code]})`).join(', ');
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { enum: FAILURE_CODES, description: `With the HTTP status: ${statuses}.` },
          message: { type: 'string', description: 'What and why.' },
          hint: { type: 'string', description: 'What to do about it.' },
          subject: { type: ['string', 'object'], description: 'The field, or the record that stands in the way.' },
        },
      },
    },
  };
}

function described(id: string, summary: string, description: string, responses: Schema, more: Schema = {}): Schema {
  return { operationId: id, summary, description, ...more, responses: { ...responses, default: { $ref: '#/components/responses/Refused' } } };
}

function operation(route: Route, shared: Record<string, Schema>): Schema {
  const { scope, summary } = COMMANDS[route.command];
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const taken = new Set([...inPath.map(({ name }) => route.params[name ?? ''] ?? name), ...(route.body === 'run_context' ? ['target'] : [])]);
  const input = inputSchema(route.command, shared);
  const fields = Object.entries(input.properties ?? {}).filter(([name]) => !taken.has(name));
  const isNeeded = (name: string): boolean => (input.required ?? []).includes(name) && !Object.hasOwn(route.defaults, name);
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const query = hasBody ? [] : fields.map(([name, schema]) => queryParameter(name, schema, isNeeded(name)));
  return described(
    `${route.command.replaceAll('.', '_')}_${route.method.toLowerCase()}_${route.path.replaceAll('-', '_dash_').replaceAll(/\W+/g, '_')}`,
    summary,
    `Scope: ${scope}.`,
    { [String(route.status)]: { description: 'Done', ...json(ANY_OBJECT) } },
    { parameters: [...inPath, ...query], ...(hasBody ? { requestBody: bodyOf(route, fields, isNeeded) } : {}) },
  );
}

/** Lists go as one text with commas (routes.ts). */
function queryParameter(name: string, schema: Schema, required: boolean): Schema {
  return { name, in: 'query', required, schema, ...(schema.type === 'array' ? { style: 'form', explode: false } : {}) };
}

function bodyOf(route: Route, fields: readonly [string, Schema][], isNeeded: (name: string) => boolean): Schema {
  if (route.body === 'run_context') return { required: true, ...json(fields[0]?.[1] ?? {}) };
  const names = Object.fromEntries(Object.entries(route.renames).map(([written, known]) => [known, written]));
  const required = fields.map(([name]) => name).filter(isNeeded);
  return {
    required: required.length > 0,
    ...json({
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(fields.map(([name, schema]) => [names[name] ?? name, schema])),
      ...(required.length > 0 ? { required: required.map((name) => names[name] ?? name) } : {}),
    }),
  };
}

/** A command's input. Its definitions move to the shared ones, under names of their own. */
function inputSchema(command: CommandName, shared: Record<string, Schema>): ObjectSchema {
  const own = z.toJSONSchema(COMMANDS[command].input, { io: 'input', unrepresentable: 'any' });
  const text = JSON.stringify(own).replaceAll('"#/$defs/', `"#/components/schemas/${command}.`);
  const { $defs = {}, $schema: _dialect, ...schema } = JSON.parse(text) as ObjectSchema & { $defs?: Record<string, Schema> };
  for (const [name, definition] of Object.entries($defs)) shared[`${command}.${name}`] = definition;
  return schema;
}

// ------------------------------------------------------------------ what is no command

function exportOperation(shared: Record<string, Schema>): Schema {
  const filters = Object.entries(inputSchema('activity.list', shared).properties ?? {}).filter(([name]) => name !== 'limit' && name !== 'before');
  const text = { schema: { type: 'string' } };
  return described(
    'activity_export',
    'The activity log as a file, oldest first',
    `Scope: ${COMMANDS['activity.list'].scope}. Streamed.`,
    { '200': { description: 'One entry per line', content: { 'application/x-ndjson': text, 'text/csv': text } } },
    {
      parameters: [
        { name: 'format', in: 'query', required: false, schema: { enum: ['jsonl', 'csv'], default: 'jsonl' } },
        ...filters.map(([name, schema]) => queryParameter(name, schema, false)),
      ],
    },
  );
}

function commandOperation(): Schema {
  return described(
    'command',
    'Run a command by its name',
    'What the other routes do, with the input as the body. Scope: of the command.',
    { '200': { description: 'Done', ...json(ANY_OBJECT) } },
    {
      parameters: [{ name: 'name', in: 'path', required: true, schema: { enum: Object.keys(COMMANDS) } }],
      requestBody: { required: false, ...json(ANY_OBJECT) },
    },
  );
}

function loginLinkOperation(): Schema {
  const link = {
    type: 'object',
    required: ['path', 'expires_in_s'],
    properties: { path: { type: 'string' }, expires_in_s: { type: 'number' } },
  };
  return described('login_link', 'Make a link that logs a browser in once', 'Scope: operator.admin.', {
    '201': { description: 'To be put behind the address of endpoint.json', ...json(link) },
  });
}

function eventsOperation(): Schema {
  return described(
    'events',
    'WebSocket: commands, decisions and changes over one connection',
    'Send `{id, command, input}` and get `{id, ok, value}` or `{id, ok, failure}`. `{type: "decision", request}` follows for each request that was submitted here and had to wait. The command `snapshot` (operator.read) answers with the whole state, and `{type: "changes", revision, changes}` follow.',
    { '101': { description: 'Switching to WebSocket' } },
  );
}
