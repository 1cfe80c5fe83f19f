import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../shared/commands';
import { openApiDocument } from './openapi';
import { ROUTES } from './routes';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly required: boolean; readonly content: { readonly 'application/json': { readonly schema: Body } } };
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Body {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}
const document = openApiDocument('0.0.0') as { openapi: string; paths: Record<string, Record<string, Operation>> };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const at = (method: string, path: string): Operation => document.paths[path]?.[method] as Operation;
const bodyOf = (method: string, path: string): Body => at(method, path).requestBody?.content['application/json'].schema as Body;

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  it('describes every route with its summary, scope, success and failure', () => {
    for (const route of ROUTES) {
      const operation = at(route.method.toLowerCase(), route.path.replaceAll(/:(\w+)/g, '{$1}'));
      const { summary, scope } = COMMANDS[route.command];
      expect([operation.summary, operation.description]).toEqual([summary, `Scope: ${scope}.`]);
      expect(Object.keys(operation.responses)).toEqual([String(route.status), 'default']);
    }
    for (const path of ['/api/activity/export', '/api/commands/{name}', '/api/login-links', '/api/openapi.json', '/api/events'])
      expect(document.paths).toHaveProperty([path]);
  });

  it('names each operation once', () => {
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it('declares every parameter of a path, and asks for it nowhere else', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect((operation.parameters ?? []).filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
    }
    expect(Object.keys(bodyOf('post', '/api/sessions/{id}/turn').properties)).toEqual(['state']);
    expect(Object.keys(bodyOf('patch', '/api/projects/{id}/tickets/{tid}').properties)).toEqual(['title', 'state']);
  });

  it('says what must be given and what need not', () => {
    expect(bodyOf('post', '/api/sessions').required).toEqual(['agent']);
    expect(at('post', '/api/sessions').requestBody?.required).toBe(true);
    expect(at('post', '/api/sessions/{id}/end').requestBody?.required).toBe(false);
    expect(at('delete', '/api/sessions/{id}/access').parameters).toContainEqual(
      expect.objectContaining({ name: 'path', in: 'query', required: true }),
    );
    expect(at('get', '/api/sessions/{id}/tools').parameters).toContainEqual(
      expect.objectContaining({ name: 'names', required: false, explode: false }),
    );
  });

  it('calls a field what the body calls it', () => {
    expect(Object.keys(bodyOf('post', '/api/groups/{id}/duplicate').properties)).toEqual(['id', 'name']);
  });

  it('takes a run context as the whole body', () => {
    expect(JSON.stringify(bodyOf('post', '/api/jobs/{id}/run-context'))).toContain('allow_fs_writes');
    expect(at('put', '/api/sessions/{id}/run_context').requestBody?.required).toBe(true);
  });
});
