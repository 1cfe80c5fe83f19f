import { describe, expect, it } from 'vitest';
import type { RunContext } from '../../shared/model';
import {
  type ContextLayerValue,
  contextEntry,
  effectiveMode,
  effectiveWorkingDir,
  extraSystemPrompt,
  isReadAllowed,
  isWriteAllowed,
  resolveRunContext,
  toolGroupId,
} from './context';
import { MAC, POSIX } from './samples';

const layers = (...list: readonly [ContextLayerValue['layer'], RunContext | null][]): readonly ContextLayerValue[] =>
  list.map(([layer, context]) => ({ layer, context }));

describe('resolution per field (spec 9)', () => {
  it('the strongest layer that sets a field wins, and carries what it replaced', () => {
    const { fields, values } = resolveRunContext(
      layers(
        ['session', { allow_fs_writes: ['tmp'] }],
        ['ticket', { allow_fs_writes: ['docs'], security_group: 'careful' }],
        ['project', { allow_fs_writes: ['dist'], system_prompt: ['Project.'] }],
      ),
    );
    expect(fields.allow_fs_writes).toEqual({
      value: ['tmp'],
      origin: 'session',
      replaced: [
        { value: ['docs'], origin: 'ticket' },
        { value: ['dist'], origin: 'project' },
      ],
    });
    expect(fields.security_group).toEqual({ value: 'careful', origin: 'ticket', replaced: [] });
    expect(values).toMatchObject({ allow_fs_writes: ['tmp'], security_group: 'careful', system_prompt: ['Project.'], mail: null });
  });

  it('null and absent mean not set here; [] and false are set', () => {
    const { fields } = resolveRunContext(
      layers(
        ['session', { allow_fs_writes: null, allow_fs_reads: [], homeostat: false }],
        ['project', { allow_fs_writes: ['dist'], allow_fs_reads: ['ref'], homeostat: true }],
      ),
    );
    expect(fields.allow_fs_writes).toMatchObject({ value: ['dist'], origin: 'project' });
    expect(fields.allow_fs_reads).toMatchObject({ value: [], origin: 'session' });
    expect(fields.homeostat).toMatchObject({ value: false, origin: 'session' });
    expect(fields.mail).toEqual({ value: null, origin: 'none', replaced: [] });
  });

  it('a layer without a context is passed over', () => {
    expect(
      resolveRunContext(layers(['session', null], ['agent_default', { mail: 'hold' }], ['source_default', { mail: 'refuse' }])).fields.mail,
    ).toEqual({
      value: 'hold',
      origin: 'agent_default',
      replaced: [{ value: 'refuse', origin: 'source_default' }],
    });
  });

  it('budget is resolved ceiling by ceiling', () => {
    const { ceilings, values, fields } = resolveRunContext(
      layers(['session', { budget: { max_turns: 9, max_wall_s: null } }], ['project', { budget: { max_turns: 3, max_tool_calls: 1 } }]),
    );
    expect(ceilings.max_turns).toEqual({ value: 9, origin: 'session', replaced: [{ value: 3, origin: 'project' }] });
    expect(ceilings.max_tool_calls).toEqual({ value: 1, origin: 'project', replaced: [] });
    expect(ceilings.max_wall_s).toEqual({ value: null, origin: 'none', replaced: [] });
    expect(values.budget).toEqual({ max_turns: 9, max_tool_calls: 1 });
    expect(fields.budget).toMatchObject({ origin: 'session' });
  });

  it('a ceiling of zero is set, an empty budget is not', () => {
    const { ceilings, fields } = resolveRunContext(layers(['session', { budget: { max_turns: 0 } }], ['project', { budget: {} }]));
    expect(ceilings.max_turns).toMatchObject({ value: 0, origin: 'session' });
    expect(fields.budget.replaced).toEqual([]);
    expect(resolveRunContext(layers(['session', { budget: {} }])).fields.budget).toEqual({ value: null, origin: 'none', replaced: [] });
  });
});

