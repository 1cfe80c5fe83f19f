// Programs that start another program (spec 6, wrappers): a table of how their command lines are laid out. Data only; reading
// a line by it is shell-programs.ts's.

import { type OptionTable, options } from './shell-options';

export interface Wrapper {
  readonly options: OptionTable;
  /** Words that stand between the options and the command, such as the host of `ssh`. */
  readonly operands: number;
  /** `VAR=x` may stand before the command. */
  readonly assignments: boolean;
  /** First word that has to follow for it to be a wrapper, such as `exec` of `npm exec`; with its own options. */
  readonly subcommands: ReadonlyMap<string, Wrapper> | null;
  /** In the directory in force, in this very shell, or in a place that nobody here knows. */
  readonly place: 'here' | 'shell' | 'elsewhere';
  /** `text`: the words are joined and given to a shell. */
  readonly form: 'argv' | 'text';
  /** Options that turn `text` into `argv`. */
  readonly argvOptions: readonly string[];
  /** Options whose value is shell text. */
  readonly textOptions: readonly string[];
  /** Options after which everything is the command. */
  readonly restOptions: readonly string[];
  /** Options that name the directory of the command. */
  readonly directoryOptions: readonly string[];
  /** Options with which there is no command. */
  readonly withoutCommand: readonly string[];
  /** The command begins only after `--`. */
  readonly afterDashes: boolean;
  /** Without a command it starts a shell, or takes the command from its input. */
  readonly aloneRuns: boolean;
  /** The command gets words from its input. */
  readonly addsArguments: boolean;
  /** Options may also follow the operands. */
  readonly optionsAfterOperands: boolean;
}

const PLAIN: Wrapper = {
  options: options(''),
  operands: 0,
  assignments: false,
  subcommands: null,
  place: 'here',
  form: 'argv',
  argvOptions: [],
  textOptions: [],
  restOptions: [],
  directoryOptions: [],
  withoutCommand: [],
  afterDashes: false,
  aloneRuns: false,
  addsArguments: false,
  optionsAfterOperands: false,
};

const wraps = (line: string, more: Partial<Wrapper> = {}): Wrapper => ({ ...PLAIN, ...more, options: options(line) });
const below = (subcommands: Readonly<Record<string, Wrapper>>, line = ''): Wrapper =>
  wraps(line, { subcommands: new Map(Object.entries(subcommands)) });

const SSH = wraps('4 6 A a C f G g K k M N n q s T t V v X x Y y B: b: c: D: E: e: F: I: i: J: L: l: m: O: o: P: p: Q: R: S: W: w:', {
  operands: 1,
  form: 'text',
  place: 'elsewhere',
  optionsAfterOperands: true,
});
const SU =
  'c: C: g: G: l f m p P s: w: u: --command: --session-command: --login --user: --group: --supp-group: --shell: --pty --fast --preserve-environment --whitelist-environment:';
