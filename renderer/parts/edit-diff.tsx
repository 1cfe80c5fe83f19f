// An edit as a diff: what the call replaces and what it puts there, each line marked with a sign as well as a colour. A
// write shows its whole new content. Made from the call's input; the file on disk is not read here.

import { structuredPatch } from 'diff';
import { useMemo } from 'react';
import { Diff, Hunk, parseDiff } from 'react-diff-view';
import 'react-diff-view/style/index.css';
import type { JsonObject } from '../../shared/model';
import { VisibleText } from './visible-text';

interface Replacement {
  readonly before: string;
  readonly after: string;
}

export function EditDiff({ input, path }: { readonly input: JsonObject; readonly path: string }) {
  const replacements = useMemo(() => replacementsOf(input), [input]);
  if (replacements.length === 0) {
    const content = contentOf(input);
    if (content === null) return null;
    return (
      <figure className="grid gap-1">
        <figcaption className="text-quiet">New content, {content.split('\n').length} lines</figcaption>
        <pre className="max-h-[28rem] overflow-auto rounded-md bg-sunk p-3 break-words whitespace-pre-wrap">
          <VisibleText text={content} />
        </pre>
      </figure>
    );
  }
  return (
    <div className="grid gap-2">
      {replacements.map((one) => (
        <OneDiff key={`${one.before}\u0000${one.after}`} replacement={one} path={path} />
      ))}
    </div>
  );
}

function OneDiff({ replacement, path }: { readonly replacement: Replacement; readonly path: string }) {
  const [file] = useMemo(() => parseDiff(patchOf(replacement), { nearbySequences: 'zip' }), [replacement]);
  if (file === undefined || file.hunks.length === 0) return <p className="text-quiet">Old and new text are the same.</p>;
  return (
    <section className="diff-view max-h-[28rem] overflow-auto rounded-md border border-hair" aria-label={`Change to ${path}`}>
      <Diff viewType="unified" diffType={file.type} hunks={file.hunks}>
        {(hunks) => hunks.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
      </Diff>
    </section>
  );
}

/** In git's form, which the parser reads; any other head it takes for a part of the change. The names are not shown. */
function patchOf({ before, after }: Replacement): string {
  const { hunks } = structuredPatch('a', 'b', `${before}\n`, `${after}\n`, '', '', { context: 3 });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...changed,
  ]);
  return ['diff --git a/a b/b', 'index 1111111..2222222 100644', '--- a/a', '+++ b/b', ...lines].join('\n');
}

const pick = (input: JsonObject, names: readonly string[]): string | null => {
  for (const name of names) {
    const value = input[name];
    if (typeof value === 'string') return value;
  }
  return null;
};

function replacementsOf(input: JsonObject): readonly Replacement[] {
  const list = Array.isArray(input.edits) ? input.edits : [input];
  return list.flatMap((edit) => {
    if (typeof edit !== 'object' || edit === null || Array.isArray(edit)) return [];
    const before = pick(edit as JsonObject, ['old_string', 'oldText', 'old_text', 'old_str', 'oldString']);
    const after = pick(edit as JsonObject, ['new_string', 'newText', 'new_text', 'new_str', 'newString']);
    return before === null || after === null ? [] : [{ before, after }];
  });
}

const contentOf = (input: JsonObject): string | null => pick(input, ['content', 'contents', 'file_text', 'new_source', 'text', 'patch', 'input']);
