// Permission groups: ordered lists of rules, tried from the top, your group before `default`. First match wins; a hard deny
// cannot be outvoted. Beside them a call can be tried.

import { Plus } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { toast } from 'sonner';
import type { Group, Rule } from '../../shared/model';
import { useCommand } from '../command';
import { useChosen } from '../parts/chosen';
import { Button, Empty, FailureNote, Field, Section } from '../parts/controls';
import { Confirm } from '../parts/dialog';
import { ListPane } from '../parts/list-pane';
import { TextLink } from '../parts/request/why';
import { RuleEditor } from '../parts/rules/rule-editor';
import { RuleTable } from '../parts/rules/rule-table';
import { TryCall } from '../parts/rules/try-call';
import { Detail, TwoPanes } from '../parts/screen';
import { draftOf } from '../rule-form';
import { inOrder } from '../rule-words';
import { useProjection } from '../store';

const DEFAULT = 'default';

export function GroupsScreen() {
  const groups = useProjection((projection) => projection.groups);
  const rules = useProjection((projection) => projection.rules);
  const sessions = useProjection((projection) => projection.sessions);
  const [chosenId, choose] = useChosen('/groups');
  const [isAdding, setIsAdding] = useState(false);
  const ordered = useMemo(
    () => [...groups.values()].sort((a, b) => Number(b.id === DEFAULT) - Number(a.id === DEFAULT) || a.name.localeCompare(b.name)),
    [groups],
  );
  const byGroup = useMemo(() => {
    const sorted = new Map<string, Rule[]>();
    for (const rule of inOrder([...rules.values()])) sorted.set(rule.group_id, [...(sorted.get(rule.group_id) ?? []), rule]);
    return sorted;
  }, [rules]);
  const usedBy = (id: string): number =>
    [...sessions.values()].filter((one) => one.state !== 'ended' && (one.effective.values.security_group ?? DEFAULT) === id).length;
  const selected = chosenId === null ? ordered[0] : groups.get(chosenId);
  return (
    <TwoPanes
      title="Groups"
      tools={
        <Button size="small" aria-expanded={isAdding} onClick={() => setIsAdding((is) => !is)}>
          <Plus size={16} aria-hidden="true" /> New group
        </Button>
      }
      list={
        <div className="flex h-full flex-col">
          {isAdding ? (
            <NewGroup
              onDone={(id) => {
                setIsAdding(false);
                if (id !== null) choose(id);
              }}
            />
          ) : null}
          <div className="min-h-0 flex-1">
            <ListPane
              label="Permission groups"
              items={ordered.map((group) => {
                const count = byGroup.get(group.id)?.length ?? 0;
                const users = usedBy(group.id);
                return {
                  id: group.id,
                  title: group.name,
                  detail: group.description || (group.id === DEFAULT ? 'Tried last, for every session' : group.id),
                  mark: `${count === 1 ? '1 rule' : `${count} rules`}${users === 0 ? '' : `, ${users === 1 ? '1 session' : `${users} sessions`}`}`,
                };
              })}
              selectedId={selected?.id ?? null}
              onSelect={choose}
              onOpen={() => selected !== undefined && choose(selected.id)}
            />
          </div>
        </div>
      }
      detail={
        selected === undefined ? (
          <Empty title="There is no such group any more." />
        ) : (
          <GroupDetail
            key={selected.id}
            group={selected}
            rules={byGroup.get(selected.id) ?? []}
            defaults={byGroup.get(DEFAULT)?.length ?? 0}
            onGone={() => choose(null)}
          />
        )
      }
      showsDetail={chosenId !== null}
      onBack={() => choose(null)}
    />
  );
}

