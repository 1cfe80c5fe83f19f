// Opens and closes the doors: loopback TCP, and the Unix socket (a named pipe on Windows). Writes endpoint.json once both
// answer, and removes it on a clean stop. Owns addresses; what is said at a door is http.ts and websocket.ts.

import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '../../shared/failure';
import { type Endpoint, removeEndpoint, writeEndpoint } from '../store/tokens';
import { createHttpDoor, type HttpDoorOptions } from './http';
import { isPrivateFolder, socketPaths } from './socket-path';
import { createWebSocketDoor } from './websocket';

const LOOPBACK = '127.0.0.1';
/** On a stop: how long what is being answered may take to go out. Long polls are cut; their requests stay pending. */
const CLOSE_MS = 300;

export interface DoorsOptions extends HttpDoorOptions {
  readonly dataDir: string;
  /** 0: any free port. */
  readonly port: number;
  /** Another one is taken when `port` is in use. */
  readonly portIsWish: boolean;
}

export interface Doors {
  readonly endpoint: Endpoint;
  close(): Promise<void>;
}

/** Failure `unavailable` with the subject `port` when the port cannot be used. */
export async function openDoors(options: DoorsOptions): Promise<Result<Doors>> {
  const websockets = createWebSocketDoor(options.broker, options.onFault);
  const tcp = createHttpDoor('http', options, websockets.upgrade);
  const local = createHttpDoor('socket', options, websockets.upgrade);
  const connections = new Set<Socket>();
  for (const { server } of [tcp, local]) {
    server.on('connection', (connection: Socket) => {
      connections.add(connection);
      connection.once('close', () => connections.delete(connection));
    });
  }

  async function close(): Promise<void> {
    websockets.close();
    const stopped = Promise.all([tcp.stop(), local.stop()]);
    const timer = setTimeout(() => {
      for (const connection of connections) connection.destroy();
    }, CLOSE_MS);
    await stopped;
    clearTimeout(timer);
  }

  const port = await listenOnPort(tcp.server, options.port, options.portIsWish);
  if (!port.ok) {
    await close();
    return port;
  }
  tcp.setPort(port.value);
  try {
    const socket = await listenOnSocket(local.server, options);
    const endpoint: Endpoint = { url: `http://${LOOPBACK}:${port.value}`, socket, pid: process.pid, version: options.version };
    // INVARIANT (spec 14): the address is there when it answers, and not before.
    writeEndpoint(options.dataDir, endpoint);
    return ok({
      endpoint,
      close: () => {
        removeEndpoint(options.dataDir, process.pid);
        return close();
      },
    });
  } catch (error) {
    await close();
    throw error;
  }
}

function listenOnPort(server: Server, port: number, isWish: boolean): Promise<Result<number>> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      server.off('listening', onListening);
      if (isWish && port !== 0 && (error.code === 'EADDRINUSE' || error.code === 'EACCES')) resolve(listenOnPort(server, 0, false));
      else if (error.code === 'EADDRINUSE') resolve(noPort(port, 'another program listens there'));
      else if (error.code === 'EACCES') resolve(noPort(port, 'permission is denied'));
      else reject(error);
    };
    const onListening = (): void => {
      server.off('error', onError);
      resolve(ok((server.address() as AddressInfo).port));
    };
    server.once('error', onError).once('listening', onListening);
    server.listen(port, LOOPBACK);
  });
}

const noPort = (port: number, why: string): ReturnType<typeof fail> =>
  fail('unavailable', `Port ${port} cannot be used: ${why}.`, { hint: 'Choose another with --port, or 0 for any.', subject: 'port' });

/** The path it listens on; null when no place takes a socket, which is logged: everything else works without one. */
async function listenOnSocket(server: Server, { dataDir, onFault }: DoorsOptions): Promise<string | null> {
  let problem: unknown = new Error('no path is short enough');
  for (const path of socketPaths(dataDir)) {
    try {
      await listenAt(server, path);
      return path;
    } catch (error) {
      problem = error;
    }
  }
  onFault(problem, 'opening the socket');
  return null;
}

async function listenAt(server: Server, path: string): Promise<void> {
  const isPipe = process.platform === 'win32';
  if (!isPipe) {
    if (!isPrivateFolder(dirname(path))) throw new Error(`\`${dirname(path)}\` is not a folder of this person alone.`);
    // The data folder is claimed by now, so a socket that is there was left by a server that is gone.
    rmSync(path, { force: true });
  }
  await new Promise<void>((resolve, reject) => {
    const onListening = (): void => {
      server.off('error', onError);
      resolve();
    };
    const onError = (error: Error): void => {
      server.off('listening', onListening);
      reject(error);
    };
    server.once('error', onError).once('listening', onListening);
    server.listen(path);
  });
  if (!isPipe) chmodSync(path, 0o600);
}
