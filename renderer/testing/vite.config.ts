// Builds the page to look at screens with (look.html), as the renderer itself is built:
// `npx vite build --config renderer/testing/vite.config.ts`, then serve the folder it names.

import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: `${__dirname}/..`,
  plugins: [react(), tailwindcss()],
  build: {
    target: 'chrome114',
    cssTarget: 'chrome114',
    minify: true,
    emptyOutDir: true,
    outDir: process.env.LOOK_TO ?? `${__dirname}/../../node_modules/.cache/look`,
    rollupOptions: { input: { look: `${__dirname}/look.html` } },
  },
});
