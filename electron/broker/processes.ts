// Programs that Gatehouse starts itself: hooks, a reviewer command, scheduled jobs. Each runs in a process group of its own, so
// that a time limit or a stop ends it with everything it started. Owns starting, feeding, bounding and ending; not what it means.

import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

export interface Program {
  /** Run by the platform's shell. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  /** No limit unless given. */
  readonly timeoutMs?: number;
  /** Characters of standard output that are kept. */
  readonly maxChars: number;
  /** Which part is kept when there is more. */
  readonly keep: 'head' | 'tail';
  /** Standard error goes the same way as standard output. */
  readonly withErrorOutput?: boolean;
  after(delayMs: number, then: () => void): () => void;
}

export type Ending =
  | { readonly ended: 'exited'; readonly code: number; readonly output: string }
  | { readonly ended: 'killed'; readonly signal: string; readonly output: string }
  | { readonly ended: 'timed_out'; readonly output: string }
  | { readonly ended: 'not_started'; readonly reason: string; readonly output: '' };

export interface Running {
  readonly pid: number | null;
  readonly ending: Promise<Ending>;
  /** Asks the whole group to stop, and ends it when it has not after a moment. */
  stop(): void;
  /** Ends the whole group at once. */
  kill(): void;
}

/** Where programs run: what they inherit, and who keeps track of them while they do. */
export interface ProgramHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  after(delayMs: number, then: () => void): () => void;
  started(running: Running): void;
}

/** After the program has ended: how long its last output may take to arrive. What it left running may hold the pipe open. */
const DRAIN_MS = 200;
const STOP_GRACE_MS = 5_000;

export function startProgram(program: Program): Running {
  const output = collector(program.maxChars, program.keep);
  let child: ChildProcess;
  try {
    child = spawn(program.command, {
      shell: true,
      cwd: program.cwd,
      env: { ...program.env },
      stdio: ['pipe', 'pipe', program.withErrorOutput === true ? 'pipe' : 'ignore'],
      // Its own group on POSIX; on Windows `taskkill /T` finds the tree.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    return { pid: null, ending: Promise.resolve(notStarted(error)), stop: () => undefined, kill: () => undefined };
  }
  let hasEnded = false;
  const ending = new Promise<Ending>((resolve) => {
    let timedOut = false;
    let cancelDrain: (() => void) | null = null;
    const cancelLimit =
      program.timeoutMs === undefined
        ? () => undefined
        : program.after(program.timeoutMs, () => {
            timedOut = true;
            killGroup(child, 'SIGKILL');
          });
    const finish = (made: Ending): void => {
      if (hasEnded) return;
      hasEnded = true;
      cancelLimit();
      cancelDrain?.();
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.stdin?.destroy();
      resolve(made);
    };
    const ended = (code: number | null, signal: NodeJS.Signals | null): Ending => {
      if (timedOut) return { ended: 'timed_out', output: output.text() };
      if (code !== null) return { ended: 'exited', code, output: output.text() };
      return { ended: 'killed', signal: signal ?? 'unknown', output: output.text() };
    };
    child.on('error', (error) => finish(notStarted(error)));
    child.on('exit', (code, signal) => {
      cancelDrain = program.after(DRAIN_MS, () => finish(ended(code, signal)));
    });
    child.on('close', (code, signal) => finish(ended(code, signal)));
  });
  child.stdout?.on('data', (chunk: Buffer) => output.add(chunk));
  child.stderr?.on('data', (chunk: Buffer) => output.add(chunk));
  // A program need not read what it is handed: a closed pipe is no failure.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(program.stdin ?? '');
  return {
    pid: child.pid ?? null,
    ending,
    stop() {
      if (hasEnded) return;
      killGroup(child, 'SIGTERM');
      const cancel = program.after(STOP_GRACE_MS, () => {
        if (!hasEnded) killGroup(child, 'SIGKILL');
      });
      void ending.then(cancel);
    },
    kill() {
      if (!hasEnded) killGroup(child, 'SIGKILL');
    },
  };
}

function notStarted(error: unknown): Ending {
  return { ended: 'not_started', reason: error instanceof Error ? error.message : String(error), output: '' };
}

function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Keeps the first or the last `maxChars` characters; the rest is read and dropped, so that the program is not held up. */
function collector(maxChars: number, keep: 'head' | 'tail'): { add(chunk: Buffer): void; text(): string } {
  const decoder = new StringDecoder('utf8');
  let text = '';
  return {
    add(chunk) {
      if (keep === 'head' && text.length >= maxChars) return;
      text += decoder.write(chunk);
      // The tail is cut now and then, not at every chunk.
      if (keep === 'tail' && text.length > maxChars * 2) text = text.slice(-maxChars);
    },
    text: () => (keep === 'head' ? text.slice(0, maxChars) : text.slice(-maxChars)),
  };
}

/** Spec 12: what is started has none of our tokens, nor what would make it one of our own processes. */
export function cleanEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || /^(?:GATEHOUSE_|ELECTRON_)/i.test(name)) continue;
    clean[name] = value;
  }
  return clean;
}

/** The first of these that is a directory. A program must not fail because the agent named a folder that is gone. */
export function existingDirectory(...candidates: readonly (string | null)[]): string {
  for (const path of candidates) {
    if (path === null) continue;
    try {
      if (statSync(path).isDirectory()) return path;
    } catch {
      // The next one.
    }
  }
  return process.cwd();
}
