// Where the data folder is when nobody names one: the folder that Electron calls `userData`, found without Electron, so
// that the window, the headless server and the command line meet in the same place (spec 14).

import { homedir } from 'node:os';
import { join } from 'node:path';

/** Must equal `productName` in package.json: Electron derives its own folder from that. */
const PRODUCT = 'Gatehouse';

export function defaultDataDir(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = homedir();
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', PRODUCT);
    case 'win32':
      return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), PRODUCT);
    default:
      return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), PRODUCT);
  }
}
