import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailable } from './contract';
import { FILES, prepareFolder } from './data-folder';
import * as make from './samples';
import { openTokens, readEndpoint, removeEndpoint, rotateToken, writeEndpoint } from './tokens';

let folder: ReturnType<typeof make.temporaryFolder>;
const at = (name: string): string => join(folder.dataDir, name);
beforeEach(() => {
  folder = make.temporaryFolder();
  prepareFolder(folder.dataDir);
});
afterEach(() => {
  folder.clean();
});

describe('tokens', () => {
  test('are made once, 32 random bytes each, private, and stay', () => {
    const tokens = openTokens(folder.dataDir);
    for (const [token, name] of [
      [tokens.operator, FILES.operatorToken],
      [tokens.agent, FILES.agentToken],
    ] as const) {
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(readFileSync(at(name), 'utf8').trim()).toBe(token);
      expect(statSync(at(name)).mode & 0o777).toBe(0o600);
    }
    expect(tokens.operator).not.toBe(tokens.agent);
    expect(openTokens(folder.dataDir)).toEqual(tokens);
  });

  test('that are empty or missing are made again, the other stays', () => {
    const tokens = openTokens(folder.dataDir);
    writeFileSync(at(FILES.operatorToken), ' \n');
    const again = openTokens(folder.dataDir);
    expect(again.agent).toBe(tokens.agent);
    expect(again.operator).toMatch(/^[\w-]{43}$/);
    expect(again.operator).not.toBe(tokens.operator);
  });

  test('that others could read are made private', () => {
    openTokens(folder.dataDir);
    chmodSync(at(FILES.operatorToken), 0o644);
    openTokens(folder.dataDir);
    expect(statSync(at(FILES.operatorToken)).mode & 0o777).toBe(0o600);
  });

  test('are replaced on request', () => {
    const { operator, agent } = openTokens(folder.dataDir);
    const next = rotateToken(folder.dataDir, 'operator');
    expect(next).not.toBe(operator);
    expect(openTokens(folder.dataDir)).toEqual({ operator: next, agent });
  });

  test('in a folder that cannot be used are a typed failure', () => {
    writeFileSync(at('file'), '');
    expect(() => openTokens(at('file'))).toThrow(StoreUnavailable);
  });
});

describe('endpoint.json', () => {
  const endpoint = { url: 'http://127.0.0.1:4000', socket: '/run/x.sock', pid: 4711, version: '0.1.0' };

  test('is written private, read back, and removed by its own server only', () => {
    expect(readEndpoint(folder.dataDir)).toBeNull();
    writeEndpoint(folder.dataDir, endpoint);
    expect(readEndpoint(folder.dataDir)).toEqual(endpoint);
    expect(statSync(at(FILES.endpoint)).mode & 0o777).toBe(0o600);
    removeEndpoint(folder.dataDir, 1);
    expect(existsSync(at(FILES.endpoint))).toBe(true);
    removeEndpoint(folder.dataDir, endpoint.pid);
    expect(existsSync(at(FILES.endpoint))).toBe(false);
  });

  test('that is not one reads as none', () => {
    writeFileSync(at(FILES.endpoint), '{"url": 5}');
    expect(readEndpoint(folder.dataDir)).toBeNull();
    writeFileSync(at(FILES.endpoint), '{');
    expect(readEndpoint(folder.dataDir)).toBeNull();
  });
});
