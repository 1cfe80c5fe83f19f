// The tray icon: draws the face that tray-face.ts made, at most ten times a second and only when it differs, since a new
// menu is slow to build. Owns the platform's tray and nothing of what it says.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, type NativeImage, nativeImage, Tray } from 'electron';
import type { Clock } from './clock';
import type { DeskView } from './desk-view';
import { type TrayAction, type TrayEntry, type TrayFace, trayFace } from './tray-face';

const REDRAW_MS = 100;

export interface TrayOptions {
  readonly clock: Clock;
  /** Folder of the drawings. */
  readonly icons: string;
  view(): DeskView;
  act(action: TrayAction): void;
}

export interface DeskTray {
  update(): void;
  end(): void;
}

export function createTray(options: TrayOptions): DeskTray {
  const { clock } = options;
  const images = new Map<string, NativeImage>();
  const timeOfDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
  const face = (): TrayFace => trayFace(options.view(), clock.now(), (ms) => timeOfDay.format(ms));
  let drawn = '';
  let isDue = false;
  let stopAlarm = (): void => {};

  const tray = new Tray(imageOf('quiet'));
  tray.on('click', () => options.act({ do: 'open' }));
  draw();

  function imageOf(name: string): NativeImage {
    const known = images.get(name);
    if (known !== undefined) return known;
    const template = join(options.icons, `${name}Template.png`);
    const file = process.platform === 'darwin' && existsSync(template) ? template : join(options.icons, `${name}.png`);
    const image = nativeImage.createFromPath(file);
    images.set(name, image);
    return image;
  }

  function draw(): void {
    isDue = false;
    stopAlarm();
    if (tray.isDestroyed()) return;
    const next = face();
    stopAlarm = next.changesAtMs === null ? () => {} : clock.after(Math.min(next.changesAtMs - clock.now() + 1, 2 ** 31 - 1), update);
    const look = JSON.stringify(next);
    if (look === drawn) return;
    drawn = look;
    tray.setImage(imageOf(next.icon));
    tray.setToolTip(next.tooltip);
    tray.setContextMenu(Menu.buildFromTemplate(next.menu.map(itemOf)));
  }

  function itemOf(entry: TrayEntry): MenuItemConstructorOptions {
    if ('separator' in entry) return { type: 'separator' };
    const label = entry.label.replaceAll('&', '&&');
    if (!('action' in entry)) return { label, enabled: false };
    const { action, isChecked } = entry;
    return { label, click: () => options.act(action), ...(isChecked === undefined ? {} : { type: 'checkbox', checked: isChecked }) };
  }

  function update(): void {
    if (isDue) return;
    isDue = true;
    clock.after(REDRAW_MS, draw);
  }

  return {
    update,
    end() {
      stopAlarm();
      tray.destroy();
    },
  };
}
