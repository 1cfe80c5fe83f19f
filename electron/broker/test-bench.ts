// A broker over a real store in a temporary folder, with a clock that tests move. For tests only.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandName, Draft, Output } from '../../shared/commands';
import type { Failure, Result } from '../../shared/failure';
import type { JsonObject, Request, Rule, SessionView } from '../../shared/model';
import { openStore, type Store } from '../store/store';
import { type Broker, createBroker } from './broker';
import type { Caller } from './caller';
import type { BrokerDeps } from './deps';
import { createPaths } from './paths';
import { TestClock, turns } from './test-clock';

export const AGENT: Caller = { scopes: new Set(['agent']), door: 'http', name: 'agent' };
export const ADMIN: Caller = { scopes: new Set(['operator.admin']), door: 'http', name: 'operator' };
export const operator = (...scopes: ('operator.read' | 'operator.write' | 'operator.approvals')[]): Caller => ({
  scopes: new Set(scopes),
  door: 'http',
  name: 'operator',
});

/** A moment for which `Date.now` was never asked. */
export const START = Date.parse('2026-12-01T08:00:00Z');

export class Bench {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-broker-')));
  readonly home = join(this.dir, 'home');
  readonly dataDir = join(this.dir, 'data');
  readonly app = join(this.dir, 'app');
  readonly ext = join(this.dir, 'ext');
  readonly clock = new TestClock(START);
  readonly faults: string[] = [];
  store: Store;
  broker: Broker;
  readonly #more: Partial<BrokerDeps>;
  #calls = 0;

  constructor(more: Partial<BrokerDeps> & { readonly seeded?: boolean } = {}) {
    const { seeded, ...deps } = more;
    this.#more = deps;
    for (const dir of [this.home, this.app, this.ext]) mkdirSync(dir, { recursive: true });
    this.store = this.#openStore();
    if (seeded !== true) {
      const writes = [...this.store.live.rules.keys()].map((id) => ({ remove: 'rule' as const, id }));
      this.store.commit([{ type: 'test.cleared', at: new Date(START).toISOString(), actor: 'test', summary: 'Seeded rules removed.', writes }]);
    }
    this.broker = this.#openBroker();
  }

  #openStore(): Store {
    return openStore({ dataDir: this.dataDir, now: this.clock.now }).store;
  }

  #openBroker(): Broker {
    return createBroker({
      store: this.store,
      paths: createPaths({ home: this.home }),
      now: this.clock.now,
      after: this.clock.after,
      dataDir: this.dataDir,
      version: '0.0.0',
      env: { PATH: process.env.PATH },
      onFault: (error, where) => this.faults.push(`${where}: ${error instanceof Error ? error.message : String(error)}`),
      ...this.#more,
    });
  }

  async close(): Promise<void> {
    await this.broker.close();
    this.store.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** The process ends and another one starts on the same data folder, `downMs` later. */
  async restart(downMs = 0): Promise<void> {
    await this.broker.close();
    this.store.close();
    this.clock.forgetTimers();
    this.clock.jump(downMs);
    this.store = this.#openStore();
    this.broker = this.#openBroker();
    await turns();
  }

  call<N extends CommandName>(name: N, input: Draft<N>, caller: Caller = ADMIN): Promise<Result<Output<N>>> {
    return this.broker.call(name, input, caller);
  }

  /** The value of a command that has to succeed. */
  async ok<N extends CommandName>(name: N, input: Draft<N>, caller: Caller = ADMIN): Promise<Output<N>> {
    const result = await this.call(name, input, caller);
    if (!result.ok) throw new Error(`${name} failed: ${JSON.stringify(result.failure)}${this.faults.map((fault) => `\n${fault}`).join('')}`);
    return result.value;
  }

  /** The failure of a command that has to fail. */
  async fails<N extends CommandName>(name: N, input: Draft<N>, caller: Caller = ADMIN): Promise<Failure> {
    const result = await this.call(name, input, caller);
    if (result.ok) throw new Error(`${name} succeeded: ${JSON.stringify(result.value)}`);
    return result.failure;
  }

  /** As an agent opens one: in the folder of the app. */
  open(draft: Partial<Draft<'session.open'>> = {}, caller: Caller = AGENT): Promise<SessionView> {
    return this.ok('session.open', { agent: 'claude-code', cwd: this.app, ...draft }, caller);
  }

  /** One call, under a call id of its own unless given. */
  submit(
    session: Pick<SessionView, 'id'>,
    tool: string,
    input: JsonObject,
    more: Partial<Draft<'request.submit'>> = {},
    caller: Caller = AGENT,
  ): Promise<Request> {
    this.#calls += 1;
    return this.ok('request.submit', { session_id: session.id, call_id: `call-${this.#calls}`, tool, input, ...more }, caller);
  }

  write(session: Pick<SessionView, 'id'>, path: string, more: Partial<Draft<'request.submit'>> = {}): Promise<Request> {
    return this.submit(session, 'Write', { file_path: path, content: 'x' }, more);
  }

  bash(session: Pick<SessionView, 'id'>, command: string, more: Partial<Draft<'request.submit'>> = {}): Promise<Request> {
    return this.submit(session, 'Bash', { command }, more);
  }

  approve(request: Pick<Request, 'id' | 'digest'>, more: Partial<Draft<'request.resolve'>> = {}, caller: Caller = ADMIN): Promise<Request> {
    return this.ok('request.resolve', { id: request.id, digest: request.digest, action: 'approve', ...more }, caller);
  }

  deny(request: Pick<Request, 'id' | 'digest'>, more: Partial<Draft<'request.resolve'>> = {}, caller: Caller = ADMIN): Promise<Request> {
    return this.ok('request.resolve', { id: request.id, digest: request.digest, action: 'deny', ...more }, caller);
  }

  /** As the agent reads it. */
  get(request: Pick<Request, 'id'>, caller: Caller = AGENT): Promise<Request> {
    return this.ok('request.get', { id: request.id }, caller);
  }

  rule(draft: Draft<'rule.create'>): Promise<Rule> {
    return this.ok('rule.create', draft);
  }

  dirs(...names: readonly string[]): void {
    for (const name of names) mkdirSync(join(this.dir, name), { recursive: true });
  }

  file(name: string, text = 'x', mode = 0o644): string {
    const path = join(this.dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
    return path;
  }

  link(name: string, target: string): string {
    const path = join(this.dir, name);
    rmSync(path, { force: true });
    symlinkSync(target, path);
    return path;
  }

  path(...parts: readonly string[]): string {
    return join(this.dir, ...parts);
  }
}

/** Status and cause, as most tests look at them. */
export const outcome = (request: Request): string => (request.decision === null ? request.status : `${request.status} ${request.decision.cause}`);
