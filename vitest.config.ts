// Unit and integration tests stand beside the source. `electron` is a stub here: importing the real package in plain
// Node starts a download (resolved in electron/desktop/electron-stub.ts).
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['shared/**/*.test.ts', 'electron/**/*.test.ts', 'renderer/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    environment: 'node',
    testTimeout: 20_000,
    alias: { electron: resolve(__dirname, 'electron/desktop/electron-stub.ts') },
  },
});
