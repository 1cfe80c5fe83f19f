// The one command map. Every door (window over IPC, HTTP, Unix socket, WebSocket, CLI) calls these names with these
// inputs and gets these outputs; a door adds nothing. Owns the contract, not the handlers.

import { z } from 'zod';
import type {
  AccessEntry,
  Activity,
  AgentChange,
  AgentConnection,
  EffectiveContext,
  Grant,
  Group,
  Health,
  Job,
  JobRun,
  JsonObject,
  Mail,
  OutboxItem,
  Project,
  ReplayChange,
  Request,
  Rule,
  ScopeOffer,
  Session,
  SessionView,
  Settings,
  Simulation,
  Steering,
  Ticket,
} from './model';
import {
  accessDraftSchema,
  activityQuerySchema,
  answerSchema,
  callSchema,
  groupDraftSchema,
  idSchema,
  isoTimeSchema,
  jobDraftSchema,
  jobPatchSchema,
  jsonObject,
  MAX_MAIL_BYTES,
  nameSchema,
  pathSchema,
  projectDraftSchema,
  requestQuerySchema,
  ruleDraftSchema,
  rulePatchSchema,
  runContextSchema,
  sessionDraftSchema,
  sessionStateSchema,
  settingsPatchSchema,
  simulateSchema,
  textSchema,
  ticketDraftSchema,
  ticketStateSchema,
  waitMsSchema,
} from './schemas';
import { MODES, type TokenScope } from './terms';

const none = z.strictObject({});
const byId = z.strictObject({ id: idSchema });
const ofSession = { session_id: idSchema };
const count = z.number().nonnegative();
const context = runContextSchema.nullable();
/** Which run context a command is about. */
const contextOwner = z.discriminatedUnion('owner', [
  z.strictObject({ owner: z.literal('session'), session_id: idSchema }),
  z.strictObject({ owner: z.literal('project'), project_id: idSchema }),
  z.strictObject({ owner: z.literal('ticket'), project_id: idSchema, ticket_id: idSchema }),
  z.strictObject({ owner: z.literal('job'), job_id: idSchema }),
]);
export type ContextOwner = z.output<typeof contextOwner>;

const command = <I extends z.ZodType>(scope: TokenScope, input: I, summary: string) => ({ scope, input, summary });

