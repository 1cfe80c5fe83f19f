// One build for both runtimes: everything is bundled as CommonJS for Node 18 (the oldest Electron that tests run on) but
// the SQLite addon and optional natives, and the renderer for Chromium 114.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const NODE = 'node18.15';
const CHROME = 'chrome114';
const external = ['electron', '@photostructure/sqlite', 'bufferutil', 'utf-8-validate', 'x11', 'usocket'];
/** Known at build time, so that no bundle looks for package.json. */
const define = { GATEHOUSE_VERSION: JSON.stringify(JSON.parse(readFileSync(resolve(__dirname, 'package.json'), 'utf8')).version) };
const here = (path: string): string => resolve(__dirname, path);
// The build script builds beside out/ and swaps, so that a running app never sees half a build.
const out = (part: string): string => here(`${process.env.GATEHOUSE_BUILD_TO ?? 'out'}/${part}`);

export default defineConfig({
  main: {
    define,
    build: {
      target: NODE,
      outDir: out('main'),
      externalizeDeps: false,
      rollupOptions: {
        input: { main: here('electron/main.ts'), serve: here('electron/serve.ts'), cli: here('electron/cli/cli.ts') },
        external,
        output: { format: 'cjs', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      target: NODE,
      outDir: out('preload'),
      externalizeDeps: false,
      rollupOptions: {
        input: { preload: here('electron/preload.ts') },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].js' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [react(), tailwindcss()],
    build: {
      target: CHROME,
      cssTarget: CHROME,
      minify: true,
      // One file from disk: splitting it would gain nothing.
      chunkSizeWarningLimit: 2_000,
      outDir: out('renderer'),
      rollupOptions: { input: { index: here('renderer/index.html') } },
    },
  },
});
