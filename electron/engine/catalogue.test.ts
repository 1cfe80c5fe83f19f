import { describe, expect, it } from 'vitest';
import { lookupTool } from './catalogue';
import { AGENT_ROWS, FILESYSTEM_ROWS } from './catalogue-rows';
import { mcpName } from './match';

describe('a known tool', () => {
  const kinds: readonly (readonly [string, string, string])[] = [
    ['claude-code', 'Bash', 'execute'],
    ['claude-code', 'Read', 'read'],
    ['claude-code', 'Write', 'edit'],
    ['claude-code', 'MultiEdit', 'edit'],
    ['claude-code', 'NotebookEdit', 'edit'],
    ['claude-code', 'Grep', 'search'],
    ['claude-code', 'WebFetch', 'fetch'],
    ['claude-code', 'TodoWrite', 'other'],
    ['claude-code', 'BashOutput', 'read'],
    ['claude-code', 'KillShell', 'other'],
    ['codex', 'shell', 'execute'],
    ['codex', 'exec_command', 'execute'],
    ['codex', 'write_stdin', 'execute'],
    ['codex', 'apply_patch', 'edit'],
    ['codex', 'view_image', 'read'],
    ['opencode', 'edit', 'edit'],
    ['opencode', 'webfetch', 'fetch'],
    ['gemini', 'replace', 'edit'],
    ['gemini-cli', 'run_shell_command', 'execute'],
    ['qwen', 'edit', 'edit'],
    ['qwen-code', 'read_file', 'read'],
    ['pi', 'ls', 'search'],
    ['copilot', 'view', 'read'],
    ['copilot-cli', 'create', 'edit'],
    ['cline', 'run_commands', 'execute'],
    ['cline', 'replace_in_file', 'edit'],
    ['skald', 'get_ast_outline', 'read'],
    ['skald', 'insert_at_line', 'edit'],
    ['skald', 'execute_cmd', 'execute'],
  ];
  it.each(kinds)('%s %s is of kind %s', (agent, tool, kind) => {
    const row = lookupTool(agent, tool);
    expect(row.kind).toBe(kind);
    expect(row.isGuess).toBe(false);
  });

  it('executes exactly when it has a command', () => {
    for (const [agent, rows] of Object.entries(AGENT_ROWS)) {
      for (const tool of Object.keys(rows)) {
        const row = lookupTool(agent, tool);
        expect(row.executes, `${agent} ${tool}`).toBe(row.kind === 'execute');
        expect(row.commands.length > 0, `${agent} ${tool}`).toBe(row.executes);
      }
    }
  });

  it('writes when it edits, reads when it reads', () => {
    for (const rows of [...Object.values(AGENT_ROWS), FILESYSTEM_ROWS]) {
      for (const [tool, row] of Object.entries(rows)) {
        if (row.kind === 'edit')
          expect(
            row.paths.map((path) => path.access),
            tool,
          ).toContain('write');
        if (row.kind === 'read' || row.kind === 'search')
          expect(
            row.paths.map((path) => path.access),
            tool,
          ).not.toContain('write');
      }
    }
  });

  it('says when it reads below a directory', () => {
    expect(lookupTool('claude-code', 'Grep').readsBelow).toBe(true);
    expect(lookupTool('claude-code', 'Read').readsBelow).toBe(false);
    expect(lookupTool('claude-code', 'mcp__filesystem__directory_tree').readsBelow).toBe(true);
  });
});

describe('the MCP filesystem server', () => {
  const spellings = [
    'mcp__filesystem__write_file',
    'filesystem:write_file',
    'filesystem_write_file',
    'filesystem__write_file',
    'filesystem-write_file',
    'mcp_filesystem_write_file',
  ];
  it.each(spellings)('is known as %s', (tool) => {
    expect(lookupTool('anything', tool)).toMatchObject({ agent: 'filesystem', kind: 'edit', isGuess: false });
  });

  const others = [
    'mcp__other__write_file',
    'other:read_file',
    'mcp__filesystem__format_disk',
    'mcp__filesystem2__read_file',
    'myfilesystem_read_file',
  ];
  it.each(others)('is not %s', (tool) => {
    expect(lookupTool('claude-code', tool)).toMatchObject({ kind: 'other', agent: null, paths: [] });
  });
});

describe('a name that the agent does not have', () => {
  it('is looked up at all agents, as a guess', () => {
    expect(lookupTool('somebody', 'Write')).toMatchObject({ kind: 'edit', agent: null, isGuess: true });
    expect(lookupTool('claude-code', 'write_file').paths[0]?.at).toEqual(expect.arrayContaining(['path', 'file_path', 'absolute_path']));
    expect(lookupTool('somebody', 'bash')).toMatchObject({ kind: 'execute', executes: true, isGuess: true });
  });

  it('is other when the agents disagree, with the fields of all', () => {
    const row = lookupTool('somebody', 'write');
    expect(row.kind).toBe('edit');
    const ambiguous = lookupTool('somebody', 'task');
    expect(ambiguous.kind).toBe('other');
  });

  it('is other when nobody knows it', () => {
    expect(lookupTool('claude-code', 'frobnicate')).toEqual({
      agent: null,
      kind: 'other',
      paths: [],
      commands: [],
      addresses: [],
      executes: false,
      readsBelow: false,
      isGuess: false,
    });
    for (const tool of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '']) expect(lookupTool('claude-code', tool).kind).toBe('other');
    expect(lookupTool('__proto__', 'Read')).toMatchObject({ kind: 'read', isGuess: true });
  });
});

describe('an MCP name', () => {
  const table: readonly (readonly [string, { server: string; tool: string } | null])[] = [
    ['mcp__gmail__send', { server: 'gmail', tool: 'send' }],
    ['gmail:send', { server: 'gmail', tool: 'send' }],
    ['mcp__a__b__c', { server: 'a', tool: 'b__c' }],
    ['mcp__my_server__do_it', { server: 'my_server', tool: 'do_it' }],
    ['mcp__a', null],
    ['mcp__a__', null],
    ['mcp____b', null],
    [':send', null],
    ['gmail:', null],
    ['Read', null],
  ];
  it.each(table)('%s is %j', (tool, expected) => {
    expect(mcpName(tool)).toEqual(expected);
  });
});
