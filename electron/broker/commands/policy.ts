// Groups and rules (spec 2, 5.5, 7): the commands that change the policy. Every change settles what it settles of what waits,
// in the same transaction (redecide.ts).

import { fail, ok, type Result } from '../../../shared/failure';
import type { Group, Rule, RunContext } from '../../../shared/model';
import { DEFAULT_GROUP } from '../../engine/policy';
import type { LiveState } from '../../store/contract';
import type { StateEvent, Write } from '../../store/events';
import { actorOf, type Caller } from '../caller';
import type { Core } from '../core';
import type { Handlers } from '../deps';
import { commitChange } from '../redecide';
import { newRule, prioritiesFor, refuseRule, rulesOf, ruleText } from '../rules';

type PolicyCommands = Pick<
  Handlers,
  | 'group.list'
  | 'group.create'
  | 'group.update'
  | 'group.delete'
  | 'group.duplicate'
  | 'rule.list'
  | 'rule.create'
  | 'rule.update'
  | 'rule.delete'
  | 'rule.reorder'
>;

export function policyCommands(core: Core): PolicyCommands {
  const { live } = core;
  const change = (caller: Caller, type: string, summary: string, writes: readonly Write[]): Result<unknown> => {
    const event: StateEvent = { type, at: core.nowIso(), actor: actorOf(caller), summary, writes };
    return commitChange(core, [event]);
  };

  return {
    'group.list': () => ok({ items: [...live.groups.values()] }),

    'group.create'(draft, caller) {
      const id = draft.id ?? freeSlug(draft.name, live.groups);
      if (live.groups.has(id)) return taken(id);
      const group: Group = { id, name: draft.name, description: draft.description, created_at: core.nowIso() };
      return after(change(caller, 'group.created', `The group \`${id}\` was made.`, [{ put: 'group', value: group }]), group);
    },

    'group.update'({ id, name, description }, caller) {
      const known = live.groups.get(id);
      if (known === undefined) return noGroup(id);
      if (id === DEFAULT_GROUP && name !== undefined && name !== known.name) {
        return fail('conflict', 'The group `default` keeps its name.', { hint: 'Change its rules or its description instead.', subject: 'name' });
      }
      const group: Group = { ...known, ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
      return after(change(caller, 'group.changed', `The group \`${id}\` was changed.`, [{ put: 'group', value: group }]), group);
    },

    'group.delete'({ id, force }, caller) {
      if (!live.groups.has(id)) return noGroup(id);
      if (id === DEFAULT_GROUP)
        return fail('conflict', 'The group `default` cannot be deleted.', { hint: 'Delete or change its rules instead.', subject: 'id' });
      const used_by = usersOf(id, live);
      if (used_by.length > 0 && force !== true) {
        return fail('in_use', `The group \`${id}\` is used by ${used_by.join(', ')}.`, {
          hint: 'Give them another group first, or delete it with `force`: it then counts as a group without rules.',
          subject: { used_by },
        });
      }
      return after(change(caller, 'group.deleted', `The group \`${id}\` was deleted with its rules.`, [{ remove: 'group', id }]), {
        deleted: id,
        used_by,
      });
    },

    'group.duplicate'({ id, new_id, name }, caller) {
      const source = live.groups.get(id);
      if (source === undefined) return noGroup(id);
      const newName = name ?? `${source.name} copy`;
      const newId = new_id ?? freeSlug(newName, live.groups);
      if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(newId)) {
        return fail('invalid', `\`${newId}\` cannot be the id of a group.`, {
          hint: 'Use lower-case letters, digits, - and _, starting with a letter or digit.',
          subject: 'new_id',
        });
      }
      if (live.groups.has(newId)) return taken(newId);
      const at = core.nowIso();
      const group: Group = { id: newId, name: newName, description: source.description, created_at: at };
      const rules = rulesOf(live, id).map(
        (rule): Rule => ({ ...rule, id: core.newId('rule'), group_id: newId, created_at: at, created_by: 'user', hits: 0, last_hit_at: null }),
      );
      const writes: Write[] = [{ put: 'group', value: group }, ...rules.map((value) => ({ put: 'rule' as const, value }))];
      return after(
        change(caller, 'group.created', `The group \`${newId}\` was made as a copy of \`${id}\` with ${rules.length} rules.`, writes),
        group,
      );
    },

    'rule.list'({ group_id }) {
      if (group_id !== undefined) return live.groups.has(group_id) ? ok({ items: rulesOf(live, group_id) }) : noGroup(group_id);
      return ok({ items: [...live.groups.keys()].flatMap((id) => rulesOf(live, id)) });
    },

    'rule.create'(draft, caller) {
      const rule = newRule(core, draft, 'user');
      const refused = refuseRule(rule, live);
      if (refused !== null) return refused;
      const summary = `A rule was added to \`${rule.group_id}\`: ${ruleText(rule)}.`;
      return after(change(caller, 'rule.created', summary, [{ put: 'rule', value: rule }]), rule);
    },

    'rule.update'({ id, ...patch }, caller) {
      const known = live.rules.get(id);
      if (known === undefined) return noRule(id);
      const rule: Rule = { ...known, ...withoutUndefined(patch) };
      const refused = refuseRule(rule, live);
      if (refused !== null) return refused;
      const summary = `A rule of \`${rule.group_id}\` was changed: ${ruleText(rule)}.`;
      const changed = change(caller, 'rule.changed', summary, [{ put: 'rule', value: rule }]);
      return after(changed, live.rules.get(id) ?? rule);
    },

    'rule.delete'({ id }, caller) {
      const rule = live.rules.get(id);
      if (rule === undefined) return noRule(id);
      const summary = `A rule of \`${rule.group_id}\` was deleted: ${ruleText(rule)}.`;
      return after(change(caller, 'rule.deleted', summary, [{ remove: 'rule', id }]), { deleted: id });
    },

    'rule.reorder'({ group_id, ids }, caller) {
      if (!live.groups.has(group_id)) return noGroup(group_id);
      const current = rulesOf(live, group_id);
      const known = new Map(current.map((rule) => [rule.id, rule]));
      const named = new Set(ids);
      const foreign = ids.find((id) => !known.has(id));
      if (foreign !== undefined || named.size !== ids.length || named.size !== current.length) {
        const what = foreign === undefined ? 'Every rule of the group has to be named once' : `\`${foreign}\` is no rule of \`${group_id}\``;
        return fail('invalid', `The new order is not complete: ${what}.`, {
          hint: 'Read the rules of the group again and send all of them.',
          subject: 'ids',
        });
      }
      const ordered = ids.flatMap((id) => known.get(id) ?? []);
      const priorities = prioritiesFor(ordered);
      const moved = ordered.flatMap((rule, index): Rule[] => {
        const priority = priorities[index] ?? rule.priority;
        return priority === rule.priority ? [] : [{ ...rule, priority }];
      });
      if (moved.length === 0) return ok({ items: rulesOf(live, group_id) });
      const summary = `The rules of \`${group_id}\` were put in another order.`;
      const changed = change(
        caller,
        'rule.reordered',
        summary,
        moved.map((value) => ({ put: 'rule' as const, value })),
      );
      return changed.ok ? ok({ items: rulesOf(live, group_id) }) : changed;
    },
  };
}

