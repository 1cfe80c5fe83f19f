// Asks before unsaved changes are left behind. The safe answer comes first and has the focus.

import { AlertDialog } from 'radix-ui';
import { leave, stay, useGuard } from '../guard';
import { Button } from './controls';
import { DIALOG, OVERLAY } from './dialog';

export function LeaveDialog() {
  const { what, target } = useGuard();
  return (
    <AlertDialog.Root open={target !== null} onOpenChange={(isOpen) => (isOpen ? undefined : stay())}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={OVERLAY} />
        <AlertDialog.Content className={DIALOG}>
          <AlertDialog.Title className="text-[1rem] font-semibold">There are unsaved changes</AlertDialog.Title>
          <AlertDialog.Description className="text-quiet">What you changed in {what ?? 'this form'} is not saved yet.</AlertDialog.Description>
          <div className="flex flex-wrap gap-2">
            <AlertDialog.Cancel asChild>
              <Button tone="solid">Keep editing</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button tone="deny" onClick={leave}>
                Discard changes
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
