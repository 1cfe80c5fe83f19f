// The OpenAPI document: made from the route table and the schemas, so that it cannot say what is not so.

import { z } from 'zod';
import { COMMANDS, type CommandName } from '../../shared/commands';
import { FAILURE_CODES } from '../../shared/failure';
import { ROUTES, type Route } from './routes';

type Schema = Record<string, unknown>;
let made: Schema | null = null;

export function openApiDocument(version: string): Schema {
  made ??= build(version);
  return made;
}

function build(version: string): Schema {
  const shared: Record<string, Schema> = {};
  const paths: Record<string, Record<string, Schema>> = {};
  for (const route of ROUTES) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const known = paths[path] ?? {};
    known[route.method.toLowerCase()] = operation(route, shared);
    paths[path] = known;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Gatehouse', version, description: 'One gate for the AI agents on this machine. Loopback and Unix socket only.' },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A token of the data folder: operator.token or agent.token.' } },
      schemas: {
        ...shared,
        Error: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              type: 'object',
              required: ['code', 'message'],
              properties: {
                code: { enum: FAILURE_CODES },
                message: { type: 'string' },
                hint: { type: 'string' },
                subject: { type: ['string', 'object'] },
              },
            },
          },
        },
      },
    },
  };
}

function operation(route: Route, shared: Record<string, Schema>): Schema {
  const { scope, summary } = COMMANDS[route.command];
  const params = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const schema = inputSchema(route.command, shared);
  const inPath = new Set(route.path.includes('/:') ? ['session_id', 'id', 'project_id', 'job_id', 'agent', 'target'] : []);
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !inPath.has(name));
  const isRead = route.method === 'GET' || route.method === 'DELETE';
  const query = isRead
    ? fields.map(([name, field]) => ({ name, in: 'query', required: schema.required?.includes(name) ?? false, schema: field }))
    : [];
  const body =
    route.body === 'run_context'
      ? schema.properties?.run_context
      : {
          type: 'object',
          additionalProperties: false,
          properties: Object.fromEntries(fields),
          required: (schema.required ?? []).filter((name) => !inPath.has(name)),
        };
  const failure = { description: 'Refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
  return {
    operationId: `${route.command.replaceAll('.', '_')}_${route.method.toLowerCase()}_${route.path.replaceAll('-', '_dash_').replaceAll(/\W+/g, '_')}`,
    summary,
    description: `Scope: ${scope}.`,
    parameters: [...params, ...query],
    ...(isRead
      ? {}
      : { requestBody: { required: (body as Schema | undefined)?.required !== undefined, content: { 'application/json': { schema: body ?? {} } } } }),
    responses: {
      [String(route.status ?? 200)]: { description: 'Done', content: { 'application/json': { schema: {} } } },
      default: failure,
    },
  };
}

interface ObjectSchema extends Schema {
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
}

/** A command's input. Its definitions move to the shared ones, under names of their own. */
function inputSchema(command: CommandName, shared: Record<string, Schema>): ObjectSchema {
  const own = z.toJSONSchema(COMMANDS[command].input, { io: 'input', unrepresentable: 'any' });
  const text = JSON.stringify(own).replaceAll('"#/$defs/', `"#/components/schemas/${command}.`);
  const { $defs = {}, $schema: _dialect, ...schema } = JSON.parse(text) as ObjectSchema & { $defs?: Record<string, Schema> };
  for (const [name, definition] of Object.entries($defs)) shared[`${command}.${name}`] = definition;
  return schema;
}
