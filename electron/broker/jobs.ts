// Scheduled jobs (spec 12): when the next run is due, what happens to one that was missed, and the program of a run with its
// session of source `cron`. Croner reads the expressions; the timers and processes are ours.

import { Cron } from 'croner';
import { fail, ok, type Result } from '../../shared/failure';
import type { Job, JobRun } from '../../shared/model';
import type { StateEvent } from '../store/events';
import type { Caller } from './caller';
import type { Core } from './core';
import { endSession } from './ending';
import { openSession } from './opening';
import { cleanEnvironment, type Ending, type Running, startProgram } from './processes';

/** Agent name of a run's session. The agent inside opens its own below it. */
export const JOB_AGENT = 'job';
/** Characters of output that are kept: the last ones. */
export const OUTPUT_CHARS = 64 * 1024;
/** A run that is due longer ago than this was missed, by a machine that slept or a program that was not there. */
const MISSED_AFTER_MS = 60_000;

const SCHEDULER: Caller = { scopes: new Set(['operator.admin']), door: 'internal', name: 'scheduler' };

interface Active {
  readonly run: JobRun;
  readonly program: Running;
  readonly finished: Promise<JobRun>;
  stoppedBy: 'person' | 'shutdown' | null;
}

/** The next time after `fromMs`; null when there is none. Failure names the field. */
export function nextRunOf(job: Pick<Job, 'cron' | 'time_zone'>, fromMs: number): Result<string | null> {
  try {
    // A wrong zone is only noticed when a time is worked out.
    new Intl.DateTimeFormat('en', { timeZone: job.time_zone ?? undefined });
  } catch {
    return fail('invalid', `The time zone \`${job.time_zone ?? ''}\` is not known.`, {
      hint: 'Use a name such as `Europe/Berlin`.',
      subject: 'time_zone',
    });
  }
  try {
    const next = new Cron(job.cron, { paused: true, ...(job.time_zone === null ? {} : { timezone: job.time_zone }) }).nextRun(new Date(fromMs));
    return ok(next === null ? null : next.toISOString());
  } catch (error) {
    return fail('invalid', `\`${job.cron}\` is no cron expression: ${error instanceof Error ? error.message : String(error)}`, {
      hint: 'Use five fields, such as `0 7 * * 1-5`.',
      subject: 'cron',
    });
  }
}

export class Jobs {
  readonly #core: Core;
  readonly #timers = new Map<string, () => void>();
  readonly #active = new Map<string, Active>();
  #isClosed = false;

  constructor(core: Core) {
    this.#core = core;
  }

