// A small picture for each kind of call, so that a list is scanned before it is read. The words beside it say the same.

import { FileText, FileX, Globe, type LucideIcon, MessageSquare, Pencil, Plug, Search, SquareTerminal } from 'lucide-react';
import type { Kind } from '../../shared/terms';

const ICONS: Readonly<Record<Kind, LucideIcon>> = {
  read: FileText,
  edit: Pencil,
  delete: FileX,
  search: Search,
  execute: SquareTerminal,
  fetch: Globe,
  message: MessageSquare,
  other: Plug,
};

export function KindIcon({ kind }: { readonly kind: Kind }) {
  const Icon = ICONS[kind];
  return <Icon size={16} strokeWidth={1.75} aria-hidden="true" />;
}
