// What jsdom leaves out and the window's content needs: sizes, observers, media queries. For tests of components only.

import { vi } from 'vitest';

class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** A window of 1180 by 760 without motion or preferences. */
export function furnishDom(): void {
  for (const [name, size] of [
    ['offsetWidth', 1180],
    ['offsetHeight', 760],
    ['clientWidth', 1180],
    ['clientHeight', 760],
  ] as const)
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('ResizeObserver', Observer);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  HTMLElement.prototype.scrollIntoView = () => undefined;
  HTMLElement.prototype.scrollTo = () => undefined;
}
