// npm run typecheck: four looks at the types. Everything against the Electron that ships; the main process against the
// oldest Electron that tests run on; engine and shared without Node and DOM types, which keeps them pure.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, root } from './prepare.mjs';

export const PROJECTS = ['tsconfig.json', 'tsconfig.floor.json', 'electron/engine/tsconfig.json', 'shared/tsconfig.json'];

ensureInstalled();
const check = (project) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '-p', project], { cwd: root });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk;
      });
    child.on('close', (code) => {
      process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${project}\n${said}`);
      resolve(code === 0);
    });
  });

const results = await Promise.all(PROJECTS.map(check));
process.exitCode = results.every(Boolean) ? 0 : 1;
