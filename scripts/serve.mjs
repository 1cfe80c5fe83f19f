// npm run serve -- --data-dir DIR --port N: the control center and the API without a window. Runs the built server in this
// very process, so that signals and exit codes are its own.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs';

ensureInstalled();
ensureBuilt();
createRequire(import.meta.url)(join(root, 'out', 'main', 'serve.js'));
