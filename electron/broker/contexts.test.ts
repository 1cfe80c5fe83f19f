import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, Bench, operator } from './test-bench';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('projects and tickets', () => {
  it('are made, changed and deleted', async () => {
    const project = await bench.ok('project.create', { name: 'Lamp', folder: bench.app });
    expect(await bench.ok('project.update', { id: project.id, name: 'Lantern' })).toMatchObject({ name: 'Lantern', folder: bench.app });
    const ticket = await bench.ok('ticket.create', { project_id: project.id, title: 'Wick' });
    expect((await bench.ok('ticket.start', { project_id: project.id, id: ticket.id })).state).toBe('in_progress');
    expect((await bench.ok('ticket.update', { project_id: project.id, id: ticket.id, state: 'done' })).state).toBe('done');
    expect((await bench.ok('ticket.reset', { project_id: project.id, id: ticket.id })).state).toBe('todo');
    await bench.ok('project.delete', { id: project.id });
    expect((await bench.ok('project.list', {})).items).toEqual([]);
    expect((await bench.fails('ticket.list', { project_id: project.id })).code).toBe('not_found');
  });

  it('that sessions run in are not deleted under them', async () => {
    const project = await bench.ok('project.create', { name: 'Lamp' });
    const ticket = await bench.ok('ticket.create', { project_id: project.id, title: 'Wick' });
    const session = await bench.open({ ticket_id: ticket.id, title: 'Trim' }, ADMIN);
    expect(session.project_id).toBe(project.id);
    expect(await bench.fails('ticket.delete', { project_id: project.id, id: ticket.id })).toMatchObject({
      code: 'in_use',
      subject: { used_by: ['Trim'] },
    });
    expect((await bench.fails('project.delete', { id: project.id })).code).toBe('in_use');
    await bench.ok('project.delete', { id: project.id, force: true });
    expect((await bench.ok('session.get', { session_id: session.id })).effective.warnings).toHaveLength(2);
  });
});

describe('run contexts', () => {
  it('are replaced whole, and null uncovers what is below', async () => {
    const project = await bench.ok('project.create', { name: 'Site', folder: bench.app });
    await bench.ok('run_context.set', {
      target: { owner: 'project', project_id: project.id },
      run_context: { allow_fs_writes: ['dist'], withheld: ['Bash'] },
    });
    const session = await bench.open({ project_id: project.id, run_context: { allow_fs_writes: ['tmp'] } }, ADMIN);
    const target = { owner: 'session' as const, session_id: session.id };
    const effective = await bench.ok('run_context.effective', { target });
    expect(effective.fields.allow_fs_writes).toEqual({ value: ['tmp'], origin: 'session', replaced: [{ value: ['dist'], origin: 'project' }] });
    expect(effective.fields.withheld).toMatchObject({ value: ['Bash'], origin: 'project' });
    expect(effective.write_roots).toEqual([bench.path('app/tmp')]);
    const cleared = await bench.ok('run_context.set', { target, run_context: null });
    expect(cleared.fields.allow_fs_writes).toMatchObject({ value: ['dist'], origin: 'project' });
  });

  it('with an unknown group, or mode full without the admin, are refused and change nothing', async () => {
    const session = await bench.open({ run_context: { withheld: ['Bash'] } }, ADMIN);
    const target = { owner: 'session' as const, session_id: session.id };
    expect(await bench.fails('run_context.set', { target, run_context: { security_group: 'nope' } })).toMatchObject({
      code: 'invalid',
      subject: 'security_group',
    });
    const full = { target, run_context: { permission_mode: 'full' as const } };
    expect((await bench.fails('run_context.set', full, operator('operator.write'))).code).toBe('forbidden');
    expect((await bench.ok('session.get', { session_id: session.id })).run_context).toEqual({ withheld: ['Bash'] });
    await bench.ok('run_context.set', full, ADMIN);
  });

  it('are resolved for tickets, projects and jobs too', async () => {
    const project = await bench.ok('project.create', { name: 'Site', folder: bench.app });
    await bench.ok('run_context.set', { target: { owner: 'project', project_id: project.id }, run_context: { allow_fs_writes: ['dist'] } });
    const ticket = await bench.ok('ticket.create', { project_id: project.id, title: 'T' });
    const ofTicket = { owner: 'ticket' as const, project_id: project.id, ticket_id: ticket.id };
    await bench.ok('run_context.set', { target: ofTicket, run_context: { allow_fs_reads: ['ref'] } });
    const effective = await bench.ok('run_context.effective', { target: ofTicket });
    expect([effective.fields.allow_fs_writes.origin, effective.fields.allow_fs_reads.origin]).toEqual(['project', 'ticket']);
    const job = await bench.ok('job.create', { cron: '0 7 * * *', command: 'true', cwd: bench.app, run_context: { withheld: ['Bash'] } });
    expect((await bench.ok('run_context.effective', { target: { owner: 'job', job_id: job.id } })).values.withheld).toEqual(['Bash']);
  });

  it('say what a person should know', async () => {
    const session = await bench.open(
      { run_context: { allow_fs_writes: ['src/*.ts', 'dist/**'], hooks: [{ event: 'pre_tool', command: '/no/such/program' }] } },
      ADMIN,
    );
    expect(session.effective.warnings).toHaveLength(2);
    expect(session.effective.write_roots).toEqual([bench.path('app/src/*.ts'), bench.path('app/dist')]);
  });
});
