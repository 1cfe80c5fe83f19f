// Notifications as the desktop sees them on the bus: when they stand, what they say, and what their buttons do. They are for
// the person who looks elsewhere, so the stories hide the window.

import { expect, hideWindow, test } from './fixtures';
import { operate, scriptedAgent } from './scripted-agent';
import { requests } from './stories';

test('one with Open and Deny after four seconds, and Deny tells the agent', async ({ launch, desktop, home }) => {
  const { app, page } = await launch();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await hideWindow(app);
  const agent = await scriptedAgent(home.dataDir, home.shop);
  const askedAt = Date.now();
  const answered = agent.ask('Bash', { command: 'npm test --token 123456' });
  await expect.poll(() => desktop.notifications().length).toBe(1);
  expect(Date.now() - askedAt).toBeGreaterThan(3_500);
  const [shown] = desktop.notifications();
  expect(shown).toMatchObject({ summary: 'Claude Code wants to run a command: npm', body: 'Session shop', urgency: 1 });
  expect(shown?.actions.map(({ key, label }) => [key.split('.')[0], label])).toEqual([
    ['default', 'Open'],
    ['open', 'Open'],
    ['deny', 'Deny'],
  ]);
  expect(JSON.stringify(shown)).not.toContain('123456');
  if (shown !== undefined) desktop.press(shown, 'Deny');
  const request = await answered;
  expect([request.status, request.decision?.cause]).toEqual(['denied', 'human']);
  expect(desktop.notifications()).toEqual([]);
});

test('Open shows the window on the request and answers nothing', async ({ launch, desktop, home }) => {
  const { app, page } = await launch();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  const agent = await scriptedAgent(home.dataDir, home.shop);
  await agent.submit('Bash', { command: 'npm run one' });
  await expect(requests(page)).toHaveCount(1);
  await hideWindow(app);
  const other = await scriptedAgent(home.dataDir, home.shop, { agent: 'codex', title: 'till' });
  await other.submit('Bash', { command: 'npm run two' });
  await expect.poll(() => desktop.notifications().map(({ body }) => body)).toContain('Session till');
  const shown = desktop.notifications().find(({ body }) => body === 'Session till');
  if (shown !== undefined) desktop.press(shown, 'Open');
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())).toBe(true);
  await expect(page.getByRole('option', { selected: true })).toContainText('npm run two');
  expect((await operate(home.dataDir, 'inbox.list', {})).items).toHaveLength(2);
});

test('a session has one, which follows what waits and goes when nothing does', async ({ launch, desktop, home }) => {
  const { app, page } = await launch();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await hideWindow(app);
  const agent = await scriptedAgent(home.dataDir, home.shop);
  const first = await agent.submit('Bash', { command: 'npm run one' });
  const second = await agent.submit('Bash', { command: 'npm run two' });
  await expect.poll(() => desktop.notifications().map(({ summary }) => summary)).toEqual(['Claude Code: 2 waiting']);
  await operate(home.dataDir, 'request.resolve', { id: first.id, digest: first.digest, action: 'deny' });
  await expect
    .poll(() => desktop.notifications().map(({ summary, updates }) => [summary, updates > 0]))
    .toEqual([['Claude Code wants to run a command: npm', true]]);
  await operate(home.dataDir, 'request.resolve', { id: second.id, digest: second.digest, action: 'deny' });
  await expect.poll(() => desktop.notifications()).toEqual([]);
});

test('high risk does not wait', async ({ launch, desktop, home }) => {
  const { app, page } = await launch();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await hideWindow(app);
  const agent = await scriptedAgent(home.dataDir, home.shop);
  const request = await agent.submit('Bash', { command: 'git push --force origin main' });
  expect(request.risk.level).toBe('high');
  await expect.poll(() => desktop.notifications().map(({ body }) => body), { timeout: 3_000 }).toEqual(['High risk\nSession shop']);
});

test('none while questions are held, or when the person wants none', async ({ launch, desktop, home }) => {
  const { app, page } = await launch();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await hideWindow(app);
  await operate(home.dataDir, 'settings.update', { questions_held: true });
  const agent = await scriptedAgent(home.dataDir, home.shop);
  await agent.submit('Bash', { command: 'git push --force origin main' });
  const item = await desktop.trayItem();
  await expect.poll(item.tooltip).toBe('Gatehouse: 1 waiting, questions are held');
  expect(desktop.notifications()).toEqual([]);
  await operate(home.dataDir, 'settings.update', { questions_held: false });
  await expect.poll(() => desktop.notifications().length).toBe(1);
  await operate(home.dataDir, 'settings.update', { notifications: 'none' });
  await expect.poll(() => desktop.notifications()).toEqual([]);
});
