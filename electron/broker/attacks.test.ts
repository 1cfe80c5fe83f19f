import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Grant, Json } from '../../shared/model';
import { ATTACKS, type Attack } from './attacks';
import { ADMIN, Bench } from './test-bench';

/** Longest that any of them may take to be judged, wide of what a busy machine adds. */
const LIMIT_MS = 2_000;

describe('the attack list', () => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))('%s', async (_name, attack) => {
    const bench = new Bench();
    try {
      const began = performance.now();
      const verdict = await judge(bench, attack);
      expect(performance.now() - began).toBeLessThan(LIMIT_MS);
      if (attack.expected === 'not_allow') expect(verdict, attack.why).not.toBe('allow');
      else expect(verdict, attack.why).toBe(attack.expected);
      expect(bench.faults).toEqual([]);
    } finally {
      await bench.close();
    }
  });
});

async function judge(bench: Bench, attack: Attack): Promise<string> {
  const fill = <T>(value: T): T => fillIn(value as Json, bench) as T;
  layOut(bench, fill(attack.fs ?? {}));
  for (const [index, { group, ...rule }] of fill(attack.rules).entries()) {
    await must(bench.broker.call('rule.create', { ...rule, group_id: group, priority: index }, ADMIN));
  }
  const { grants = [], run_context, withheld, ...session } = fill(attack.session ?? {});
  const context = { ...run_context, ...(withheld === undefined ? {} : { withheld }) };
  const opened = await must(
    bench.broker.call(
      'session.open',
      {
        agent: 'claude-code',
        source: 'interactive',
        cwd: bench.app,
        ...session,
        ...(Object.keys(context).length === 0 ? {} : { run_context: context }),
      },
      ADMIN,
    ),
  );
  if (grants.length > 0) {
    const writes = grants.map((grant, index) => ({ put: 'grant' as const, value: grantOf(grant, opened.id, index) }));
    bench.store.commit([{ type: 'grant.created', at: new Date(bench.clock.now()).toISOString(), actor: 'test', summary: 'Grants.', writes }]);
    // Written past the broker: it learns of them as it does of everything on disk, when it starts.
    await bench.restart();
  }
  const simulated = await must(bench.broker.call('simulate', { session: opened.id, calls: [fill(attack.call)] }, ADMIN));
  return simulated.items[0]?.verdict ?? 'none';
}

async function must<T>(asked: Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: unknown }>): Promise<T> {
  const result = await asked;
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

function layOut(bench: Bench, files: NonNullable<Attack['fs']>): void {
  const at = (name: string): string => {
    const path = join(bench.dir, name);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  for (const dir of files.dirs ?? []) mkdirSync(at(dir), { recursive: true });
  for (const file of files.files ?? []) writeFileSync(at(file), '');
  for (const [link, target] of Object.entries(files.links ?? {})) symlinkSync(target, at(link));
}

function grantOf(grant: NonNullable<NonNullable<Attack['session']>['grants']>[number], sessionId: string, index: number): Grant {
  return {
    id: `grant-${index}`,
    scope: 'session',
    session_id: sessionId,
    ticket_id: null,
    project_id: null,
    surface: grant.surface,
    pattern: grant.pattern,
    action: grant.action === 'deny' ? 'deny' : 'allow',
    match: grant.pattern.startsWith('/') ? 'path' : 'wildcard',
    width: 'rule',
    access: null,
    expires_at: null,
    created_at: '2026-12-01T07:00:00.000Z',
    request_id: 'earlier',
    note: '',
  };
}

/** `$ROOT` and `$HOME` become the bench's folders everywhere; `${HOME}` is the shell's. */
function fillIn(value: Json, bench: Bench): Json {
  if (typeof value === 'string') return value.replaceAll('$ROOT', bench.dir).replaceAll('$HOME', bench.home);
  if (Array.isArray(value)) return value.map((one) => fillIn(one as Json, bench));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [fillIn(name, bench) as string, fillIn(one as Json, bench)]));
}
