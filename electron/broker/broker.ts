// The one dispatcher of shared/commands.ts behind every door. Checks scope, validates, runs the handler, waits for the disk,
// and turns a fault of ours into a refusal. Decides nothing itself: verdicts come from gate.ts.

import type { z } from 'zod';
import { COMMANDS, type CommandName, type Input, type Output } from '../../shared/commands';
import { fail, type Result } from '../../shared/failure';
import type { Changes, Snapshot } from '../../shared/projection';
import type { TokenScope } from '../../shared/terms';
import { StorageFailed } from '../store/contract';
import { type Caller, hasScope } from './caller';
import { accessCommands } from './commands/access';
import { outboxAndJobCommands } from './commands/outbox-and-jobs';
import { policyCommands } from './commands/policy';
import { projectCommands } from './commands/projects';
import { rememberedCommands } from './commands/remembered';
import { requestCommands } from './commands/requests';
import { runContextCommands } from './commands/run-contexts';
import { sessionCommands } from './commands/sessions';
import { settingsCommands } from './commands/settings';
import { type Core, createCore } from './core';
import type { BrokerDeps, Handler, Handlers } from './deps';
import { Jobs } from './jobs';
import { recoverOutbox } from './outbox';
import { createProjection } from './projection';
import { onDue, recover } from './requests';
import { invalidInput } from './validate';

export interface Broker {
  /**
   * Runs a command of shared/commands.ts. `input` is not validated yet. Failures: `forbidden` (missing scope), `invalid`
   * (subject: the field, dotted), `fault` (ours, logged), `storage`, and those of the command. The 401 is the door's.
   */
  call<N extends CommandName>(name: N, input: unknown, caller: Caller): Promise<Result<Output<N>>>;
  /** What a window starts with; of what the disk has only. */
  snapshot(): Promise<Snapshot>;
  /** Numbered changes after the snapshot, one batch per turn of the event loop. Returns the function that ends it. */
  onChanges(listener: (changes: Changes) => void): () => void;
  /** Ends timers, hooks and jobs; what waits stays pending for the next start. */
  close(): Promise<void>;
}

/** What of a command the dispatcher looks at, without the type of its own input. */
interface CommandShape {
  readonly scope: TokenScope;
  readonly input: z.ZodType;
}

export function createBroker(deps: BrokerDeps): Broker {
  const core = createCore(deps, { onDue });
  const jobs = new Jobs(core);
  const handlers: Partial<Handlers> = { ...commandsOf(core, jobs), ...deps.extraCommands };
  const projection = createProjection(core);
  recover(core);
  recoverOutbox(core);
  jobs.start();
  let isClosed = false;

  async function call<N extends CommandName>(name: N, input: unknown, caller: Caller): Promise<Result<Output<N>>> {
    const { scope, input: schema }: CommandShape = COMMANDS[name];
    if (!hasScope(caller, scope)) {
      return fail('forbidden', `\`${name}\` needs the scope \`${scope}\`.`, { hint: 'Use a token that has it.', subject: scope });
    }
    if (isClosed) return fail('unavailable', 'Gatehouse is stopping.', { hint: 'Try again when it runs.' });
    const parsed = schema.safeParse(input);
    if (!parsed.success) return invalidInput(parsed.error, name === 'run_context.set' ? 'run_context' : undefined);
    const handler = handlers[name] as Handler<N> | undefined;
    if (handler === undefined) return fail('unsupported', `\`${name}\` is not available here.`, { subject: name });
    try {
      const result = await handler(parsed.data as Input<N>, caller);
      // INVARIANT (spec 8): what is answered is on the disk.
      await core.store.flushed();
      return result;
    } catch (error) {
      if (error instanceof StorageFailed) return { ok: false, failure: error.failure };
      core.fault(error, name);
      return fail('fault', 'Gatehouse met an error of its own, so nothing was let through.', {
        hint: 'Try again; the log of the server has the details.',
      });
    }
  }

  return {
    call,
    snapshot: () => projection.snapshot(),
    onChanges: (listener) => projection.onChanges(listener),
    async close() {
      if (isClosed) return;
      isClosed = true;
      core.close();
      await jobs.close();
      projection.close();
    },
  };
}

function commandsOf(core: Core, jobs: Jobs): Omit<Handlers, AgentCommand> {
  return {
    ...requestCommands(core),
    ...sessionCommands(core, jobs),
    ...runContextCommands(core),
    ...accessCommands(core),
    ...rememberedCommands(core),
    ...policyCommands(core),
    ...projectCommands(core),
    ...outboxAndJobCommands(core, jobs),
    ...settingsCommands(core),
  };
}

/** Handled by the agents' room. */
type AgentCommand = Extract<CommandName, `agent.${string}`>;
