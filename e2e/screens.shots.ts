// Draws docs/screens/*.png: each destination and the states of the inbox, light and dark, with a day's work in it. Made
// from the real app with real requests; nothing is painted.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { test as base, expect, type Launched } from './fixtures';
import { type Home, newHome, root } from './machine';
import { operate, scriptedAgent } from './scripted-agent';
import { button, goTo, requests } from './stories';

const FOLDER = join(root, 'docs', 'screens');
const SIZE = { width: 1180, height: 760 };

const ROUND = `export interface Line {
  readonly price: number;
  readonly rate: number;
}

export function tax(line: Line): number {
  return Math.round(line.price * line.rate);
}

export function total(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.price + tax(line), 0);
}
`;

/** A home with a name that looks well on a picture. */
const test = base.extend({
  home: async ({ browserName: _ }, use) => {
    const home = newHome('ada');
    await use(home);
    home.remove();
  },
});

/** A morning: two agents, a project with a ticket, rules that settled some calls, answers, and what waits now. */
async function aMorning(home: Home): Promise<void> {
  writeFileSync(join(home.shop, 'src', 'tax.ts'), ROUND);
  const { id: project_id } = await operate(home.dataDir, 'project.create', { name: 'Shop', folder: home.shop });
  const { id: ticket_id } = await operate(home.dataDir, 'ticket.create', { project_id, title: 'Fix tax rounding' });
  await operate(home.dataDir, 'group.create', { id: 'careful', name: 'Careful', description: 'Edits ask, reads and tests run' });
  await operate(home.dataDir, 'rule.create', {
    group_id: 'careful',
    tool_pattern: '@exec',
    command_pattern: 'npm test *',
    action: 'allow',
    note: 'tests',
  });
  await operate(home.dataDir, 'rule.create', {
    group_id: 'careful',
    tool_pattern: '@fs_write',
    path_pattern: 'migrations/*',
    action: 'deny',
    reason: 'Migrations are written by hand.',
  });
  await operate(home.dataDir, 'run_context.set', {
    target: { owner: 'project', project_id },
    run_context: { security_group: 'careful', allow_fs_writes: ['docs'], system_prompt: ['Use the helpers in money.ts for amounts.'] },
  });
  const bound = await operate(home.dataDir, 'session.open', { agent: 'claude-code', cwd: home.shop, title: 'shop', project_id, ticket_id });
  const shop = await scriptedAgent(home.dataDir, home.shop, { resume: bound.id });
  const api = await scriptedAgent(home.dataDir, join(home.path, 'api'), { agent: 'codex', title: 'api' });

  await shop.submit('Read', { file_path: join(home.shop, 'src', 'tax.ts') });
  await shop.submit('Bash', { command: 'npm test' });
  await shop.submit('Write', { file_path: join(home.shop, 'migrations', '7.sql'), content: 'alter table' });
  const lint = await shop.submit('Bash', { command: 'npm run lint' });
  await operate(home.dataDir, 'request.resolve', { id: lint.id, digest: lint.digest, action: 'approve', scope: 'session' });
  const install = await shop.submit('Bash', { command: 'npm install left-pad' });
  await operate(home.dataDir, 'request.resolve', {
    id: install.id,
    digest: install.digest,
    action: 'deny',
    note: 'padStart is built in; no package for that.',
  });

  await shop.submit('Edit', {
    file_path: join(home.shop, 'src', 'tax.ts'),
    old_string: '  return Math.round(line.price * line.rate);',
    new_string: '  const cents = Math.round(line.price * line.rate * 100);\n  return cents / 100;',
  });
  await shop.submit('Bash', { command: 'npm run build && cat src/tax.ts | wc -l > build/size.txt' });
  await api.submit('Bash', { command: 'git push --force origin main' });
  await api.submit('WebFetch', { url: 'https://example.com/rates.json', prompt: 'current rates' });
}

async function open(launch: () => Promise<Launched>, theme: 'light' | 'dark', home: Home): Promise<Page> {
  mkdirSync(FOLDER, { recursive: true });
  mkdirSync(join(home.path, 'api'));
  const { app, page } = await launch();
  await app.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height), SIZE);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await operate(home.dataDir, 'settings.update', { theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  return page;
}

const draw = (page: Page, name: string, theme: string): Promise<Buffer> =>
  page.screenshot({ path: join(FOLDER, `${name}-${theme}.png`), animations: 'disabled' });

for (const theme of ['light', 'dark'] as const) {
  test(`with a morning's work, ${theme}`, async ({ launch, home }) => {
    const page = await open(launch, theme, home);
    await aMorning(home);
    await expect(requests(page)).toHaveCount(4);
    await requests(page).filter({ hasText: 'tax.ts' }).first().click();
    await expect(button(page, 'Allow once')).toBeEnabled();
    await draw(page, 'inbox', theme);

    await page.getByRole('button', { name: 'More scopes' }).click();
    await expect(page.getByText('15 min', { exact: false }).first()).toBeVisible();
    await draw(page, 'inbox-scopes', theme);
    await page.getByRole('button', { name: 'More scopes' }).click();

    await requests(page).filter({ hasText: 'npm run build' }).first().click();
    await button(page, 'Deny with note').click();
    await page.getByLabel('Tell the agent').fill('Leave build/ alone, the pipeline makes it.');
    await draw(page, 'inbox-note', theme);
    await button(page, 'Keep the request').click();

    await requests(page).filter({ hasText: 'git push' }).first().click();
    await expect(button(page, 'Deny')).toBeEnabled();
    await draw(page, 'inbox-high-risk', theme);

    for (const screen of ['Sessions', 'Projects', 'Groups', 'Directories', 'Activity', 'Agents', 'Settings']) {
      await goTo(page, screen);
      const choice = { Projects: /Fix tax rounding/, Groups: /Careful/ }[screen];
      if (choice !== undefined) await page.getByRole('option', { name: choice }).first().click();
      if (screen === 'Activity') await expect(page.getByText('left-pad', { exact: false }).first()).toBeVisible();
      await draw(page, screen.toLowerCase(), theme);
    }
  });

  test(`before the first agent, ${theme}`, async ({ launch, home }) => {
    const page = await open(launch, theme, home);
    await draw(page, 'inbox-empty', theme);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    await draw(page, 'palette', theme);
  });
}
