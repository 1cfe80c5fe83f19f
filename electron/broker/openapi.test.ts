import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../shared/commands';
import { openApiDocument } from './openapi';
import { ROUTES } from './routes';

type Operation = { operationId: string; summary: string; parameters: { name: string; in: string }[]; responses: Record<string, unknown> };
const document = openApiDocument('0.0.0') as { openapi: string; paths: Record<string, Record<string, Operation>> };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe('the OpenAPI document', () => {
  it('describes every route', () => {
    expect(operations).toHaveLength(ROUTES.length);
  });

  it('names each operation once', () => {
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it('declares every parameter of a path', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(operation.parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
    }
  });

  it('is plain JSON without references into nowhere', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
    for (const reference of references) {
      const parts = String(reference).replace('#/', '').split('/');
      let at: unknown = document;
      for (const part of parts) at = (at as Record<string, unknown> | undefined)?.[part];
      expect(at, reference).toBeDefined();
    }
  });
});

describe('the route table', () => {
  it('reaches every command but those that only a window has', () => {
    const reached = new Set(ROUTES.map((route) => route.command));
    expect(Object.keys(COMMANDS).filter((name) => !reached.has(name as keyof typeof COMMANDS))).toEqual([]);
  });
});
