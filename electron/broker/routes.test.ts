import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../shared/commands';
import { inputOf, type Method, ROUTES, type Route } from './routes';

function find(method: Method, path: string): Route {
  const route = ROUTES.find((one) => one.method === method && one.path === path);
  if (route === undefined) throw new Error(`no route ${method} ${path}`);
  return route;
}
const inputFor = (method: Method, path: string, params: Record<string, string> = {}, query = '', body?: unknown) =>
  inputOf(find(method, path), { params, query: new URLSearchParams(query), body });
const valueFor = (...request: Parameters<typeof inputFor>): unknown => {
  const input = inputFor(...request);
  return input.ok ? input.value : input.failure;
};

describe('the route table', () => {
  it('reaches every command', () => {
    const reached = new Set(ROUTES.map((route) => route.command));
    expect(Object.keys(COMMANDS).filter((name) => !reached.has(name as keyof typeof COMMANDS))).toEqual([]);
  });

  it('has each method and path once', () => {
    const names = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has both verbs and both spellings of each run context, and what results from it', () => {
    for (const owner of ['/api/sessions/:id', '/api/projects/:id', '/api/projects/:id/tickets/:tid', '/api/jobs/:id']) {
      for (const method of ['POST', 'PUT'] as const)
        for (const name of ['run_context', 'run-context']) expect(find(method, `${owner}/${name}`).command).toBe('run_context.set');
      expect(find('GET', `${owner}/effective`).command).toBe('run_context.effective');
    }
  });

  it('answers 201 where something is made', () => {
    const making = ROUTES.filter((route) => route.status === 201).map((route) => route.command);
    expect(making.sort()).toEqual(
      [
        'session.open',
        'group.create',
        'group.duplicate',
        'rule.create',
        'project.create',
        'ticket.create',
        'session.fork',
        'job.create',
        'job.run',
      ].sort(),
    );
  });
});

describe('a request as the input of its command', () => {
  it('takes parameters of the path under the names of the command', () => {
    expect(valueFor('PATCH', '/api/projects/:id/tickets/:tid', { id: 'p', tid: 't' }, '', { title: 'New' })).toEqual({
      project_id: 'p',
      id: 't',
      title: 'New',
    });
    expect(valueFor('DELETE', '/api/sessions/:id/session_rules/:rid', { id: 's', rid: 'r' })).toEqual({ session_id: 's', id: 'r' });
  });

  it('says whose run context it is by the path, and takes the body as it is', () => {
    const set = (path: string, params: Record<string, string>) => valueFor('POST', path, params, '', null);
    expect(set('/api/sessions/:id/run_context', { id: 's' })).toEqual({ target: { owner: 'session', session_id: 's' }, run_context: null });
    expect(set('/api/projects/:id/run_context', { id: 'p' })).toEqual({ target: { owner: 'project', project_id: 'p' }, run_context: null });
    expect(set('/api/projects/:id/tickets/:tid/run_context', { id: 'p', tid: 't' })).toEqual({
      target: { owner: 'ticket', project_id: 'p', ticket_id: 't' },
      run_context: null,
    });
    expect(set('/api/jobs/:id/run_context', { id: 'j' })).toEqual({ target: { owner: 'job', job_id: 'j' }, run_context: null });
    expect(valueFor('GET', '/api/jobs/:id/effective', { id: 'j' })).toEqual({ target: { owner: 'job', job_id: 'j' } });
  });

  it('takes the body of a copied group as the body of a new one', () => {
    expect(valueFor('POST', '/api/groups/:id/duplicate', { id: 'a' }, '', { id: 'b', name: 'B' })).toEqual({ id: 'a', new_id: 'b', name: 'B' });
  });

  it.each([
    ['wait_ms=20', { id: 'r', wait_ms: 20 }],
    ['wait_ms=soon', { id: 'r', wait_ms: 'soon' }],
    ['wait_ms=-1', { id: 'r', wait_ms: '-1' }],
    ['', { id: 'r' }],
    ['colour=red', { id: 'r', colour: 'red' }],
  ])('reads numbers of a query, and leaves to validation what is none: %s', (query, input) => {
    expect(valueFor('GET', '/api/requests/:id', { id: 'r' }, query)).toEqual(input);
  });

  it.each([
    ['force=true', true],
    ['force=1', true],
    ['force=false', false],
    ['force=0', false],
    ['force=yes', 'yes'],
    ['force=', ''],
  ])('reads a flag of a query: %s', (query, force) => {
    expect(valueFor('DELETE', '/api/groups/:id', { id: 'g' }, query)).toEqual({ id: 'g', force });
  });

  it('reads a list of a query, in one text or in several', () => {
    const tools = (query: string) => valueFor('GET', '/api/sessions/:id/tools', { id: 's' }, query);
    expect(tools('names=a,b')).toEqual({ session_id: 's', names: ['a', 'b'] });
    expect(tools('names=a&names=b,c')).toEqual({ session_id: 's', names: ['a', 'b', 'c'] });
    expect(tools('names=')).toEqual({ session_id: 's', names: [] });
    expect(tools('')).toEqual({ session_id: 's', names: [] });
  });

  it('joins query and body', () => {
    expect(valueFor('POST', '/api/access/defaults', {}, 'root=/r', { path: '/p', mode: 'read' })).toEqual({ root: '/r', path: '/p', mode: 'read' });
  });

  it('refuses what is said twice and not the same, and names it', () => {
    const invalid = (subject: string) => ({ ok: false, failure: expect.objectContaining({ code: 'invalid', subject }) });
    expect(inputFor('POST', '/api/sessions/:id/end', { id: 'a' }, '', { session_id: 'b' })).toEqual(invalid('session_id'));
    expect(inputFor('DELETE', '/api/rules/:id', { id: 'a' }, 'id=b')).toEqual(invalid('id'));
    expect(inputFor('POST', '/api/access/defaults', {}, 'root=/r', { root: '/other' })).toEqual(invalid('root'));
    expect(inputFor('GET', '/api/requests', {}, 'tool=a&tool=b')).toEqual(invalid('tool'));
    expect(valueFor('POST', '/api/sessions/:id/end', { id: 'a' }, '', { session_id: 'a' })).toEqual({ session_id: 'a' });
  });

  it.each([[[]], ['text'], [3], [null]])('leaves a body that is no object to validation: %j', (body) => {
    expect(valueFor('POST', '/api/rules', {}, '', body)).toEqual(body);
  });

  it('takes names of object properties for nothing else than names', () => {
    const input = valueFor('POST', '/api/rules', {}, '__proto__=x', JSON.parse('{"constructor": 1}')) as object;
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(Object.keys(input)).toEqual(['__proto__', 'constructor']);
  });
});
