// What the command line and the environment say about this start: which data folder, which port, shown or in the tray.
// Owns the reading; switches meant for Chromium and for the tools around Electron are left alone.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '../../shared/failure';

export interface LaunchOptions {
  /** Absolute. Null: Electron's own `userData`. */
  readonly dataDir: string | null;
  /** 0: any free port. Undefined: the usual one. */
  readonly port: number | undefined;
  /** Starts in the tray, as at login. */
  readonly isHidden: boolean;
}

const MAX_PORT = 65_535;

/** `argv` without the program itself. Failure `invalid` with the option as subject. */
export function readLaunchOptions(argv: readonly string[], env: Readonly<Record<string, string | undefined>>, cwd: string): Result<LaunchOptions> {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: { 'data-dir': { type: 'string' }, port: { type: 'string' }, hidden: { type: 'boolean' } },
  });
  const folder = values['data-dir'] ?? env.GATEHOUSE_DATA_DIR;
  if (folder === true || folder === '') {
    return fail('invalid', '`--data-dir` needs a folder.', { hint: 'Name the folder after it: --data-dir DIR.', subject: 'data-dir' });
  }
  const port = typeof values.port === 'string' && /^\d{1,5}$/.test(values.port) ? Number(values.port) : undefined;
  if (values.port !== undefined && (port === undefined || port > MAX_PORT)) {
    return fail('invalid', `\`--port\` must be a number up to ${MAX_PORT}, not \`${values.port === true ? '' : values.port}\`.`, {
      hint: 'Leave it out to use the usual port.',
      subject: 'port',
    });
  }
  return ok({ dataDir: typeof folder === 'string' ? resolve(cwd, folder) : null, port, isHidden: values.hidden === true });
}
