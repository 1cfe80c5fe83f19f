// Variables that decide which code runs: an assignment to one of them is looked at as code, whatever command it stands before.

/** Names whose value is a program or the way to one. */
const LOADS_CODE: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'SHELL',
  'ENV',
  'BASH_ENV',
  'BASHOPTS',
  'SHELLOPTS',
  'ZDOTDIR',
  'XDG_CONFIG_HOME',
  'PROMPT_COMMAND',
  'PS0',
  'PS1',
  'PS2',
  'PS4',
  'LESSOPEN',
  'LESSCLOSE',
  'BROWSER',
  'SSH_ASKPASS',
  'SUDO_ASKPASS',
  'GIT_ASKPASS',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_PROXY_COMMAND',
  'GIT_EXTERNAL_DIFF',
  'GIT_EXEC_PATH',
  'GIT_TEMPLATE_DIR',
  'GIT_DIR',
  'PYTHONSTARTUP',
  'PYTHONINSPECT',
  'PYTHONBREAKPOINT',
  'PYTHONHOME',
  'PERL5OPT',
  'PERL5DB',
  'RUBYOPT',
  'JAVA_TOOL_OPTIONS',
  'JDK_JAVA_OPTIONS',
  '_JAVA_OPTIONS',
  'MAKEFLAGS',
  'RUSTC',
  'RUSTC_WRAPPER',
  'GCONV_PATH',
  'npm_config_script_shell',
  'npm_config_node_options',
  'npm_config_git',
]);
const LOADS_CODE_PREFIXES: readonly string[] = ['LD_', 'DYLD_', 'GIT_CONFIG', 'BASH_FUNC_'];
/** Programs that show or edit text: harmless with one of the values below. */
const SHOWS_TEXT: ReadonlySet<string> = new Set(['PAGER', 'GIT_PAGER', 'MANPAGER', 'EDITOR', 'VISUAL', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR']);
const HARMLESS_VALUES: ReadonlySet<string> = new Set(['', 'cat', 'less', 'more', 'true', 'false', ':']);

/** Why `name=value` is code; null when it is data. `literal`: the value is exactly that text. */
export function variableConcern(name: string, value: string, literal: boolean): string | null {
  if (LOADS_CODE.has(name) || LOADS_CODE_PREFIXES.some((prefix) => name.startsWith(prefix))) return `\`${name}\` decides which code runs`;
  if (SHOWS_TEXT.has(name) && !(literal && HARMLESS_VALUES.has(value))) return `\`${name}\` names a program to run`;
  if (
    name === 'NODE_OPTIONS' &&
    (!literal || /(?:^|\s)(?:-[re]|--(?:require|import|loader|experimental-loader|inspect|env-file|openssl-config))/.test(value))
  )
    return '`NODE_OPTIONS` loads code';
  if (literal && /\$\(|`/.test(value)) return `the value of \`${name}\` holds shell code`;
  return null;
}
