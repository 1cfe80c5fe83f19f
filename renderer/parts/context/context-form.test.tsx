// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, ok } from '../../../shared/failure';
import type { RunContext } from '../../../shared/model';
import { App } from '../../app';
import { attach, useStore } from '../../store';
import { furnishDom } from '../../testing/dom';
import { effectiveSample, projectSample, snapshotSample } from '../../testing/samples';
import { type Answers, type ScriptedBridge, scriptedBridge } from '../../testing/scripted-bridge';

const own: RunContext = { security_group: 'careful', allow_fs_writes: ['src'] };
const effective = effectiveSample({
  security_group: { value: 'careful', origin: 'project', replaced: [{ value: 'quick', origin: 'agent_default' }] },
  allow_fs_writes: { value: ['src'], origin: 'project', replaced: [] },
  phase: { value: 'plan', origin: 'source_default', replaced: [] },
});

let bridge: ScriptedBridge;
let end: () => void = () => undefined;

async function open(answers: Answers = {}): Promise<void> {
  bridge = scriptedBridge(snapshotSample({ projects: [projectSample({ run_context: own })] }), {
    'run_context.effective': () => ok(effective),
    'run_context.set': () => ok(effective),
    ...answers,
  });
  end = attach(bridge);
  render(<App />);
  await settle();
}
const settle = (): Promise<void> => act(async () => void (await new Promise((done) => setTimeout(done))));
const button = (name: string) => screen.getByRole('button', { name });
const click = async (name: string): Promise<void> => {
  fireEvent.click(button(name));
  await settle();
  await settle();
};
const saved = (): readonly unknown[] =>
  bridge.sent.flatMap(({ name, input }) => (name === 'run_context.set' ? [(input as { readonly run_context: unknown }).run_context] : []));
const push = (run_context: RunContext | null): Promise<void> =>
  act(async () => {
    bridge.push({ put: 'project', value: projectSample({ run_context }) });
  });

beforeEach(() => {
  furnishDom();
  useStore.setState({ projection: null, connection: 'connecting', nudge: null });
  window.location.hash = '#/projects/p1';
});
afterEach(() => {
  cleanup();
  end();
  vi.unstubAllGlobals();
});

describe('the form of a run context', () => {
  it('sets a field here, beginning with what it inherits, and saves it with the others', async () => {
    await open();
    await click('Set here: Phase');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Phase' }).value).toBe('plan');
    await click('Save run context');
    expect(saved()).toEqual([{ ...own, phase: 'plan' }]);
  });

  it('shows what a reset would bring back before it is saved, and clears the field', async () => {
    await open();
    await click('Reset Permission group');
    const form = screen.getByRole('form', { name: 'Run context' });
    expect(within(form).getByText('quick')).toBeTruthy();
    expect(within(form).queryByText('careful')).toBeNull();
    expect(saved()).toEqual([]);
    await click('Save run context');
    expect(saved()).toEqual([{ allow_fs_writes: ['src'] }]);
  });

  it('says what is wrong beside the field before anything is sent', async () => {
    await open();
    await click('Set here: Compact at');
    fireEvent.change(screen.getByRole('textbox', { name: 'Compact at' }), { target: { value: 'many' } });
    await click('Save run context');
    const field = screen.getByRole('textbox', { name: 'Compact at' });
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(field.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '')?.textContent).toBe('must be a number');
    expect(saved()).toEqual([]);
  });

  it('puts what main refuses beside the field it names', async () => {
    await open({ 'run_context.set': () => fail('invalid', 'The path `src` is no directory.', { subject: 'run_context.allow_fs_writes.0' }) });
    await click('Edit Write without asking');
    fireEvent.change(screen.getByRole('textbox', { name: 'Write without asking' }), { target: { value: 'src\ndocs' } });
    await click('Save run context');
    expect(screen.getByRole('alert').textContent).toBe('The path src is no directory.');
    expect(screen.getByRole('textbox', { name: 'Write without asking' }).getAttribute('aria-invalid')).toBe('true');
  });

  it('follows a change from elsewhere while nothing was typed', async () => {
    await open();
    await push({ ...own, mail: 'refuse' });
    expect(screen.getByRole('button', { name: 'Reset Mail' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save run context' })).toBeNull();
  });

  it('overwrites nothing that was saved elsewhere meanwhile without the person’s word', async () => {
    await open();
    await click('Reset Permission group');
    await push({ ...own, allow_fs_writes: ['docs'] });
    expect(screen.getByText(/changed elsewhere/).textContent).toContain('write without asking');
    await click('Save run context');
    expect(saved()).toEqual([]);
    await click('Keep mine');
    await click('Save run context');
    expect(saved()).toEqual([{ allow_fs_writes: ['src'] }]);
  });

  it('undoes the last save', async () => {
    await open();
    await click('Reset Permission group');
    await click('Save run context');
    await push({ allow_fs_writes: ['src'] });
    await click('Undo the last save');
    expect(saved().at(-1)).toEqual(own);
  });

  it('does not let unsaved changes go without asking', async () => {
    await open();
    await click('Reset Permission group');
    fireEvent.click(screen.getByRole('link', { name: /Inbox/ }));
    await settle();
    expect(screen.getByRole('alertdialog').textContent).toContain('the run context of Shop');
    expect(window.location.hash).toBe('#/projects/p1');
    await click('Keep editing');
    expect(window.location.hash).toBe('#/projects/p1');
    fireEvent.click(screen.getByRole('link', { name: /Inbox/ }));
    await settle();
    await click('Discard changes');
    expect(window.location.hash).toBe('#/');
  });
});
