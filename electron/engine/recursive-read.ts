// What an allowed recursive read has to skip (spec 9): folders that hold secrets, and folders that a rule closes to the tool.

import type { CallFacts, SessionFacts } from './facts';
import { lexical } from './path-text';
import { type CompiledPolicy, firstFloor, firstRule, tiersOf } from './policy';
import { SKIPPED_FOLDERS } from './protected';
import { readingQuestion } from './questions';

export const readsBelow = (call: CallFacts): boolean =>
  call.readsBelow || call.paths.some((path) => path.recursive === true && path.access === 'read');

/** Folder names, also with slashes where a rule names a deeper one. Empty for a call that reads nothing below. */
export function foldersToSkip(call: CallFacts, session: SessionFacts, policy: CompiledPolicy, nowMs: number): readonly string[] {
  if (!readsBelow(call)) return [];
  const tiers = tiersOf(policy, session.groupId);
  const closed = new Set(SKIPPED_FOLDERS);
  for (const folder of new Set(tiers.flatMap((tier) => tier.deniedFolders))) {
    if (closed.has(folder)) continue;
    for (const base of [session.root, session.workingDirectory]) {
      if (base === null) continue;
      const question = readingQuestion(lexical(base, folder, session.platform), call, session, nowMs);
      if (firstFloor(tiers, question) !== null || firstRule(tiers, question)?.action === 'deny') closed.add(folder);
    }
  }
  return [...closed];
}