/** Scope a caller needs, input, and one line for the API document. Scopes `agent` are open to operators as well. */
export const COMMANDS = {
  // agents' side
  'session.open': command('agent', sessionDraftSchema, 'Open, resume or join a session'),
  'request.submit': command('agent', callSchema.extend(ofSession), 'Ask whether a tool call may run'),
  'request.get': command('agent', byId.extend({ wait_ms: waitMsSchema.optional() }), 'Read a request, waiting for its decision'),
  'request.withdraw': command('agent', byId, 'Withdraw a request that waits'),
  'request.report': command(
    'agent',
    z.strictObject({ ...ofSession, call_id: idSchema, output: textSchema(1_000_000).optional(), failed: z.boolean().optional() }),
    'Report that an allowed call has run',
  ),
  'session.turn': command('agent', z.strictObject({ ...ofSession, state: sessionStateSchema }), 'Report the state of the turn'),
  'session.usage': command(
    'agent',
    z.strictObject({ ...ofSession, turns: count.optional(), output_tokens: count.optional(), cost_usd: count.optional() }),
    'Report usage since the last report',
  ),
  'session.context': command('agent', z.strictObject(ofSession), 'Text and settings the agent has to apply'),
  'session.inbox': command('agent', z.strictObject(ofSession), 'Steering and mail, delivered once'),
  'session.mail': command(
    'agent',
    z.strictObject({ ...ofSession, to: idSchema, body: textSchema(MAX_MAIL_BYTES) }),
    'Send a message to another session',
  ),
  'session.tools': command('agent', z.strictObject({ ...ofSession, names: z.array(textSchema(1000)).max(10_000) }), 'Which tools to hide'),
  'session.end': command('agent', z.strictObject(ofSession), 'End a session'),

  // answering
  'inbox.list': command('operator.read', none, 'Requests that wait for a person, oldest first'),
  'request.scopes': command('operator.read', byId, 'Scopes that an answer could have'),
  'request.resolve': command('operator.approvals', answerSchema.extend({ id: idSchema }), 'Answer a request'),
  'request.list': command('operator.read', requestQuerySchema, 'Requests, newest first'),

  // policy
  'group.list': command('operator.read', none, 'Permission groups'),
  'group.create': command('operator.write', groupDraftSchema, 'Make a permission group'),
  'group.update': command(
    'operator.write',
    z.strictObject({ id: idSchema, name: nameSchema.optional(), description: textSchema(10_000).optional() }),
    'Change a group',
  ),
  'group.delete': command('operator.write', byId.extend({ force: z.boolean().optional() }), 'Delete a group and its rules'),
  'group.duplicate': command(
    'operator.write',
    byId.extend({ new_id: idSchema.optional(), name: nameSchema.optional() }),
    'Copy a group with its rules',
  ),
  'rule.list': command('operator.read', z.strictObject({ group_id: idSchema.optional() }), 'Rules in the order they are tried'),
  'rule.create': command('operator.write', ruleDraftSchema, 'Add a rule'),
  'rule.update': command('operator.write', rulePatchSchema, 'Change a rule'),
  'rule.delete': command('operator.write', byId, 'Delete a rule'),
  'rule.reorder': command(
    'operator.write',
    z.strictObject({ group_id: idSchema, ids: z.array(idSchema).max(100_000) }),
    'Put the rules of a group in this order',
  ),
  simulate: command('operator.read', simulateSchema, 'Verdict and trace of calls that are not made'),
  replay: command(
    'operator.read',
    z.strictObject({ draft_rules: simulateSchema.shape.draft_rules.unwrap(), since: isoTimeSchema.optional(), group_id: idSchema.optional() }),
    'Past calls whose verdict draft rules would change',
  ),

  // projects, tickets
  'project.list': command('operator.read', none, 'Projects'),
  'project.create': command('operator.write', projectDraftSchema, 'Make a project'),
  'project.update': command(
    'operator.write',
    z.strictObject({ id: idSchema, name: nameSchema.optional(), folder: pathSchema.nullable().optional(), archived: z.boolean().optional() }),
    'Change a project',
  ),
  'project.delete': command('operator.write', byId.extend({ force: z.boolean().optional() }), 'Delete a project with its tickets'),
  'ticket.list': command('operator.read', z.strictObject({ project_id: idSchema }), 'Tickets of a project'),
  'ticket.create': command('operator.write', ticketDraftSchema.extend({ project_id: idSchema }), 'Make a ticket'),
  'ticket.update': command(
    'operator.write',
    z.strictObject({ project_id: idSchema, id: idSchema, title: nameSchema.optional(), state: ticketStateSchema.optional() }),
    'Change a ticket',
  ),
  'ticket.delete': command('operator.write', z.strictObject({ project_id: idSchema, id: idSchema }), 'Delete a ticket'),
  'ticket.start': command('operator.write', z.strictObject({ project_id: idSchema, id: idSchema }), 'Move a ticket to in_progress'),
  'ticket.reset': command('operator.write', z.strictObject({ project_id: idSchema, id: idSchema }), 'Move a ticket back to todo'),

  // run contexts
  'run_context.set': command('operator.write', z.strictObject({ target: contextOwner, run_context: context }), 'Replace or clear a run context'),
  'run_context.effective': command('operator.read', z.strictObject({ target: contextOwner }), 'The resolved context with origins'),

  // sessions
  'session.list': command('operator.read', z.strictObject({ ended: z.boolean().optional() }), 'Sessions, newest first'),
  'session.get': command('operator.read', z.strictObject(ofSession), 'One session'),
  'session.mode': command('operator.write', z.strictObject({ ...ofSession, mode: z.enum(MODES).nullable() }), 'Set the permission mode'),
  'session.steer': command('operator.write', z.strictObject({ ...ofSession, text: textSchema(100_000) }), 'Queue text for a running session'),
  'session.cancel': command('operator.write', z.strictObject(ofSession), 'Cancel a run and settle what waits'),
  'session.fork': command('operator.write', z.strictObject(ofSession), 'Open a copy of a session without its directory access'),
  'access.list': command('operator.read', z.strictObject(ofSession), 'Directory access of a session'),
  'access.add': command('operator.write', accessDraftSchema.extend(ofSession), 'Add a directory to a session'),
  'access.remove': command('operator.write', z.strictObject({ ...ofSession, path: pathSchema }), 'Remove a directory from a session'),
  'access_defaults.list': command('operator.read', z.strictObject({ root: pathSchema }), 'Default directories of a root'),
  'access_defaults.add': command(
    'operator.write',
    accessDraftSchema.extend({ root: pathSchema, session_id: idSchema.optional() }),
    'Add a default directory',
  ),
  'access_defaults.remove': command(
    'operator.write',
    z.strictObject({ root: pathSchema, path: pathSchema, session_id: idSchema.optional() }),
    'Remove a default directory',
  ),
  'session_rule.list': command('operator.read', z.strictObject(ofSession), 'Remembered answers of a session'),
  'session_rule.revoke': command('operator.write', z.strictObject({ ...ofSession, id: idSchema }), 'Revoke a remembered answer'),
  'grant.list': command(
    'operator.read',
    z.strictObject({ project_id: idSchema.optional(), ticket_id: idSchema.optional(), session_id: idSchema.optional() }),
    'Grants wider than once',
  ),
  'grant.revoke': command('operator.write', byId, 'Revoke a grant'),

  // outbox, jobs
  'outbox.list': command('operator.read', none, 'Staged calls'),
  'outbox.edit': command('operator.write', byId.extend({ input: jsonObject }), 'Edit a staged call'),
  'outbox.release': command('operator.approvals', byId, 'Release a staged call'),
  'outbox.reject': command('operator.approvals', byId.extend({ note: textSchema(10_000).optional() }), 'Reject a staged call'),
  'job.list': command('operator.read', none, 'Scheduled jobs'),
  'job.create': command('operator.write', jobDraftSchema, 'Make a scheduled job'),
  'job.update': command('operator.write', jobPatchSchema, 'Change a scheduled job'),
  'job.delete': command('operator.write', byId, 'Delete a scheduled job'),
  'job.run': command('operator.write', byId, 'Run a job now'),
  'job.kill': command('operator.write', byId, 'Stop the running job'),
  'job.runs': command('operator.read', byId, 'Past runs of a job'),

  // history, settings
  'activity.list': command('operator.read', activityQuerySchema, 'Activity, newest first'),
  'activity.verify': command('operator.read', none, 'Check the hash chain of the activity log'),
  'settings.get': command('operator.read', none, 'Settings'),
  'settings.update': command('operator.admin', settingsPatchSchema, 'Change settings'),
  'health.get': command('agent', none, 'State of the server'),

  // agents on this machine: Agents screen and CLI
  'agent.list': command('operator.read', none, 'Known agents and how they are connected'),
  'agent.preview': command('operator.read', z.strictObject({ agent: nameSchema, connect: z.boolean() }), 'The change that connecting would make'),
  'agent.connect': command('operator.admin', z.strictObject({ agent: nameSchema }), 'Connect an agent'),
  'agent.disconnect': command('operator.admin', z.strictObject({ agent: nameSchema }), 'Undo the connection'),
} as const;

