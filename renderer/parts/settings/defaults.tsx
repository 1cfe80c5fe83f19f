// Run contexts that sessions begin with, by agent and by source: the layers below projects. Edited by the same form.

import { useState } from 'react';
import type { RunContext } from '../../../shared/model';
import { agentName } from '../../../shared/sentences';
import { goTo } from '../../guard';
import { invoke, projectionNow, useProjection } from '../../store';
import { ContextForm } from '../context/context-form';
import { Button, Field } from '../controls';

type Layer = 'agents' | 'sources';
const USUAL: Readonly<Record<Layer, readonly string[]>> = {
  agents: ['claude-code', 'codex', 'opencode', 'gemini-cli', 'pi'],
  sources: ['interactive', 'cron', 'project', 'ticket', 'api'],
};

export function Defaults() {
  const defaults = useProjection((projection) => projection.settings.run_context_defaults);
  const sessions = useProjection((projection) => projection.sessions);
  const [chosen, setChosen] = useState<{ readonly layer: Layer; readonly name: string } | null>(null);
  const names = (layer: Layer): readonly string[] => {
    const seen = [...sessions.values()].map((session) => (layer === 'agents' ? session.agent : session.source));
    return [...new Set([...Object.keys(defaults[layer]), ...seen, ...USUAL[layer]])];
  };
  const words = (layer: Layer, name: string): string => (layer === 'agents' ? agentName(name) : name);
  const set = (['agents', 'sources'] as const).flatMap((layer) => Object.keys(defaults[layer]).map((name) => ({ layer, name })));
  return (
    <>
      <p className="text-quiet">
        Used where neither the session nor its ticket or project sets a field.{' '}
        {set.length === 0 ? 'None is set.' : `Set for ${set.map(({ layer, name }) => words(layer, name)).join(', ')}.`}
      </p>
      <Field label="Defaults for" className="max-w-md">
        {(bind) => (
          <select
            {...bind}
            className="field"
            value={chosen === null ? '' : `${chosen.layer} ${chosen.name}`}
            onChange={(event) => {
              const [layer = '', ...rest] = event.target.value.split(' ');
              setChosen(layer === 'agents' || layer === 'sources' ? { layer, name: rest.join(' ') } : null);
            }}
          >
            <option value="">choose an agent or a source</option>
            {(['agents', 'sources'] as const).map((layer) => (
              <optgroup key={layer} label={layer === 'agents' ? 'Agents' : 'Sources'}>
                {names(layer).map((name) => (
                  <option key={name} value={`${layer} ${name}`}>
                    {words(layer, name)}
                    {name in defaults[layer] ? ' (set)' : ''}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      {chosen === null ? null : (
        <ContextForm
          key={`${chosen.layer} ${chosen.name}`}
          what={`the defaults of ${words(chosen.layer, chosen.name)}`}
          layer={chosen.layer === 'agents' ? 'agent_default' : 'source_default'}
          own={defaults[chosen.layer][chosen.name] ?? null}
          effective={null}
          save={(context) => invoke('settings.update', { run_context_defaults: withDefault(chosen.layer, chosen.name, context) })}
        />
      )}
      {chosen === null ? null : (
        <div>
          <Button size="small" onClick={() => setChosen(null)}>
            Close
          </Button>
        </div>
      )}
      <p className="text-quiet">
        A project is usually the better place:{' '}
        <Button size="small" tone="ghost" onClick={() => goTo('/projects')}>
          Open Projects
        </Button>
      </p>
    </>
  );
}

/** The defaults as they are at this moment, with one of them set or cleared. */
function withDefault(layer: Layer, name: string, context: RunContext | null) {
  const now = projectionNow().settings.run_context_defaults;
  const { [name]: _old, ...rest } = now[layer];
  return { agents: now.agents, sources: now.sources, [layer]: context === null ? rest : { ...rest, [name]: context } };
}
