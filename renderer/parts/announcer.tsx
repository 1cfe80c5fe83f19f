// The one polite live region. Follows the projection itself, so that a burst of changes draws nothing anew.

import { useEffect, useState } from 'react';
import type { Request } from '../../shared/model';
import { ANNOUNCE_MS, arrivalText, outcomeText } from '../announcements';
import { settledBetween } from '../inbox-view';
import { useStore } from '../store';

export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    let fresh: Request[] = [];
    let timer = 0;
    let spokeAtMs = Number.NEGATIVE_INFINITY;
    const speak = (): void => {
      timer = 0;
      const pending = useStore.getState().projection?.pending;
      const still = fresh.filter((request) => pending?.has(request.id));
      fresh = [];
      if (still.length === 0 || pending === undefined) return;
      spokeAtMs = performance.now();
      setText(arrivalText(still, pending.size));
    };
    const end = useStore.subscribe(({ projection }, { projection: before }) => {
      if (projection === null || before === null || projection === before) return;
      const settled = settledBetween(before, projection);
      if (settled.length > 0) setText(outcomeText(settled));
      if (projection.pending === before.pending) return;
      for (const request of projection.pending.values()) if (!before.pending.has(request.id)) fresh.push(request);
      if (fresh.length > 0 && timer === 0) timer = window.setTimeout(speak, Math.max(0, spokeAtMs + ANNOUNCE_MS - performance.now()));
    });
    return () => {
      end();
      window.clearTimeout(timer);
    };
  }, []);
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
