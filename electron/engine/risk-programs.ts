// What is known of single programs: which only read, which install, send, raise privileges, rewrite history, or deal with disks
// and power. Tables and small readers of their arguments; a program that no table names is simply a command.

import type { RiskFact, ShellUnit } from '../../shared/model';
import { clip } from './trace';

/** A unit as the tables know it: bare program name, arguments, and the directory that its operands stand in. */
export interface Command {
  readonly unit: ShellUnit;
  /** Base name, without `.exe` and the like; empty when there is no command word. */
  readonly program: string;
  readonly args: readonly string[];
  readonly base: string | null;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export interface Arguments {
  readonly flags: readonly string[];
  readonly operands: readonly string[];
}

/** Words that begin with `-` up to `--`, and the others. Values of options count as operands: nobody knows every option. */
export function argumentsOf(args: readonly string[]): Arguments {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  return {
    flags: before.filter((word) => word.startsWith('-') && word !== '-'),
    operands: [...before.filter((word) => !word.startsWith('-') || word === '-'), ...(end < 0 ? [] : args.slice(end + 1))],
  };
}

// ------------------------------------------------------------------ git

const GIT_OPTIONS_WITH_VALUE = words('-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source');

export interface GitCommand {
  readonly sub: string;
  readonly args: readonly string[];
  /** Options before the sub-command. */
  readonly globals: readonly string[];
}

export function gitCommand({ program, args }: Pick<Command, 'program' | 'args'>): GitCommand | null {
  if (program !== 'git') return null;
  let at = 0;
  while (at < args.length && args[at]?.startsWith('-') === true) at += GIT_OPTIONS_WITH_VALUE.has(args[at] ?? '') ? 2 : 1;
  return { sub: args[at] ?? '', args: args.slice(at + 1), globals: args.slice(0, at) };
}

const GIT_READERS = words(
  'status log diff show blame annotate ls-files ls-tree ls-remote rev-parse rev-list describe shortlog cat-file grep name-rev merge-base whatchanged ' +
    'count-objects check-ignore var version help for-each-ref show-ref cherry diff-tree range-diff',
);

function gitReadsOnly(git: GitCommand): boolean {
  const { flags, operands } = argumentsOf(git.args);
  if (git.globals.some((word) => word === '-c' || word.startsWith('--config-env') || word.startsWith('--exec-path='))) return false;
  if (flags.some((flag) => /^--(?:output|ext-diff|open-files-in-pager|upload-pack)/.test(flag) || /^-O/.test(flag))) return false;
  if (GIT_READERS.has(git.sub)) return true;
  switch (git.sub) {
    case 'branch':
    case 'tag':
      return (
        operands.length === 0 &&
        flags.every((flag) => /^(?:-[avrl]+|--(?:list|all|remotes|show-current|merged|no-merged|sort=.*|format=.*))$/.test(flag))
      );
    case 'remote':
      return (operands.length === 0 && flags.every((flag) => flag === '-v' || flag === '--verbose')) || operands[0] === 'get-url';
    case 'config':
      return flags.some((flag) => /^(?:--get(?:-all|-regexp)?|--list|-l)$/.test(flag));
    case 'stash':
    case 'worktree':
      return operands[0] === 'list' || (git.sub === 'stash' && operands[0] === 'show');
    case 'reflog':
      return operands.length === 0 || operands[0] === 'show';
    default:
      return false;
  }
}

/** What is lost with it can only be found again by somebody who knows how. */
function gitRewrites({ sub, args }: GitCommand): string | null {
  const { flags, operands } = argumentsOf(args);
  const has = (pattern: RegExp): boolean => flags.some((flag) => pattern.test(flag));
  switch (sub) {
    case 'reset':
      return has(/^--(?:hard|merge|keep)$/) ? 'Discards uncommitted changes and moves the branch.' : null;
    case 'clean':
      return has(/^-[a-z]*f|^--force/) && !has(/^-[a-z]*n|^--dry-run/) ? 'Deletes files that are not under version control.' : null;
    case 'rebase':
    case 'filter-branch':
    case 'filter-repo':
    case 'replace':
      return 'Rewrites the history of the branch.';
    case 'commit':
      return has(/^--amend$/) ? 'Rewrites the last commit.' : null;
    case 'checkout':
    case 'restore':
      return has(/^-[a-z]*f|^--force/) || args.includes('--') || (sub === 'restore' && !has(/^(?:--staged|-S)$/)) || operands[0] === '.'
        ? 'Discards uncommitted changes.'
        : null;
    case 'branch':
    case 'tag':
      return has(/^-[a-z]*[dD]|^--delete/) ? `Deletes ${sub === 'tag' ? 'a tag' : 'a branch'}.` : null;
    case 'stash':
      return operands[0] === 'drop' || operands[0] === 'clear' ? 'Deletes stashed changes.' : null;
    case 'reflog':
      return operands[0] === 'expire' || operands[0] === 'delete' ? 'Deletes what lost commits are found by.' : null;
    case 'update-ref':
    case 'gc':
      return has(/^(?:-d|--prune)/) ? 'Deletes what lost commits are found by.' : null;
    default:
      return null;
  }
}

// ------------------------------------------------------------------ reading

/** Read whatever their arguments are, redirects apart. */
const READERS = words(
  'cat head tail wc ls pwd echo true false test [ stat du df tree which type basename dirname realpath readlink whoami id groups uname arch nproc ' +
    'uptime free ps cut tr paste comm cmp diff fold nl rev tac column md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum b2sum grep egrep ' +
    'fgrep rg ag jq cd sleep seq lsof lsblk blkid lscpu lsusb lspci locale tty file strings od hexdump xxd zcat zgrep expr factor numfmt printenv ' +
    'dir findstr where ver : exit return break continue shift wait read',
);
const WRITING_FLAGS: Readonly<Record<string, RegExp>> = {
  rg: /^--(?:pre|hostname-bin)/,
  tree: /^-[a-zA-Z]*o|^--output/,
  file: /^-[a-zA-Z]*C|^--compile/,
  xxd: /^-[a-z]*r/,
  diff: /^--output/,
  jq: /^--in-place/,
};
const FIND_ACTS = /^-(?:delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/;
const PACKAGE_READERS = words('ls list view info show outdated why explain config root prefix bin whoami search');

/** Known to change nothing. In doubt it is not. */
export function readsOnly(command: Command): boolean {
  const { program, args, unit } = command;
  if (/[\\/]/.test(unit.words[0] ?? '') && !/^(?:\/usr)?\/s?bin\/[^/]+$/.test(unit.words[0] ?? '')) return false;
  const { flags, operands } = argumentsOf(args);
  if (args.length === 1 && /^(?:--version|--help|-V)$/.test(args[0] ?? '')) return true;
  if (READERS.has(program)) {
    const writes = WRITING_FLAGS[program];
    return writes === undefined || !flags.some((flag) => writes.test(flag));
  }
  switch (program) {
    case 'git': {
      const git = gitCommand(command);
      return git !== null && gitReadsOnly(git);
    }
    case 'find':
    case 'fd':
      return !args.some((word) => FIND_ACTS.test(word) || /^(?:-x|-X|--exec|--exec-batch)/.test(word));
    case 'sort':
      return !flags.some((flag) => /^-[a-zA-Z]*o|^--(?:output|compress-program)/.test(flag));
    case 'uniq':
      return operands.length <= 1;
    case 'date':
      return !flags.some((flag) => /^-[a-z]*s|^--set/.test(flag)) && operands.every((word) => word.startsWith('+') || word.includes(' '));
    case 'hostname':
      return args.length === 0;
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'pip':
    case 'pip3':
      return PACKAGE_READERS.has(operands[0] ?? '') && operands[1] !== 'set' && operands[1] !== 'delete';
    case 'node':
    case 'python':
    case 'python3':
      return args.length === 1 && (args[0] === '-v' || args[0] === '-V');
    default:
      return false;
  }
}

// ------------------------------------------------------------------ everything else that is known

const DISK = words(
  'dd fdisk sfdisk cfdisk gdisk sgdisk parted gparted wipefs blkdiscard shred mkswap cryptsetup lvremove vgremove pvremove lvcreate vgcreate pvcreate mdadm ' +
    'badblocks hdparm nvme zpool format diskpart clear-disk initialize-disk format-volume tune2fs resize2fs e2fsck fsck losetup dmsetup',
);
const POWER = words('shutdown reboot halt poweroff telinit pm-suspend pm-hibernate stop-computer restart-computer');
const RAISES = words('sudo doas su pkexec runas gsudo sudoedit run0 setcap visudo');
const CHANGES_SYSTEM = words(
  'crontab at systemctl service launchctl sysctl iptables nft ufw firewall-cmd useradd userdel usermod groupadd passwd chpasswd mount umount modprobe insmod ' +
    'rmmod update-rc.d chkconfig schtasks reg regedit netsh sc new-service set-executionpolicy visudo chroot kexec swapoff swapon',
);
const SENDS = words('scp sftp ftp ncftp rsync nc ncat netcat socat telnet ssh mail sendmail mutt mailx rclone croc magic-wormhole');
const ENDS_PROGRAMS = words('kill killall pkill xkill taskkill stop-process');

/** What the tables say about one unit; empty when they say nothing. */
export function programFacts(command: Command): readonly RiskFact[] {
  const { program, args, unit } = command;
  const name = program.toLowerCase();
  const facts: RiskFact[] = [];
  const add = (key: string, level: RiskFact['level'], text: string): void => {
    facts.push({ key, level, text });
  };
  if (isDisk(name, args)) add('disk_command', 'high', `\`${clip(unit.text)}\` works on whole disks; what is lost cannot be undone.`);
  if (isPower(name, args)) add('power_command', 'high', `\`${clip(unit.text)}\` stops or restarts this machine.`);
  if (RAISES.has(name)) add('raises_privileges', 'high', `Runs as another user: \`${clip(unit.text)}\`.`);
  if (name === 'chmod' && args.some((word) => /^(?:[ugoa]*\+[rwx]*s|[2467][0-7]{3})/.test(word)))
    add('raises_privileges', 'high', `Lets \`${clip(args.at(-1) ?? '')}\` run with the rights of its owner.`);
  if (CHANGES_SYSTEM.has(name) && facts.length === 0) add('changes_system', 'high', `\`${clip(unit.text)}\` changes the system, not the project.`);
  if (ENDS_PROGRAMS.has(name)) add('ends_programs', 'medium', `Ends running programs: \`${clip(unit.text)}\`.`);
  if (SENDS.has(name) && isSending(name, args)) add('sends_data', 'high', `\`${name}\` can send data to another machine.`);
  const upload = uploads(name, args);
  if (upload !== null) add('sends_data', 'high', `Sends data to \`${clip(upload)}\`.`);
  const published = publishes(name, args);
  if (published !== null) add('sends_data', 'high', `Publishes: \`${clip(published)}\`.`);
  const git = gitCommand(command);
  const rewrite = git === null ? null : gitRewrites(git);
  if (rewrite !== null) add('rewrites_history', 'high', rewrite);
  facts.push(...installs(name, args), ...runsPackages(name, args));
  return facts;
}

function isDisk(name: string, args: readonly string[]): boolean {
  if (name === 'diskutil') return !/^(?:list|info|activity)$/i.test(args[0] ?? '');
  return DISK.has(name) || /^mkfs(?:\.|$)/.test(name);
}

function isPower(name: string, args: readonly string[]): boolean {
  if (POWER.has(name)) return true;
  if (name === 'init') return args.some((word) => word === '0' || word === '6');
  if (name === 'systemctl' || name === 'loginctl')
    return args.some((word) => /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|soft-reboot|rescue|emergency)$/.test(word));
  return name === 'pmset'
    ? args.some((word) => /sleepnow/.test(word))
    : name === 'rundll32' && args.some((word) => /powrprof|ExitWindows/i.test(word));
}

const isSending = (name: string, args: readonly string[]): boolean =>
  name !== 'rsync' || args.some((word) => /^(?:[^\\/]+@)?[^\\/:]{2,}:/.test(word) || word.startsWith('rsync://'));

const UPLOAD_FLAG =
  /^(?:-d|--data(?:-\w+)?|--json|-F|--form(?:-string)?|-T|--upload-file|--post-(?:data|file)|--body-(?:data|file)|-Body|-InFile)(?:=|$)|^-[dFT]./;
const CHANGING_METHOD = /^(?:POST|PUT|PATCH|DELETE)$/i;

function uploads(name: string, args: readonly string[]): string | null {
  if (!/^(?:curl|wget|http|https|xh|iwr|irm|invoke-webrequest|invoke-restmethod)$/.test(name)) return null;
  const sends = args.some(
    (word, index) =>
      UPLOAD_FLAG.test(word) ||
      (/^(?:-X|--request|--method|-Method)$/.test(word) && CHANGING_METHOD.test(args[index + 1] ?? '')) ||
      /^(?:-X|--request=|--method=)(?:POST|PUT|PATCH|DELETE)$/i.test(word) ||
      (/^(?:http|https|xh)$/.test(name) && CHANGING_METHOD.test(word)),
  );
  return sends ? (args.find((word) => /^[a-z]+:\/\//i.test(word)) ?? 'another machine') : null;
}

function publishes(name: string, args: readonly string[]): string | null {
  const { operands } = argumentsOf(args);
  const [first = '', second = ''] = operands;
  const text = [name, first, second].filter((word) => word !== '').join(' ');
  switch (name) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
    case 'cargo':
    case 'poetry':
    case 'uv':
    case 'flutter':
    case 'dart':
      return first === 'publish' || second === 'publish' ? text : null;
    case 'docker':
    case 'podman':
      return first === 'push' || second === 'push' ? text : null;
    case 'twine':
      return first === 'upload' ? text : null;
    case 'gem':
    case 'helm':
      return first === 'push' ? text : null;
    case 'gh':
    case 'glab':
      return /^(?:create|edit|comment|merge|close|delete|upload|review|reopen|run|set|sync)$/.test(second) || first === 'api' ? text : null;
    case 'aws':
    case 'gsutil':
    case 'gcloud':
    case 'az':
    case 'kubectl':
    case 'terraform':
    case 'fly':
    case 'vercel':
    case 'netlify':
    case 'heroku':
    case 'wrangler':
      return /^(?:get|describe|list|ls|logs|plan|show|version|help|validate|fmt|init)$/.test(first) || /^(?:ls|list|describe|get)/.test(second)
        ? null
        : text;
    default:
      return null;
  }
}

// ------------------------------------------------------------------ packages

/** Program, sub-commands that add packages. What is named behind them is new; nothing named means from the lock file. */
const INSTALLERS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add|update|up|link)$/,
  pnpm: /^(?:install|i|add|update|up|link)$/,
  yarn: /^(?:install|add|up|upgrade)$/,
  bun: /^(?:install|i|add|update)$/,
  pip: /^install$/,
  pip3: /^install$/,
  pipx: /^install$/,
  uv: /^(?:add|sync|pip|tool)$/,
  poetry: /^(?:install|add|update)$/,
  conda: /^(?:install|create|update)$/,
  mamba: /^(?:install|create|update)$/,
  cargo: /^(?:install|add|update)$/,
  go: /^(?:get|install)$/,
  gem: /^(?:install|update)$/,
  bundle: /^(?:install|add|update)$/,
  composer: /^(?:install|require|update)$/,
  dotnet: /^(?:add|restore|tool)$/,
  brew: /^(?:install|upgrade|tap|reinstall)$/,
  apt: /^(?:install|upgrade|full-upgrade|remove|purge)$/,
  'apt-get': /^(?:install|upgrade|dist-upgrade|remove|purge)$/,
  dnf: /^(?:install|upgrade|remove)$/,
  yum: /^(?:install|update|remove)$/,
  zypper: /^(?:install|in|update|remove)$/,
  apk: /^(?:add|upgrade|del)$/,
  snap: /^(?:install|refresh|remove)$/,
  flatpak: /^(?:install|update|uninstall)$/,
  choco: /^(?:install|upgrade)$/,
  winget: /^(?:install|upgrade)$/,
  scoop: /^install$/,
};

