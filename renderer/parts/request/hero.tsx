// The picture of a call: its form follows its kind, so that two different questions look different.

import { Globe } from 'lucide-react';
import type { Request } from '../../../shared/model';
import { commandOf } from '../../../shared/sentences';
import { VisibleText } from '../visible-text';
import { ChangeHero } from './change';
import { CommandHero } from './command';
import { InputTable } from './input-table';
import { Places } from './places';

export function Hero({ request }: { readonly request: Request }) {
  const command = commandOf(request);
  if (command !== null) return <CommandHero request={request} command={command} />;
  switch (request.kind) {
    case 'edit':
      return <ChangeHero request={request} />;
    case 'read':
    case 'search':
    case 'delete':
      return request.paths.length > 0 ? (
        <div className="grid gap-2">
          <Places request={request} />
          <InputTable input={request.input} without={PATH_FIELDS} />
        </div>
      ) : (
        <Sent request={request} />
      );
    case 'fetch':
      return request.hosts.length > 0 ? <Address request={request} /> : <Sent request={request} />;
    case 'execute':
    case 'message':
    case 'other':
      return <Sent request={request} />;
  }
}

const PATH_FIELDS = ['file_path', 'path', 'filePath', 'notebook_path', 'absolute_path', 'file', 'filename'];

/** The host is what counts: it stands large, with the whole address under it. */
function Address({ request }: { readonly request: Request }) {
  const url = ['url', 'uri', 'address'].map((name) => request.input[name]).find((value) => typeof value === 'string');
  const method = request.input.method;
  return (
    <div className="grid gap-2">
      <div className="grid gap-1 rounded-md bg-sunk px-3 py-3">
        <p className="flex items-center gap-2 text-[1.25rem] leading-7 font-semibold">
          <Globe size={20} aria-hidden="true" className="shrink-0 text-quiet" />
          <span className="min-w-0 wrap-anywhere">
            <VisibleText text={request.hosts.join(', ')} />
          </span>
        </p>
        {typeof url === 'string' ? (
          <p className="font-mono wrap-anywhere">
            {typeof method === 'string' ? <span className="font-semibold">{method} </span> : null}
            <VisibleText text={url} />
          </p>
        ) : null}
      </div>
      <InputTable input={request.input} without={['url', 'uri', 'address', 'method']} />
    </div>
  );
}

function Sent({ request }: { readonly request: Request }) {
  return (
    <div className="grid gap-2">
      {request.kind === 'other' ? (
        <p>
          Gatehouse does not know the tool <code className="wrap-anywhere">{request.tool}</code>. This is all the agent sent.
        </p>
      ) : null}
      <Places request={request} />
      <InputTable input={request.input} />
    </div>
  );
}
