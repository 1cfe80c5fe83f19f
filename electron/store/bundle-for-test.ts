// Bundles a file of this room the way the program is bundled, so that tests can start it as a process of its own.

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';

/** Path of a CommonJS file that plain Node runs. Lies below node_modules, where the SQLite driver is found from. */
export async function bundle(name: string): Promise<string> {
  const outDir = resolve(__dirname, '../../node_modules/.cache/gatehouse-tests', `${name}-${process.pid}`);
  mkdirSync(outDir, { recursive: true });
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(__dirname, `${name}.ts`),
      target: 'node18.15',
      outDir,
      minify: false,
      rollupOptions: { external: ['@photostructure/sqlite', 'electron'], output: { format: 'cjs', entryFileNames: `${name}.cjs` } },
    },
  });
  return join(outDir, `${name}.cjs`);
}
