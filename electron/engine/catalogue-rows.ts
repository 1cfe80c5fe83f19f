// The rows of the tool catalogue (spec 3.3): what each known tool of each agent is, and where its paths, commands and addresses
// stand in the input. Data only. Older names of fields stand beside the present ones.

import type { Access, Kind } from '../../shared/terms';

export interface PathField {
  /** Fields of the input, any of which may hold it: `a.b` reaches into objects, and into each element of a list. */
  readonly at: readonly string[];
  readonly access: Access;
  readonly deletes?: boolean;
  readonly recursive?: boolean;
  /** `glob`: the directory before its first wildcard, in the directory that `within` names. `patch`: paths in its headers. */
  readonly form?: 'path' | 'glob' | 'patch';
  readonly within?: readonly string[];
  /** May be left out without meaning the working directory. */
  readonly optional?: boolean;
}
export interface CommandField {
  readonly at: readonly string[];
  /** `text`: shell text, or a list of words. `argv`: a list of words. `list`: texts, or objects with `command` and `args`. `code`: no shell text. */
  readonly form: 'text' | 'argv' | 'list' | 'code';
  /** Fields with the directory the command runs in. */
  readonly directory?: readonly string[];
  /** Field that names the shell which runs it. */
  readonly shell?: string;
  /** Shell that runs it. `native`: like bash, on Windows another one; `sh`: the plain shell of the system, on Windows another one. */
  readonly dialect?: 'bash' | 'native' | 'sh' | 'other';
}
export interface AddressField {
  readonly at: readonly string[];
  /** `prose`: addresses stand within text. */
  readonly form: 'url' | 'prose';
}
export interface RowData {
  readonly kind: Kind;
  readonly paths: readonly PathField[];
  readonly commands: readonly CommandField[];
  readonly addresses: readonly AddressField[];
}
export type Rows = Readonly<Record<string, RowData>>;

const row = (kind: Kind, more: Partial<RowData> = {}): RowData => ({ kind, paths: [], commands: [], addresses: [], ...more });
const reads = (...at: readonly string[]): RowData => row('read', { paths: [{ at, access: 'read' }] });
const lists = (...at: readonly string[]): RowData => row('search', { paths: [{ at, access: 'read' }] });
/** Reads everything below a directory. */
const searches = (...at: readonly string[]): RowData => row('search', { paths: [{ at, access: 'read', recursive: true }] });
const globs = (pattern: string, ...within: readonly string[]): RowData =>
  row('search', {
    paths: [
      { at: within, access: 'read', recursive: true },
      { at: [pattern], access: 'read', recursive: true, form: 'glob', within, optional: true },
    ],
  });
const writes = (...at: readonly string[]): RowData => row('edit', { paths: [{ at, access: 'write' }] });
const patches = (...at: readonly string[]): RowData =>
  row('edit', {
    paths: [
      { at, access: 'write', form: 'patch' },
      { at: ['changes.path', 'changes.move_path'], access: 'write', optional: true },
    ],
  });
const runs = (at: readonly string[], more: Partial<CommandField> = {}): RowData => row('execute', { commands: [{ at, form: 'text', ...more }] });
const runsCode = (...at: readonly string[]): RowData => row('execute', { commands: [{ at, form: 'code' }] });
const fetches = (...at: readonly string[]): RowData => row('fetch', { addresses: [{ at, form: 'url' }] });
const NET = row('fetch');
const OTHER = row('other');
const MESSAGE = row('message');
/** Looks at what runs already, without a file. */
const LOOKS = row('read');

