// Activity: what happened, newest first, as the hash-chained log has it. Entries are never edited here either.

import { useCallback, useEffect, useState } from 'react';
import type { Failure } from '../../shared/failure';
import type { Activity } from '../../shared/model';
import { Button, Empty, FailureNote, Screen } from '../parts/controls';
import { bridge, useProjection } from '../store';

export function ActivityScreen() {
  const revision = useProjection((projection) => projection.revision);
  const [search, setSearch] = useState('');
  const [items, setItems] = useState<readonly Activity[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [verified, setVerified] = useState<string | null>(null);

  const load = useCallback(
    async (before: string | null) => {
      const result = await bridge.invoke('activity.list', {
        limit: 100,
        ...(search.trim() === '' ? {} : { search }),
        ...(before === null ? {} : { before }),
      });
      if (!result.ok) return setFailure(result.failure);
      setFailure(null);
      setItems((shown) => (before === null ? result.value.items : [...shown, ...result.value.items]));
      setNext(result.value.next);
    },
    [search],
  );
  // A new revision means new entries: the first page is read again.
  const [loadedRevision, setLoadedRevision] = useState(-1);
  useEffect(() => {
    if (loadedRevision === revision && items.length > 0) return;
    setLoadedRevision(revision);
    void load(null);
  }, [revision, load, loadedRevision, items.length]);

  async function verify(): Promise<void> {
    const result = await bridge.invoke('activity.verify', {});
    if (result.ok) setVerified(result.value.detail);
    else setFailure(result.failure);
  }
  return (
    <Screen
      title="Activity"
      actions={
        <>
          <label className="flex items-center gap-2">
            <span className="sr-only">Search</span>
            <input
              placeholder="Search"
              className="min-h-7 w-56 rounded-md border border-line bg-sunk px-2"
              value={search}
              onChange={(event) => {
                setSearch(event.target.value);
                setLoadedRevision(-1);
              }}
            />
          </label>
          <Button onClick={() => void verify()}>Verify</Button>
        </>
      }
    >
      <div className="grid gap-2 p-4">
        <FailureNote failure={failure} />
        {verified === null ? null : <p role="status">{verified}</p>}
        {items.length === 0 ? <Empty title={search === '' ? 'Nothing has happened yet.' : 'Nothing matches.'} /> : null}
        <ol className="grid">
          {items.map((entry) => (
            <li key={entry.seq} className="border-b border-hair">
              <details>
                <summary className="flex min-h-8 flex-wrap items-center gap-3">
                  <time dateTime={entry.at} className="text-quiet tabular-nums">
                    {new Date(entry.at).toLocaleTimeString()}
                  </time>
                  <span className="min-w-0 flex-1 break-words">{entry.summary}</span>
                  <span className="text-quiet">{entry.actor.split(':')[0]}</span>
                </summary>
                <pre className="max-h-96 overflow-auto rounded-md bg-sunk p-3 break-words whitespace-pre-wrap">{JSON.stringify(entry, null, 2)}</pre>
              </details>
            </li>
          ))}
        </ol>
        {next === null ? null : (
          <div>
            <Button onClick={() => void load(next)}>Show older</Button>
          </div>
        )}
      </div>
    </Screen>
  );
}
