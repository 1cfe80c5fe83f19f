// npm run build: builds out/ anew, whether it is stale or not.

import { build, ensureInstalled, stop } from './prepare.mjs';

ensureInstalled();
if (!build()) stop('The build failed; see above.');