const CLAUDE_CODE: Rows = {
  Bash: runs(['command']),
  PowerShell: runs(['command'], { dialect: 'other' }),
  Monitor: runs(['command']),
  REPL: runsCode('code'),
  BashOutput: LOOKS,
  BashOutputTool: LOOKS,
  TaskOutput: LOOKS,
  AgentOutputTool: LOOKS,
  KillShell: OTHER,
  KillBash: OTHER,
  TaskStop: OTHER,
  Read: reads('file_path'),
  NotebookRead: reads('notebook_path'),
  LSP: reads('filePath', 'file_path'),
  LS: lists('path'),
  Glob: globs('pattern', 'path'),
  Grep: searches('path'),
  Write: writes('file_path'),
  Edit: writes('file_path'),
  MultiEdit: writes('file_path'),
  NotebookEdit: writes('notebook_path'),
  WebFetch: fetches('url'),
  WebSearch: NET,
  Artifact: row('message', { paths: [{ at: ['file_path', 'path'], access: 'read', optional: true }] }),
  SendUserFile: row('message', { paths: [{ at: ['files', 'file_path', 'path'], access: 'read', optional: true }] }),
  SendMessage: MESSAGE,
  PushNotification: MESSAGE,
  RemoteTrigger: MESSAGE,
  Task: OTHER,
  Agent: OTHER,
  TodoWrite: OTHER,
  TodoRead: OTHER,
  TaskCreate: OTHER,
  TaskGet: OTHER,
  TaskList: OTHER,
  TaskUpdate: OTHER,
  TeamCreate: OTHER,
  TeamDelete: OTHER,
  AskUserQuestion: OTHER,
  EnterPlanMode: OTHER,
  ExitPlanMode: OTHER,
  exit_plan_mode: OTHER,
  EnterWorktree: OTHER,
  ExitWorktree: OTHER,
  Skill: OTHER,
  SlashCommand: OTHER,
  Workflow: OTHER,
  CronCreate: OTHER,
  CronDelete: OTHER,
  CronList: OTHER,
  ScheduleWakeup: OTHER,
  ToolSearch: OTHER,
  StructuredOutput: OTHER,
  ListMcpResourcesTool: OTHER,
  ReadMcpResourceTool: OTHER,
};

const CODEX: Rows = {
  shell: runs(['command'], { form: 'argv', directory: ['workdir', 'cwd'], dialect: 'native' }),
  'container.exec': runs(['command', 'cmd'], { form: 'argv', directory: ['workdir', 'cwd'], dialect: 'native' }),
  local_shell: runs(['action.command', 'command'], {
    form: 'argv',
    directory: ['action.working_directory', 'working_directory', 'workdir'],
    dialect: 'native',
  }),
  shell_command: runs(['command'], { directory: ['workdir', 'cwd'], dialect: 'native' }),
  exec_command: runs(['cmd', 'command'], { directory: ['workdir', 'cwd'], shell: 'shell', dialect: 'native' }),
  unified_exec: runs(['input', 'cmd'], { form: 'argv', directory: ['workdir'], dialect: 'native' }),
  Bash: runs(['command'], { directory: ['workdir'], dialect: 'native' }),
  write_stdin: runsCode('chars'),
  exec: runsCode('code', 'input', 'source'),
  js_repl: runsCode('code', 'input'),
  apply_patch: patches('input', 'patch', 'command'),
  read_file: reads('file_path', 'path'),
  view_image: reads('path'),
  list_dir: lists('dir_path', 'path'),
  grep_files: searches('path'),
  web_search: NET,
  web_search_request: NET,
  update_plan: OTHER,
  request_user_input: OTHER,
  request_permissions: OTHER,
  spawn_agent: OTHER,
  send_input: OTHER,
  wait: OTHER,
  wait_agent: OTHER,
  close_agent: OTHER,
  resume_agent: OTHER,
  image_generation: OTHER,
  tool_search: OTHER,
  list_mcp_resources: OTHER,
  read_mcp_resource: OTHER,
};

