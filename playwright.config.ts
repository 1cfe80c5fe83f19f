// End-to-end stories: `electron` in the real app on a display without a screen, `web` in Chromium against serve mode.

import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const CHROMIUM =
  process.env.GATEHOUSE_CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  timeout: 90_000,
  expect: { timeout: 10_000 },
  workers: Number(process.env.GATEHOUSE_E2E_WORKERS ?? 2),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  projects: [
    { name: 'electron', testMatch: /.*\.e2e\.ts$/ },
    {
      name: 'web',
      testMatch: /.*\.web\.ts$/,
      use: {
        browserName: 'chromium',
        trace: 'retain-on-failure',
        screenshot: 'only-on-failure',
        launchOptions: {
          ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
          args: [
            ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
            '--disable-gpu',
            '--disable-quic',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
          ],
        },
      },
    },
  ],
});
