// Dialogs of one look. A question with a consequence says it, and its safe answer comes first.

import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './controls';

export const OVERLAY = 'fixed inset-0 z-10 bg-shade';
export const DIALOG =
  'appears fixed top-[12vh] left-1/2 z-10 grid max-h-[76vh] w-[min(32rem,92vw)] -translate-x-1/2 gap-3 overflow-auto rounded-md border border-line bg-panel p-4 shadow-lg outline-offset-0';

/** A deliberate step: `title` says what would happen, `act` is the verb on the button. */
export function Confirm({
  isOpen,
  title,
  children,
  act,
  back,
  onAct,
  onBack,
}: {
  readonly isOpen: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly act: string;
  readonly back: string;
  onAct(): void;
  onBack(): void;
}) {
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onBack())}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={OVERLAY} />
        <AlertDialog.Content className={DIALOG}>
          <AlertDialog.Title className="text-[1rem] font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="grid gap-1 text-quiet">{children}</div>
          </AlertDialog.Description>
          <div className="flex flex-wrap gap-2">
            <AlertDialog.Cancel asChild>
              <Button tone="solid">{back}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button tone="deny" onClick={onAct}>
                {act}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