const OPENCODE: Rows = {
  bash: runs(['command'], { directory: ['workdir', 'cwd'], dialect: 'native' }),
  shell: runs(['command'], { directory: ['workdir', 'cwd'], dialect: 'native' }),
  execute: runsCode('code'),
  read: reads('filePath', 'file_path', 'path'),
  lsp: reads('filePath', 'file_path', 'path'),
  list: lists('path'),
  glob: globs('pattern', 'path'),
  grep: searches('path'),
  write: writes('filePath', 'file_path', 'path'),
  edit: writes('filePath', 'file_path', 'path'),
  multiedit: writes('filePath', 'file_path', 'path'),
  patch: patches('patchText', 'input', 'patch'),
  apply_patch: patches('patchText', 'input', 'patch'),
  webfetch: fetches('url'),
  websearch: NET,
  codesearch: NET,
  todowrite: OTHER,
  todoread: OTHER,
  task: OTHER,
  skill: OTHER,
  question: OTHER,
  plan_exit: OTHER,
  batch: OTHER,
  reload: OTHER,
};

const GEMINI: Rows = {
  run_shell_command: runs(['command'], { directory: ['dir_path', 'directory'], dialect: 'native' }),
  read_file: reads('file_path', 'absolute_path', 'path'),
  read_many_files: row('read', {
    paths: [{ at: ['paths', 'include'], access: 'read', recursive: true, form: 'glob' }],
  }),
  list_directory: lists('dir_path', 'path'),
  glob: globs('pattern', 'dir_path', 'path'),
  grep_search: searches('dir_path', 'path'),
  search_file_content: searches('dir_path', 'path'),
  write_file: writes('file_path', 'absolute_path', 'path'),
  replace: writes('file_path', 'absolute_path', 'path'),
  web_fetch: row('fetch', {
    addresses: [
      { at: ['url'], form: 'url' },
      { at: ['prompt'], form: 'prose' },
    ],
  }),
  google_web_search: NET,
  save_memory: OTHER,
  write_todos: OTHER,
  ask_user: OTHER,
  enter_plan_mode: OTHER,
  exit_plan_mode: OTHER,
  activate_skill: OTHER,
  get_internal_docs: OTHER,
  complete_task: OTHER,
  update_topic: OTHER,
};

const QWEN: Rows = {
  ...GEMINI,
  edit: writes('file_path', 'absolute_path', 'path'),
  lsp: reads('filePath', 'file_path', 'path'),
  web_search: NET,
  todo_write: OTHER,
  task: OTHER,
  agent: OTHER,
  skill: OTHER,
  task_create: OTHER,
  task_get: OTHER,
  task_list: OTHER,
  task_update: OTHER,
  task_stop: OTHER,
  task_output: LOOKS,
  ask_user_question: OTHER,
};

const PI: Rows = {
  bash: runs(['command']),
  read: reads('path', 'file_path'),
  ls: lists('path'),
  grep: searches('path'),
  find: globs('pattern', 'path'),
  write: writes('path', 'file_path'),
  edit: writes('path', 'file_path'),
};

const COPILOT: Rows = {
  bash: runs(['command']),
  powershell: runs(['command'], { dialect: 'other' }),
  write_bash: runsCode('input'),
  write_powershell: runsCode('input'),
  read_bash: LOOKS,
  read_powershell: LOOKS,
  list_bash: LOOKS,
  list_powershell: LOOKS,
  stop_bash: OTHER,
  stop_powershell: OTHER,
  bash_shutdown: OTHER,
  view: reads('path', 'file_path'),
  show_file: reads('path', 'file_path'),
  lsp: reads('path', 'file', 'filePath', 'file_path'),
  glob: globs('pattern', 'path', 'paths'),
  grep: searches('path', 'paths'),
  rg: searches('path', 'paths'),
  create: writes('path', 'file_path'),
  edit: writes('path', 'file_path'),
  write: writes('path', 'file_path'),
  str_replace_editor: writes('path', 'file_path'),
  str_replace: writes('path', 'file_path'),
  insert: writes('path', 'file_path'),
  patch: patches('patch', 'input'),
  apply_patch: patches('input', 'patch'),
  web_fetch: fetches('url'),
  web_search: NET,
  sql: OTHER,
  task: OTHER,
  read_agent: LOOKS,
  list_agents: LOOKS,
  skill: OTHER,
  store_memory: OTHER,
  report_intent: OTHER,
  ask_user: OTHER,
  update_todo: OTHER,
  exit_plan_mode: OTHER,
  task_complete: OTHER,
};

