// Where the Unix socket is: in the data folder, or, where that path is too long or the disk takes no sockets, in a folder of
// the person's own that nobody else can enter. A named pipe on Windows. Owns the names; listens to nothing.

import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes that every system takes: macOS has 104 with the closing zero, Linux 108. */
const MAX_SOCKET_PATH_BYTES = 103;

/** In the order to try them; none is longer than a system takes. The folder is not made yet. */
export function socketPaths(dataDir: string, env: Readonly<Record<string, string | undefined>> = process.env): readonly string[] {
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return [`\\\\.\\pipe\\gatehouse-${name}-${randomUUID()}`];
  const inside = join(dataDir, 'gatehouse.sock');
  const elsewhere = [env.XDG_RUNTIME_DIR, tmpdir(), '/tmp'].flatMap((parent) =>
    parent ? [join(parent, `gatehouse-${process.getuid?.() ?? 0}`, `${name}.sock`)] : [],
  );
  return [inside, ...elsewhere].filter((path) => Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES);
}

/**
 * Makes the folder, or takes one that is there and ours. False when it is somebody else's or no folder: in a temporary folder
 * that all share, another person may have been there first.
 */
export function isPrivateFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid())) return false;
    if ((found.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}
