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
import { createPaths } from './broker/paths';
import { loadStatic } from './broker/static';
import { type Claim, claimDataDir } from './store/claim';
import { openStore, type Store, type StoreOptions } from './store/store';
import { openTokens, readEndpoint } from './store/tokens';

/** Where agents find us again after a restart; another free port is taken when it is in use. */
export const USUAL_PORT = 7717;

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

/** Another process owns the data folder; `url` is where it answers, null when it has not said yet. */
export interface OwnedElsewhere {
  readonly ownedElsewhere: true;
  readonly url: string | null;
}

/** Throws `StoreUnavailable` when the data folder cannot be used. Failure `unavailable` when the port is taken. */
export async function startParts(options: PartsOptions): Promise<Result<Parts> | OwnedElsewhere> {
  const { dataDir, version } = options;
  const claim = claimDataDir(dataDir);
  if (claim === null) return { ownedElsewhere: true, url: readEndpoint(dataDir)?.url ?? null };
  try {
    return await startClaimed(options, claim);
  } catch (error) {
    claim.release();
    throw error;
  }

  async function startClaimed(given: PartsOptions, owned: Claim): Promise<Result<Parts>> {
    const tokens = openTokens(dataDir);
    const { store } = openStore({ dataDir, now: Date.now, ...(given.settingsClass === undefined ? {} : { settingsClass: given.settingsClass }) });
    const onFault = (error: unknown, where: string): void => {
      process.stderr.write(`[gatehouse] fault in ${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    };
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
          ok(
            await connections.list((agent) => [...store.live.sessions.values()].filter((one) => one.agent === agent && one.state !== 'ended').length),
          ),
        'agent.preview': ({ agent, connect }) => connections.preview(agent, connect),
        'agent.connect': ({ agent }) => connections.connect(agent),
        'agent.disconnect': ({ agent }) => connections.disconnect(agent),
      },
    });
    const authenticator = createAuthenticator(tokens, Date.now);
    const opened = await openDoors({
      broker,
      authenticator,
      dataDir,
      port: given.port ?? USUAL_PORT,
      portIsWish: given.port === undefined,
      version,
      files: loadStatic(given.rendererDir),
      foreignRoutes: hookRoutes(),
      streamRoutes: [activityStream(store)],
      onFault,
    });
    if (!opened.ok) {
      await broker.close();
      store.close();
      owned.release();
      return opened;
    }
    doors = opened.value;
    if (doors.endpoint.socket !== null) {
      writeShims({
        dataDir,
        socket: doors.endpoint.socket,
        agentToken: tokens.agent,
        agents: SHIMMED_AGENTS,
        fallback: ['env', `GATEHOUSE_DATA_DIR=${dataDir}`, ...given.cliCommand, 'hook'],
      });
    }
    const closeDoors = doors.close;
    return ok({
      store,
      broker,
      doors,
      authenticator,
      async close() {
        await closeDoors();
        await broker.close();
        await store.flushed().catch(() => undefined);
        store.close();
        owned.release();
      },
    });
  }
}

/** Beside the running bundle: `out/main/serve.js` → `out/renderer`. */
export const rendererBeside = (bundleDir: string): string => join(bundleDir, '..', 'renderer');
