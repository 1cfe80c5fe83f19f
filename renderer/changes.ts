// What an edit would change, read from the call's own input: replacements, new content, patches of two forms. Pure. The file
// on disk is not known here, so no line number is invented.

import type { JsonObject } from '../shared/model';

export interface PatchLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}
export interface PatchHunk {
  /** What the patch says about the place, such as a function's head; may be empty. */
  readonly heading: string;
  /** First line in the old and the new file, where the patch says so. */
  readonly starts: { readonly before: number; readonly after: number } | null;
  readonly lines: readonly PatchLine[];
}
export type FileChange =
  | { readonly kind: 'replace'; readonly before: string; readonly after: string; readonly everywhere: boolean }
  | { readonly kind: 'content'; readonly text: string; readonly place: string }
  | {
      readonly kind: 'patch';
      readonly path: string;
      readonly action: 'change' | 'add' | 'delete';
      readonly movedTo: string | null;
      readonly hunks: readonly PatchHunk[];
    };

const BEFORE = ['old_string', 'oldText', 'old_text', 'old_str', 'oldString'];
const AFTER = ['new_string', 'newText', 'new_text', 'new_str', 'newString'];
const CONTENT = ['content', 'contents', 'file_text', 'new_source', 'text', 'insert_text'];
const PATCH = ['patch', 'input', 'diff'];

/** In the order of the input; empty when it holds nothing that can be drawn. */
export function changesOf(input: JsonObject): readonly FileChange[] {
  const replacements = (Array.isArray(input.edits) ? input.edits : [input]).flatMap(replacementOf);
  if (replacements.length > 0) return replacements;
  const patch = pick(input, PATCH);
  const files = patch === null ? [] : readPatch(patch);
  if (files.length > 0) return files;
  const text = pick(input, CONTENT) ?? patch;
  return text === null ? [] : [{ kind: 'content', text, place: placeOf(input) }];
}

function replacementOf(edit: unknown): readonly FileChange[] {
  if (typeof edit !== 'object' || edit === null || Array.isArray(edit)) return [];
  const fields = edit as JsonObject;
  const before = pick(fields, BEFORE);
  const after = pick(fields, AFTER);
  if (before === null || after === null) return [];
  return [{ kind: 'replace', before, after, everywhere: fields.replace_all === true || fields.replaceAll === true }];
}

function pick(input: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const value = input[name];
    if (typeof value === 'string') return value;
  }
  return null;
}

function placeOf(input: JsonObject): string {
  const number = (...names: readonly string[]): number | null => {
    const found = names.map((name) => input[name]).find((value) => typeof value === 'number');
    return typeof found === 'number' ? found : null;
  };
  const first = number('start_line', 'start', 'startLine', 'line', 'insert_line', 'line_number');
  const last = number('end_line', 'end', 'endLine');
  if (first === null) return 'New content';
  return last === null ? `Put in at line ${first}` : `In place of lines ${first} to ${last}`;
}

// ------------------------------------------------------------------ patches

const HUNK_HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/** Unified diffs, and the form of `apply_patch`. Empty when the text is neither. */
export function readPatch(text: string): readonly FileChange[] {
  const files: { path: string; action: 'change' | 'add' | 'delete'; movedTo: string | null; hunks: PatchHunk[] }[] = [];
  let lines: PatchLine[] | null = null;
  let oldName = '';
  const begin = (path: string, action: 'change' | 'add' | 'delete'): void => {
    files.push({ path, action, movedTo: null, hunks: [] });
    lines = null;
  };
  const hunk = (heading: string, starts: PatchHunk['starts']): void => {
    lines = [];
    files.at(-1)?.hunks.push({ heading, starts, lines });
  };
  for (const line of text.split('\n')) {
    const named = /^\*\*\* (Update|Add|Delete) File: (.+)$/.exec(line);
    const moved = /^\*\*\* Move to: (.+)$/.exec(line);
    const head = HUNK_HEAD.exec(line);
    if (named !== null) begin(named[2] ?? '', named[1] === 'Add' ? 'add' : named[1] === 'Delete' ? 'delete' : 'change');
    else if (moved !== null) {
      const file = files.at(-1);
      if (file !== undefined) file.movedTo = moved[1] ?? null;
    } else if (/^\*\*\* (?:Begin|End)/.test(line) || /^(?:diff --git|index |new file|deleted file|\\ No newline)/.test(line)) {
      if (line.startsWith('diff --git')) lines = null;
    } else if (lines === null && line.startsWith('--- ')) oldName = nameIn(line);
    else if (lines === null && line.startsWith('+++ ')) {
      const name = nameIn(line);
      begin(name === '/dev/null' ? oldName : name, name === '/dev/null' ? 'delete' : oldName === '/dev/null' ? 'add' : 'change');
    } else if (head !== null) hunk(head[3] ?? '', { before: Number(head[1]), after: Number(head[2]) });
    else if (line.startsWith('@@')) hunk(line.slice(2).trim(), null);
    else if (files.length > 0 && /^[+\- ]/.test(line)) {
      if (lines === null) hunk('', null);
      const into: PatchLine[] | null = lines;
      (into as PatchLine[] | null)?.push({ sign: line[0] as PatchLine['sign'], text: line.slice(1) });
    }
  }
  return files.filter((file) => file.path !== '').map((file) => ({ kind: 'patch', ...file }));
}

const nameIn = (line: string): string =>
  line
    .slice(4)
    .replace(/\t.*$/, '')
    .replace(/^[ab]\//, '')
    .trim();
