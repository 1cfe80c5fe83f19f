// One change as a diff, each line marked with a sign as well as a colour, with word marks inside changed lines and nothing
// invisible. Line numbers only where they are known.

import { structuredPatch } from 'diff';
import { useMemo, useState } from 'react';
import { type ChangeData, Decoration, Diff, Hunk, type HunkData, markEdits, type RenderToken, tokenize } from 'react-diff-view';
import 'react-diff-view/style/index.css';
import type { PatchHunk } from '../../changes';
import { Button } from '../controls';
import { VisibleText } from '../visible-text';

export type DiffView = 'unified' | 'split';

/** Hunks shown before the rest is asked for. */
const FOLDED_HUNKS = 8;
/** Above so many characters words are not marked: it would take too long. */
const MARKED_CHARS = 100_000;

/** Lines of context around a change. */
const CONTEXT = 3;

/** Two texts as hunks. Numbered only where they are whole files: a text that is replaced stands somewhere in its file. */
export function hunksOf(before: string, after: string, areFiles = false): readonly PatchHunk[] {
  const whole = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
  const { hunks } = structuredPatch('a', 'b', whole(before), whole(after), '', '', { context: CONTEXT });
  return hunks.map((hunk) => ({
    heading: '',
    starts: areFiles ? { before: hunk.oldStart, after: hunk.newStart } : null,
    lines: hunk.lines.flatMap((line) => {
      const sign = line[0];
      return sign === '+' || sign === '-' || sign === ' ' ? [{ sign, text: line.slice(1) }] : [];
    }),
  }));
}

export function DiffOf({ hunks, view, label }: { readonly hunks: readonly PatchHunk[]; readonly view: DiffView; readonly label: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? hunks : hunks.slice(0, FOLDED_HUNKS);
  const data = useMemo(() => shown.map(toData), [shown]);
  const tokens = useMemo(() => {
    const chars = data.reduce((sum, hunk) => sum + hunk.changes.reduce((all, change) => all + change.content.length, 0), 0);
    return chars > MARKED_CHARS ? null : tokenize(data, { enhancers: [markEdits(data, { type: 'block' })] });
  }, [data]);
  if (hunks.length === 0) return <p className="text-quiet">Old and new text are the same.</p>;
  const isNumbered = hunks.every((hunk) => hunk.starts !== null);
  const hasHeadings = hunks.length > 1 || hunks.some((hunk) => hunk.heading !== '');
  return (
    <section aria-label={label} className="grid gap-1">
      <div className="diff-view overflow-hidden rounded-md border border-hair">
        <Diff viewType={view} diffType="modify" hunks={data} gutterType={isNumbered ? 'default' : 'none'} tokens={tokens} renderToken={renderToken}>
          {(all) =>
            all.flatMap((hunk, index) => [
              ...(hasHeadings
                ? [
                    <Decoration key={`head ${index}`}>
                      <p className="bg-sunk px-2 font-mono text-quiet">{shown[index]?.heading || (index === 0 ? 'Change' : 'Next change')}</p>
                    </Decoration>,
                  ]
                : []),
              <Hunk key={`hunk ${index}`} hunk={hunk} />,
            ])
          }
        </Diff>
      </div>
      {shown.length < hunks.length ? (
        <div>
          <Button size="small" onClick={() => setIsWhole(true)}>
            Show {hunks.length - shown.length} more hunks
          </Button>
        </div>
      ) : null}
    </section>
  );
}

const renderToken: RenderToken = (token, renderDefault, index) =>
  token.type === 'text' && typeof token.value === 'string' ? <VisibleText key={index} text={token.value} isPart /> : renderDefault(token, index);

function toData({ starts, lines }: PatchHunk): HunkData {
  let before = starts?.before ?? 1;
  let after = starts?.after ?? 1;
  const first = { before, after };
  const next = ({ sign, text: sent }: PatchHunk['lines'][number]): ChangeData => {
    // Blanks at the end of a line would not be seen.
    const text = sent.replace(/ +$/, (blanks) => '␣'.repeat(blanks.length));
    switch (sign) {
      case '+':
        after += 1;
        return { type: 'insert', isInsert: true, content: text, lineNumber: after - 1 };
      case '-':
        before += 1;
        return { type: 'delete', isDelete: true, content: text, lineNumber: before - 1 };
      case ' ':
        before += 1;
        after += 1;
        return { type: 'normal', isNormal: true, content: text, oldLineNumber: before - 1, newLineNumber: after - 1 };
    }
  };
  const changes = lines.map(next);
  return {
    content: '',
    oldStart: first.before,
    newStart: first.after,
    oldLines: before - first.before,
    newLines: after - first.after,
    changes,
  };
}

/** Lines that a change adds and removes. */
export function countLines(hunks: readonly PatchHunk[]): { readonly added: number; readonly removed: number } {
  let added = 0;
  let removed = 0;
  for (const { lines } of hunks)
    for (const { sign } of lines) {
      if (sign === '+') added += 1;
      else if (sign === '-') removed += 1;
    }
  return { added, removed };
}
