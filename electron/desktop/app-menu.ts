// The application menu: what a system expects to find there (editing, zoom, window, quit) and no more. The keys of the
// inbox are the page's own.

import { Menu, type MenuItemConstructorOptions } from 'electron';

export function setAppMenu(options: { readonly appName: string; readonly isDevelopment: boolean; quit(): void }): void {
  const isMac = process.platform === 'darwin';
  const quit: MenuItemConstructorOptions = { label: `Quit ${options.appName}`, accelerator: 'CommandOrControl+Q', click: options.quit };
  const development: MenuItemConstructorOptions[] = options.isDevelopment
    ? [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }]
    : [];
  const template: MenuItemConstructorOptions[] = [
    {
      label: isMac ? options.appName : 'File',
      submenu: isMac
        ? [{ role: 'about' }, { type: 'separator' }, { role: 'hide' }, { role: 'hideOthers' }, { type: 'separator' }, quit]
        : [{ role: 'close' }, quit],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { type: 'separator' }, { role: 'togglefullscreen' }, ...development],
    },
    { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'close' }] },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
