// Permission groups: ordered lists of rules, tried from the top, your group before `default`. First match wins; a hard deny
// cannot be outvoted.

import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import type { Failure } from '../../shared/failure';
import type { Rule } from '../../shared/model';
import { ACTIONS, type Action } from '../../shared/terms';
import { Button, FailureNote, Field, INPUT, Screen } from '../parts/controls';
import { ListPane } from '../parts/list-pane';
import { Panes } from '../parts/panes';
import { bridge, useProjection } from '../store';

const ACTION_WORDS: Readonly<Record<Action, string>> = { allow: 'Allow', deny: 'Deny', require: 'Ask' };

export function GroupsScreen() {
  const groups = useProjection((projection) => projection.groups);
  const rules = useProjection((projection) => projection.rules);
  const [selectedId, setSelectedId] = useState('default');
  const [showsDetail, setShowsDetail] = useState(false);
  const ordered = [...groups.values()].sort((a, b) => Number(b.id === 'default') - Number(a.id === 'default') || a.name.localeCompare(b.name));
  const rulesOf = (groupId: string): readonly Rule[] =>
    [...rules.values()].filter((rule) => rule.group_id === groupId).sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
  const selected = groups.get(selectedId) ?? ordered[0];
  return (
    <Screen title="Groups">
      <Panes
        list={
          <div className="flex h-full flex-col">
            <div className="min-h-0 flex-1">
              <ListPane
                label="Permission groups"
                items={ordered.map((group) => ({
                  id: group.id,
                  title: group.name,
                  detail: group.description || group.id,
                  mark: String(rulesOf(group.id).length),
                }))}
                selectedId={selected?.id ?? null}
                onSelect={(id) => {
                  setSelectedId(id);
                  setShowsDetail(true);
                }}
              />
            </div>
            <NewGroup onDone={setSelectedId} />
          </div>
        }
        detail={
          selected === undefined ? null : <GroupDetail key={selected.id} groupId={selected.id} name={selected.name} rules={rulesOf(selected.id)} />
        }
        showsDetail={showsDetail}
        onBack={() => setShowsDetail(false)}
      />
    </Screen>
  );
}

function NewGroup({ onDone }: { onDone(id: string): void }) {
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  return (
    <form
      className="grid gap-1 border-t border-hair p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void bridge.invoke('group.create', { name }).then((result) => {
          setFailure(result.ok ? null : result.failure);
          if (!result.ok) return;
          setName('');
          onDone(result.value.id);
        });
      }}
    >
      <label htmlFor="group-name" className="font-medium">
        New group
      </label>
      <div className="flex gap-2">
        <input id="group-name" className={INPUT} value={name} onChange={(event) => setName(event.target.value)} />
        <Button type="submit" blocked={name.trim() === '' ? 'Give it a name first.' : null}>
          Add group
        </Button>
      </div>
      <FailureNote failure={failure} />
    </form>
  );
}