const after = <T>(changed: Result<unknown>, value: T): Result<T> => (changed.ok ? ok(value) : changed);

/** A patch names what it changes; null is a value for fields that can be null. */
function withoutUndefined<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Names of what would lose the group, as a person knows them. */
function usersOf(groupId: string, live: LiveState): readonly string[] {
  const uses = (context: RunContext | null): boolean => context?.security_group === groupId;
  const { agents, sources } = live.settings.run_context_defaults;
  return [
    ...[...live.projects.values()].filter((one) => uses(one.run_context)).map((one) => `project ${one.name}`),
    ...[...live.tickets.values()].filter((one) => uses(one.run_context)).map((one) => `ticket ${one.title}`),
    ...[...live.jobs.values()].filter((one) => uses(one.run_context)).map((one) => `job ${one.name}`),
    ...[...live.sessions.values()]
      .filter((one) => one.ended_at === null && uses(one.run_context))
      .map((one) => `session ${one.title === '' ? one.id : one.title}`),
    ...Object.entries(agents)
      .filter(([, context]) => uses(context))
      .map(([agent]) => `the default of agent ${agent}`),
    ...Object.entries(sources)
      .filter(([, context]) => uses(context))
      .map(([source]) => `the default of source ${source}`),
  ];
}

function freeSlug(name: string, groups: ReadonlyMap<string, unknown>): string {
  const slug =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 50) || 'group';
  let free = slug;
  for (let count = 2; groups.has(free); count += 1) free = `${slug}-${count}`;
  return free;
}

const taken = (id: string) => fail('conflict', `There is a group \`${id}\` already.`, { hint: 'Choose another id.', subject: 'id' });
const noGroup = (id: string) => fail('not_found', `There is no group \`${id}\`.`, { subject: 'id' });
const noRule = (id: string) => fail('not_found', `There is no rule \`${id}\`.`, { hint: 'Read the list of rules again.', subject: 'id' });
