import { describe, expect, it } from 'vitest';
import type { Kind } from '../../shared/terms';
import type { SessionFacts } from './facts';
import { grant, NOW, policy, rule, session } from './samples';
import { isHidden } from './visibility';

const KINDS: Readonly<Record<string, Kind>> = { Read: 'read', Grep: 'search', Write: 'edit', Edit: 'edit', Bash: 'execute', WebFetch: 'fetch' };
const hidden = (tool: string, rules: readonly Parameters<typeof rule>[0][], fields: Partial<SessionFacts> = {}): boolean =>
  isHidden(tool, session(fields), policy(rules.map(rule)), 'claude-code', 'interactive', NOW, (name) => KINDS[name] ?? 'other');

describe('tool visibility (spec 4)', () => {
  it.each<[string, string, readonly Parameters<typeof rule>[0][], Partial<SessionFacts>, boolean]>([
    ['nothing denied', 'Bash', [], {}, false],
    ['the tool denied', 'Bash', [{ tool_pattern: 'Bash', action: 'deny' }], {}, true],
    ['its class denied', 'Bash', [{ tool_pattern: '@exec', action: 'deny' }], {}, true],
    ['its write class denied', 'Write', [{ tool_pattern: '@fs_write', action: 'deny' }], {}, true],
    ['another class denied', 'Read', [{ tool_pattern: '@fs_write', action: 'deny' }], {}, false],
    ['a wildcard denied', 'mcp__gmail__send', [{ tool_pattern: 'mcp__gmail__*', action: 'deny' }], {}, true],
    ['the other MCP spelling denied', 'mcp__gmail__send', [{ tool_pattern: 'gmail:send', action: 'deny' }], {}, true],
    ['another server denied', 'mcp__gcal__create', [{ tool_pattern: 'gmail:*', action: 'deny' }], {}, false],
    ['some commands denied', 'Bash', [{ tool_pattern: 'Bash', command_pattern: 'rm *', action: 'deny' }], {}, false],
    ['some paths denied', 'Write', [{ tool_pattern: 'Write', path_pattern: 'x/*', action: 'deny' }], {}, false],
    ['denied for another agent', 'Bash', [{ tool_pattern: 'Bash', agent: 'codex', action: 'deny' }], {}, false],
    ['denied for this agent by name', 'Bash', [{ tool_pattern: 'Bash', agent: 'claude-code', action: 'deny' }], {}, false],
    ['denied for a source', 'Bash', [{ tool_pattern: 'Bash', source: 'interactive', action: 'deny' }], {}, false],
    ['a deny that is disabled', 'Bash', [{ tool_pattern: 'Bash', action: 'deny', enabled: false }], {}, false],
    ['a deny that ran out', 'Bash', [{ tool_pattern: 'Bash', action: 'deny', expires_at: new Date(NOW).toISOString() }], {}, false],
    [
      'an exception above',
      'Bash',
      [
        { priority: 1, tool_pattern: 'Bash', command_pattern: 'git *', action: 'allow' },
        { priority: 2, tool_pattern: 'Bash', action: 'deny' },
      ],
      {},
      false,
    ],
    [
      'a question above',
      'Bash',
      [
        { priority: 1, tool_pattern: 'Bash', command_pattern: 'git *', action: 'require' },
        { priority: 2, tool_pattern: 'Bash', action: 'deny' },
      ],
      {},
      false,
    ],
    [
      'an exception above for another agent',
      'Bash',
      [
        { priority: 1, tool_pattern: 'Bash', agent: 'codex', action: 'allow' },
        { priority: 2, tool_pattern: 'Bash', action: 'deny' },
      ],
      {},
      true,
    ],
    [
      'an exception above that ran out',
      'Bash',
      [
        { priority: 1, tool_pattern: 'Bash', action: 'allow', expires_at: new Date(NOW - 1).toISOString() },
        { priority: 2, tool_pattern: 'Bash', action: 'deny' },
      ],
      {},
      true,
    ],
    [
      'an exception below is not reachable',
      'Bash',
      [
        { priority: 1, tool_pattern: 'Bash', action: 'deny' },
        { priority: 2, tool_pattern: 'Bash', command_pattern: 'git *', action: 'allow' },
      ],
      {},
      true,
    ],
    [
      'a hard deny, whatever stands above',
      'Bash',
      [
        { priority: 1, tool_pattern: 'Bash', action: 'allow' },
        { priority: 2, tool_pattern: 'Bash', action: 'deny', hard: true },
      ],
      {},
      true,
    ],
    ['a hard deny of some commands', 'Bash', [{ priority: 2, tool_pattern: 'Bash', command_pattern: 'rm *', action: 'deny', hard: true }], {}, false],
    [
      'the group keeps what default denies',
      'Bash',
      [
        { group_id: 'loose', tool_pattern: 'Bash', action: 'allow' },
        { tool_pattern: 'Bash', action: 'deny' },
      ],
      { groupId: 'loose' },
      false,
    ],
    [
      'the group denies what default allows',
      'Bash',
      [
        { group_id: 'tight', tool_pattern: 'Bash', action: 'deny' },
        { tool_pattern: 'Bash', action: 'allow' },
      ],
      { groupId: 'tight' },
      true,
    ],
    ['withheld by its bare name', 'mcp__mail__send', [], { withheld: ['send'] }, true],
    ['withheld: a longer name', 'mcp__mail__sender', [], { withheld: ['send'] }, false],
    ['plan hides what it denies', 'Bash', [], { phase: 'plan' }, true],
    ['plan shows reading', 'Grep', [], { phase: 'plan' }, false],
    ['read-only hides writers', 'Write', [{ tool_pattern: '*', action: 'allow' }], { mode: 'read-only' }, true],
    ['read-only hides commands', 'Bash', [], { mode: 'read-only' }, true],
    ['read-only hides what nobody knows', 'deploy', [], { mode: 'read-only' }, true],
    ['read-only shows readers', 'Read', [], { mode: 'read-only' }, false],
    ['read-only shows searching', 'Grep', [], { mode: 'read-only' }, false],
    ['guarded hides nothing', 'Write', [], { mode: 'guarded' }, false],
  ])('%s', (_name, tool, rules, fields, expected) => {
    expect(hidden(tool, rules, fields)).toBe(expected);
  });

  it('a person’s denial of the whole tool hides it, one of a single call does not', () => {
    const no = grant({ surface: 'mcp__mail__send', pattern: '*', match: 'wildcard', width: 'tool', action: 'deny' });
    expect(hidden('mail:send', [], { grants: [no] })).toBe(true);
    expect(hidden('mail:list', [], { grants: [no] })).toBe(false);
    expect(hidden('mail:list', [], { grants: [{ ...no, surface: 'mcp__mail__*', width: 'server' }] })).toBe(true);
    expect(hidden('mail:send', [], { grants: [{ ...no, expires_at: new Date(NOW).toISOString() }] })).toBe(false);
    expect(hidden('Bash', [], { grants: [grant({ surface: 'Bash', pattern: 'rm x', action: 'deny' })] })).toBe(false);
  });
});