function installs(name: string, args: readonly string[]): readonly RiskFact[] {
  if (name === 'npm' && args[0] === 'ci') return [fromLockFile(name)];
  if (name === 'pacman') return args.some((word) => /^-[a-zA-Z]*[SRU]/.test(word)) ? [newPackage(args.filter((word) => !word.startsWith('-')))] : [];
  const { operands, flags } = argumentsOf(args);
  const [sub = '', ...named] = operands;
  if (name === 'yarn' && args.length === 0) return [fromLockFile(name)];
  if (INSTALLERS[name]?.test(sub) !== true) return [];
  // `pip install -r requirements.txt` and `pip install -e .` name files, not packages.
  const files = new Set(
    flags.flatMap((flag) =>
      /^(?:-r|-c|-e|--requirement|--constraint|--editable|--prefix|-C|--filter|--dir)$/.test(flag) ? [args[args.indexOf(flag) + 1] ?? ''] : [],
    ),
  );
  const packages = named.filter((word) => !files.has(word) && word !== '.' && !(name === 'uv' && /^(?:install|sync)$/.test(word)));
  return [packages.length === 0 ? fromLockFile(name) : newPackage(packages)];
}

const fromLockFile = (name: string): RiskFact => ({
  key: 'installs_locked',
  level: 'medium',
  text: `\`${name}\` installs what the project lists; its scripts will run.`,
});
const newPackage = (packages: readonly string[]): RiskFact => ({
  key: 'new_package',
  level: 'high',
  text: `Installs or changes \`${clip(packages.join(' '))}\`; its scripts will run.`,
});

/** Programs that fetch a package and run it in one go. */
function runsPackages(name: string, args: readonly string[]): readonly RiskFact[] {
  const { operands, flags } = argumentsOf(args);
  const [first = '', second = ''] = operands;
  const fact = (what: string): readonly RiskFact[] => [
    { key: 'runs_package', level: 'high', text: `Downloads \`${clip(what)}\` if it is not there, and runs it.` },
  ];
  switch (name) {
    case 'npx':
    case 'bunx':
      // What the project has installed runs from there; only a version or a yes asks for more.
      return flags.some((flag) => /^(?:-y|--yes|-p|--package)/.test(flag)) || /.@./.test(first) ? fact(first) : [];
    case 'uvx':
      return fact(first);
    case 'pipx':
    case 'pnpm':
    case 'yarn':
    case 'deno':
      return first === 'dlx' || (name === 'pipx' && first === 'run') || (name === 'deno' && /^(?:https?|npm|jsr):/.test(second)) ? fact(second) : [];
    case 'go':
      return first === 'run' && second.includes('@') ? fact(second) : [];
    default:
      return [];
  }
}
