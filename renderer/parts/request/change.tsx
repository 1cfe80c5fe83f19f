// What an edit would change: replacements and patches as diffs, new content whole. Made from the call's input; the file on
// disk is not read here.

import { useEffect, useMemo, useRef, useState } from 'react';
import type { Request } from '../../../shared/model';
import { relativeTo } from '../../../shared/sentences';
import { changesOf, type FileChange } from '../../changes';
import { useKey } from '../../keyboard';
import { useProjection } from '../../store';
import { Choice } from '../controls';
import { countLines, DiffOf, type DiffView, hunksOf } from './diff';
import { InputTable } from './input-table';
import { Places } from './places';
import { SentText } from './sent-text';

/** From this width of the detail on, both sides stand beside each other. */
const SPLIT_PX = 900;

export function ChangeHero({ request }: { readonly request: Request }) {
  const session = useProjection((projection) => projection.sessions.get(request.session_id));
  const changes = useMemo(() => changesOf(request.input), [request.input]);
  const drawn = useMemo(() => changes.map(drawnOf), [changes]);
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useDiffView(box);
  const hasDiff = drawn.some((one) => one.hunks !== null);
  useKey('view', () => setView(view === 'split' ? 'unified' : 'split'), hasDiff);
  const path = request.paths[0];
  const name = path === undefined ? request.tool : relativeTo(path.canonical ?? path.raw, session);
  const totals = countLines(drawn.flatMap((one) => one.hunks ?? []));
  return (
    <div ref={box} className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <div className="min-w-56 flex-1">
          <Places request={request} />
        </div>
        {hasDiff ? (
          <>
            <p className="whitespace-nowrap">
              <span className="text-allow">
                +{totals.added}
                <span className="sr-only"> lines added</span>
              </span>{' '}
              <span className="text-deny">
                -{totals.removed}
                <span className="sr-only"> lines removed</span>
              </span>
            </p>
            <Choice
              label="View of the diff"
              value={view}
              options={[
                { value: 'unified', text: 'Unified' },
                { value: 'split', text: 'Split' },
              ]}
              onChange={setView}
            />
          </>
        ) : null}
      </div>
      {drawn.length === 0 ? <InputTable input={request.input} /> : null}
      {drawn.map(({ change, hunks }, index) => (
        <OneChange key={index} change={change} hunks={hunks} view={view} name={name} />
      ))}
    </div>
  );
}

interface Drawn {
  readonly change: FileChange;
  readonly hunks: ReturnType<typeof hunksOf> | null;
}

function drawnOf(change: FileChange): Drawn {
  switch (change.kind) {
    case 'replace':
      return { change, hunks: hunksOf(change.before, change.after) };
    case 'patch':
      return { change, hunks: change.action === 'change' ? change.hunks : null };
    case 'content':
      return { change, hunks: null };
  }
}

function OneChange({ change, hunks, view, name }: Drawn & { readonly view: DiffView; readonly name: string }) {
  switch (change.kind) {
    case 'replace':
      return (
        <div className="grid gap-1">
          {change.everywhere ? <p className="text-care">Replaces it everywhere in the file, not only once.</p> : null}
          <DiffOf hunks={hunks ?? []} view={view} label={`Change to ${name}`} />
        </div>
      );
    case 'content':
      return (
        <figure className="grid gap-1">
          <figcaption className="text-quiet">
            {change.place}, {lineCount(change.text)}
          </figcaption>
          <SentText text={change.text} />
        </figure>
      );
    case 'patch':
      return (
        <figure className="grid gap-1">
          <figcaption>
            {PATCH_WORDS[change.action]} <code className="wrap-anywhere">{change.path}</code>
            {change.movedTo === null ? null : (
              <>
                {' '}
                and moves it to <code className="wrap-anywhere">{change.movedTo}</code>
              </>
            )}
          </figcaption>
          {change.action === 'delete' ? null : hunks === null ? (
            <SentText text={change.hunks.flatMap((hunk) => hunk.lines.map((line) => line.text)).join('\n')} />
          ) : (
            <DiffOf hunks={hunks} view={view} label={`Change to ${change.path}`} />
          )}
        </figure>
      );
  }
}

const PATCH_WORDS = { change: 'Changes', add: 'Adds', delete: 'Deletes' } as const;

const lineCount = (text: string): string => {
  const count = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
  return count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`;
};

/** The person's choice while the request is in view; until then by the room there is. */
function useDiffView(box: { readonly current: HTMLElement | null }): [DiffView, (view: DiffView) => void] {
  const [chosen, setChosen] = useState<DiffView | null>(null);
  const [isWide, setIsWide] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setIsWide((entry?.contentRect.width ?? 0) >= SPLIT_PX));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return [chosen ?? (isWide ? 'split' : 'unified'), setChosen];
}
