// Starting, stopping and what stands in the way: one copy a data folder, folders that cannot be used, damaged files.

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHROMIUM_SWITCHES, expect, hideWindow, isVisible, readJson, test } from './fixtures';
import { root } from './machine';
import { operate, scriptedAgent } from './scripted-agent';
import { axe, button, goTo } from './stories';

test('a second start hands over to the first and ends', async ({ launch, home, display, bus }) => {
  const { app } = await launch();
  await hideWindow(app);
  const electron = app.evaluate(() => process.execPath);
  const second = spawn(await electron, [...CHROMIUM_SWITCHES, root, '--data-dir', home.dataDir, '--port', '0'], {
    stdio: 'ignore',
    env: { ...process.env, ...home.env, DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: bus },
  });
  expect(await new Promise((done) => second.once('exit', done))).toBe(0);
  await expect.poll(() => isVisible(app)).toBe(true);
});

test('a folder that serve mode owns is left to it, and the screen says so', async ({ launch, serve, home }) => {
  const server = await serve();
  const { page, ended } = await launch();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Another copy of Gatehouse owns this data folder');
  await expect(page.getByRole('alert')).toContainText(server.url);
  expect(await axe(page)).toEqual([]);
  // The owner is not disturbed.
  await scriptedAgent(home.dataDir, home.shop);
  await button(page, 'Quit').click();
  expect(await ended).toBe(1);
});

test('a data folder that cannot be used is named on screen', async ({ launch, home }) => {
  const file = join(home.path, 'in-the-way');
  writeFileSync(file, '');
  const { page } = await launch({ dataDir: join(file, 'data') });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gatehouse could not start');
  await expect(page.getByRole('alert')).toContainText('in-the-way');
  await expect(page.getByText('--data-dir', { exact: false })).toBeVisible();
});

test('a damaged settings file is set aside, kept, and reported on screen', async ({ launch, home, desktop }) => {
  mkdirSync(home.dataDir, { recursive: true });
  writeFileSync(join(home.dataDir, 'settings.json'), '{"theme": "dark", ');
  const { page } = await launch();
  await expect(page.getByRole('alert')).toContainText('The settings file was damaged');
  const aside = readdirSync(home.dataDir).find((name) => name.startsWith('settings.json.damaged-'));
  expect(readFileSync(join(home.dataDir, aside ?? ''), 'utf8')).toBe('{"theme": "dark", ');
  await expect.poll((await desktop.trayItem()).tooltip).toContain('something is wrong');
});

test('a damaged database is moved aside, and everything is asked', async ({ launch, home }) => {
  const first = await launch();
  await expect(first.page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  const allowed = await operate(home.dataDir, 'rule.create', { tool_pattern: 'Bash', action: 'allow', priority: 1 });
  expect(allowed.action).toBe('allow');
  await first.kill();
  for (const name of readdirSync(home.dataDir).filter((one) => one.startsWith('gatehouse.db-'))) writeFileSync(join(home.dataDir, name), '');
  writeFileSync(join(home.dataDir, 'gatehouse.db'), 'this is no database, and long enough to be read as one'.repeat(200));
  const second = await launch();
  await expect(second.page.getByRole('alert').first()).toContainText('database');
  expect(readdirSync(home.dataDir).some((name) => name.startsWith('gatehouse.db.damaged-'))).toBe(true);
  const agent = await scriptedAgent(home.dataDir, home.shop);
  expect((await agent.submit('Bash', { command: 'npm test' })).status).toBe('pending');
});

test('the window comes back where it was', async ({ launch, home }) => {
  const first = await launch();
  const bounds = { x: 60, y: 40, width: 900, height: 640 };
  const place = (app: typeof first.app) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());
  await first.app.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), bounds);
  await expect.poll(() => place(first.app)).toEqual(bounds);
  await first.quit();
  expect(await first.ended).toBe(0);
  expect(readJson(home, 'window.json')).toMatchObject({ bounds });
  const second = await launch();
  await expect.poll(() => place(second.app)).toEqual(bounds);
});

test('closing the window ends Gatehouse where it is not kept in the tray', async ({ launch }) => {
  const { app, page, ended } = await launch();
  await goTo(page, 'Settings');
  await page.getByRole('checkbox', { name: /Keep in the tray/ }).uncheck();
  await expect(page.getByRole('checkbox', { name: /Keep in the tray/ })).not.toBeChecked();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  expect(await ended).toBe(0);
});

test('what is private stays private: folder and files are the owner’s alone, and a clean stop removes the address', async ({ launch, home }) => {
  const { page, quit, ended } = await launch();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await operate(home.dataDir, 'settings.update', { theme: 'dark' });
  const modes = ['', 'operator.token', 'agent.token', 'endpoint.json', 'gatehouse.db', 'settings.json'].map((name) => [
    name,
    (statSync(join(home.dataDir, name)).mode & 0o777).toString(8),
  ]);
  expect(modes).toEqual([
    ['', '700'],
    ...['operator.token', 'agent.token', 'endpoint.json', 'gatehouse.db', 'settings.json'].map((name) => [name, '600']),
  ]);
  await quit();
  expect(await ended).toBe(0);
  expect(readdirSync(home.dataDir)).not.toContain('endpoint.json');
});

test('a wrong option is named, and nothing starts', async ({ home, display, bus }) => {
  const electron = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  test.skip(electron === undefined, 'the runtime is not in the environment');
  const child = spawn(join(electron ?? '', 'electron'), [...CHROMIUM_SWITCHES, root, '--data-dir', home.dataDir, '--port', 'many'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...home.env, DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: bus },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  expect(await new Promise((done) => child.once('exit', done))).toBe(2);
  expect(said).toContain('`--port` must be a number');
});
