// Programs that run commands by the way, read one by one (`find`, `fd`, `awk`, `sed`, `apply_patch`), and options of many
// others whose value is a command.

import { readGit } from './shell-git';
import { options, optionValue, readOptions } from './shell-options';
import {
  AS_WRITTEN,
  found,
  type Inner,
  indexesFrom,
  opaque,
  PLAIN,
  type ProgramContext,
  type ProgramReader,
  type ProgramReading,
  shellText,
} from './shell-program';
import { awkConcern, sedConcern } from './shell-scripts';
import { withTextOptions } from './shell-text-options';
import type { Arg } from './shell-words';

const DASH = 45;

/** `-exec rm {} ;`, `-execdir`, `-ok`, `-okdir`, as often as they stand there. */
function readFind(args: readonly Arg[]): ProgramReading {
  const inner: Inner[] = [];
  const notPaths: number[] = [];
  for (let at = 1; at < args.length; at++) {
    const text = args[at]?.text ?? '';
    if (text.charCodeAt(0) !== DASH || !/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue;
    let end = at + 1;
    while (end < args.length && args[end]?.text !== ';' && !(args[end]?.text === '+' && args[end - 1]?.text === '{}')) end++;
    const command = args.slice(at + 1, end);
    if (command.length > 0) {
      const context: ProgramContext = { addsArguments: false, replaced: '{}' };
      inner.push({ form: 'argv', args: command, assignments: [], context, place: text.endsWith('dir') ? 'elsewhere' : 'here' });
    }
    for (let index = at + 1; index <= end; index++) notPaths.push(index);
    at = end;
  }
  return args.some((arg) => arg.splits && arg.text.startsWith('$'))
    ? opaque('an argument may become several words', { inner, notPaths })
    : found({ inner, notPaths });
}

/** `fd -x cmd …`, `fd --exec-batch cmd …`. */
function readFd(args: readonly Arg[]): ProgramReading {
  const at = args.findIndex((arg, index) => index > 0 && /^(?:-[a-wyzA-WYZ]*[xX]|--exec|--exec-batch)$/.test(arg.text));
  if (at < 0) return args.some((arg) => /^(?:--exec|-x|-X)/.test(arg.text)) ? opaque('the command inside is not certain') : PLAIN;
  const end = args.findIndex((arg, index) => index > at && arg.text === ';');
  const command = args.slice(at + 1, end < 0 ? args.length : end);
  if (command.length === 0) return PLAIN;
  const context: ProgramContext = { addsArguments: true, replaced: '{}' };
  return found({ inner: [{ form: 'argv', args: command, assignments: [], context, place: 'here' }], notPaths: indexesFrom(at + 1, args) });
}

// ------------------------------------------------------------------ text tools

const AWK = options(
  'F: v: f: e: E: i: l: b c C d? D? g h k L? M n N o? O p? P r s S t V W: --file: --field-separator: --assign: --source: --exec: --include: --load: --*',
);
function readAwk(args: readonly Arg[], context: ProgramContext): ProgramReading {
  const read = readOptions(args, 1, AWK);
  const skipped = read.found
    .filter((option) => ['-F', '-v', '-e', '--source', '--field-separator', '--assign'].includes(option.name))
    .map((option) => option.index);
  if (read.found.some((option) => ['-i', '-l', '--include', '--load'].includes(option.name))) return opaque('it loads code');
  const sources = read.found.filter((option) => option.name === '-e' || option.name === '--source').map((option) => option.value);
  const isInFile = read.found.some((option) => ['-f', '-E', '--file', '--exec'].includes(option.name));
  const program = sources.length > 0 || isInFile ? [] : [args[read.next] ?? null];
  const notPaths = program.length > 0 ? [...skipped, read.next] : skipped;
  if (read.splits || read.unknown.length > 0) return opaque('an option is not known here, so what it runs is not certain', { notPaths });
  for (const text of [...sources, ...program]) {
    if (text === null) return context.addsArguments ? opaque('its program comes from somewhere else') : PLAIN;
    if (!text.literal) return opaque('its program is not literal', { notPaths });
    const concern = awkConcern(text.text);
    if (concern !== null) return opaque(`its program holds ${concern}`, { notPaths });
  }
  return found({ notPaths });
}

const SED = options(
  'n r E s u z b i? I? e: f: l: --quiet --silent --debug --regexp-extended --separate --unbuffered --null-data --zero-terminated --binary --sandbox --posix --follow-symlinks --in-place? --expression: --file: --line-length: --help --version',
);
function readSed(args: readonly Arg[], context: ProgramContext): ProgramReading {
  const read = readOptions(args, 1, SED);
  const given = read.found.filter((option) => option.name === '-e' || option.name === '--expression');
  const isInFile = optionValue(read, '-f', '--file') !== null;
  const operands = args.slice(read.next);
  // sed takes options also behind its operands.
  const late = operands.findIndex((arg) => /^-e|^--expression/.test(arg.text));
  const scripts = given.map((option) => option.value);
  const notPaths = given.map((option) => option.index);
  if (given.length === 0 && !isInFile) {
    // BSD sed takes the suffix of -i as a word of its own.
    const at = read.found.some((option) => option.name === '-i' && option.value === null) && args[read.next]?.text === '' ? read.next + 1 : read.next;
    scripts.push(args[at] ?? null);
    notPaths.push(at);
  }
  if (late >= 0 || read.splits || read.unknown.length > 0) return opaque('an option is not known here, so what it runs is not certain', { notPaths });
  for (const script of scripts) {
    if (script === null) return context.addsArguments ? opaque('its script comes from somewhere else') : PLAIN;
    if (!script.literal) return opaque('its script is not literal', { notPaths });
    const concern = sedConcern(script.text);
    if (concern !== null) return opaque(`its script holds ${concern}`, { notPaths });
  }
  return found({ notPaths });
}

/** The pattern of a search is no path: the first operand, unless an option gives it. */
function readGrep(args: readonly Arg[]): ProgramReading {
  if (args.some((arg) => /^--(?:pre|hostname-bin|search-zip-program)(?:=|$)/.test(arg.text))) return opaque('an option names a program to run');
  const notPaths: number[] = [];
  let hasPattern = false;
  for (let at = 1; at < args.length; at++) {
    const text = args[at]?.text ?? '';
    if (text.charCodeAt(0) !== DASH) continue;
    if (text === '-e' || text === '--regexp') {
      notPaths.push(++at);
      hasPattern = true;
    } else if (/^(?:-e.|-f|--regexp=|--file)/.test(text)) {
      if (/^(?:-e.|--regexp=)/.test(text)) notPaths.push(at);
      hasPattern = true;
    }
  }
  if (hasPattern) return found({ notPaths });
  const dashes = args.findIndex((arg) => arg.text === '--');
  const first =
    dashes > 0
      ? dashes + 1
      : args.findIndex(
          (arg, index) =>
            index > 0 &&
            !arg.text.startsWith('-') &&
            !/^-(?:[ABCm]|g|t|-(?:include|exclude|context|max-count|glob|type))$/.test(args[index - 1]?.text ?? ''),
        );
  return first > 0 ? found({ notPaths: [first] }) : PLAIN;
}

const allButPaths: ProgramReader = (args) => found({ notPaths: indexesFrom(1, args) });
const firstOperand: ProgramReader = (args) => {
  const at = args.findIndex((arg, index) => index > 0 && !arg.text.startsWith('-'));
  return at < 0 ? PLAIN : found({ notPaths: [at] });
};
/** `cut -d /`: a separator is no path. */
const withSeparator =
  (option: string): ProgramReader =>
  (args) =>
    found({
      notPaths: args.flatMap((arg, index) =>
        arg.text === option ? [index + 1] : arg.text.startsWith(option) && !arg.text.startsWith('--') ? [index] : [],
      ),
    });

/** The patch stands in its argument or on its input. */
const readApplyPatch: ProgramReader = (args, context) =>
  context.addsArguments || (args[1] !== undefined && !args[1].literal)
    ? opaque('the patch is not literal')
    : found({ isPatch: true, notPaths: indexesFrom(1, args) });

// ------------------------------------------------------------------ options that are commands

const withText =
  (names: RegExp): ProgramReader =>
  (args, context) =>
    withTextOptions(args, 1, names, context);
const opaqueIf =
  (pattern: RegExp, reason = 'an option names a program to run'): ProgramReader =>
  (args) =>
    args.some((arg, index) => index > 0 && (pattern.test(arg.text) || (arg.splits && arg.text.startsWith('$')))) ? opaque(reason) : PLAIN;

const readRsync: ProgramReader = (args, context) => {
  const clustered = args.findIndex((arg) => /^-[a-zA-Z]*e$/.test(arg.text) && arg.text !== '-e');
  const value = clustered < 0 ? undefined : args[clustered + 1];
  const reading = withTextOptions(args, 1, /^(?:-e|--rsh)$/, context);
  return value === undefined
    ? reading
    : { ...reading, inner: [...reading.inner, shellText(value, context)], notPaths: [...reading.notPaths, clustered + 1] };
};

const readTar: ProgramReader = (args, context) => {
  const reading = withTextOptions(
    args,
    1,
    /^(?:-I|-F|--use-compress-program|--to-command|--checkpoint-action|--rsh-command|--rmt-command|--info-script|--new-volume-script)$/,
    context,
  );
  const isClustered = args.some(
    (arg, index) =>
      (index === 1 && /^[A-Za-z]*[IF][A-Za-z]*$/.test(arg.text)) || /^-[A-Za-z]+[IF]/.test(arg.text) || /^-[A-Za-z]*[IF][A-Za-z]+$/.test(arg.text),
  );
  return isClustered ? { ...reading, opaque: reading.opaque ?? 'an option names a program to run' } : reading;
};

const EDITOR = /^(?:\+[^\d]|-c|-S|-s$|-e[sS]?$|-E[s]?$|--cmd|--eval|--execute|-f$|--funcall|-l|--load|--script|-batch|--batch|--command|-u|-U)/;
const editor = opaqueIf(EDITOR, 'it runs commands of the editor');
const SSH_OPTION =
  /^(?:-o)?\s*(?:proxycommand|localcommand|knownhostscommand|permitlocalcommand|remotecommand|pkcs11provider|securitykeyprovider|include|match)\b/i;
const always =
  (reason: string): ProgramReader =>
  (args, context) =>
    args.length > 1 || context.addsArguments ? opaque(reason) : PLAIN;

export const isSshConcern = (args: readonly Arg[]): boolean => args.some((arg, index) => index > 0 && SSH_OPTION.test(arg.text));

export const TOOL_READERS: ReadonlyMap<string, ProgramReader> = new Map<string, ProgramReader>([
  ['find', readFind],
  ['gfind', readFind],
  ['fd', readFd],
  ['fdfind', readFd],
  ['git', readGit],
  ...['awk', 'gawk', 'mawk', 'nawk', 'original-awk'].map((name): [string, ProgramReader] => [name, readAwk]),
  ...['sed', 'gsed'].map((name): [string, ProgramReader] => [name, readSed]),
  ...['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'zgrep'].map((name): [string, ProgramReader] => [name, readGrep]),
  ...['apply_patch', 'applypatch', 'apply-patch'].map((name): [string, ProgramReader] => [name, readApplyPatch]),
  ['tr', allButPaths],
  ['jq', firstOperand],
  ['cut', withSeparator('-d')],
  ['paste', withSeparator('-d')],
  ['column', withSeparator('-s')],
  ['join', withSeparator('-t')],
  [
    'sort',
    (args, context) =>
      args.some((arg) => arg.text.startsWith('--compress-prog')) ? opaque('an option names a program to run') : withSeparator('-t')(args, context),
  ],
  ['rsync', readRsync],
  ...['tar', 'gtar', 'bsdtar'].map((name): [string, ProgramReader] => [name, readTar]),
  ['split', withText(/^--filter$/)],
  ['scp', (args) => (isSshConcern(args) || args.some((arg) => arg.text.startsWith('-S')) ? opaque('an option names a program to run') : PLAIN)],
  ['sftp', (args) => (isSshConcern(args) || args.some((arg) => /^-[SDsb]/.test(arg.text)) ? opaque('an option names a program to run') : PLAIN)],
  ['zip', opaqueIf(/^(?:-\w*TT|--unzip-command)/)],
  ['man', opaqueIf(/^(?:-P|--pager|-H|--html|-C)/)],
  ['less', opaqueIf(/^\+/, 'it runs commands of the pager')],
  ['more', opaqueIf(/^\+/, 'it runs commands of the pager')],
  ['wget', opaqueIf(/^--use-askpass|^-e|^--execute|^--config/)],
  ['tcpdump', opaqueIf(/^-\w*z/)],
  ['rpm', opaqueIf(/^(?:-E|--eval|--pipe|-D|--define)/)],
  ['apt', opaqueIf(/invoke|::/i)],
  ['apt-get', opaqueIf(/invoke|::/i)],
  ['dpkg', opaqueIf(/invoke/i)],
  ['gcc', opaqueIf(/^-wrapper/)],
  ['cc', opaqueIf(/^-wrapper/)],
  ['fzf', opaqueIf(/^--(?:preview|bind)/)],
  ['make', opaqueIf(/^(?:--eval|-E|SHELL=|\.SHELLFLAGS=)|\$\(/, 'it evaluates code from its arguments')],
  ['gmake', opaqueIf(/^(?:--eval|-E|SHELL=|\.SHELLFLAGS=)|\$\(/, 'it evaluates code from its arguments')],
  ['socat', opaqueIf(/\b(?:exec|system|shell)\b/i)],
  ...['nc', 'ncat', 'netcat'].map((name): [string, ProgramReader] => [name, opaqueIf(/^(?:-\w*[ec]|--exec|--sh-exec|--lua-exec)/)]),
  [
    'sqlite3',
    opaqueIf(/\.\s*(?:shell|system|load|import|output|once|excel|www)\b|load_extension|edit\(|^-cmd|^-init/i, 'it runs commands of its own'),
  ],
  ['psql', opaqueIf(/\\!|\bprogram\b|\\\w*\s*\|/i, 'it runs commands of its own')],
  ...['mysql', 'mariadb'].map((name): [string, ProgramReader] => [name, opaqueIf(/\\!|\bsystem\b|^--pager|\\P/i, 'it runs commands of its own')]),
  ...['vim', 'vi', 'nvim', 'view', 'ex', 'gvim', 'vimdiff', 'emacs', 'emacsclient', 'nano', 'pico', 'kak', 'hx'].map(
    (name): [string, ProgramReader] => [name, editor],
  ),
  ...['ed', 'red', 'gdb', 'lldb', 'rr', 'dc'].map((name): [string, ProgramReader] => [name, always('it runs commands of its own')]),
  ['screen', opaqueIf(/^(?!-(?:ls|list|wipe|v|h)$)/, 'it starts commands in another terminal')],
  [
    'tmux',
    opaqueIf(
      /^(?:new|new-session|neww|new-window|split|splitw|split-window|respawn\w*|respawn-\w+|run|run-shell|if|if-shell|send|send-keys|pipep|pipe-pane|popup|display-popup|confirm\w*|command-prompt|source|source-file|-f|-c|set-hook)/,
      'it starts commands in another terminal',
    ),
  ],
  ['at', always('it runs its input later')],
  ['batch', () => opaque('it runs its input later')],
  ['crontab', (args, context) => (args.length === 2 && args[1]?.text === '-l' && context === AS_WRITTEN ? PLAIN : opaque('it runs commands later'))],
]);
