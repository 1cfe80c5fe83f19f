// A plain list to choose from: one tab stop, arrows move, the choice is shown beside it.

export interface ListItem {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly mark?: string;
}

export function ListPane({
  label,
  items,
  selectedId,
  onSelect,
}: {
  readonly label: string;
  readonly items: readonly ListItem[];
  readonly selectedId: string | null;
  onSelect(id: string): void;
}) {
  return (
    <div
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={selectedId === null ? undefined : `item-${selectedId}`}
      className="h-full overflow-auto outline-offset-[-2px]"
      onKeyDown={(event) => {
        const by = event.key === 'ArrowDown' || event.key === 'j' ? 1 : event.key === 'ArrowUp' || event.key === 'k' ? -1 : 0;
        if (by === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        const at = items.findIndex((item) => item.id === selectedId);
        const next = items[Math.min(Math.max(at + by, 0), items.length - 1)];
        if (next === undefined) return;
        onSelect(next.id);
        document.getElementById(`item-${next.id}`)?.scrollIntoView({ block: 'nearest' });
      }}
    >
      {items.map((item) => (
        <div
          key={item.id}
          id={`item-${item.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={item.id === selectedId}
          onClick={() => onSelect(item.id)}
          onKeyDown={undefined}
          className="grid min-h-11 content-center border-b border-hair px-3 py-1 aria-selected:bg-chosen"
        >
          <span className="flex gap-2">
            <span className="min-w-0 flex-1 truncate">{item.title}</span>
            {item.mark ? <span className="whitespace-nowrap">{item.mark}</span> : null}
          </span>
          <span className="truncate text-quiet">{item.detail}</span>
        </div>
      ))}
    </div>
  );
}
