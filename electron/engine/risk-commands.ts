// Facts about the commands of a call (ux: risk cues; spec 6 for those that are offered once only), one unit after the other and
// where several make one thing together. What is known of single programs stands in risk-programs.ts.

import type { RiskFact, ShellUnit } from '../../shared/model';
import type { CallFacts, SessionFacts } from './facts';
import { placeText } from './narrative';
import { lastSegment, lexical } from './path-text';
import { deletion, removal, rootBelow } from './risk-places';
import { argumentsOf, type Command, gitCommand, programFacts, readsOnly } from './risk-programs';
import { clip } from './trace';

export function commandFacts(call: CallFacts, session: SessionFacts): readonly RiskFact[] {
  if (call.units.length === 0) return [];
  const commands = commandsOf(call, session);
  const facts: RiskFact[] = [...downloadsThatRun(commands, call)];
  for (const command of commands) facts.push(...unitFacts(command, call, session));
  return facts;
}

function commandsOf(call: CallFacts, session: SessionFacts): readonly Command[] {
  const { platform, workingDirectory, root } = session;
  let base = call.cwd ?? workingDirectory ?? root;
  return call.units.map((unit) => {
    const [word = '', ...args] = unit.words;
    const program = lastSegment(word, platform).replace(/\.(?:exe|cmd|bat|com)$/i, '');
    const command: Command = { unit, program: platform.caseSensitive ? program : program.toLowerCase(), args, base };
    if (typeof unit.cd === 'string') base = unit.cd;
    else if (program === 'cd' && args[0] !== undefined) base = placeOf(args[0], command, session);
    return command;
  });
}

function unitFacts(command: Command, call: CallFacts, session: SessionFacts): readonly RiskFact[] {
  const { unit, program } = command;
  const facts: RiskFact[] = [...removals(command, session), ...pushes(command), ...programFacts(command), ...environment(unit)];
  if (unit.opaque)
    facts.push({ key: 'opaque', level: 'high', text: `Runs code that cannot be read beforehand: ${unit.opaque_reason ?? clip(unit.text)}.` });
  if (facts.length > 0) return facts;
  if (readsOnly(command)) return [{ key: 'reads_only', level: 'low', text: `\`${clip(unit.text)}\` only reads.` }];
  const isWrapper = call.units.some((other) => other.wrapped_by !== undefined && call.units[other.wrapped_by] === unit);
  if (isWrapper) return [];
  return [{ key: 'runs_command', level: 'medium', text: `Runs \`${clip(program)}\`, which can change files.` }];
}

// ------------------------------------------------------------------ deleting

const REMOVERS: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'del', 'erase', 'rd', 'remove-item', 'ri', 'trash', 'rimraf', 'srm']);

function removals(command: Command, session: SessionFacts): readonly RiskFact[] {
  const { program, args, base } = command;
  const words = program === 'git' ? gitRemovals(command) : REMOVERS.has(program.toLowerCase()) ? argumentsOf(args).operands : findRemovals(command);
  return words.map((word): RiskFact => {
    const path = placeOf(word, command, session);
    if (word === '{}') return { key: 'deletes', level: 'high', text: 'Deletes whatever it is handed.' };
    if (path === null) {
      const what = `\`${clip(word)}\`, which only the shell can tell`;
      return removesBelow(command)
        ? { key: 'removes_unknown', level: 'high', text: `Removes everything below ${what}.` }
        : { key: 'deletes', level: 'high', text: `Deletes ${what}.` };
    }
    // Without a base a bare name says nothing about where it is.
    const root = removesBelow(command) && (base !== null || isRooted(word)) ? rootBelow(path, session) : null;
    return root === null ? deletion(placeText(path, session), path, session) : removal(path, root, session);
  });
}

/** `rmdir`, and `rm` without `-r`, leave a folder alone that has something in it. */
function removesBelow({ program, args }: Command): boolean {
  switch (program.toLowerCase()) {
    case 'rm':
    case 'srm':
      return argumentsOf(args).flags.some((flag) => /^-[A-Za-z]*[rR]/.test(flag) || (flag.startsWith('--r') && '--recursive'.startsWith(flag)));
    case 'rmdir':
    case 'unlink':
    case 'git':
      return false;
    default:
      return true;
  }
}

function gitRemovals(command: Command): readonly string[] {
  const git = gitCommand(command);
  return git?.sub === 'rm' && !git.args.includes('--cached') ? argumentsOf(git.args).operands : [];
}

/** `find DIR … -delete` */
function findRemovals({ program, args }: Command): readonly string[] {
  if (program !== 'find' || !args.includes('-delete')) return [];
  const end = args.findIndex((word) => word.startsWith('-') || word === '(' || word === '!');
  const places = args.slice(0, Math.max(0, end));
  // Names that are looked for narrow it down: then it deletes files, not the folder.
  const narrowed = args.some((word) => /^-(?:i?name|i?path|i?regex|newer|mtime|size|empty)/.test(word));
  return narrowed ? (places.length === 0 ? ['./'] : places).map((place) => `${place.replace(/\/$/, '')}/…`) : places.length === 0 ? ['.'] : places;
}

