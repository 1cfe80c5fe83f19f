// The files a call names, each as a path with the session's boundary drawn in it, and what is done to it.

import { useState } from 'react';
import type { Request, RequestPath, SessionView } from '../../../shared/model';
import { useProjection } from '../../store';
import { Button } from '../controls';
import { VisibleText } from '../visible-text';

/** Files shown before the rest is asked for. */
const FOLDED = 12;

export function Places({
  request,
  paths = request.paths,
  label = 'Files',
}: {
  readonly request: Request;
  readonly paths?: readonly RequestPath[];
  readonly label?: string;
}) {
  const session = useProjection((projection) => projection.sessions.get(request.session_id));
  const [isWhole, setIsWhole] = useState(false);
  if (paths.length === 0) return null;
  const shown = isWhole ? paths : paths.slice(0, FOLDED);
  return (
    <div className="grid gap-1">
      <ul aria-label={label} className="grid gap-0.5">
        {shown.map((path, index) => (
          <li key={index} className="flex flex-wrap items-baseline gap-x-3">
            <Place path={path} root={session?.root ?? null} />
            <span className="text-quiet">{deedOf(path, session)}</span>
          </li>
        ))}
      </ul>
      {shown.length < paths.length ? (
        <div>
          <Button size="small" onClick={() => setIsWhole(true)}>
            Show {paths.length - shown.length} more files
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** What is shared with the root stands back; where the path leaves it, a mark. */
function Place({ path, root }: { readonly path: RequestPath; readonly root: string | null }) {
  const full = path.canonical ?? path.raw;
  const { shared, rest, isOutside } = boundaryIn(full, root);
  return (
    <code className="text-[0.8125rem] leading-5 wrap-anywhere">
      <span className="text-quiet">
        <VisibleText text={shared} />
      </span>
      {isOutside ? (
        <span className="mx-0.5 inline-block h-4 border-l-2 border-care align-text-bottom" title={`Outside of ${root ?? ''}`}>
          <span className="sr-only"> leaves the session here: </span>
        </span>
      ) : null}
      <span className={isOutside ? 'font-semibold text-care' : 'font-semibold'}>
        <VisibleText text={rest} />
      </span>
    </code>
  );
}

/** Where a path parts from the root of the session. Pure. `rest` is never empty. */
export function boundaryIn(path: string, root: string | null): { readonly shared: string; readonly rest: string; readonly isOutside: boolean } {
  if (root === null) return { shared: '', rest: path, isOutside: false };
  const base = root.endsWith('/') ? root : `${root}/`;
  if (path.startsWith(base) && path.length > base.length) return { shared: base, rest: path.slice(base.length), isOutside: false };
  if (path === root) return { shared: '', rest: path, isOutside: false };
  let end = 0;
  for (let index = 0; index < Math.min(path.length, base.length) && path[index] === base[index]; index += 1) if (path[index] === '/') end = index + 1;
  return path.length > end ? { shared: path.slice(0, end), rest: path.slice(end), isOutside: true } : { shared: '', rest: path, isOutside: true };
}

function deedOf(path: RequestPath, session: SessionView | undefined): string {
  const full = path.canonical ?? path.raw;
  const deed =
    path.deletes === true ? 'deleted' : path.access === 'write' ? 'written' : path.recursive === true ? 'read with everything below' : 'read';
  const words = [
    path.canonical === null ? `${deed}, cannot be resolved` : deed,
    ...(session?.root != null && boundaryIn(full, session.root).isOutside ? ['outside of the session'] : []),
    ...(path.canonical !== null && !path.canonical.endsWith(path.raw.replace(/^~|^\.\//, '').replace(/\/$/, '')) ? [`sent as ${path.raw}`] : []),
    ...(path.origin === 'declared' ? ['declared by the agent'] : []),
  ];
  return words.join(', ');
}
