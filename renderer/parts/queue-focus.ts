// Where focus goes within the queue: its list, its detail. Focus that was in the queue stays in it when what had it is gone;
// focus that was elsewhere is left alone.

const LIST_ID = 'queue-list';
const DETAIL_ID = 'queue-detail';
export const QUEUE = { list: LIST_ID, detail: DETAIL_ID } as const;

export const focusDetail = (): void => document.getElementById(DETAIL_ID)?.focus({ preventScroll: true });
export const focusList = (): void => document.getElementById(LIST_ID)?.focus({ preventScroll: true });

let last: keyof typeof QUEUE | null = null;

/** Starts to note which part of the queue has focus. Returns what ends it. */
export function watchQueueFocus(): () => void {
  const onFocus = (event: FocusEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    last = target?.closest(`#${LIST_ID}`) != null ? 'list' : target?.closest(`#${DETAIL_ID}`) != null ? 'detail' : null;
  };
  const onPointer = (event: PointerEvent): void => {
    if (!(event.target instanceof Element) || event.target.closest('[data-queue]') === null) last = null;
  };
  document.addEventListener('focusin', onFocus);
  document.addEventListener('pointerdown', onPointer);
  return () => {
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('pointerdown', onPointer);
  };
}

/** Gives focus back to the part of the queue that lost it with the element that had it. */
export function keepQueueFocus(): void {
  if (last === null || (document.activeElement !== null && document.activeElement !== document.body)) return;
  if (last === 'list') focusList();
  else focusDetail();
}
