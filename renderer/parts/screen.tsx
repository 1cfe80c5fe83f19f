// How a screen is laid out: one page with a title, or a list and a detail, one pane at a time on a narrow window.

import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './controls';

function Bar({ children }: { readonly children: ReactNode }) {
  return <header className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-hair px-4 py-1.5">{children}</header>;
}

/** One page. `tools` stand beside the title. */
export function Page({ title, tools, children }: { readonly title: string; readonly tools?: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Bar>
        <h1 className="mr-auto">{title}</h1>
        {tools}
      </Bar>
      <div className="min-h-0 flex-1 overflow-auto bg-panel">{children}</div>
    </div>
  );
}

/** A list with its title, and what is chosen in it. On a narrow window `showsDetail` says which of the two. */
export function TwoPanes({
  title,
  tools,
  list,
  detail,
  showsDetail,
  onBack,
}: {
  readonly title: string;
  readonly tools?: ReactNode;
  readonly list: ReactNode;
  readonly detail: ReactNode;
  readonly showsDetail: boolean;
  onBack(): void;
}) {
  return (
    <div className="flex h-full min-h-0">
      <div className={`min-h-0 w-full shrink-0 flex-col border-hair wide:flex wide:w-80 wide:border-r roomy:w-96 ${showsDetail ? 'hidden' : 'flex'}`}>
        <Bar>
          <h1 className="mr-auto">{title}</h1>
          {tools}
        </Bar>
        <div className="min-h-0 flex-1">{list}</div>
      </div>
      <div className={`min-h-0 min-w-0 flex-1 flex-col bg-panel wide:flex ${showsDetail ? 'flex' : 'hidden'}`}>
        <div className="flex min-h-11 items-center gap-1 border-b border-hair px-2 wide:hidden">
          <IconButton tone="ghost" label={`Back to ${title}`} onClick={onBack}>
            <ArrowLeft size={16} aria-hidden="true" />
          </IconButton>
          <h1>{title}</h1>
        </div>
        {detail}
      </div>
    </div>
  );
}

/** The detail of something other than a request: a title, actions, and parts below each other. */
export function Detail({ children }: { readonly children: ReactNode }) {
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <div className="grid max-w-4xl gap-6 p-4 wide:px-6">{children}</div>
    </div>
  );
}
