// Rules in words and in the order in which they are tried. Pure.

import type { Rule } from '../shared/model';
import type { Action } from '../shared/terms';

/** On screen `require` reads Ask (spec 1). */
export const ACTION_WORDS: Readonly<Record<Action, string>> = { allow: 'Allow', deny: 'Deny', require: 'Ask' };

/** Spec 4, step 7: by priority, then by age. */
export const inOrder = (rules: readonly Rule[]): readonly Rule[] =>
  rules.toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

const CLASS_WORDS: Readonly<Record<string, string>> = {
  '*': 'anything',
  '@fs_read': 'reading files',
  '@fs_write': 'writing files',
  '@fs_any': 'reading and writing files',
  '@exec': 'running commands',
  '@net': 'using the network',
  '@mcp': 'MCP tools',
  external_directory: 'paths outside the session',
};

/** A tool pattern as a person reads it; null when it stands for itself. */
export const classWords = (pattern: string): string | null => CLASS_WORDS[pattern] ?? null;
