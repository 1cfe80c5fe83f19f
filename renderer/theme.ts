// The theme of the page: the person's choice, else the system's, followed while it changes.

import { useEffect } from 'react';
import type { Settings } from '../shared/model';

const system = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

export function applyTheme(theme: Settings['theme']): void {
  document.documentElement.dataset.theme = theme === 'system' ? (system().matches ? 'dark' : 'light') : theme;
}

export function useTheme(theme: Settings['theme']): void {
  useEffect(() => {
    applyTheme(theme);
    const media = system();
    const follow = (): void => applyTheme(theme);
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, [theme]);
}
