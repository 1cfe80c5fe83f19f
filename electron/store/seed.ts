// What a new database starts with: the group `default` and the rules of spec 5.5. Seeded in the transaction that makes the
// database, so once only; a person's edits and deletions are never overwritten.

import { v7 as uuidv7 } from 'uuid';
import type { Rule } from '../../shared/model';
import { seededRules } from '../engine/seeds';
import type { StateEvent } from './events';

export const DEFAULT_GROUP = 'default';

/**
 * `first`: a first start, with all seeded rules. `after_damage`: the old database was moved aside, so nothing is allowed by
 * itself any more (spec 14): the rules that deny or ask are seeded, those that allow are not.
 */
export type Start = 'first' | 'after_damage';

export function seedEvent(start: Start, nowMs: number): StateEvent {
  const at = new Date(nowMs).toISOString();
  const drafts = seededRules().filter((draft) => start === 'first' || draft.action !== 'allow');
  const rules = drafts.map(
    (draft): Rule => ({ ...draft, id: uuidv7(), group_id: DEFAULT_GROUP, created_at: at, created_by: 'seed', hits: 0, last_hit_at: null }),
  );
  const summary =
    start === 'first'
      ? `Started with the group \`default\` and its ${rules.length} rules.`
      : `Started anew after a damaged database: the group \`default\` has ${rules.length} rules, none of which allows anything.`;
  return {
    type: 'store.created',
    at,
    actor: 'gate',
    summary,
    writes: [{ put: 'group', value: defaultGroup(at) }, ...rules.map((value) => ({ put: 'rule' as const, value }))],
  };
}

export const defaultGroup = (at: string) => ({
  id: DEFAULT_GROUP,
  name: 'Default',
  description: 'Rules for every session, after those of its own group.',
  created_at: at,
});
