// Opens and closes the doors: loopback TCP, and the Unix socket (a named pipe on Windows). Writes endpoint.json once both
// answer, and removes it on a clean stop. Owns addresses; what is said at a door is http.ts and websocket.ts.

import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, type Result } from '../../shared/failure';
import { type Endpoint, removeEndpoint, writeEndpoint } from '../store/tokens';
import { createHttpDoor, type HttpDoorOptions } from './http';
import { createWebSocketDoor } from './websocket';

/** Longest path of a Unix socket that every system takes. */
const MAX_SOCKET_PATH = 100;
const CLOSE_MS = 1_000;

export interface DoorsOptions extends HttpDoorOptions {
  readonly dataDir: string;
  /** 0: any free port. */
  readonly port: number;
  /** Taken when `port` is in use and was only a wish. */
  readonly portIsWish: boolean;
}

export interface Doors {
  readonly endpoint: Endpoint;
  close(): Promise<void>;
}

/** `unavailable` with the port as subject when it is taken. */
export async function openDoors(options: DoorsOptions): Promise<Result<Doors>> {
  const websockets = createWebSocketDoor(options.broker);
  const tcp = createHttpDoor('http', options, websockets.upgrade);
  const socketDoor = createHttpDoor('socket', options, websockets.upgrade);
  const connections = new Set<Socket>();
  for (const { server } of [tcp, socketDoor]) {
    server.on('connection', (connection: Socket) => {
      connections.add(connection);
      connection.once('close', () => connections.delete(connection));
    });
  }
  const port = await listenOnPort(tcp.server, options.port, options.portIsWish);
  if (!port.ok) {
    websockets.close();
    return port;
  }
  tcp.setPort(port.value);
  const socket = socketPath(options.dataDir);
  await listenOnSocket(socketDoor.server, socket);
  const endpoint: Endpoint = { url: `http://127.0.0.1:${port.value}`, socket, pid: process.pid, version: options.version };
  writeEndpoint(options.dataDir, endpoint);

  async function close(): Promise<void> {
    removeEndpoint(options.dataDir, process.pid);
    websockets.close();
    const closed = Promise.all([closeServer(tcp.server), closeServer(socketDoor.server)]);
    // Long polls would hold the servers open: whoever waits connects again, and its request stays pending.
    const timer = setTimeout(() => destroyAll(connections), CLOSE_MS);
    for (const connection of connections) connection.end();
    tcp.server.closeIdleConnections();
    socketDoor.server.closeIdleConnections();
    destroyAll(connections);
    await closed;
    clearTimeout(timer);
  }

  return { ok: true, value: { endpoint, close } };
}

function listenOnPort(server: Server, port: number, isWish: boolean): Promise<Result<number>> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE' && isWish && port !== 0) {
        server.removeListener('error', onError);
        resolve(listenOnPort(server, 0, false));
      } else if (error.code === 'EADDRINUSE' || error.code === 'EACCES') {
        resolve(
          fail('unavailable', `Port ${port} cannot be used: ${error.code === 'EACCES' ? 'permission is denied' : 'another program listens there'}.`, {
            hint: 'Choose another with --port, or 0 for any.',
            subject: 'port',
          }),
        );
      } else reject(error);
    };
    server.once('error', onError);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', onError);
      resolve({ ok: true, value: (server.address() as AddressInfo).port });
    });
  });
}

/** In the data folder; where its path is too long for a socket, in a private folder of ours that is named after it. */
function socketPath(dataDir: string): string {
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\gatehouse-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}-${randomUUID()}`;
  const inside = join(dataDir, 'gatehouse.sock');
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH) return inside;
  const folder = join(process.env.XDG_RUNTIME_DIR ?? tmpdir(), `gatehouse-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return join(folder, `${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`);
}

/** The data folder is claimed by now, so a socket file that is there was left by a server that is gone. */
function listenOnSocket(server: Server, path: string): Promise<void> {
  if (process.platform !== 'win32') rmSync(path, { force: true });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.removeListener('error', reject);
      if (process.platform !== 'win32') chmodSync(path, 0o600);
      resolve();
    });
  });
}

const closeServer = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

function destroyAll(connections: Set<Socket>): void {
  for (const connection of connections) connection.destroy();
}
