// Bundles a TypeScript entry of bench/ for Node, dependencies included, so that measuring pays no loader. Returns the file.

import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export const root = resolve(fileURLToPath(new URL('..', import.meta.url)));

export async function bundle(entry, name) {
  const outDir = join(root, 'out', 'bench');
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      ssr: join(root, entry),
      outDir,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rollupOptions: { external: ['@photostructure/sqlite'], output: { format: 'es', entryFileNames: `${name}.mjs` } },
    },
    ssr: { noExternal: true, external: ['@photostructure/sqlite'] },
  });
  return join(outDir, `${name}.mjs`);
}
