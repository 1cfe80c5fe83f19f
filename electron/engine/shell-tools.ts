// Programs that run commands by the way, read one by one (`find`, `fd`, `git`, `awk`, `sed`, `apply_patch`), and options of many
// others whose value is a command.

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
import type { Arg } from './shell-words';

/** `-exec rm {} ;`, `-execdir`, `-ok`, `-okdir`, as often as they stand there. */
function readFind(args: readonly Arg[]): ProgramReading {
  const inner: Inner[] = [];
  const notPaths: number[] = [];
  for (let at = 1; at < args.length; at++) {
    const text = args[at]?.text ?? '';
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue;
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

// ------------------------------------------------------------------ git

const GIT = options(
  'C: c: p P h v --exec-path? --html-path --man-path --info-path --paginate --no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare --git-dir: --work-tree: --namespace: --super-prefix: --config-env: --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --list-cmds: --attr-source: --version --help',
);
const GIT_KEY_RUNS_CODE =
  /^(?:alias\.|browser\.|core\.(?:alternaterefscommand|askpass|editor|fsmonitor|gitproxy|hookspath|pager|sshcommand|worktree)|credential\.|diff\.|difftool\.|filter\.|gpg\.|guitool\.|include\.|includeif\.|init\.templatedir|interactive\.difffilter|man\.|merge\.|mergetool\.|pager\.|protocol\.|remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|sendemail\.|sequence\.editor|submodule\..*\.update|tar\.|trailer\.|uploadpack\.|web\.browser)/i;
const HARMLESS_PAGER = /^(?:core\.(?:pager|editor|fsmonitor)|pager\.\w+|sequence\.editor)=(?:cat|less|more|true|false|:|)$/i;
/** `diff.` and `merge.` hold far more plain settings than commands. */
const GIT_KEY_IS_PLAIN = /^(?:diff\.(?!external|.*\.(?:command|textconv))|merge\.(?!.*\.driver))/i;
const gitKeyRunsCode = (setting: string): boolean =>
  GIT_KEY_RUNS_CODE.test(setting) && !GIT_KEY_IS_PLAIN.test(setting) && !HARMLESS_PAGER.test(setting);

/** A long option and every beginning of it: git takes any that only one option has. */
const beginnings = (option: string): string => {
  const rest = [...option.slice(3)].reduceRight((inner, letter) => `(?:${letter}${inner})?`, '');
  return option.slice(0, 3) + rest;
};
const named = (short: string, ...long: readonly string[]): RegExp =>
  new RegExp(`^(?:${[...(short === '' ? [] : [short]), ...long.map(beginnings)].join('|')})$`);

/** Options of subcommands whose value is shell text. */
const GIT_TEXT_OPTIONS: Readonly<Record<string, RegExp>> = {
  rebase: named('-[A-WYZa-wyz]*x', '--exec'),
  'filter-branch': named(
    '',
    '--setup',
    '--env-filter',
    '--tree-filter',
    '--index-filter',
    '--parent-filter',
    '--msg-filter',
    '--commit-filter',
    '--tag-name-filter',
  ),
  difftool: named('-[dgty]*x', '--extcmd'),
  clone: named('-u', '--upload-pack'),
  fetch: named('', '--upload-pack'),
  pull: named('', '--upload-pack'),
  push: named('', '--receive-pack', '--exec'),
  'ls-remote': named('', '--upload-pack', '--exec'),
  'fetch-pack': named('', '--upload-pack', '--exec'),
  'send-pack': named('', '--receive-pack', '--exec'),
  archive: named('', '--exec'),
};
/** Options glued or not whose presence alone names a program. */
const GIT_CONFIG_OPTION = named('-c', '--config');
const GIT_PAGER_OPTION = new RegExp(`^(?:-O.|${beginnings('--open-files-in-pager')}=)`);
/** Subcommands that are there to run something else. */
const GIT_RUNNERS: ReadonlySet<string> = new Set([
  'shell',
  'remote-ext',
  'for-each-repo',
  'hook',
  'send-email',
  'instaweb',
  'cvsserver',
  'daemon',
  'http-backend',
]);

function readGit(args: readonly Arg[], context: ProgramContext): ProgramReading {
  const read = readOptions(args, 1, GIT);
  for (const option of read.found) {
    if (option.name === '--config-env' || (option.name === '--exec-path' && option.value !== null))
      return opaque('an option changes which code git runs');
    if (option.name === '-c' && (option.value?.literal !== true || gitKeyRunsCode(option.value.text)))
      return opaque('a setting of git names code to run');
  }
  if (read.splits || read.unknown.length > 0) return opaque('an option is not known here, so what git runs is not certain');
  const subcommand = args[read.next];
  if (subcommand === undefined) return PLAIN;
  if (!subcommand.literal) return subcommand.splits ? opaque('its subcommand is not literal') : PLAIN;
  const start = read.next + 1;
  const rest = args.slice(start);
  if (rest.some((arg) => arg.text.startsWith('ext::'))) return opaque('the address is a command');
  if (GIT_RUNNERS.has(subcommand.text)) return opaque('its subcommand is there to run something else');
  switch (subcommand.text) {
    case 'bisect':
      return rest[0]?.text === 'run' ? gitRuns(args, start + 1, context) : PLAIN;
    case 'submodule': {
      const each = rest.findIndex((arg) => !arg.text.startsWith('-'));
      if (rest[each]?.text !== 'foreach') return PLAIN;
      const command = rest.slice(each + 1).filter((arg) => !/^--?(?:recursive|quiet|q)$/.test(arg.text));
      const text = command.map((arg) => arg.text).join(' ');
      const literal = command.every((arg) => arg.literal);
      const inner: readonly Inner[] = text === '' ? [] : [{ form: 'text', text, literal, context, place: 'elsewhere' }];
      return found({ opaque: literal ? null : 'its command is not literal', inner, notPaths: indexesFrom(start + each + 1, args) });
    }
    case 'config':
      return rest.filter((arg) => !arg.text.startsWith('-')).length > 1 && rest.some((arg) => !arg.literal || gitKeyRunsCode(arg.text))
        ? opaque('a setting of git names code to run')
        : PLAIN;
    case 'clone':
      if (rest.some((arg, at) => namesConfig(arg, rest[at - 1]) && (!arg.literal || gitKeyRunsCode(arg.text.replace(/^-(?:c|-[a-z]+=)/, '')))))
        return opaque('a setting of git names code to run');
      break;
    case 'grep':
      if (rest.some((arg) => GIT_PAGER_OPTION.test(arg.text))) return opaque('an option names a program to run');
      break;
    default:
  }
  const textOption = GIT_TEXT_OPTIONS[subcommand.text];
  return textOption === undefined ? PLAIN : withTextOptions(args, start, textOption, context);
}

/** The value of `-c`/`--config`, in the next word or glued. */
function namesConfig(arg: Arg, before: Arg | undefined): boolean {
  if (before !== undefined && GIT_CONFIG_OPTION.test(before.text)) return true;
  const equals = arg.text.indexOf('=');
  return /^-c./.test(arg.text) || (arg.text.startsWith('--') && equals > 0 && GIT_CONFIG_OPTION.test(arg.text.slice(0, equals)));
}

function gitRuns(args: readonly Arg[], start: number, context: ProgramContext): ProgramReading {
  const command = args.slice(start);
  return command.length === 0
    ? PLAIN
    : found({ inner: [{ form: 'argv', args: command, assignments: [], context, place: 'here' }], notPaths: indexesFrom(start, args) });
}

/** Length of the shortest beginning of clustered short options that `names` takes and that a value follows; 0 when there is none. */
function clusterEnd(text: string, names: RegExp): number {
  for (let end = 2; end < text.length; end++) if (names.test(text.slice(0, end))) return end;
  return 0;
}

/** Every option that `names` matches, glued to its value or not; the value is shell text. */
function withTextOptions(args: readonly Arg[], start: number, names: RegExp, context: ProgramContext): ProgramReading {
  const inner: Inner[] = [];
  const notPaths: number[] = [];
  for (let at = start; at < args.length; at++) {
    const arg = args[at];
    if (arg === undefined || !arg.text.startsWith('-')) continue;
    const equals = arg.text.indexOf('=');
    const name = equals > 0 && arg.text.startsWith('--') ? arg.text.slice(0, equals) : arg.text;
    if (names.test(name) && equals > 0) {
      inner.push({
        ...shellText(arg, context),
        form: 'text',
        text: arg.text.slice(equals + 1).replace(/^exec=/, ''),
        literal: arg.literal,
        context,
        place: 'here',
      });
      notPaths.push(at);
    } else if (names.test(name)) {
      const value = args[at + 1];
      if (value === undefined) continue;
      inner.push(shellText(value, context));
      notPaths.push(++at);
    } else if (arg.text[1] !== '-' && clusterEnd(arg.text, names) > 0) {
      inner.push({ form: 'text', text: arg.text.slice(clusterEnd(arg.text, names)), literal: arg.literal, context, place: 'here' });
      notPaths.push(at);
    }
  }
  const isLiteral = inner.every((one) => one.form !== 'text' || one.literal);
  return inner.length === 0 ? PLAIN : found({ opaque: isLiteral ? null : 'the command in an option is not literal', inner, notPaths });
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