const CLINE: Rows = {
  run_commands: runs(['commands', 'command', 'cmd'], { form: 'list', dialect: 'sh' }),
  execute_command: runs(['command'], { dialect: 'sh' }),
  attempt_completion: runs(['command'], { dialect: 'sh' }),
  read_files: reads('files.path', 'files', 'file_paths', 'paths.path', 'paths', 'path'),
  read_file: reads('path'),
  list_files: searches('path'),
  list_code_definition_names: lists('path'),
  search_files: searches('path'),
  /** Always searches the workspace. */
  search_codebase: row('search', { paths: [{ at: [], access: 'read', recursive: true }] }),
  editor: writes('path'),
  write_to_file: writes('path', 'absolutePath'),
  replace_in_file: writes('path', 'absolutePath'),
  apply_patch: patches('input', 'patch'),
  fetch_web_content: fetches('requests.url', 'url'),
  web_fetch: fetches('url'),
  web_search: NET,
  browser_action: fetches('url'),
  use_mcp_tool: OTHER,
  access_mcp_resource: OTHER,
  skills: OTHER,
  use_skill: OTHER,
  ask_question: OTHER,
  ask_followup_question: OTHER,
  submit_and_exit: OTHER,
  new_task: OTHER,
  plan_mode_respond: OTHER,
};

const SKALD: Rows = {
  execute_cmd: runs(['command', 'cmd'], { directory: ['cwd', 'working_directory', 'workdir'], dialect: 'sh' }),
  read_file: reads('path', 'file_path'),
  get_ast_outline: reads('path', 'file_path'),
  list_files: searches('path', 'dir_path'),
  grep_files: searches('path', 'dir_path'),
  search_file: searches('path', 'file_path'),
  write_file: writes('path', 'file_path'),
  edit_file: writes('path', 'file_path'),
  insert_at_line: writes('path', 'file_path'),
  replace_lines: writes('path', 'file_path'),
  append_file: writes('path', 'file_path'),
  notify: MESSAGE,
  write_todos: OTHER,
};

const OPENCLAW: Rows = {
  exec: runs(['command', 'cmd'], { directory: ['workdir', 'cwd'], dialect: 'sh' }),
  process: runsCode('data', 'text', 'input'),
  read: reads('path', 'file_path'),
  write: writes('path', 'file_path'),
  edit: writes('path', 'file_path'),
  apply_patch: patches('input', 'patch'),
  web_fetch: fetches('url'),
  web_search: NET,
  message: MESSAGE,
};

/** By agent, in its usual spelling. */
export const AGENT_ROWS: Readonly<Record<string, Rows>> = {
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  opencode: OPENCODE,
  gemini: GEMINI,
  qwen: QWEN,
  pi: PI,
  copilot: COPILOT,
  cline: CLINE,
  skald: SKALD,
  openclaw: OPENCLAW,
};

/** The MCP filesystem server, by the bare name of the tool. */
export const FILESYSTEM_ROWS: Rows = {
  read_file: reads('path'),
  read_text_file: reads('path'),
  read_media_file: reads('path'),
  read_multiple_files: reads('paths'),
  get_file_info: reads('path'),
  list_directory: lists('path'),
  list_directory_with_sizes: lists('path'),
  directory_tree: searches('path'),
  search_files: searches('path'),
  list_allowed_directories: LOOKS,
  write_file: writes('path'),
  edit_file: writes('path'),
  create_directory: writes('path'),
  move_file: row('edit', {
    paths: [
      { at: ['source'], access: 'write', deletes: true },
      { at: ['destination'], access: 'write' },
    ],
  }),
};
