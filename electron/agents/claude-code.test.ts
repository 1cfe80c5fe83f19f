import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GateAddress, Machine } from './adapter';
import { createConnections } from './connections';

let home: string;
let gate: GateAddress;
let version: string | null;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gatehouse-agents-'));
  gate = { url: 'http://127.0.0.1:7717', dataDir: join(home, 'data'), agentToken: 'agent-token-of-this-test' };
  version = '2.1.332 (Claude Code)';
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const machine = (): Machine => ({ home, env: {}, platform: 'linux', version: async () => version });
const connections = () =>
  createConnections(
    machine(),
    () => gate,
    () => new Date('2026-12-01T10:00:00Z'),
  );
const file = () => join(home, '.claude', 'settings.json');
const settings = () => JSON.parse(readFileSync(file(), 'utf8'));

function given(text: string): void {
  mkdirSync(join(home, '.claude'), { recursive: true });
  writeFileSync(file(), text);
}

describe('connecting Claude Code', () => {
  it('installs gating hooks that block when the gate cannot be reached, and observers that do not', async () => {
    const done = await connections().connect('claude-code');
    expect(done).toMatchObject({ ok: true, value: { changed: true, backup: null } });
    for (const event of ['PreToolUse', 'PermissionRequest']) {
      expect(settings().hooks[event]).toEqual([
        {
          matcher: '*',
          hooks: [
            {
              type: 'http',
              url: 'http://127.0.0.1:7717/hooks/claude-code',
              timeout: 86_400,
              headers: { Authorization: 'Bearer agent-token-of-this-test' },
              onFailure: 'block',
            },
          ],
        },
      ]);
    }
    expect(settings().hooks.PostToolUse[0].hooks[0]).not.toHaveProperty('onFailure');
    expect(statSync(file()).mode & 0o077).toBe(0);
  });

  it.each([['2.1.294 (Claude Code)'], [null]])('starts the refusing shim instead of HTTP when the version is %s', async (found) => {
    version = found;
    await connections().connect('claude-code');
    const [handler] = settings().hooks.PreToolUse[0].hooks;
    expect(handler).toMatchObject({ type: 'command', command: `'${join(home, 'data', 'hooks', 'claude-code.sh')}' gate` });
  });

  it('keeps what the person had, their own hooks of the same event included', async () => {
    given(
      '{\n    "model": "opus",\n    "hooks": {\n        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}]\n    }\n}\n',
    );
    await connections().connect('claude-code');
    expect(settings().model).toBe('opus');
    expect(settings().hooks.PreToolUse[0]).toEqual({ matcher: 'Bash', hooks: [{ type: 'command', command: 'mine' }] });
    expect(settings().hooks.PreToolUse).toHaveLength(2);
  });

  it('keeps the file as it was beside the new one', async () => {
    given('{"model": "opus"}\n');
    const done = await connections().connect('claude-code');
    const backup = done.ok ? done.value.backup : null;
    expect(backup).not.toBeNull();
    expect(readFileSync(String(backup), 'utf8')).toBe('{"model": "opus"}\n');
  });

  it('changes nothing the second time', async () => {
    await connections().connect('claude-code');
    const first = readFileSync(file(), 'utf8');
    expect(await connections().connect('claude-code')).toMatchObject({ ok: true, value: { changed: false } });
    expect(readFileSync(file(), 'utf8')).toBe(first);
    expect(readdirSync(join(home, '.claude'))).toEqual(['settings.json']);
  });

  it('replaces its own entry when the address changed, and says before that it is outdated', async () => {
    await connections().connect('claude-code');
    gate = { ...gate, url: 'http://127.0.0.1:7718' };
    expect((await connections().list(() => 0)).items[0]?.state).toBe('outdated');
    await connections().connect('claude-code');
    expect(settings().hooks.PreToolUse).toHaveLength(1);
    expect(settings().hooks.PreToolUse[0].hooks[0].url).toContain(':7718/');
    expect((await connections().list(() => 0)).items[0]?.state).toBe('connected');
  });

  it('gives the file back to the letter when it is undone', async () => {
    const before = '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "mine" }] }]\n  }\n}\n';
    given(before);
    await connections().connect('claude-code');
    await connections().disconnect('claude-code');
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(JSON.parse(before));
  });

  it('leaves a file alone that is no JSON object, and says so', async () => {
    given('{ not json');
    expect(await connections().connect('claude-code')).toMatchObject({ ok: false, failure: { code: 'invalid', subject: 'file' } });
    expect(readFileSync(file(), 'utf8')).toBe('{ not json');
  });

  it('never shows the token in a preview', async () => {
    const preview = await connections().preview('claude-code', true);
    expect(JSON.stringify(preview)).not.toContain(gate.agentToken);
    expect(preview).toMatchObject({ ok: true, value: { changed: true } });
  });

  it('names the agents it knows when asked for another', async () => {
    expect(await connections().connect('unheard-of')).toMatchObject({
      ok: false,
      failure: { code: 'not_found', hint: expect.stringContaining('claude-code') },
    });
  });

  it('reports an agent that is not on this machine as not found', async () => {
    version = null;
    expect((await connections().list(() => 0)).items[0]).toMatchObject({ agent: 'claude-code', state: 'not_found' });
  });
});
