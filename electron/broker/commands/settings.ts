// Settings, health, activity and dry runs: what a person looks at and sets for everything (spec 13, 14).

import { fail, ok } from '../../../shared/failure';
import type { RunContext, Settings } from '../../../shared/model';
import { actorOf } from '../caller';
import { refuseContext } from '../context-rules';
import type { Core } from '../core';
import type { Handlers } from '../deps';
import { healthOf } from '../projection';
import { commitChange } from '../redecide';
import { replay, simulate } from '../simulate';

type SettingsCommands = Pick<
  Handlers,
  'settings.get' | 'settings.update' | 'health.get' | 'activity.list' | 'activity.verify' | 'simulate' | 'replay'
>;

export function settingsCommands(core: Core): SettingsCommands {
  return {
    'settings.get': () => ok(core.live.settings),

    'settings.update'(patch, caller) {
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<Settings>;
      for (const [layer, contexts] of Object.entries(given.run_context_defaults ?? {})) {
        for (const [name, context] of Object.entries(contexts as Readonly<Record<string, RunContext>>)) {
          const refused = refuseContext(core, context, caller, `run_context_defaults.${layer}.${name}.`);
          if (refused !== null) return refused;
        }
      }
      const places = [...(given.protected_paths?.extra ?? []), ...Object.values(given.agent_workspaces ?? {})];
      const relative = places.find((path) => !path.startsWith('~') && core.deps.paths.canonical(path, null).path === null);
      if (relative !== undefined)
        return fail('invalid', `\`${relative}\` cannot be resolved.`, { hint: 'Give the whole path.', subject: 'protected_paths' });
      const settings: Settings = { ...core.live.settings, ...given };
      const changed = commitChange(core, [
        {
          type: 'settings.changed',
          at: core.nowIso(),
          actor: actorOf(caller),
          summary: `Settings were changed: ${Object.keys(given).join(', ') || 'nothing'}.`,
          writes: [{ settings }],
          facts: { changed: Object.keys(given) },
        },
      ]);
      return changed.ok ? ok(core.live.settings) : changed;
    },

    'health.get': () => ok(healthOf(core)),

    async 'activity.list'(filter) {
      return ok(await core.store.activity.list(filter));
    },
    async 'activity.verify'() {
      return ok(await core.store.activity.verify());
    },

    simulate: (input) => simulate(core, input),
    replay: (input) => replay(core, input),
  };
}
