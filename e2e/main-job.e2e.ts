// The main job in the real desktop app, and what only a desktop app can do to it: be killed in the middle.

import { expect, test } from './fixtures';
import { scriptedAgent } from './scripted-agent';
import { button, MAIN_STORIES, requests } from './stories';

for (const [name, live] of Object.entries(MAIN_STORIES)) {
  test(name, async ({ launch, home }) => {
    const { page } = await launch();
    await live({ page, home });
  });
}

test('a request survives kill -9, and answering it after the restart lets the agent go on', async ({ launch, home }) => {
  const first = await launch();
  const agent = await scriptedAgent(home.dataDir, home.shop);
  const answered = agent.ask('Bash', { command: 'npm test' });
  await expect(requests(first.page)).toHaveCount(1);
  await first.kill();
  const second = await launch();
  await expect(requests(second.page)).toHaveCount(1);
  await expect(requests(second.page).first()).toContainText('Run npm test');
  await requests(second.page).first().click();
  await button(second.page, 'Allow once').click();
  const request = await answered;
  expect([request.status, request.decision?.cause]).toEqual(['allowed', 'human']);
});

test('the keys answer: D denies, and typing while a request arrives decides nothing', async ({ launch, home }) => {
  const { page } = await launch();
  const agent = await scriptedAgent(home.dataDir, home.shop);
  await agent.submit('Bash', { command: 'npm run one' });
  await expect(requests(page)).toHaveCount(1);
  const listbox = page.getByRole('listbox', { name: 'Requests' });
  await listbox.focus();
  // In flight while the request appears: too early for any key to count.
  const second = agent.ask('Bash', { command: 'npm run two' });
  await expect(requests(page)).toHaveCount(2);
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await expect(requests(page)).toHaveCount(2);
  await expect(button(page, 'Allow once')).toBeEnabled();
  await listbox.focus();
  await page.keyboard.press('d');
  const request = await second;
  expect([request.status, request.decision?.cause]).toEqual(['denied', 'human']);
});

test('the page is sandboxed and gets nothing but the bridge', async ({ launch }) => {
  const { app, page } = await launch();
  const seen = await page.evaluate(() => ({
    node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in globalThis),
    bridge: Object.keys((globalThis as unknown as { gatehouse: object }).gatehouse).sort(),
    url: window.location.href.split('#')[0],
  }));
  expect(seen).toEqual({
    node: [],
    bridge: ['door', 'invoke', 'onChanges', 'onNudge', 'pickFolder', 'platform', 'snapshot'],
    url: 'app://gatehouse/',
  });
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> } | undefined;
    const { sandbox, contextIsolation, nodeIntegration, webviewTag } = contents?.getLastWebPreferences() ?? {};
    return { sandbox, contextIsolation, nodeIntegration, webviewTag };
  });
  expect(preferences).toEqual({ sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false });
});

test('the page cannot leave, open windows, fetch from elsewhere, or run text as code', async ({ launch }) => {
  const { app, page } = await launch();
  const tried = await page.evaluate(async () => {
    const failed = async (work: () => unknown): Promise<boolean> => {
      try {
        return (await work()) === null;
      } catch {
        return true;
      }
    };
    const results = {
      popup: await failed(() => window.open('https://example.test/')),
      fetch: await failed(() => fetch('https://example.test/')),
      loopback: await failed(() => fetch('http://127.0.0.1:1/')),
      file: await failed(() => fetch('file:///etc/hostname')),
      // Later, because text that the debugger of this test runs itself is let through.
      code: await new Promise<boolean>((done) => {
        window.setTimeout(() => void failed(() => new Function('return 1')()).then(done));
      }),
      climb: (await fetch('app://gatehouse/..%2f..%2fpackage.json')).status,
      notifications: await Notification.requestPermission(),
    };
    return results;
  });
  expect(tried).toEqual({ popup: true, fetch: true, loopback: true, file: true, code: true, climb: 404, notifications: 'denied' });
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  await page.evaluate(() => {
    window.location.href = 'https://example.test/';
  });
  // Asked of main: the test's own page waits for a navigation that never comes.
  const where = () =>
    app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return [contents?.getURL(), await contents?.executeJavaScript(`document.querySelector('nav')?.getAttribute('aria-label')`)];
    });
  expect(await where()).toEqual([expect.stringMatching(/^app:\/\/gatehouse\//), 'Main']);
});
