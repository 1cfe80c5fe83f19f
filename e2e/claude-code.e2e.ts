// The whole main job with the real Claude Code program against a scripted model: connected on the Agents screen, its
// command asked for in the inbox, answered by a click. What ran is judged by the file it would have made, never by words.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Launched, test } from './fixtures';
import { type Home, root } from './machine';

const HARNESS = process.env.GATEHOUSE_AGENT_HARNESS ?? resolve(root, '..', 'shared', 'agents');
/** The version whose formats were captured. */
const PROGRAM = '@anthropic-ai/claude-code@2.1.332';
const NOTE = 'use the helper in money.ts instead';

/** The parts of the agent harness that this story uses. */
interface Run {
  readonly home: string;
  readonly marker: string;
  readonly env: Readonly<Record<string, string>>;
  readonly inst: { readonly version: string; bin(name: string): string };
  readonly model: { readonly state: { readonly results: readonly { readonly text: string }[] } };
  run(
    command: string,
    args: readonly string[],
    options: { readonly env: Readonly<Record<string, string>> },
  ): Promise<{ readonly out: string; readonly err: string }>;
  cleanup(): Promise<void>;
}
interface Harness {
  prepare(agent: object, options: object): Promise<Run>;
}
interface AgentRecipe {
  /** Packages to install; the first is the program. */
  readonly pkgs: string[];
  env(run: Run): Readonly<Record<string, string>>;
}

test.describe('Claude Code', () => {
  test.skip(!existsSync(join(HARNESS, 'lib.mjs')), `the agent harness is not at ${HARNESS}; set GATEHOUSE_AGENT_HARNESS`);
  // On a new machine the program is installed first.
  test.setTimeout(600_000);

  test('is connected by a click, runs what is allowed and not what is denied, and hears why', async ({ launch, home }) => {
    const recipe = await loadModule<AgentRecipe>('agents/claude-code.mjs');
    recipe.pkgs[0] = PROGRAM;
    const { prepare } = await loadModule<Harness>('lib.mjs');
    const first = await prepare(recipe, { via: 'hook' });
    try {
      const gatehouse = await launch({ env: environmentOf(first, home) });
      await connect(gatehouse, first);

      // Denied with a note: no file, and the model is told the note.
      const denied = start(first, recipe);
      await expect(gatehouse.page.getByRole('heading', { name: 'Claude Code wants to run a command' })).toBeVisible({ timeout: 60_000 });
      await gatehouse.page.getByRole('button', { name: 'Deny with note' }).click();
      await gatehouse.page.getByLabel('Tell the agent').fill(NOTE);
      await gatehouse.page.getByRole('button', { name: 'Send and deny' }).click();
      await denied;
      expect(existsSync(first.marker)).toBe(false);
      expect(first.model.state.results.map((result) => result.text).join('\n')).toContain(NOTE);

      // Allowed once: the file is there.
      const second = await prepare(recipe, { via: 'hook' });
      try {
        const allowed = start(second, recipe, first.home);
        await expect(gatehouse.page.getByRole('heading', { name: 'Claude Code wants to run a command' })).toBeVisible({ timeout: 60_000 });
        await expect(gatehouse.page.getByRole('region', { name: 'Claude Code wants to run a command' })).toContainText(second.marker);
        await gatehouse.page.getByRole('button', { name: 'Allow once' }).click();
        await allowed;
        expect(existsSync(second.marker)).toBe(true);
      } finally {
        await second.cleanup();
      }

      // Without the gate nothing runs.
      await gatehouse.kill();
      const third = await prepare(recipe, { via: 'hook' });
      try {
        await start(third, recipe, first.home);
        expect(existsSync(third.marker)).toBe(false);
      } finally {
        await third.cleanup();
      }
    } finally {
      await first.cleanup();
    }
  });
});

const loadModule = <T>(path: string): Promise<T> => import(pathToFileURL(join(HARNESS, path)).href) as Promise<T>;

/** Gatehouse looks for the agent where the agent will look for its settings. */
const environmentOf = (run: Run, home: Home): Record<string, string> => ({
  HOME: run.home,
  USERPROFILE: run.home,
  XDG_CONFIG_HOME: join(home.path, '.config'),
  PATH: `${dirname(run.inst.bin('claude'))}:${process.env.PATH ?? ''}`,
});

async function connect({ page }: Launched, run: Run): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents' }).click();
  await page.getByRole('button', { name: 'Connect Claude Code' }).click();
  await page.getByRole('button', { name: 'Make this change' }).click();
  await expect(page.getByText('connected', { exact: true })).toBeVisible();
  const settings = JSON.parse(readFileSync(join(run.home, '.claude', 'settings.json'), 'utf8'));
  expect(settings.hooks.PreToolUse[0].hooks[0]).toMatchObject({ type: 'http', onFailure: 'block' });
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Inbox/ })
    .click();
}

/** One headless run of the program; `home` is where the connected settings are. */
function start(run: Run, recipe: AgentRecipe, home = run.home): Promise<unknown> {
  const env = { ...run.env, ...recipe.env(run), HOME: home };
  return run.run(run.inst.bin('claude'), ['-p', 'run the step', '--output-format', 'json'], { env });
}