  /** What was running when the last process ended was interrupted; what was due meanwhile follows the job's policy. */
  start(): void {
    for (const job of [...this.#core.live.jobs.values()]) {
      const last = job.last_run;
      if (last?.outcome === 'running') {
        this.#commit('job.interrupted', job, `The run of \`${job.name}\` was interrupted.`, [
          { put: 'job_run', value: { ...last, outcome: 'interrupted', ended_at: this.#core.nowIso() } },
        ]);
        endSession(this.#core, last.session_id, SCHEDULER, 'its job was interrupted');
      }
      const dueMs = job.next_run_at === null ? null : Date.parse(job.next_run_at);
      if (job.enabled && dueMs !== null && dueMs <= this.#core.nowMs()) this.#due(job.id, dueMs);
      else this.schedule(job.id);
    }
  }

  /** After a job was made, changed or deleted. */
  schedule(jobId: string): void {
    this.#timers.get(jobId)?.();
    this.#timers.delete(jobId);
    const job = this.#core.live.jobs.get(jobId);
    if (job === undefined || !job.enabled || this.#isClosed) return;
    const next = nextRunOf(job, this.#core.nowMs());
    if (!next.ok || next.value === null) return;
    const dueMs = Date.parse(next.value);
    if (job.next_run_at !== next.value) this.#put({ ...job, next_run_at: next.value });
    this.#arm(jobId, dueMs);
  }

  /** A run now. `conflict` while one is running. */
  run(job: Job, caller: Caller): Result<JobRun> {
    if (this.#active.has(job.id))
      return fail('conflict', `The job \`${job.name}\` is running.`, { hint: 'Wait for its end, or stop it.', subject: 'id' });
    const { id: job_id, cwd, project_id, run_context, headless, name, command } = job;
    const session = openSession(this.#core, { agent: JOB_AGENT, source: 'cron', title: name, cwd, project_id, run_context, headless }, SCHEDULER);
    if (!session.ok) return session;
    const core = this.#core;
    const endpoint = core.deps.endpoint?.() ?? null;
    const program = startProgram({
      command,
      cwd,
      env: {
        ...cleanEnvironment(core.deps.env ?? process.env),
        GATEHOUSE_DATA_DIR: core.deps.dataDir,
        GATEHOUSE_SESSION_ID: session.value.id,
        ...(endpoint === null ? {} : { GATEHOUSE_URL: endpoint.url }),
      },
      maxChars: OUTPUT_CHARS,
      keep: 'tail',
      withErrorOutput: true,
      after: core.after,
    });
    const run: JobRun = {
      id: core.newId('run'),
      job_id,
      session_id: session.value.id,
      started_at: core.nowIso(),
      ended_at: null,
      exit_code: null,
      outcome: 'running',
      output: '',
    };
    this.#commit(
      'job.started',
      job,
      `The job \`${name}\` was started.`,
      [{ put: 'job_run', value: run }],
      caller.door === 'internal' ? 'clock' : `person:${caller.door}`,
    );
    const active: Active = { run, program, stoppedBy: null, finished: program.ending.then((ending) => this.#finish(job, active, ending)) };
    active.finished.catch((error: unknown) => core.fault(error, `job ${name}`));
    this.#active.set(job_id, active);
    return ok(run);
  }

  /** Ends the whole process group. Resolves with the run as it ended. */
  async kill(job: Job): Promise<Result<JobRun>> {
    const active = this.#active.get(job.id);
    if (active === undefined) return fail('conflict', `The job \`${job.name}\` is not running.`, { subject: 'id' });
    active.stoppedBy ??= 'person';
    active.program.stop();
    return ok(await active.finished);
  }

  /** A cancelled run of a job is stopped as well. */
  stopSession(sessionId: string): void {
    for (const active of this.#active.values()) {
      if (active.run.session_id !== sessionId) continue;
      active.stoppedBy ??= 'person';
      active.program.stop();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    const finished = [...this.#active.values()].map((active) => {
      active.stoppedBy ??= 'shutdown';
      active.program.stop();
      return active.finished.catch(() => undefined);
    });
    await Promise.all(finished);
  }

  #arm(jobId: string, dueMs: number): void {
    const cancel = this.#core.after(Math.max(0, dueMs - this.#core.nowMs()), () => {
      this.#timers.delete(jobId);
      try {
        // A timer cannot be set for longer than some weeks: then it is looked at again.
        if (this.#core.nowMs() < dueMs) this.#arm(jobId, dueMs);
        else this.#due(jobId, dueMs);
      } catch (error) {
        this.#core.fault(error, `job ${jobId}`);
      }
    });
    this.#timers.set(jobId, cancel);
  }

  #due(jobId: string, dueMs: number): void {
    const job = this.#core.live.jobs.get(jobId);
    if (job === undefined || !job.enabled || this.#isClosed) return;
    const isMissed = this.#core.nowMs() - dueMs > MISSED_AFTER_MS;
    if (isMissed && job.missed_run === 'skip') this.#commit('job.missed', job, `A run of \`${job.name}\` was missed and skipped.`, []);
    else {
      const run = this.run(job, SCHEDULER);
      if (!run.ok) this.#commit('job.not_started', job, `The job \`${job.name}\` was not started: ${run.failure.message}`, []);
    }
    this.schedule(jobId);
  }

  #finish(job: Job, active: Active, ending: Ending): JobRun {
    const core = this.#core;
    this.#active.delete(job.id);
    const run: JobRun = {
      ...active.run,
      ended_at: core.nowIso(),
      exit_code: ending.ended === 'exited' ? ending.code : null,
      outcome: outcomeOf(ending, active.stoppedBy),
      output: ending.ended === 'not_started' ? ending.reason : ending.output,
    };
    // The job may have been deleted while it ran; its runs went with it.
    if (core.live.jobs.has(job.id))
      this.#commit('job.ended', job, `The job \`${job.name}\` ended: ${run.outcome}.`, [{ put: 'job_run', value: run }]);
    endSession(core, run.session_id, SCHEDULER, `its job ended: ${run.outcome}`);
    return run;
  }

  #put(job: Job): void {
    this.#commit('job.scheduled', job, `The job \`${job.name}\` is due at ${job.next_run_at}.`, [{ put: 'job', value: job }]);
  }

  #commit(type: string, job: Job, summary: string, writes: StateEvent['writes'], actor = 'clock'): void {
    const result = this.#core.commit([{ type, at: this.#core.nowIso(), actor, summary, writes, facts: { job_id: job.id } }]);
    if (result.applied) result.durable.catch(() => undefined);
  }
}

function outcomeOf(ending: Ending, stoppedBy: Active['stoppedBy']): JobRun['outcome'] {
  if (stoppedBy === 'shutdown') return 'interrupted';
  if (stoppedBy === 'person') return 'killed';
  return ending.ended === 'exited' && ending.code === 0 ? 'succeeded' : 'failed';
}