/** Where a word points, by text alone; `~`, `$HOME` and a final `/*` are understood. Null: nobody can tell. */
function placeOf(word: string, { base }: Pick<Command, 'base'>, session: SessionFacts): string | null {
  const { protectedPlaces, platform } = session;
  const home = /^(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%|\$env:USERPROFILE)(?=$|[\\/])/i;
  const expanded = word.replace(home, () => protectedPlaces.home);
  if (/^[~$%]/.test(expanded) || expanded === '') return null;
  const bare = expanded === '*' ? '.' : expanded.replace(/[\\/]\*$/, (tail) => tail.slice(0, 1));
  return base === null && !isRooted(bare) ? null : lexical(base, bare, platform);
}

const isRooted = (word: string): boolean => /^(?:[\\/~]|\$|[A-Za-z]:)/.test(word);

// ------------------------------------------------------------------ pushing

function pushes(command: Command): readonly RiskFact[] {
  const git = gitCommand(command);
  if (git === null || (git.sub !== 'push' && git.sub !== 'send-pack')) return [];
  const { flags, operands } = argumentsOf(git.args);
  const target = operands.length === 0 ? 'the remote' : `\`${clip(operands.join(' '))}\``;
  // Git takes every beginning of a long option that means one thing.
  const isForced = flags.some((flag) => /^--(?:forc|mirr)/.test(flag) || /^-[a-zA-Z]*f/.test(flag)) || operands.some((word) => word.startsWith('+'));
  if (isForced) return [{ key: 'forced_push', level: 'high', text: `Overwrites the history of ${target}. Others may lose commits.` }];
  if (flags.some((flag) => /^--(?:del|pru)/.test(flag) || /^-[a-zA-Z]*d/.test(flag)) || operands.some((word) => word.startsWith(':')))
    return [{ key: 'rewrites_history', level: 'high', text: `Deletes branches or tags on ${target}.` }];
  // An ordinary push sends what the remote is there for; only spec 6's forced one is high.
  return [{ key: 'pushes_commits', level: 'medium', text: `Pushes commits to ${target}.` }];
}

// ------------------------------------------------------------------ downloads that run

const DOWNLOADERS: ReadonlySet<string> = new Set('curl wget fetch aria2c http https xh iwr irm invoke-webrequest invoke-restmethod'.split(' '));
const SHELLS: ReadonlySet<string> = new Set(
  'sh bash zsh dash ksh fish ash csh tcsh python python2 python3 node deno bun perl ruby php pwsh powershell iex invoke-expression source .'.split(
    ' ',
  ),
);

function downloadsThatRun(commands: readonly Command[], call: CallFacts): readonly RiskFact[] {
  const downloads = commands.filter(({ program }) => DOWNLOADERS.has(program.toLowerCase()));
  const [first] = downloads;
  if (first === undefined) return [];
  const from = first.args.find((word) => /^[a-z]+:\/\//i.test(word)) ?? first.args.find((word) => !word.startsWith('-')) ?? 'the network';
  if (commands.some((command) => runsWhatItReads(command) || command.unit.opaque))
    return [{ key: 'download_to_shell', level: 'high', text: `Runs what it downloads from \`${clip(from)}\`, unseen.` }];
  const files = downloadedFiles(downloads, call);
  const runs = commands.some(({ program, args, unit }) =>
    SHELLS.has(program.toLowerCase()) ? args.some((word) => files.has(baseOf(word))) : files.has(baseOf(unit.words[0] ?? '')),
  );
  return runs ? [{ key: 'runs_download', level: 'high', text: `Runs a file that it downloads from \`${clip(from)}\`.` }] : [];
}

/** A shell or interpreter without a script of its own takes what is piped into it, or what a substitution hands it. */
function runsWhatItReads({ program, args }: Command): boolean {
  if (!SHELLS.has(program.toLowerCase())) return false;
  const operands = args.filter((word) => !word.startsWith('-'));
  return (
    operands.length === 0 ||
    args.some((word) => /^-[a-z]*s$/.test(word)) ||
    operands.some((word) => /^(?:<\(|\$\(|`|\/dev\/(?:stdin|fd\/))/.test(word))
  );
}

const baseOf = (word: string): string => word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);

function downloadedFiles(downloads: readonly Command[], call: CallFacts): ReadonlySet<string> {
  const files = new Set(call.paths.filter((path) => path.origin === 'redirect' && path.access === 'write').map((path) => baseOf(path.raw)));
  for (const { args } of downloads) {
    args.forEach((word, index) => {
      if (word === '-o' || word === '-O' || word === '--output' || word === '--output-document' || word === '-OutFile')
        files.add(baseOf(args[index + 1] ?? ''));
      if (/^[a-z]+:\/\//i.test(word)) files.add(baseOf(word.replace(/[?#].*$/, '')));
    });
  }
  files.delete('');
  return files;
}

// ------------------------------------------------------------------ environment

const STEERING =
  /^(?:LD_[A-Z_]+|DYLD_[A-Z_]+|NODE_OPTIONS|PYTHON(?:PATH|STARTUP|HOME)|PERL5(?:OPT|LIB)|RUBY(?:OPT|LIB)|BASH_ENV|ENV|PATH|GIT_[A-Z_]+|EDITOR|PAGER|IFS|PROMPT_COMMAND|JAVA_TOOL_OPTIONS)=/;

/** Assignments before a command are no part of its text (spec 6), so they are said here. */
function environment({ assignments }: ShellUnit): readonly RiskFact[] {
  return assignments
    .filter((assignment) => STEERING.test(assignment))
    .map((assignment) => ({ key: 'steers_program', level: 'high', text: `Sets \`${clip(assignment)}\`, which changes what the program runs.` }));
}
