// `git`, which runs commands by its settings, by options of its subcommands, and by some of its addresses.

import { options, readOptions } from './shell-options';
import { found, type Inner, indexesFrom, opaque, PLAIN, type ProgramContext, type ProgramReading } from './shell-program';
import { withTextOptions } from './shell-text-options';
import type { Arg } from './shell-words';

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

export function readGit(args: readonly Arg[], context: ProgramContext): ProgramReading {
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
