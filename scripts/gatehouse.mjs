#!/usr/bin/env node
// The `gatehouse` command from a checkout: npx gatehouse connect claude-code.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs';

ensureInstalled();
ensureBuilt();
createRequire(import.meta.url)(join(root, 'out', 'main', 'cli.js'));