const CONTAINER_EXEC = wraps(
  'd e: i t u: w: T --detach --env: --env-file: --interactive --tty --user: --workdir: --privileged --detach-keys: --index: --no-TTY --latest l',
  { operands: 1, place: 'elsewhere' },
);
const CONTAINER_RUN = wraps(
  'a: c: d e: h: i l: m: P p: q t u: v: w: T --add-host: --annotation: --attach: --build --cap-add: --cap-drop: --cgroupns: --cidfile: --cpus: --cpuset-cpus: --cpu-shares: --detach --device: --dns: --entrypoint: --env: --env-file: --expose: --gpus: --group-add: --health-cmd: --hostname: --init --interactive --ip: --ipc: --isolation: --label: --label-file: --link: --log-driver: --log-opt: --mac-address: --memory: --memory-swap: --mount: --name: --network: --net: --network-alias: --no-deps --no-healthcheck --no-TTY --oom-kill-disable --pid: --pids-limit: --platform: --privileged --publish: --publish-all --pull: --quiet --quiet-pull --read-only --remove-orphans --restart: --rm --runtime: --security-opt: --service-ports --shm-size: --stop-signal: --stop-timeout: --storage-opt: --sysctl: --tmpfs: --tty --ulimit: --use-aliases --user: --userns: --uts: --volume: --volume-driver: --volumes-from: --workdir: --sig-proxy? --userns:',
  { operands: 1, place: 'elsewhere' },
);
const COMPOSE = below(
  { exec: CONTAINER_EXEC, run: CONTAINER_RUN },
  'f: p: --file: --project-name: --profile: --env-file: --project-directory: --ansi: --progress: --compatibility --dry-run',
);
const CONTAINERS = below(
  { exec: CONTAINER_EXEC, run: CONTAINER_RUN, container: below({ exec: CONTAINER_EXEC, run: CONTAINER_RUN }), compose: COMPOSE },
  'c: D H: l: --config: --context: --debug --host: --log-level: --tls --tlscacert: --tlscert: --tlskey: --tlsverify v',
);
const POD_EXEC = wraps(
  'c: f: i n: q t --container: --filename: --stdin --tty --namespace: --pod-running-timeout: --quiet --context: --kubeconfig: --cluster: --user:',
  {
    afterDashes: true,
    place: 'elsewhere',
  },
);
const RUN = wraps('--*');
const AFTER_DASHES = wraps('--*', { afterDashes: true });
const IN_SHELL = wraps('', { place: 'shell' });
const PACKAGE =
  'y q s p: c: w: C: F: d g --yes --no --no-install --quiet --silent --package: --call: --workspace: --workspaces --include-workspace-root --ignore-existing --prefer-online --prefer-offline --offline --shell-mode --bun --verbose --registry: --cache: --prefix: --userconfig: --loglevel: --dir: --filter: --node-options: --recursive --parallel --stream --aggregate-output --allow-build:';
