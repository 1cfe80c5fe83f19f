// The rules of `default` on first start (spec 5.5). Only drafts: the store writes them once, and a person's edits are never
// overwritten.

import type { RuleDraft } from '../../shared/schemas';

const draft = (fields: Pick<RuleDraft, 'priority' | 'tool_pattern' | 'action' | 'note'> & Partial<RuleDraft>): RuleDraft => ({
  group_id: 'default',
  path_pattern: null,
  command_pattern: null,
  agent: null,
  source: null,
  hard: false,
  enabled: true,
  reason: '',
  expires_at: null,
  ...fields,
});

/** In the order in which they are evaluated. */
export function seededRules(): readonly RuleDraft[] {
  return [
    draft({ priority: 0, tool_pattern: 'write_todos', action: 'allow', note: 'A list the agent keeps for itself' }),
    draft({ priority: 0, tool_pattern: 'TodoWrite', action: 'allow', note: 'A list the agent keeps for itself' }),
    draft({ priority: 0, tool_pattern: 'notify', action: 'allow', note: 'A message to you' }),
    draft({
      priority: 5,
      tool_pattern: '@fs_any',
      path_pattern: 'secrets/*',
      action: 'deny',
      hard: true,
      note: 'Secrets of the project stay closed',
      reason: 'The folder secrets is closed to agents.',
    }),
    draft({ priority: 5, tool_pattern: '@fs_any', path_pattern: 'memory/*', action: 'allow', note: "The agent's notes" }),
    draft({ priority: 5, tool_pattern: '@fs_any', path_pattern: 'data/*', action: 'allow', note: 'Working data of the project' }),
    draft({ priority: 10, tool_pattern: '@exec', action: 'require', note: 'Commands ask' }),
    draft({ priority: 999_999, tool_pattern: '*', action: 'require', note: 'Everything else asks' }),
  ];
}
