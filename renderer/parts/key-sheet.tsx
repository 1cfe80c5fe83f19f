// The `?` sheet: every key, from the one table, by where it works.

import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { useKey } from '../keyboard';
import { capOf, KEYS, type KeyBinding, type Where } from '../keys';
import { door, useProjection } from '../store';
import { Button, KeyCap } from './controls';
import { DIALOG, OVERLAY } from './dialog';
import { TextLink } from './request/why';

const PLACES: readonly { readonly where: Where; readonly title: string }[] = [
  { where: 'inbox', title: 'In the inbox, while it has focus' },
  { where: 'lists', title: 'In every list' },
  { where: 'anywhere', title: 'Anywhere outside of fields' },
];

export function KeySheet() {
  const [isOpen, setIsOpen] = useState(false);
  const lettersOn = useProjection((projection) => projection.settings.single_letter_keys);
  useKey('sheet', () => setIsOpen(true));
  return (
    <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className={OVERLAY} />
        <Dialog.Content aria-describedby={undefined} className={`${DIALOG} !w-[min(48rem,92vw)]`} tabIndex={0}>
          <Dialog.Title className="text-[1rem] font-semibold">Keys</Dialog.Title>
          <div className="columns-1 gap-8 wide:columns-2">
            {PLACES.map(({ where, title }) => (
              <section key={where} aria-label={title} className="mb-4 break-inside-avoid">
                <h3 className="pb-1 text-quiet">{title}</h3>
                <dl className="grid gap-y-1">
                  {KEYS.filter((one) => one.where === where).map((one) => (
                    <Line key={one.id} line={one} />
                  ))}
                </dl>
              </section>
            ))}
          </div>
          <p className="text-quiet">
            {lettersOn
              ? 'A letter decides only while the queue has focus, never about something that has just appeared, and never while you type.'
              : 'Single letters are turned off.'}{' '}
            <Dialog.Close asChild>
              <span>
                <TextLink to="/settings">Change in Settings</TextLink>
              </span>
            </Dialog.Close>
          </p>
          <div>
            <Dialog.Close asChild>
              <Button keyCap="Esc">Close</Button>
            </Dialog.Close>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Line({ line }: { readonly line: KeyBinding }) {
  const isMac = door().platform === 'darwin';
  const shown = line.keys.length > 4 ? [line.keys[0] ?? '', line.keys.at(-1) ?? ''] : line.keys;
  const caps = shown.map((key) => capOf(key, isMac));
  return (
    <div className="flex gap-3">
      <dt className="w-28 shrink-0">
        <span className="sr-only">{caps.join(line.keys.length > 4 ? ' to ' : ' or ')}</span>
        <span className="flex flex-wrap gap-1">
          {caps.map((cap, index) => (
            <span key={cap} className="flex gap-1">
              {index > 0 && line.keys.length > 4 ? <span aria-hidden="true">to</span> : null}
              <KeyCap>{cap}</KeyCap>
            </span>
          ))}
        </span>
      </dt>
      <dd>{line.does}</dd>
    </div>
  );
}
