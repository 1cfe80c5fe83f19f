// Hosts that a call names: from addresses in fields, in prose and in shell words. Reads addresses the way browsers do; follows
// no redirect and asks no network.

/** Host of an address or of `user@host:path`; null when it names none. */
export function hostOf(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 8192) return null;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme !== undefined && (trimmed[scheme.length + 1] === '/' || ADDRESS_WITHOUT_HOST.has(scheme))) return hostOfUrl(trimmed);
  const bare = /^(?:[^@/\s]+@)?(\[[0-9A-Fa-f:.]+\]|[^:/\s?#@]+)/.exec(trimmed)?.[1];
  return bare === undefined ? null : hostOfUrl(`http://${bare}/`);
}
const ADDRESS_WITHOUT_HOST: ReadonlySet<string> = new Set(['data', 'javascript', 'about', 'blob', 'mailto', 'file']);

function hostOfUrl(text: string): string | null {
  try {
    const url = new URL(text);
    // Schemes that URL does not know keep the host as written, in any case.
    return url.hostname === '' ? null : url.hostname.toLowerCase();
  } catch {
    return null;
  }
}

/** The path of a `file:` address, which is no address at all; null for others. */
export function fileOfAddress(text: string): string | null {
  if (!/^\s*file:/i.test(text)) return null;
  try {
    return decodeURIComponent(new URL(text.trim()).pathname);
  } catch {
    return text.trim().replace(/^file:(?:\/\/)?/i, '');
  }
}

/** Addresses within text that a person could have written. */
export function addressesInProse(text: string): readonly string[] {
  const found = text.match(/\b[A-Za-z][A-Za-z0-9+.-]{0,30}:\/\/[^\s"'<>`{}|\\^]+/g) ?? [];
  return found.map((address) => address.replace(/[).,;:!?\]]+$/, ''));
}
