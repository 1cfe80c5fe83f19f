// The tray as the desktop sees it on the bus: shape, tooltip, menu, and what its entries do.

import { expect, isVisible, test } from './fixtures';
import { operate, scriptedAgent } from './scripted-agent';
import { requests } from './stories';

const labels = (entries: readonly { readonly label: string; readonly isSeparator: boolean }[]): readonly string[] =>
  entries.map(({ label, isSeparator }) => (isSeparator ? '-' : label));

test('counts in tooltip, drawing and title, and lists the oldest three', async ({ launch, desktop, home }) => {
  const { app } = await launch();
  const item = await desktop.trayItem();
  await expect.poll(item.tooltip).toBe('Gatehouse: nothing waiting');
  const quiet = await item.icon();
  expect([quiet.width >= 22, quiet.height === quiet.width]).toEqual([true, true]);
  const agent = await scriptedAgent(home.dataDir, home.shop);
  for (const name of ['one', 'two', 'three', 'four']) await agent.submit('Bash', { command: `npm run ${name}` });
  await expect.poll(item.tooltip).toBe('Gatehouse: 4 waiting');
  expect((await item.icon()).pixels).not.toBe(quiet.pixels);
  expect(labels(await item.menu())).toEqual([
    '4 waiting',
    'Claude Code: Run npm run one',
    'Claude Code: Run npm run two',
    'Claude Code: Run npm run three',
    '-',
    'Show inbox',
    'Hold questions',
    '-',
    'Quit Gatehouse',
  ]);
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())).toBe('Gatehouse: 4 waiting');
});

test('closing the window keeps Gatehouse in the tray, a click brings it back', async ({ launch, desktop, home }) => {
  const { app, page } = await launch();
  const item = await desktop.trayItem();
  await expect.poll(() => isVisible(app)).toBe(true);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => isVisible(app)).toBe(false);
  // Agents are served all the same.
  const agent = await scriptedAgent(home.dataDir, home.shop);
  await agent.submit('Bash', { command: 'npm test' });
  await item.click();
  await expect.poll(() => isVisible(app)).toBe(true);
  await expect(requests(page)).toHaveCount(1);
});

test('an entry opens its request, Hold holds, Revoke revokes, Quit quits', async ({ launch, desktop, home }) => {
  const { page, ended } = await launch();
  const item = await desktop.trayItem();
  const agent = await scriptedAgent(home.dataDir, home.shop);
  const [first, second] = [await agent.submit('Bash', { command: 'npm run one' }), await agent.submit('Bash', { command: 'npm run two' })];
  await expect.poll(item.tooltip).toBe('Gatehouse: 2 waiting');
  await item.clickMenu('Claude Code: Run npm run two');
  await expect(page.getByRole('option', { selected: true })).toContainText('npm run two');
  // Shown, not answered.
  expect((await operate(home.dataDir, 'inbox.list', {})).items).toHaveLength(2);

  const shape = (await item.icon()).pixels;
  await item.clickMenu('Hold questions');
  await expect.poll(item.tooltip).toBe('Gatehouse: 2 waiting, questions are held');
  expect((await item.menu()).find(({ label }) => label === 'Hold questions')?.isChecked).toBe(true);
  expect((await item.icon()).pixels).not.toBe(shape);
  await item.clickMenu('Hold questions');
  await expect.poll(item.tooltip).toBe('Gatehouse: 2 waiting');

  await operate(home.dataDir, 'request.resolve', { id: first.id, digest: first.digest, action: 'approve', scope: 'session', choice: 'program' });
  await operate(home.dataDir, 'request.resolve', { id: second.id, digest: second.digest, action: 'deny' }).catch(() => undefined);
  await expect.poll(async () => labels(await item.menu()).some((label) => label.startsWith('Revoke '))).toBe(true);
  expect((await agent.submit('Bash', { command: 'npm run three' })).status).toBe('allowed');
  await item.clickMenu(/^Revoke /);
  await expect.poll(async () => labels(await item.menu()).some((label) => label.startsWith('Revoke '))).toBe(false);
  expect((await agent.submit('Bash', { command: 'npm run four' })).status).toBe('pending');

  // It may be gone before it answers the click.
  await item.clickMenu('Quit Gatehouse').catch(() => undefined);
  expect(await ended).toBe(0);
});
