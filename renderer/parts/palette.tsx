// The command palette: destinations by name.

import { Command } from 'cmdk';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { DESTINATIONS } from '../destinations';

export function Palette() {
  const [isOpen, setIsOpen] = useState(false);
  const [, navigate] = useLocation();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      event.preventDefault();
      setIsOpen((open) => !open);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Command.Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      label="Command palette"
      overlayClassName="fixed inset-0 bg-black/40"
      contentClassName="fixed top-16 left-1/2 w-[min(32rem,92vw)] -translate-x-1/2 rounded-md border border-line bg-panel p-2"
    >
      <Command.Input placeholder="Go to" aria-label="Command" className="w-full bg-transparent p-2 outline-none" />
      <Command.List className="max-h-80 overflow-auto">
        <Command.Empty className="p-2 text-quiet">Nothing has that name.</Command.Empty>
        {DESTINATIONS.map(({ path, name }) => (
          <Command.Item
            key={path}
            onSelect={() => {
              setIsOpen(false);
              navigate(path);
            }}
            className="rounded-md px-2 py-2 data-[selected=true]:bg-chosen"
          >
            {name}
          </Command.Item>
        ))}
      </Command.List>
    </Command.Dialog>
  );
}
