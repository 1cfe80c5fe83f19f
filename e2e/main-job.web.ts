// The main job in a browser at serve mode, through the one-time login link.

import { expect, test } from './fixtures';
import { startServer } from './machine';
import { scriptedAgent } from './scripted-agent';
import { button, MAIN_STORIES, requests } from './stories';

for (const [name, live] of Object.entries(MAIN_STORIES)) {
  test(name, async ({ page, serve, home }) => {
    const server = await serve();
    await page.goto(server.loginUrl);
    await live({ page, home });
  });
}

test('the login link works once, and without it there is nothing to see', async ({ page, context, browser, serve }) => {
  const server = await serve();
  await page.goto(server.loginUrl);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  expect(page.url()).not.toContain('code=');
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  const stranger = await browser.newContext();
  const other = await stranger.newPage();
  const again = await other.goto(server.loginUrl);
  expect(again?.status()).toBeGreaterThanOrEqual(400);
  await other.goto(server.url);
  await expect(other.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  await stranger.close();
});

test('a request survives kill -9 of the server, and answering it after the restart lets the agent go on', async ({ page, serve, home }) => {
  const first = await serve();
  const agent = await scriptedAgent(home.dataDir, home.shop);
  const answered = agent.ask('Bash', { command: 'npm test' });
  await page.goto(first.loginUrl);
  await expect(requests(page)).toHaveCount(1);
  await first.kill();
  await expect(page.getByRole('alert')).toContainText('cannot be reached');
  const second = await startServer(home);
  await page.goto(second.loginUrl);
  await expect(requests(page)).toHaveCount(1);
  await requests(page).first().click();
  await button(page, 'Allow once').click();
  const request = await answered;
  expect([request.status, request.decision?.cause]).toEqual(['allowed', 'human']);
  await second.stop();
});

test('a clean stop on SIGTERM ends with code 0 and removes the address', async ({ serve }) => {
  const server = await serve();
  await server.stop();
  await expect(fetch(server.url)).rejects.toThrow();
});
