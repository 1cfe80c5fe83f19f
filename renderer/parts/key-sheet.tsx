// The `?` sheet: every key, from the one table.

import { Dialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { KEYS, keyCap } from '../keys';
import { bridge } from '../store';
import { Button, KeyCap } from './controls';
import { isField } from './focus';

export function KeySheet() {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === '?' && !event.repeat && !isField(event.target)) setIsOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const isMac = bridge.platform === 'darwin';
  return (
    <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-16 left-1/2 max-h-[80vh] w-[min(32rem,92vw)] -translate-x-1/2 overflow-auto rounded-md border border-line bg-panel p-4"
        >
          <Dialog.Title className="mb-3 text-[1.125rem] font-semibold">Keys</Dialog.Title>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
            {KEYS.map((key) => (
              <div key={key.id} className="contents">
                <dt>
                  <KeyCap>{keyCap(key.id, isMac)}</KeyCap>
                  <span className="sr-only">{keyCap(key.id, isMac)}</span>
                </dt>
                <dd>{key.does}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 text-quiet">Letters decide only while the queue has focus, and never about something that has just appeared.</p>
          <Dialog.Close asChild>
            <Button className="mt-3">Close</Button>
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
