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

const NAME = '([A-Za-z_][A-Za-z0-9_]*)';
/** A variable of a loop, and one that an expansion or an arithmetic evaluation sets: `for PATH in`, `${PATH:=x}`, `$((PATH=1))`. */
const LOOP_VARIABLE = new RegExp(`(?:^|[\\s;&|({])(?:for|select)\\s+${NAME}`, 'g');
const SET_BY_EXPANSION = new RegExp(`\\$\\{${NAME}(?:\\[[^\\]]*\\])?:?=`, 'g');
const SET_BY_ARITHMETIC = new RegExp(`${NAME}(?:\\[[^\\]]*\\])?\\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\\+\\+|--)|(?:\\+\\+|--)\\s*${NAME}`, 'g');
/** Where arithmetic may stand: double parentheses, `$[`, an index, the offsets of an expansion. */
const MAY_HOLD_ARITHMETIC = /\(\(|\$\[|\w\[|\$\{[^}]*(?:\[|:)/;

/**
 * Why text that sets a variable without an assignment before or as a command is code; null when it sets none that matters.
 * Looks at the text itself, so that quoting and nesting hide nothing; what only looks so is asked about once too often.
 */
export function setOnTheWay(text: string): string | null {
  // Most text holds none of what could be it, and is left at once.
  const inLoop = text.includes('for') || text.includes('select') ? concernIn(text, LOOP_VARIABLE) : null;
  if (inLoop !== null) return inLoop;
  const inExpansion = text.includes('${') ? concernIn(text, SET_BY_EXPANSION) : null;
  if (inExpansion !== null) return inExpansion;
  const mayHoldArithmetic = (text.includes('((') || text.includes('[') || text.includes('${')) && MAY_HOLD_ARITHMETIC.test(text);
  return mayHoldArithmetic ? concernIn(text, SET_BY_ARITHMETIC) : null;
}

function concernIn(text: string, pattern: RegExp): string | null {
  for (const [, before, after] of text.matchAll(pattern)) {
    const concern = variableConcern(before ?? after ?? '', '', false);
    if (concern !== null) return concern;
  }
  return null;
}
