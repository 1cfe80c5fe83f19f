import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bench } from './test-bench';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

const verdicts = async (...commands: readonly string[]): Promise<Record<string, string | undefined>> => {
  const session = await bench.open();
  const { items } = await bench.ok('simulate', { session: session.id, calls: commands.map((command) => ({ tool: 'Bash', input: { command } })) });
  return Object.fromEntries(commands.map((command, index) => [command, items[index]?.verdict]));
};
const all = (verdict: string, commands: readonly string[]): Record<string, string> =>
  Object.fromEntries(commands.map((command) => [command, verdict]));

describe('an allow of a program does not cover what the program is made to run', () => {
  it.each([
    [
      'a variable that arithmetic sets',
      ['((PATH=1)); git status', 'echo $((PATH=1)) && git log', 'ls [$((PATH=1))]; git log', 'git log $[PATH=1]', 'git log ${x[PATH=1]}'],
    ],
    [
      'a variable of a loop',
      [
        'for PATH in 1; do git log; done',
        'select PATH in a; do git log; done',
        'for GIT_PAGER in "rm x"; do git log; done',
        'true; for LD_PRELOAD in ./x.so; do git log; done',
      ],
    ],
    ['a variable that an expansion sets', ['echo ${PATH:=/tmp}; git status', 'echo ${PATH=/tmp}; git status']],
    [
      'the beginning of an option of git',
      [
        'git fetch --upload-p="rm x" .',
        'git push --exe="rm x"',
        'git push --receive="rm x"',
        'git grep --open="rm x" a',
        'git rebase --exe="rm x"',
        'git difftool --extc="rm x"',
        'git filter-branch --index-filt "rm x"',
      ],
    ],
    ['clustered options of git', ['git rebase -ixrm HEAD', 'git rebase -ix "rm x" HEAD', 'git difftool -yxrm']],
    [
      'a setting of git in another spelling',
      ['git clone --config=core.fsmonitor=rm . y', 'git clone --conf core.fsmonitor=rm . y', 'git clone -ccore.fsmonitor=rm . y'],
    ],
    [
      'a subcommand that is there to run something',
      ['git shell -c id', 'git remote-ext x "sh -c id"', 'git for-each-repo --config=x rm', 'git hook run x', 'git send-email --to-cmd=rm x'],
    ],
  ])('%s', async (_what, commands) => {
    for (const command_pattern of ['git *', 'echo *', 'ls *', 'true'])
      await bench.rule({ tool_pattern: '@exec', command_pattern, action: 'allow', priority: 1 });
    expect(await verdicts(...commands)).toEqual(all('require', commands));
  });

  it('and its ordinary uses stay covered', async () => {
    for (const command_pattern of ['git *', 'echo *']) await bench.rule({ tool_pattern: '@exec', command_pattern, action: 'allow', priority: 1 });
    const commands = [
      'git status',
      'git fetch --update-shallow origin',
      'git rebase -i HEAD',
      'git clone --depth=1 . y',
      'git log --grep="for PATH in"x',
      'for file in a b; do echo "$file"; done',
      'echo $((1 + 2))',
      'echo ${name:=x}',
      'git grep -n open',
    ];
    expect(await verdicts(...commands)).toEqual(all('allow', commands));
  });
});

describe('a place that is another one to each program', () => {
  it.each(['/proc/self/cwd/package.json', '/proc/thread-self/cwd/a', '/proc/self/root/etc/hosts', 'own/package.json'])(
    '%s is never read without asking, and never written',
    async (file_path) => {
      if (process.platform !== 'linux') return;
      bench.link('app/own', '/proc/self/cwd');
      await bench.rule({ tool_pattern: '*', action: 'allow', priority: 1 });
      const session = await bench.open();
      const { items } = await bench.ok('simulate', {
        session: session.id,
        calls: [
          { tool: 'Read', input: { file_path } },
          { tool: 'Write', input: { file_path, content: '' } },
        ],
      });
      expect(items.map((one) => one.verdict)).toEqual(['require', 'deny']);
    },
  );

  it('does not swallow the streams of a command', async () => {
    await bench.rule({ tool_pattern: 'Bash', command_pattern: 'cat *', action: 'allow', priority: 1 });
    await bench.rule({ tool_pattern: 'external_directory', path_pattern: '/dev/*', action: 'allow', priority: 1 });
    expect(await verdicts('cat /dev/stdin', 'cat /dev/fd/3')).toEqual(all('allow', ['cat /dev/stdin', 'cat /dev/fd/3']));
  });
});