function NewGroup({ onDone }: { onDone(id: string | null): void }) {
  const { run, failure, blocked } = useCommand();
  const [name, setName] = useState('');
  return (
    <form
      aria-label="New group"
      className="grid gap-2 border-b border-hair p-4"
      onSubmit={(event) => {
        event.preventDefault();
        void run('group.create', { name: name.trim() }).then((result) => {
          if (result.ok) onDone(result.value.id);
        });
      }}
    >
      <Field label="Name" error={failure?.message.replaceAll('`', '')}>
        {(bind) => <input {...bind} className="field" autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" tone="solid" blocked={blocked ?? (name.trim() === '' ? 'Give it a name first.' : null)}>
          Add group
        </Button>
        <Button onClick={() => onDone(null)}>Add nothing</Button>
      </div>
    </form>
  );
}

function GroupDetail({
  group,
  rules,
  defaults,
  onGone,
}: {
  readonly group: Group;
  readonly rules: readonly Rule[];
  readonly defaults: number;
  onGone(): void;
}) {
  const { run, failure, blocked } = useCommand();
  const protectedPaths = useProjection((projection) => projection.settings.protected_paths);
  const users = useUsers(group.id);
  const [editedId, setEditedId] = useState<string | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const [deleted, setDeleted] = useState<Rule | null>(null);
  const [decidedBy, setDecidedBy] = useState<string | null>(null);
  const onDecided = useCallback((id: string | null) => setDecidedBy(id), []);
  const isDefault = group.id === DEFAULT;
  const move = (index: number, by: 1 | -1): void => {
    const ids = rules.map((rule) => rule.id);
    const [id] = ids.splice(index, 1);
    if (id === undefined) return;
    ids.splice(index + by, 0, id);
    void run('rule.reorder', { group_id: group.id, ids });
  };
  return (
    <Detail>
      <header className="grid gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="min-w-0 flex-1 break-words">{group.name}</h2>
          <Button
            size="small"
            blocked={blocked}
            onClick={() =>
              void run('group.duplicate', { id: group.id }).then((result) => {
                if (result.ok) toast.success(`${result.value.name} was made.`);
              })
            }
          >
            Duplicate
          </Button>
          {isDefault ? null : (
            <Button size="small" tone="deny" blocked={blocked} onClick={() => setIsDeleting(true)}>
              Delete group
            </Button>
          )}
        </div>
        {group.description === '' ? null : <p>{group.description}</p>}
        <p className="text-quiet">
          Tried from the top; the first match decides.{' '}
          {users.length === 0 ? (isDefault ? 'Every session falls back to it.' : 'Nothing uses it.') : `Used by ${users.join(', ')}.`}
        </p>
      </header>
      <FailureNote failure={failure} />
      <Section
        title="Rules"
        actions={
          <Button size="small" aria-expanded={isAdding} onClick={() => setIsAdding((is) => !is)}>
            <Plus size={16} aria-hidden="true" /> New rule
          </Button>
        }
      >
        {isAdding ? <RuleEditor groupId={group.id} rule={null} rules={rules} onDone={() => setIsAdding(false)} /> : null}
        {deleted === null ? null : (
          <p role="status" className="flex flex-wrap items-center gap-2">
            The rule was deleted.
            <Button
              size="small"
              tone="ghost"
              blocked={blocked}
              onClick={() =>
                void run('rule.create', draftOf(deleted)).then((result) => {
                  if (result.ok) setDeleted(null);
                })
              }
            >
              Put it back
            </Button>
          </p>
        )}
        <RuleTable
          groupId={group.id}
          rules={rules}
          protectedPaths={protectedPaths}
          decidedBy={decidedBy}
          editedId={editedId}
          blocked={blocked}
          onEdit={setEditedId}
          onMove={move}
          onToggle={(rule) => void run('rule.update', { id: rule.id, enabled: !rule.enabled })}
          onDelete={(rule) =>
            void run('rule.delete', { id: rule.id }).then((result) => {
              if (result.ok) setDeleted(rule);
            })
          }
          after={
            isDefault ? (
              'then every call that nothing matched is asked'
            ) : (
              <>
                then <TextLink to={`/groups/${DEFAULT}`}>default</TextLink> ({defaults === 1 ? '1 rule' : `${defaults} rules`})
              </>
            )
          }
        />
      </Section>
      <Section title="Try a call">
        <TryCall groupId={group.id} onDecided={onDecided} />
      </Section>
      <Confirm
        isOpen={isDeleting}
        title={`Delete the group ${group.name}`}
        act="Delete group"
        back="Keep it"
        onAct={() =>
          void run('group.delete', { id: group.id, ...(users.length > 0 ? { force: true } : {}) }).then((result) => {
            if (result.ok) onGone();
          })
        }
        onBack={() => setIsDeleting(false)}
      >
        <p>{rules.length === 1 ? 'Its rule goes with it.' : `Its ${rules.length} rules go with it.`}</p>
        {users.length === 0 ? null : <p>{users.join(', ')} will fall back to default.</p>}
      </Confirm>
    </Detail>
  );
}

/** What names the group: sessions it is in force for, and projects and tickets that set it. */
function useUsers(id: string): readonly string[] {
  const { sessions, projects, tickets } = useProjection((projection) => projection);
  return useMemo(() => {
    const sets = (one: { readonly run_context: { readonly security_group?: string | null } | null }): boolean =>
      one.run_context?.security_group === id;
    return [
      ...[...projects.values()].filter(sets).map((project) => `project ${project.name}`),
      ...[...tickets.values()].filter(sets).map((ticket) => `ticket ${ticket.title}`),
      ...[...sessions.values()].filter((one) => one.state !== 'ended' && sets(one)).map((one) => `session ${one.title || one.id}`),
    ];
  }, [id, sessions, projects, tickets]);
}