export type CommandName = keyof typeof COMMANDS;
export type Input<N extends CommandName> = z.output<(typeof COMMANDS)[N]['input']>;
/** What a caller may write: defaults left out. */
export type Draft<N extends CommandName> = z.input<(typeof COMMANDS)[N]['input']>;

interface List<T> {
  readonly items: readonly T[];
}
interface Page<T> extends List<T> {
  readonly next: string | null;
}

export interface Outputs {
  'session.open': SessionView;
  'request.submit': Request;
  'request.get': Request;
  'request.withdraw': Request;
  'request.report': Request;
  'session.turn': Session;
  'session.usage': Session;
  'session.context': {
    readonly system_prompt: string | null;
    readonly directories: string;
    readonly compact_at_tokens: number | null;
    readonly mode: string | null;
    readonly phase: string | null;
    readonly working_directory: string | null;
  };
  'session.inbox': { readonly steering: readonly Steering[]; readonly mail: readonly Mail[] };
  'session.mail': Mail;
  'session.tools': { readonly tools: readonly { readonly name: string; readonly hidden: boolean }[] };
  'session.end': Session;
  'inbox.list': List<Request>;
  'request.scopes': List<ScopeOffer>;
  'request.resolve': Request;
  'request.list': Page<Request>;
  'group.list': List<Group>;
  'group.create': Group;
  'group.update': Group;
  'group.delete': { readonly deleted: string; readonly used_by: readonly string[] };
  'group.duplicate': Group;
  'rule.list': List<Rule>;
  'rule.create': Rule;
  'rule.update': Rule;
  'rule.delete': { readonly deleted: string };
  'rule.reorder': List<Rule>;
  simulate: List<Simulation>;
  replay: { readonly items: readonly ReplayChange[]; readonly compared: number };
  'project.list': List<Project>;
  'project.create': Project;
  'project.update': Project;
  'project.delete': { readonly deleted: string };
  'ticket.list': List<Ticket>;
  'ticket.create': Ticket;
  'ticket.update': Ticket;
  'ticket.delete': { readonly deleted: string };
  'ticket.start': Ticket;
  'ticket.reset': Ticket;
  'run_context.set': EffectiveContext;
  'run_context.effective': EffectiveContext;
  'session.list': List<SessionView>;
  'session.get': SessionView;
  'session.mode': SessionView;
  'session.steer': Steering | { readonly dropped: true };
  'session.cancel': Session;
  'session.fork': SessionView;
  'access.list': List<AccessEntry>;
  'access.add': List<AccessEntry>;
  'access.remove': List<AccessEntry>;
  'access_defaults.list': List<AccessEntry>;
  'access_defaults.add': List<AccessEntry>;
  'access_defaults.remove': List<AccessEntry>;
  'session_rule.list': List<Grant>;
  'session_rule.revoke': { readonly deleted: string };
  'grant.list': List<Grant>;
  'grant.revoke': { readonly deleted: string };
  'outbox.list': List<OutboxItem>;
  'outbox.edit': OutboxItem;
  'outbox.release': OutboxItem;
  'outbox.reject': OutboxItem;
  'job.list': List<Job>;
  'job.create': Job;
  'job.update': Job;
  'job.delete': { readonly deleted: string };
  'job.run': JobRun;
  'job.kill': JobRun;
  'job.runs': List<JobRun>;
  'activity.list': Page<Activity>;
  'activity.verify': { readonly intact: boolean; readonly entries: number; readonly first_break: number | null; readonly detail: string };
  'settings.get': Settings;
  'settings.update': Settings;
  'health.get': Health;
  'agent.list': List<AgentConnection>;
  'agent.preview': AgentChange;
  'agent.connect': AgentChange;
  'agent.disconnect': AgentChange;
}
export type Output<N extends CommandName> = Outputs[N];
export type { JsonObject };
