// Answers to calls in tests: what they write, what they are refused for, and what further calls come to afterwards. For tests
// only; nothing that ships imports it.

import type { Grant, Rule } from '../../shared/model';
import { decide } from './decide';
import type { CallFacts, SessionFacts } from './facts';
import { type AnswerFields, type AnswerWrites, grantsFor } from './grants';
import { NOW, policy, rule, session } from './samples';
import type { Bindings } from './scope-parts';

export const ALONE: Bindings = { ticketId: null, projectId: null, groupId: null };
export const IN_PROJECT: Bindings = { ticketId: 't1', projectId: 'p1', groupId: null };

export interface Scene {
  readonly session?: Partial<SessionFacts>;
  readonly rules?: readonly Rule[];
  readonly bindings?: Bindings;
}
export const answerTo = (facts: CallFacts, answer: Partial<AnswerFields>, scene: Scene = {}): ReturnType<typeof grantsFor> =>
  grantsFor({ action: 'approve', ...answer }, facts, session(scene.session), scene.bindings ?? ALONE, policy(scene.rules ?? []), NOW);

export function writes(facts: CallFacts, answer: Partial<AnswerFields>, scene: Scene = {}): AnswerWrites {
  const result = answerTo(facts, answer, scene);
  if (!result.ok) throw new Error(`${result.failure.message} ${JSON.stringify(result.failure.subject)}`);
  return result.value;
}
export function refusal(facts: CallFacts, answer: Partial<AnswerFields>, scene: Scene = {}): unknown {
  const result = answerTo(facts, answer, scene);
  return result.ok ? 'taken' : result.failure.code === 'invalid' ? result.failure.subject : result.failure.code;
}

/** Asks about further calls after an answer was taken. */
export function afterwards(facts: CallFacts, answer: Partial<AnswerFields>, scene: Scene = {}): (next: CallFacts) => string {
  const taken = writes(facts, answer, scene);
  const grants = taken.grants.map((draft, index): Grant => ({ ...draft, id: `g${index}`, created_at: '', request_id: 'q1' }));
  const moved = (scene.rules ?? []).map((one) => ({ ...one, priority: taken.moves.find((move) => move.id === one.id)?.priority ?? one.priority }));
  const rules = [...moved, ...taken.rules.map((draft, index) => rule({ ...draft, id: `z${index}` }))];
  const of = session(scene.session);
  return (next) => decide(next, { ...of, grants: [...of.grants, ...grants] }, policy(rules), NOW).verdict;
}