function GroupDetail({ groupId, name, rules }: { readonly groupId: string; readonly name: string; readonly rules: readonly Rule[] }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = async (asked: Promise<{ readonly ok: boolean; readonly failure?: Failure }>): Promise<void> => {
    const result = await asked;
    setFailure(result.ok ? null : (result.failure ?? null));
  };
  const move = (index: number, by: 1 | -1): void => {
    const ids = rules.map((rule) => rule.id);
    const [id] = ids.splice(index, 1);
    if (id === undefined) return;
    ids.splice(index + by, 0, id);
    void run(bridge.invoke('rule.reorder', { group_id: groupId, ids }));
  };
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      <div className="grid gap-4">
        <header>
          <h2>{name}</h2>
          <p className="text-quiet">
            Tried from the top; the first match decides{groupId === 'default' ? '.' : ', then the rules of default.'} Credentials, Gatehouse's own
            files and hard denies hold whatever stands here.
          </p>
        </header>
        <FailureNote failure={failure} />
        <div className="overflow-x-auto">
          <table className="w-full min-w-[40rem]">
            <thead>
              <tr className="border-b border-line text-left">
                {['Effect', 'Tool', 'Target', 'Agent', 'Hits', 'Change'].map((title) => (
                  <th key={title} scope="col" className="py-1 pr-3 font-medium">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rules.map((rule, index) => (
                <tr key={rule.id} className={`border-b border-hair align-top ${rule.enabled ? '' : 'text-quiet'}`}>
                  <td className="py-1 pr-3 whitespace-nowrap">
                    {ACTION_WORDS[rule.action]}
                    {rule.hard ? ', hard' : ''}
                    {rule.enabled ? '' : ' (off)'}
                  </td>
                  <td className="py-1 pr-3">
                    <code className="break-all">{rule.tool_pattern}</code>
                  </td>
                  <td className="py-1 pr-3">
                    <code className="break-all">{rule.path_pattern ?? rule.command_pattern ?? 'any'}</code>
                    {rule.note === '' ? null : <p className="text-quiet">{rule.note}</p>}
                  </td>
                  <td className="py-1 pr-3">{rule.agent ?? 'any'}</td>
                  <td className="py-1 pr-3 tabular-nums">{rule.hits}</td>
                  <td className="flex gap-1 py-1">
                    <Button
                      aria-label={`Move rule ${index + 1} up`}
                      blocked={index === 0 ? 'It is the first.' : null}
                      onClick={() => move(index, -1)}
                    >
                      <ChevronUp size={16} aria-hidden="true" />
                    </Button>
                    <Button
                      aria-label={`Move rule ${index + 1} down`}
                      blocked={index === rules.length - 1 ? 'It is the last.' : null}
                      onClick={() => move(index, 1)}
                    >
                      <ChevronDown size={16} aria-hidden="true" />
                    </Button>
                    <Button
                      aria-label={`${rule.enabled ? 'Turn off' : 'Turn on'} rule ${index + 1}`}
                      onClick={() => void run(bridge.invoke('rule.update', { id: rule.id, enabled: !rule.enabled }))}
                    >
                      {rule.enabled ? 'Turn off' : 'Turn on'}
                    </Button>
                    <Button aria-label={`Delete rule ${index + 1}`} onClick={() => void run(bridge.invoke('rule.delete', { id: rule.id }))}>
                      Delete
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <NewRule groupId={groupId} />
        {groupId === 'default' ? null : (
          <div>
            <Button onClick={() => void run(bridge.invoke('group.delete', { id: groupId }))}>Delete group</Button>
          </div>
        )}
      </div>
    </div>
  );
}

function NewRule({ groupId }: { readonly groupId: string }) {
  const empty = { action: 'require' as Action, tool_pattern: '', path_pattern: '', command_pattern: '', priority: '100', reason: '', hard: false };
  const [draft, setDraft] = useState(empty);
  const [failure, setFailure] = useState<Failure | null>(null);
  const set = (part: Partial<typeof empty>): void => setDraft((now) => ({ ...now, ...part }));
  const subject = failure !== null && typeof failure.subject === 'string' ? failure.subject : null;
  const errorOf = (field: string): string | undefined => (subject === field ? failure?.message : undefined);
  const orNull = (text: string): string | null => (text === '' ? null : text);
  return (
    <form
      aria-label="New rule"
      className="grid max-w-3xl gap-3 rounded-md border border-hair p-3 min-[720px]:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        const { action, hard, reason } = draft;
        void bridge
          .invoke('rule.create', {
            group_id: groupId,
            action,
            hard,
            reason,
            tool_pattern: draft.tool_pattern,
            path_pattern: orNull(draft.path_pattern),
            command_pattern: orNull(draft.command_pattern),
            priority: Number(draft.priority),
          })
          .then((result) => {
            setFailure(result.ok ? null : result.failure);
            if (result.ok) setDraft(empty);
          });
      }}
    >
      <h3 className="min-[720px]:col-span-2">New rule</h3>
      <Field id="rule-action" label="Effect">
        <select id="rule-action" className={INPUT} value={draft.action} onChange={(event) => set({ action: event.target.value as Action })}>
          {ACTIONS.map((action) => (
            <option key={action} value={action}>
              {ACTION_WORDS[action]}
            </option>
          ))}
        </select>
      </Field>
      <Field
        id="rule-tool"
        label="Tool"
        hint="A name, a pattern with *, or a class: @fs_read, @fs_write, @fs_any, @exec, @net, @mcp."
        error={errorOf('tool_pattern')}
      >
        <input id="rule-tool" className={INPUT} value={draft.tool_pattern} onChange={(event) => set({ tool_pattern: event.target.value })} />
      </Field>
      <Field id="rule-path" label="Path" hint="Such as src/* or ~/notes/*. Empty is any." error={errorOf('path_pattern')}>
        <input id="rule-path" className={INPUT} value={draft.path_pattern} onChange={(event) => set({ path_pattern: event.target.value })} />
      </Field>
      <Field id="rule-command" label="Command" hint="Such as npm test or git *. Empty is any." error={errorOf('command_pattern')}>
        <input id="rule-command" className={INPUT} value={draft.command_pattern} onChange={(event) => set({ command_pattern: event.target.value })} />
      </Field>
      <Field id="rule-priority" label="Priority" hint="Lower is tried earlier." error={errorOf('priority')}>
        <input
          id="rule-priority"
          type="number"
          className={INPUT}
          value={draft.priority}
          onChange={(event) => set({ priority: event.target.value })}
        />
      </Field>
      <Field id="rule-reason" label="Reason" hint="What the agent is told when it is denied." error={errorOf('reason')}>
        <input id="rule-reason" className={INPUT} value={draft.reason} onChange={(event) => set({ reason: event.target.value })} />
      </Field>
      <label className="flex min-h-7 items-center gap-2">
        <input type="checkbox" className="size-4" checked={draft.hard} onChange={(event) => set({ hard: event.target.checked })} />
        Hard: nothing can outvote or relax it
      </label>
      <div className="min-[720px]:col-span-2">{subject === null || errorOf(subject) === undefined ? <FailureNote failure={failure} /> : null}</div>
      <div>
        <Button type="submit" tone="solid" blocked={draft.tool_pattern === '' ? 'Name a tool first.' : null}>
          Add rule
        </Button>
      </div>
    </form>
  );
}
