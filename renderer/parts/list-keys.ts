// Walking a list by keys: one tab stop, and the option that is meant is named by the list. The keys are those of the table.

import type { KeyboardEvent } from 'react';
import { armingNow } from '../arming';
import { pressOf } from '../keyboard';
import { bindingFor } from '../keys';

export interface WalkedList {
  /** Ids that can be chosen, in the order they stand. */
  readonly ids: readonly string[];
  readonly selectedId: string | null;
  onSelect(id: string): void;
  /** Enter: go to what is chosen. */
  onOpen(): void;
}

/** For `onKeyDown` of the element with role listbox. */
export function walkList(event: KeyboardEvent, { ids, selectedId, onSelect, onOpen }: WalkedList): void {
  if (event.target !== event.currentTarget) return;
  const id = bindingFor(pressOf(event.nativeEvent), armingNow());
  const at = selectedId === null ? -1 : ids.indexOf(selectedId);
  const to = (index: number): void => {
    const next = ids[Math.min(Math.max(index, 0), ids.length - 1)];
    if (next !== undefined) onSelect(next);
  };
  switch (id) {
    case 'next':
      to(at + 1);
      break;
    case 'previous':
      to(at - 1);
      break;
    case 'first':
      to(0);
      break;
    case 'last':
      to(ids.length - 1);
      break;
    case 'open':
      onOpen();
      break;
    default:
      return;
  }
  event.preventDefault();
}
