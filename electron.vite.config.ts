// One build for both runtimes: everything is bundled as CommonJS for Node 18 (the oldest Electron that tests run on) but
// the SQLite addon and optional natives, and the renderer for Chromium 114.
import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const NODE = 'node18.15';
const CHROME = 'chrome114';
const external = ['electron', '@photostructure/sqlite', 'bufferutil', 'utf-8-validate', 'x11', 'usocket'];
const here = (path: string): string => resolve(__dirname, path);

export default defineConfig({
  main: {
    build: {
      target: NODE,
      outDir: 'out/main',
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
      outDir: 'out/preload',
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
      outDir: 'out/renderer',
      rollupOptions: { input: { index: here('renderer/index.html') } },
    },
  },
});
