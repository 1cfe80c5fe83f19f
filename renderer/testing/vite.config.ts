// Builds the page to look at screens with (look.html), as the renderer itself is built.

import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: resolve(__dirname, '..'),
  plugins: [react(), tailwindcss()],
  build: {
    target: 'chrome114',
    cssTarget: 'chrome114',
    minify: true,
    emptyOutDir: true,
    outDir: process.env.LOOK_TO ?? resolve(__dirname, '../../node_modules/.cache/look'),
    rollupOptions: { input: { look: resolve(__dirname, 'look.html') } },
  },
});
