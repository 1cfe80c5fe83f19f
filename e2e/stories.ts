// The main stories, told once and lived twice: in the desktop window and in a browser at serve mode. Each gets a page that
// shows the inbox and the home whose data folder the app works on.

import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures';
import type { Home } from './machine';
import { httpClient, operate, scriptedAgent } from './scripted-agent';

export interface Scene {
  readonly page: Page;
  readonly home: Home;
}

export const requests = (page: Page): Locator => page.getByRole('listbox', { name: 'Requests' }).getByRole('option');
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** Sets a field of the run context that is shown, at its own layer. */
export async function setHere(page: Page, field: string, text: string): Promise<void> {
  await button(page, `Set here: ${field}`).click();
  await page.getByLabel(field, { exact: true }).fill(text);
}

/** Rules that settle a call are seen at once; what asks is a request in the inbox. */
export const MAIN_STORIES: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async 'a request arrives, is seen, is allowed once, and the agent is told'({ page, home }) {
    const agent = await scriptedAgent(home.dataDir, home.shop);
    const answered = agent.ask('Bash', { command: 'npm test' });
    await expect(requests(page)).toHaveCount(1);
    await expect(requests(page).first()).toContainText('Run npm test');
    await requests(page).first().click();
    await button(page, 'Allow once').click();
    const request = await answered;
    expect(request.status).toBe('allowed');
    expect(request.decision).toMatchObject({ cause: 'human', scope: 'once' });
    await expect(requests(page)).toHaveCount(0);
    // Once is once: the same command asks again.
    expect((await agent.submit('Bash', { command: 'npm test' })).status).toBe('pending');
  },

  async 'a denial with a note tells the agent the note'({ page, home }) {
    const agent = await scriptedAgent(home.dataDir, home.shop);
    const answered = agent.ask('Bash', { command: 'npm publish' });
    await requests(page).first().click();
    await button(page, 'Deny with note').click();
    await page.getByLabel('Tell the agent').fill('Use the release script instead.');
    await button(page, 'Send and deny').click();
    const request = await answered;
    expect(request.status).toBe('denied');
    expect(request.decision).toMatchObject({ cause: 'human', note: 'Use the release script instead.' });
    expect(request.decision?.message).toContain('Use the release script instead.');
  },

  async 'a plain denial is quick, and says that a person denied'({ page, home }) {
    const agent = await scriptedAgent(home.dataDir, home.shop);
    const answered = agent.ask('Bash', { command: 'make deploy' });
    await requests(page).first().click();
    await button(page, 'Deny').click();
    const request = await answered;
    expect([request.status, request.decision?.cause]).toEqual(['denied', 'human']);
  },

  async 'two clients answer at once and one wins, the other is told which'({ page, home }) {
    const agent = await scriptedAgent(home.dataDir, home.shop);
    const answered = agent.ask('Bash', { command: 'npm test' });
    await requests(page).first().click();
    await expect(button(page, 'Allow once')).toBeEnabled();
    const [{ id, digest } = { id: '', digest: '' }] = (await operate(home.dataDir, 'inbox.list', {})).items;
    // The element itself: it may be gone before the pointer is there, and that is one of the two outcomes.
    const allow = await button(page, 'Allow once').elementHandle();
    const [, other] = await Promise.all([
      allow?.evaluate((element) => (element as HTMLElement).click()),
      httpClient(home.dataDir, 'operator').send<{ readonly error?: { readonly code: string; readonly subject: { readonly status: string } } }>(
        'POST',
        `/api/requests/${id}/resolve`,
        { action: 'deny', digest },
      ),
    ]);
    const request = await answered;
    if (other.status === 200) {
      expect(request.status).toBe('denied');
    } else {
      expect(request.status).toBe('allowed');
      expect([other.status, other.body.error?.code, other.body.error?.subject.status]).toEqual([409, 'settled', 'allowed']);
    }
    await expect(requests(page)).toHaveCount(0);
  },

  async 'an answer given elsewhere takes the request out of the inbox'({ page, home }) {
    const agent = await scriptedAgent(home.dataDir, home.shop);
    const answered = agent.ask('Bash', { command: 'npm test' });
    await expect(requests(page)).toHaveCount(1);
    const [{ id, digest } = { id: '', digest: '' }] = (await operate(home.dataDir, 'inbox.list', {})).items;
    await operate(home.dataDir, 'request.resolve', { id, digest, action: 'approve' });
    expect((await answered).status).toBe('allowed');
    await expect(requests(page)).toHaveCount(0);
  },

  async 'the run context of a session changes the very next verdict'({ page, home }) {
    const agent = await scriptedAgent(home.dataDir, home.shop, { title: 'till' });
    const write = { file_path: `${home.shop}/src/a.ts`, content: 'a' };
    expect((await agent.submit('Write', write)).status).toBe('pending');
    await goTo(page, 'Sessions');
    await page.getByRole('listbox', { name: 'Sessions' }).getByRole('option', { name: /till/ }).click();
    await setHere(page, 'Write without asking', 'src');
    await button(page, 'Save run context').click();
    await expect(page.getByText('Run context saved.', { exact: false })).toBeVisible();
    // What waited is decided again with the new context, and so is the next call.
    await expect.poll(async () => (await operate(home.dataDir, 'inbox.list', {})).items.length).toBe(0);
    const next = await agent.submit('Write', { file_path: `${home.shop}/src/b.ts`, content: 'b' });
    expect([next.status, next.decision?.cause]).toEqual(['allowed', 'run_context']);
    const elsewhere = await agent.submit('Write', { file_path: `${home.shop}/other/c.ts`, content: 'c' });
    expect(elsewhere.status).toBe('pending');
  },

  async 'the run context of a project reaches a session that is at work in it'({ page, home }) {
    await goTo(page, 'Projects');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await page.getByRole('textbox', { name: 'Folder' }).fill(home.shop);
    await button(page, 'Create project').click();
    await expect(page.getByRole('heading', { level: 2, name: 'Shop' })).toBeVisible();
    const [project] = (await operate(home.dataDir, 'project.list', {})).items;
    const session = await operate(home.dataDir, 'session.open', { agent: 'claude-code', cwd: home.shop, project_id: project?.id ?? '' });
    const client = httpClient(home.dataDir, 'agent');
    const call = (call_id: string) => ({ call_id, tool: 'Write', input: { file_path: `${home.shop}/src/${call_id}.ts`, content: '' }, wait_ms: 0 });
    const first = await client.send<{ readonly status: string }>('POST', `/api/sessions/${session.id}/requests`, call('one'));
    expect(first.body.status).toBe('pending');
    await setHere(page, 'Write without asking', 'src');
    await button(page, 'Save run context').click();
    await expect.poll(async () => (await operate(home.dataDir, 'inbox.list', {})).items.length).toBe(0);
    const second = await client.send<{ readonly status: string }>('POST', `/api/sessions/${session.id}/requests`, call('two'));
    expect(second.body.status).toBe('allowed');
  },

  async 'both themes are shown, and axe finds nothing in either'({ page, home }) {
    const agent = await scriptedAgent(home.dataDir, home.shop);
    await agent.submit('Bash', { command: 'npm test' });
    await agent.submit('Write', { file_path: `${home.shop}/src/a.ts`, content: 'export const a = 1;\n' });
    await agent.submit('Edit', { file_path: `${home.shop}/src/b.ts`, old_string: 'const b = 1;', new_string: 'const b = 2;\nconst c = 3;' });
    const grounds: string[] = [];
    for (const theme of ['light', 'dark'] as const) {
      await operate(home.dataDir, 'settings.update', { theme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await goTo(page, 'Inbox');
      for (const call of ['npm test', 'a.ts', 'b.ts']) {
        await requests(page).filter({ hasText: call }).click();
        await expect(button(page, 'Allow once')).toBeEnabled();
        expect({ theme, call, found: await axe(page) }).toEqual({ theme, call, found: [] });
      }
      await expect(page.getByRole('region', { name: /Change to src\/b.ts/ })).toContainText('const c = 3;');
      grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      for (const screen of ['Inbox', 'Sessions', 'Projects', 'Groups', 'Directories', 'Activity', 'Agents', 'Settings']) {
        await goTo(page, screen);
        expect({ theme, screen, found: await axe(page) }).toEqual({ theme, screen, found: [] });
      }
    }
    expect(new Set(grounds).size).toBe(2);
  },
};

/** What axe finds, one line each. Legacy mode: Electron cannot open the extra page that it would use otherwise. */
export async function axe(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
