// Where the window goes: as it was while a screen still shows it, else where the system puts it. Pure.

import type { Rectangle } from 'electron';
import { z } from 'zod';

const WANTED = { width: 1180, height: 760 };
export const SMALLEST = { width: 360, height: 420 };
/** So much of the title bar has to be in reach. */
const IN_REACH = { width: 120, height: 40 };

export const windowStateSchema = z.object({
  bounds: z.object({ x: z.number().int(), y: z.number().int(), width: z.number().int().positive(), height: z.number().int().positive() }),
  isMaximized: z.boolean(),
});
export type WindowState = z.output<typeof windowStateSchema>;

/** Size and place for a window: as it was when a screen still shows it, else the usual size and the system's place. */
export function placeWindow(saved: WindowState | null, screens: readonly Rectangle[]): Partial<Rectangle> & { width: number; height: number } {
  if (saved === null) return fitted(WANTED, screens[0]);
  const { bounds } = saved;
  const screen = screens.find((area) => isInReach(bounds, area));
  return screen === undefined ? fitted(bounds, screens[0]) : { ...bounds, ...fitted(bounds, screen) };
}

function fitted(size: { width: number; height: number }, screen: Rectangle | undefined): { width: number; height: number } {
  return {
    width: Math.max(SMALLEST.width, Math.min(size.width, screen?.width ?? size.width)),
    height: Math.max(SMALLEST.height, Math.min(size.height, screen?.height ?? size.height)),
  };
}

function isInReach(bounds: Rectangle, area: Rectangle): boolean {
  const across = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  return across >= IN_REACH.width && bounds.y >= area.y && bounds.y + IN_REACH.height <= area.y + area.height;
}