const PACKAGE_RUN = wraps(PACKAGE, { textOptions: ['-c', '--call'], aloneRuns: true });
const VERSIONS = below({ exec: RUN, x: RUN, run: RUN });

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries({
    // other users
    sudo: wraps(
      'A B b E e H i K k l N n P S s V v C: D: g: h: p: R: r: t: T: U: u: --askpass --background --bell --preserve-env? --edit --set-home --login --reset-timestamp --remove-timestamp --list --no-update --non-interactive --preserve-groups --stdin --shell --version --validate --close-from: --chdir: --group: --host: --prompt: --chroot: --role: --type: --command-timeout: --other-user: --user: --help',
      {
        assignments: true,
        directoryOptions: ['-D', '--chdir'],
        withoutCommand: ['-e', '--edit', '-l', '--list', '-V', '--version', '-v', '--validate', '-K', '--remove-timestamp'],
      },
    ),
    doas: wraps('n s L C: u: a:', { assignments: true, aloneRuns: true }),
    pkexec: wraps('--user: --disable-internal-agent --keep-cwd', { aloneRuns: true }),
    gosu: wraps('', { operands: 1 }),
    'su-exec': wraps('', { operands: 1 }),
    su: wraps(SU, { operands: 1, textOptions: ['-c', '--command', '--session-command'], aloneRuns: true, optionsAfterOperands: true }),
    runuser: wraps(SU, { textOptions: ['-c', '--command', '--session-command'], aloneRuns: true, optionsAfterOperands: true }),
    sg: wraps('c:', { operands: 1, form: 'text', textOptions: ['-c'], aloneRuns: true, optionsAfterOperands: true }),
    // environment, priority, resources
    env: wraps(
      'i 0 v u: C: S: a: --ignore-environment --null --unset: --chdir: --split-string: --argv0: --debug --block-signal? --default-signal? --ignore-signal? --list-signal-handling',
      { assignments: true, directoryOptions: ['-C', '--chdir'], textOptions: ['-S', '--split-string'] },
    ),
    nice: wraps('n: # --adjustment:'),
    ionice: wraps('c: n: p: P: t u: --class: --classdata: --pid: --ignore --uid: --pgid:', {
      withoutCommand: ['-p', '--pid', '-u', '--uid', '-P', '--pgid'],
    }),
    chrt: wraps('a b d f i m o r R v p T: P: D: --all-tasks --batch --deadline --fifo --idle --max --other --reset-on-fork --rr --verbose --pid', {
      operands: 1,
      withoutCommand: ['-p', '--pid', '-m', '--max'],
    }),
    taskset: wraps('a c p --all-tasks --cpu-list --pid', { operands: 1, withoutCommand: ['-p', '--pid'] }),
    numactl: wraps(
      'H s a l b i: m: N: C: p: w: --hardware --show --all --localalloc --balancing --interleave: --membind: --cpunodebind: --physcpubind: --preferred:',
    ),
    prlimit: wraps(
      'c? d? e? f? i? l? m? n? p: q? r? s? t? u? v? x? y? o: --pid: --output: --noheadings --raw --verbose --core? --nofile? --nproc? --cpu? --as? --data? --fsize? --stack? --rss? --memlock?',
      {
        withoutCommand: ['-p', '--pid'],
      },
    ),
    nohup: wraps(''),
    setsid: wraps('c f w --ctty --fork --wait'),
    time: wraps('a h l p q v V o: f: --append --portability --quiet --verbose --version --output: --format:'),
    gtime: wraps('a p q v V o: f: --append --portability --quiet --verbose --output: --format:'),
    timeout: wraps('f p v s: k: --foreground --preserve-status --verbose --signal: --kill-after:', { operands: 1 }),
    gtimeout: wraps('f p v s: k: --foreground --preserve-status --verbose --signal: --kill-after:', { operands: 1 }),
    stdbuf: wraps('i: o: e: --input: --output: --error:'),
    unbuffer: wraps('p'),
    rlwrap: wraps(''),
    caffeinate: wraps('d i m s u t: w:'),
    chronic: wraps('v e'),
    ifne: wraps('n'),
    cpulimit: wraps('p: e: P: l: v z i k f --pid: --exe: --path: --limit: --verbose --lazy --include-children --kill --foreground', {
      withoutCommand: ['-p', '--pid', '-e', '--exe', '-P', '--path'],
    }),
    setarch: wraps('v R B F I L S T X Z 3 --*', { operands: 1, aloneRuns: true }),
    linux32: wraps('v R B F I L S T X Z 3 --*', { aloneRuns: true }),
    linux64: wraps('v R B F I L S T X Z 3 --*', { aloneRuns: true }),
    setpriv: wraps(
      'd h V --dump --nnp --no-new-privs --clear-groups --keep-groups --init-groups --reset-env --reuid: --regid: --ruid: --euid: --rgid: --egid: --groups: --inh-caps: --ambient-caps: --bounding-set: --securebits: --pdeathsig: --selinux-label: --apparmor-profile:',
    ),
    'systemd-run': wraps(
      'G P S d q r t v E: H: M: p: u: --collect --pipe --pty --scope --shell --same-dir --quiet --wait --user --system --no-block --no-ask-password --remain-after-exit --send-sighup --slice-inherit --unit: --property: --description: --slice: --uid: --gid: --nice: --working-directory: --setenv: --service-type: --host: --machine: --on-active: --on-boot: --on-startup: --on-unit-active: --on-unit-inactive: --on-calendar: --timer-property: --path-property: --socket-property:',
      { place: 'elsewhere', aloneRuns: true },
    ),
    'systemd-inhibit': wraps('--what: --who: --why: --mode: --list --no-pager --no-legend', { withoutCommand: ['--list'] }),
    'dbus-run-session': wraps('--config-file: --dbus-daemon:'),
    'dbus-launch': wraps('--*'),
    'xvfb-run': wraps(
      'a h l e: f: n: p: s: w: --auto-servernum --listen-tcp --error-file: --auth-file: --server-num: --xauth-protocol: --server-args: --wait:',
    ),
    torsocks: wraps('d i q a: p: P: u: --*'),
    torify: wraps(''),
    proxychains: wraps('q f:'),
    proxychains4: wraps('q f:'),
    fakeroot: wraps('h u v b: f: i: l: s: --*'),
    firejail: wraps('--*', { place: 'elsewhere', aloneRuns: true }),
    bwrap: wraps('--*', { place: 'elsewhere', afterDashes: true }),
    proot: wraps('0 v h b: k: m: q: r: R: S: w: --*', { place: 'elsewhere', aloneRuns: true }),
    // other roots and namespaces
    chroot: wraps('n u: g: G: --groups: --userspec: --skip-chdir', { operands: 1, place: 'elsewhere', aloneRuns: true }),
    unshare: wraps(
      'c f r C? i? m? n? p? T? u? U? G: R: S: w: l: --fork --map-root-user --map-current-user --map-auto --keep-caps --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --kill-child? --mount-proc? --map-user: --map-group: --map-users: --map-groups: --propagation: --setgroups: --root: --wd: --setuid: --setgid: --monotonic: --boottime:',
      { place: 'elsewhere', aloneRuns: true },
    ),
    nsenter: wraps(
      'a e F Z C? i? m? n? p? T? u? U? r? w? G: S: t: W: --all --env --no-fork --preserve-credentials --follow-context --target: --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --root? --wd? --setuid: --setgid: --wdns:',
      { place: 'elsewhere', aloneRuns: true },
    ),
    ip: below({ netns: below({ exec: wraps('', { operands: 1 }) }) }, '4 6 s d o r --*'),
    // many times, or later
    xargs: wraps(
      '0 o p r t x E: a: d: I: J: L: n: P: R: S: s: e? i? l? --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits --arg-file: --delimiter: --eof? --max-args: --max-procs: --max-chars: --max-lines? --replace? --process-slot-var:',
      { addsArguments: true },
    ),
    parallel: wraps(
      '0 k m q r t u v X a: C: d: D: I: j: J: L: l? M N: n: P: p s: S: --bar --dry-run --eta --halt: --jobs: --keep-order --line-buffer --lb --linebuffer --null --no-notice --will-cite --quote --progress --retries: --results: --tag --tagstring: --timeout: --ungroup --xargs --verbose --verboselines --arg-file: --arg-sep: --colsep: --delimiter: --delay: --joblog: --max-args: --max-procs: --memfree: --nice: --load: --pipe --pipepart --block: --recstart: --recend: --resume --resume-failed --group --header: --link --plus --rpl: --shuf --silent',
      { form: 'text', addsArguments: true, aloneRuns: true },
    ),
    watch: wraps(
      'b c C d? e f? g p r t v w x n: q: s: --beep --color --no-color --differences? --errexit --chgexit --exec --precise --no-title --no-wrap --no-rerun --interval: --equexit:',
      { form: 'text', argvOptions: ['-x', '--exec'] },
    ),
    entr: wraps('a c d n p r x z s:', { textOptions: ['-s'], aloneRuns: true }),
    watchexec: wraps('c q v w: e: f: i: o: s: d: n N p r W: --*', { form: 'text' }),
    nodemon: wraps('e: i: w: q V x: d: L I --exec: --ext: --ignore: --watch: --delay: --signal: --*', {
      textOptions: ['-x', '--exec'],
      withoutCommand: ['-x', '--exec'],
    }),
    flock: wraps(
      's x e u n o F v E: w: c: --shared --exclusive --unlock --nonblock --nb --close --no-fork --verbose --conflict-exit-code: --timeout: --wait: --command:',
      {
        operands: 1,
        textOptions: ['-c', '--command'],
        optionsAfterOperands: true,
      },
    ),
    script: wraps(
      'a d e f k p q r B: c: E: F: I: m: O: o: t? T: --append --return --flush --force --quiet --command: --echo: --log-in: --log-io: --log-out: --log-timing: --logging-format: --output-limit: --timing?',
      {
        operands: 1,
        textOptions: ['-c', '--command'],
        aloneRuns: true,
        optionsAfterOperands: true,
      },
    ),
    repeat: wraps('', { operands: 1, place: 'shell' }),
    hyperfine: wraps(
      'N i S: w: r: m: M: p: c: s: u: n: L: P: --warmup: --runs: --min-runs: --max-runs: --prepare: --cleanup: --setup: --shell: --ignore-failure --style: --export-json: --export-markdown: --export-csv: --show-output --command-name:',
      {
        form: 'text',
        textOptions: ['-p', '--prepare', '-c', '--cleanup', '-s', '--setup'],
      },
    ),
    concurrently: wraps('k n: c: l: m: p: s: r --*', { form: 'text' }),
    // this very shell
    command: wraps('p v V', { place: 'shell', withoutCommand: ['-v', '-V'] }),
    builtin: IN_SHELL,
    exec: wraps('c l a:'),
    noglob: IN_SHELL,
    nocorrect: IN_SHELL,
    and: IN_SHELL,
    or: IN_SHELL,
    not: IN_SHELL,
    '-': IN_SHELL,
    // looking on
    strace: wraps('c C d D f F h i k n N q r t T v V w x y Y z Z a: b: e: E: I: o: O: p: P: s: S: u: U: X: --*', { withoutCommand: ['-p'] }),
    ltrace: wraps('b c C f i L r S t T A: a: D: e: F: l: n: o: p: s: u: w: x: --*', { withoutCommand: ['-p'] }),
    valgrind: wraps('q v d h --*'),
    // packages and tool versions
    npx: PACKAGE_RUN,
    pnpx: PACKAGE_RUN,
    bunx: PACKAGE_RUN,
    npm: below({ exec: PACKAGE_RUN, x: PACKAGE_RUN }, PACKAGE),
    pnpm: below({ exec: wraps(PACKAGE, { form: 'argv', textOptions: [] }), dlx: PACKAGE_RUN }, PACKAGE),
    yarn: below({ exec: wraps(PACKAGE), dlx: PACKAGE_RUN }, '--cwd: --silent s --*'),
    bun: below({ x: PACKAGE_RUN, exec: wraps('', { form: 'text', aloneRuns: true }) }, '--cwd: --silent b'),
    uvx: wraps('q v p: n --from: --with: --python: --index-url: --isolated --no-cache --quiet --verbose --offline --refresh'),
    uv: below(
      {
        run: wraps(
          'q v m: p: --all-extras --extra: --group: --no-dev --dev --with: --with-requirements: --isolated --locked --frozen --no-sync --no-project --python: --module: --directory: --project: --env-file: --offline --quiet --active --exact --script s',
        ),
        tool: below({ run: wraps('q v p: --from: --with: --python: --isolated --no-cache --quiet --offline') }),
      },
      'q v n --quiet --verbose --no-cache --offline --directory: --project: --color:',
    ),
    pipx: below({ run: wraps('q v --spec: --python: --pip-args: --no-cache --verbose --quiet') }),
    poetry: below({ run: wraps('') }, 'q v n C: P: --quiet --verbose --no-interaction --directory: --project:'),
    pipenv: below({ run: wraps('') }, 'q v --*'),
    pdm: below({ run: wraps('s v p: --site-packages --project: --skip:') }, 'q v c: p: --*'),
    hatch: below({ run: wraps('') }, 'q v e: p: --*'),
    rye: below({ run: wraps('') }),
    conda: below({
      run: wraps('v n: p: --name: --prefix: --cwd: --verbose --dev --debug-wrapper-scripts --no-capture-output --live-stream --no-banner'),
    }),
    mamba: below({ run: wraps('v n: p: --name: --prefix: --cwd: --no-capture-output --live-stream') }),
    micromamba: below({ run: wraps('a: d e: n: p: r: --attach: --name: --prefix: --root-prefix: --cwd: --env: --detach --clean-env --label:') }),
    bundle: below({ exec: wraps('--keep-file-descriptors --gemfile:') }),
    rbenv: VERSIONS,
    pyenv: VERSIONS,
    nodenv: VERSIONS,
    asdf: VERSIONS,
    volta: below({ run: wraps('--node: --npm: --yarn: --pnpm: --no-yarn --bundled-npm --quiet --verbose') }),
    nvm: below({ exec: wraps('--silent', { operands: 1 }), run: wraps('--silent', { operands: 1 }) }),
    mise: below({ exec: AFTER_DASHES, x: AFTER_DASHES }, 'q v y C: E: --*'),
    direnv: below({ exec: wraps('', { operands: 1 }) }),
    'aws-vault': below({ exec: AFTER_DASHES }, '--*'),
    chamber: below({ exec: AFTER_DASHES }, '--*'),
    doppler: below({ run: AFTER_DASHES }, '--*'),
    op: below({ run: AFTER_DASHES }, '--*'),
    sops: below({ 'exec-env': wraps('--*', { operands: 1, form: 'text' }), 'exec-file': wraps('--*', { operands: 1, form: 'text' }) }),
    dotenv: wraps('e: v: c? f: o q: p: --*'),
    dotenvx: below({ run: AFTER_DASHES }),
    'cross-env': wraps('', { assignments: true }),
    'cross-env-shell': wraps('', { assignments: true, form: 'text' }),
    'env-cmd': wraps('e: f: r: x --environments: --file: --rc-file: --fallback --no-override --silent --use-shell --verbose --expand-envs'),
    nix: below({
      develop: wraps('c: i k: --command: --ignore-environment --keep: --impure --*', { restOptions: ['-c', '--command'], aloneRuns: true }),
      shell: wraps('c: i k: --command: --ignore-environment --impure --*', { restOptions: ['-c', '--command'], aloneRuns: true }),
    }),
    'nix-shell': wraps('p A: I: E: j: K k Q v --run: --command: --packages --pure --impure --expr: --attr: --arg: --argstr: --*', {
      textOptions: ['--run', '--command'],
      withoutCommand: ['--run', '--command'],
      aloneRuns: true,
    }),
    // containers and other machines
    docker: CONTAINERS,
    podman: CONTAINERS,
    nerdctl: CONTAINERS,
    'docker-compose': COMPOSE,
    'podman-compose': COMPOSE,
    kubectl: below({ exec: POD_EXEC }, 'n: s: v: --namespace: --context: --kubeconfig: --cluster: --user: --server: --token:'),
    oc: below(
      { exec: POD_EXEC, rsh: wraps('c: n: t T --container: --shell:', { operands: 1, place: 'elsewhere', aloneRuns: true }) },
      'n: --namespace: --context: --kubeconfig:',
    ),
    lxc: below({ exec: wraps('t T n --*', { operands: 1, place: 'elsewhere' }) }),
    distrobox: below({ enter: wraps('n: r H v a: T --name: --root --*', { afterDashes: true, aloneRuns: true, place: 'elsewhere' }) }),
    toolbox: below({ run: wraps('c: d: r: --container: --distro: --release:', { place: 'elsewhere' }) }),
    ssh: SSH,
    slogin: SSH,
    autossh: wraps('M: 4 6 A a C f g K k N n q T t V v X x Y y b: c: D: E: F: i: J: L: l: o: p: R: S: W:', {
      operands: 1,
      form: 'text',
      place: 'elsewhere',
      optionsAfterOperands: true,
    }),
    rsh: SSH,
    sshpass: wraps('e v p: f: d: P: V h'),
    mosh: wraps('a n 4 6 p: --ssh: --server: --client: --predict: --port: --*', { operands: 1, place: 'elsewhere', textOptions: ['--ssh'] }),
    vagrant: below({
      ssh: wraps('c: p t --command: --plain --tty --no-tty', {
        textOptions: ['-c', '--command'],
        withoutCommand: ['-c', '--command'],
        place: 'elsewhere',
        aloneRuns: true,
      }),
    }),
    wsl: wraps('d: e u: --distribution: --exec --user: --cd: --shell-type: --system', { place: 'elsewhere', aloneRuns: true }),
    // one binary, many programs
    busybox: wraps('--list --list-full --install', { withoutCommand: ['--list', '--list-full', '--install'] }),
    toybox: wraps('--long --help --version', { withoutCommand: ['--long', '--help', '--version'] }),
    // terminals
    xterm: wraps('e: --*', { restOptions: ['-e'], withoutCommand: ['-e'], aloneRuns: true }),
    konsole: wraps('e: --*', { restOptions: ['-e'], withoutCommand: ['-e'], aloneRuns: true }),
    alacritty: wraps('e: --command: --*', { restOptions: ['-e', '--command'], withoutCommand: ['-e', '--command'], aloneRuns: true }),
    'gnome-terminal': wraps('--*', { afterDashes: true, aloneRuns: true }),
  } satisfies Record<string, Wrapper>),
);
