// Builds the parts of Gatehouse and hands them to each other: store, paths, broker, agents, doors. The desktop app and the
// headless server start the same parts through here; owns the order of starting and stopping, and nothing else.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { ok, type Result } from '../shared/failure';
import { createConnections, hookRoutes, SHIMMED_AGENTS, thisMachine } from './agents/connections';
import { writeShims } from './agents/shim';
import { type Authenticator, createAuthenticator } from './broker/auth';
import { type Broker, createBroker } from './broker/broker';
import { type Doors, openDoors } from './broker/doors';
import { activityStream } from './broker/exports';
import { findOwner } from './broker/owner';
import { createPaths } from './broker/paths';
import { loadStatic } from './broker/static';
import { claimDataDir } from './store/claim';
import { openStore, type Store, type StoreOptions } from './store/store';
import { type Endpoint, openTokens, readEndpoint, removeEndpoint } from './store/tokens';

/** Where agents find us again after a restart; another free port is taken when it is in use. */
export const USUAL_PORT = 7717;
/** How long the owner of a data folder may take to start, or to stop, before a second start gives up on it. */
const OWNER_MS = 3_000;

export interface PartsOptions {
  readonly dataDir: string;
  /** 0: any free port. Undefined: the usual one, or any. */
  readonly port?: number | undefined;
  readonly version: string;
  /** Folder of the built renderer, served to browsers. */
  readonly rendererDir: string;
  readonly settingsClass?: StoreOptions['settingsClass'];
  /** Command that runs our command line, for shims without curl. */
  readonly cliCommand: readonly string[];
}

export interface Parts {
  readonly store: Store;
  readonly broker: Broker;
  readonly doors: Doors;
  readonly authenticator: Authenticator;
  close(): Promise<void>;
}

/** Another process owns the data folder; `url` is where it answers, null when it does not. */
export interface OwnedElsewhere {
  readonly ownedElsewhere: true;
  readonly url: string | null;
  readonly endpoint: Endpoint | null;
}

/** Throws `StoreUnavailable` when the data folder cannot be used. Failure `unavailable` when the port is taken. */
export async function startParts(options: PartsOptions): Promise<Result<Parts> | OwnedElsewhere> {
  const claim = claimDataDir(options.dataDir);
  if (claim === null) {
    const endpoint = await findOwner(options.dataDir, OWNER_MS);
    return { ownedElsewhere: true, url: endpoint?.url ?? null, endpoint };
  }
  const started: Started = [() => claim.release()];
  try {
    const parts = await startClaimed(options, started);
    if (!parts.ok) await stopAll(started);
    return parts;
  } catch (error) {
    await stopAll(started);
    throw error;
  }
}

/** What ends what was started, in the order of starting. */
type Started = (() => Promise<void> | void)[];

/** Last started, first ended. All of them, whatever one says; the first fault is thrown at the end. */
async function stopAll(started: Started): Promise<void> {
  const faults: unknown[] = [];
  for (const stop of started.splice(0).reverse()) {
    try {
      await stop();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}

async function startClaimed(options: PartsOptions, started: Started): Promise<Result<Parts>> {
  const { dataDir, version, settingsClass } = options;
  forgetFormerOwner(dataDir);
  const tokens = openTokens(dataDir);
  const { store } = openStore({ dataDir, now: Date.now, ...(settingsClass === undefined ? {} : { settingsClass }) });
  started.push(async () => {
    await store.flushed().catch(() => undefined);
    store.close();
  });
  let doors: Doors | null = null;
  const connections = createConnections(
    thisMachine(homedir(), process.env),
    () => ({ url: doors?.endpoint.url ?? '', dataDir, agentToken: tokens.agent }),
    () => new Date(),
  );
  const broker = createBroker({
    store,
    now: Date.now,
    paths: createPaths({ home: homedir() }),
    dataDir,
    version,
    onFault,
    endpoint: () => (doors === null ? null : { url: doors.endpoint.url, socket: doors.endpoint.socket }),
    extraCommands: {
      'agent.list': async () =>
        ok(await connections.list((agent) => [...store.live.sessions.values()].filter((one) => one.agent === agent && one.state !== 'ended').length)),
      'agent.preview': ({ agent, connect }) => connections.preview(agent, connect),
      'agent.connect': ({ agent }) => connections.connect(agent),
      'agent.disconnect': ({ agent }) => connections.disconnect(agent),
    },
  });
  started.push(() => broker.close());
  const authenticator = createAuthenticator(tokens, Date.now);
  const opened = await openDoors({
    broker,
    authenticator,
    dataDir,
    port: options.port ?? USUAL_PORT,
    portIsWish: options.port === undefined,
    version,
    files: loadStatic(options.rendererDir),
    foreignRoutes: hookRoutes(),
    streamRoutes: [activityStream(store)],
    onFault,
  });
  if (!opened.ok) return opened;
  doors = opened.value;
  started.push(opened.value.close);
  if (doors.endpoint.socket !== null) {
    writeShims({
      dataDir,
      socket: doors.endpoint.socket,
      agentToken: tokens.agent,
      agents: SHIMMED_AGENTS,
      fallback: ['env', `GATEHOUSE_DATA_DIR=${dataDir}`, ...options.cliCommand, 'hook'],
    });
  }
  return ok({ store, broker, doors, authenticator, close: () => stopAll(started) });
}

/** An owner that was killed left its address behind, and somebody else may listen there by now. */
function forgetFormerOwner(dataDir: string): void {
  const former = readEndpoint(dataDir);
  if (former !== null) removeEndpoint(dataDir, former.pid);
}

function onFault(error: unknown, where: string): void {
  process.stderr.write(`[gatehouse] fault in ${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

/** Beside the running bundle: `out/main/serve.js` → `out/renderer`. */
export const rendererBeside = (bundleDir: string): string => join(bundleDir, '..', 'renderer');
