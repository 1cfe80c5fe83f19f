import { describe, expect, it } from 'vitest';
import type { ResolvedField } from '../shared/model';
import { CONTEXT_FIELDS, inherited, reached, valueLines } from './context-fields';
import { toForm } from './context-form';
import { effectiveSample, sessionSample } from './testing/samples';

const field = (value: string, origin: ResolvedField['origin'], ...replaced: ResolvedField['replaced']): ResolvedField => ({
  value,
  origin,
  replaced,
});

describe('the fields of a run context', () => {
  it('are all in the form', () => {
    expect(CONTEXT_FIELDS.map(({ name }) => name).sort()).toEqual(Object.keys(toForm(null)).sort());
  });

  it('read as nothing where a list is set to nothing, and as what is built in where none is set', () => {
    expect(valueLines('allow_fs_writes', [])).toEqual(['nothing']);
    expect(valueLines('allow_fs_writes', null)).toEqual(['none']);
    expect(valueLines('security_group', null)).toEqual(['default']);
    expect(valueLines('budget', { max_turns: 1200, max_cost_usd: null })).toEqual(['1,200 turns']);
  });
});

describe('what a reset would bring back', () => {
  const effective = effectiveSample({
    security_group: field('careful', 'ticket', { value: 'quick', origin: 'project' }),
    phase: field('plan', 'project'),
    mail: field('hold', 'session'),
  });

  it('is the strongest of what the layer replaced', () => {
    expect(inherited(effective, 'security_group', 'ticket')).toEqual({ value: 'quick', origin: 'project' });
  });
  it('is what is built in where nothing was replaced', () => {
    expect(inherited(effective, 'mail', 'session')).toEqual({ value: null, origin: 'none' });
  });
  it('is what holds where another layer sets it', () => {
    expect(inherited(effective, 'phase', 'ticket')).toEqual({ value: 'plan', origin: 'project' });
  });
});

describe('whom a change reaches', () => {
  const follows = sessionSample({ id: 'a', project_id: 'p1', effective: effectiveSample({ phase: field('plan', 'project') }) });
  const setsItself = sessionSample({ id: 'b', project_id: 'p1', effective: effectiveSample({ phase: field('execute', 'ticket') }) });
  const ended = sessionSample({ id: 'c', project_id: 'p1', state: 'ended' });
  const elsewhere = sessionSample({ id: 'd', project_id: 'p2' });

  it('is every live session that no stronger layer keeps from it', () => {
    const { changed, kept } = reached([follows, setsItself, ended, elsewhere], 'project', 'p1', ['phase']);
    expect([changed.map(({ id }) => id), kept.map(({ id }) => id)]).toEqual([['a'], ['b']]);
  });
  it('is a session as soon as one of several fields follows', () => {
    expect(reached([setsItself], 'project', 'p1', ['phase', 'mail']).changed).toHaveLength(1);
  });
});
