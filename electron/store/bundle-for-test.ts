// Bundles a file of the program the way the program is bundled, so that tests can start it as a process of its own.

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';

/** Path of a CommonJS file that plain Node runs. `from`: folder of the source, this room unless given. Lies below node_modules, where the SQLite driver is found from. */
export async function bundle(name: string, from: string = __dirname): Promise<string> {
  const outDir = resolve(__dirname, '../../node_modules/.cache/gatehouse-tests', `${name}-${process.pid}`);
  mkdirSync(outDir, { recursive: true });
  await build({
    configFile: false,
    logLevel: 'error',
    define: { GATEHOUSE_VERSION: JSON.stringify('0.0.0-test') },
    ssr: { noExternal: true },
    build: {
      ssr: join(from, `${name}.ts`),
      target: 'node18.15',
      outDir,
      minify: false,
      rollupOptions: { external: ['@photostructure/sqlite', 'electron'], output: { format: 'cjs', entryFileNames: `${name}.cjs` } },
    },
  });
  return join(outDir, `${name}.cjs`);
}
