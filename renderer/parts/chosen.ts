// What is chosen on a screen, kept in its address: it can be linked to, and going back goes back to it.

import { useLocation } from 'wouter';
import { goTo } from '../guard';

/** Id in the address below `base`, and the way to another; null goes back to the list. */
export function useChosen(base: string): [string | null, (id: string | null) => void] {
  const [path] = useLocation();
  const rest = path.startsWith(`${base}/`) ? path.slice(base.length + 1) : '';
  return [rest === '' ? null : decodeURIComponent(rest), (id) => goTo(id === null ? base : `${base}/${encodeURIComponent(id)}`, { replace: true })];
}