describe('what a child cannot leave (spec 4)', () => {
  const child = (own: RunContext, parent: RunContext) => resolveRunContext(layers(['session', own]), parent);
  it('phase plan', () => {
    expect(child({ phase: 'execute' }, { phase: 'plan' }).fields.phase).toEqual({
      value: 'plan',
      origin: 'parent',
      replaced: [{ value: 'execute', origin: 'session' }],
    });
    expect(child({}, { phase: 'plan' }).fields.phase).toMatchObject({ value: 'plan', origin: 'parent' });
    expect(child({ phase: 'plan' }, { phase: 'execute' }).fields.phase).toMatchObject({ value: 'plan', origin: 'session' });
    expect(child({}, { phase: 'execute' }).fields.phase).toMatchObject({ value: 'execute', origin: 'parent' });
  });
  it('withheld tools and outbox routes are joined', () => {
    expect(child({ withheld: [] }, { withheld: ['Bash'] }).fields.withheld).toEqual({
      value: ['Bash'],
      origin: 'parent',
      replaced: [{ value: [], origin: 'session' }],
    });
    expect(child({ withheld: ['Write', 'Bash'] }, { withheld: ['Bash'] }).values.withheld).toEqual(['Bash', 'Write']);
    expect(child({ outbox: ['a'] }, { outbox: ['mail:*'] }).values.outbox).toEqual(['mail:*', 'a']);
    expect(child({ withheld: ['Write'] }, {}).fields.withheld).toMatchObject({ value: ['Write'], origin: 'session' });
  });
  it('hooks: the parent’s run first', () => {
    const one = { event: 'pre_tool', command: 'one' } as const;
    const two = { event: 'pre_tool', command: 'two' } as const;
    expect(child({ hooks: [two, one] }, { hooks: [one] }).values.hooks).toEqual([one, two]);
  });
  it('the group, where the parent has one', () => {
    expect(child({ security_group: 'loose' }, { security_group: 'kin' }).fields.security_group).toMatchObject({ value: 'kin', origin: 'parent' });
    expect(child({ security_group: 'own' }, {}).fields.security_group).toMatchObject({ value: 'own', origin: 'session' });
  });
  it('ceilings: the lower one holds', () => {
    const { ceilings, values, fields } = child(
      { budget: { max_turns: 9, max_wall_s: 5 } },
      { budget: { max_turns: 3, max_wall_s: 60, max_cost_usd: 1 } },
    );
    expect(ceilings.max_turns).toEqual({ value: 3, origin: 'parent', replaced: [{ value: 9, origin: 'session' }] });
    expect(ceilings.max_wall_s).toMatchObject({ value: 5, origin: 'session' });
    expect(values.budget).toEqual({ max_turns: 3, max_wall_s: 5, max_cost_usd: 1 });
    expect(fields.budget).toMatchObject({ origin: 'parent' });
  });
  it('nothing else comes from the parent', () => {
    const { values } = child({}, { allow_fs_writes: ['dist'], system_prompt: ['x'], permission_mode: 'full', mail: 'accept' });
    expect(values).toMatchObject({ allow_fs_writes: null, system_prompt: null, permission_mode: null, mail: null });
  });
});

describe('mode (spec 11)', () => {
  it.each([
    [{}, null],
    [{ explicit: 'guarded', parent: 'read-only', context: 'full' }, 'guarded'],
    [{ parent: 'read-only', context: 'workspace' }, 'read-only'],
    [{ parent: 'full' }, 'workspace'],
    [{ explicit: 'full', parent: 'full' }, 'full'],
    [{ context: 'guarded' }, 'guarded'],
    [{ worktree: true }, 'workspace'],
    [{ worktree: true, context: 'guarded' }, 'guarded'],
  ] as const)('%j: %s', (given, expected) => {
    expect(effectiveMode({ explicit: null, parent: null, context: null, worktree: false, ...given })).toBe(expected);
  });
});

describe('what the rest of the program asks (spec 2)', () => {
  it('toolGroupId', () => {
    expect(toolGroupId({ security_group: 'careful' })).toBe('careful');
    expect(toolGroupId({})).toBeNull();
  });
  it('extraSystemPrompt joins fragments by a blank line', () => {
    expect(extraSystemPrompt({ system_prompt: ['One.', 'Two.'] })).toBe('One.\n\nTwo.');
    expect(extraSystemPrompt({ system_prompt: [] })).toBeNull();
    expect(extraSystemPrompt({ system_prompt: ['  '] })).toBeNull();
    expect(extraSystemPrompt({})).toBeNull();
  });
  it('effectiveWorkingDir: set by a layer, else the project’s folder, else where the session was opened', () => {
    expect(effectiveWorkingDir({ working_directory: '/a' }, '/b', '/c')).toBe('/a');
    expect(effectiveWorkingDir({}, '/b', '/c')).toBe('/b');
    expect(effectiveWorkingDir({}, null, '/c')).toBe('/c');
    expect(effectiveWorkingDir({}, null, null)).toBeNull();
  });
  it('isWriteAllowed and isReadAllowed: writable implies readable', () => {
    const roots = { workingDirectory: '/srv', writeRoots: ['/out'], readRoots: ['/ref', '/one.txt'] };
    expect(isWriteAllowed('/out/a/b', roots, POSIX)).toBe(true);
    for (const path of ['/outer/a', '/srv/a', '/ref/a']) expect(isWriteAllowed(path, roots, POSIX)).toBe(false);
    for (const path of ['/out/a', '/srv/docs/a', '/srv', '/ref/a', '/one.txt']) expect(isReadAllowed(path, roots, POSIX)).toBe(true);
    for (const path of ['/worker', '/one.txt2', '/x']) expect(isReadAllowed(path, roots, POSIX)).toBe(false);
    expect(isReadAllowed('/REF/a', roots, MAC)).toBe(true);
    expect(isReadAllowed('/a', { ...roots, workingDirectory: null }, POSIX)).toBe(false);
  });
  it.each([
    ['logs', 'logs', false],
    ['logs/', 'logs', false],
    ['logs/*', 'logs', false],
    ['logs/**', 'logs', false],
    ['logs/**/', 'logs', false],
    ['/logs/*', '/logs', false],
    ['/', '/', false],
    ['/*', '/', false],
    ['.', '.', false],
    ['./*', '.', false],
    ['~/x/*', '~/x', false],
    ['C:\\logs\\*', 'C:\\logs', false],
    ['logs/*/a', 'logs/*/a', true],
    ['logs/*/*', 'logs/*', true],
    ['*.log', '*.log', true],
    ['*', '*', true],
    ['a.txt', 'a.txt', false],
  ])('the entry %s names %s', (entry, path, hasLiteralWildcard) => {
    expect(contextEntry(entry)).toEqual({ path, hasLiteralWildcard });
  });
});
