// A plain list to choose from: one tab stop, the keys of every list, the choice is shown beside it. Items may stand under
// headings and below each other.

import { Fragment, type ReactNode, useEffect, useId, useRef } from 'react';
import { walkList } from './list-keys';

export interface ListItem {
  readonly id: string;
  readonly title: ReactNode;
  readonly detail: ReactNode;
  readonly mark?: ReactNode;
  /** How deep it stands below the one before it. */
  readonly level?: number;
  /** A heading above it. */
  readonly heading?: string;
}

export function ListPane({
  label,
  items,
  selectedId,
  onSelect,
  onOpen,
}: {
  readonly label: string;
  readonly items: readonly ListItem[];
  readonly selectedId: string | null;
  onSelect(id: string): void;
  /** Enter or a click: go to what is chosen. */
  onOpen(): void;
}) {
  const prefix = useId();
  const box = useRef<HTMLDivElement>(null);
  const idOf = (id: string): string => `${prefix}${id}`;
  useEffect(() => {
    if (selectedId !== null) document.getElementById(`${prefix}${selectedId}`)?.scrollIntoView({ block: 'nearest' });
  }, [prefix, selectedId]);
  return (
    <div
      ref={box}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={selectedId === null ? undefined : idOf(selectedId)}
      className="h-full overflow-auto -outline-offset-2"
      onKeyDown={(event) => walkList(event, { ids: items.map((item) => item.id), selectedId, onSelect, onOpen })}
    >
      {items.map((item) => (
        <Fragment key={item.id}>
          {item.heading === undefined ? null : (
            <div role="presentation" className="px-4 pt-3 pb-1 font-medium text-quiet">
              {item.heading}
            </div>
          )}
          <div
            id={idOf(item.id)}
            role="option"
            tabIndex={-1}
            aria-selected={item.id === selectedId}
            onClick={() => {
              onSelect(item.id);
              onOpen();
              box.current?.focus({ preventScroll: true });
            }}
            onKeyDown={undefined}
            style={item.level === undefined ? undefined : { paddingLeft: `${1 + item.level}rem` }}
            className="grid min-h-11 content-center px-4 py-1 hover:bg-sunk aria-selected:bg-chosen"
          >
            <span className="flex gap-2">
              <span className="min-w-0 flex-1 truncate">{item.title}</span>
              {item.mark === undefined ? null : <span className="whitespace-nowrap text-quiet tabular-nums">{item.mark}</span>}
            </span>
            <span className="truncate text-quiet">{item.detail}</span>
          </div>
        </Fragment>
      ))}
    </div>
  );
}
