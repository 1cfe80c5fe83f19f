// Two panes on a wide window; one at a time, with a way back, on a narrow one.

import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './controls';

export function Panes({
  list,
  detail,
  showsDetail,
  onBack,
}: {
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** On a narrow window: the detail instead of the list. */
  readonly showsDetail: boolean;
  onBack(): void;
}) {
  return (
    <div className="flex h-full min-h-0">
      <div
        className={`min-h-0 w-full shrink-0 overflow-auto border-r border-hair min-[720px]:block min-[720px]:w-80 min-[1100px]:w-96 ${showsDetail ? 'hidden' : 'block'}`}
      >
        {list}
      </div>
      <div className={`min-h-0 min-w-0 flex-1 flex-col bg-panel min-[720px]:flex ${showsDetail ? 'flex' : 'hidden'}`}>
        <div className="border-b border-hair p-2 min-[720px]:hidden">
          <Button tone="quiet" onClick={onBack}>
            <ArrowLeft size={16} aria-hidden="true" /> Back to the list
          </Button>
        </div>
        {detail}
      </div>
    </div>
  );
}
