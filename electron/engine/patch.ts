// Bodies of `apply_patch` (spec 3.3): which files they add, change, move and remove. Reads the headers only; what the hunks say
// is the tool's.

export interface PatchPath {
  readonly path: string;
  readonly deletes: boolean;
}

const HEADER = /^[ \t]*\*\*\* (Add File|Update File|Delete File|Move to|Move File|Rename to):[ \t]*(.*?)[ \t\r]*$/gm;

/** Every path that the patch writes, in order. Empty when the text holds no header, so that the caller knows it is no patch. */
export function patchPaths(text: string): readonly PatchPath[] {
  const found: PatchPath[] = [];
  let updated: number | null = null;
  for (const match of text.matchAll(HEADER)) {
    const [, header, path = ''] = match;
    if (header === 'Move to' || header === 'Rename to') {
      // A move removes the file that the update named.
      const source = updated === null ? undefined : found[updated];
      if (updated !== null && source !== undefined) found[updated] = { ...source, deletes: true };
    }
    found.push({ path, deletes: header === 'Delete File' || header === 'Move File' });
    updated = header === 'Update File' ? found.length - 1 : null;
  }
  return found;
}

/** `--- a/x` and `+++ b/x` of a unified diff, without their `a/` and `b/`. */
export function diffPaths(text: string): readonly PatchPath[] {
  const found: PatchPath[] = [];
  for (const match of text.matchAll(/^(---|\+\+\+) ([^\t\r\n]+)/gm)) {
    const [, , path = ''] = match;
    const bare = path.trim().replace(/^[ab]\//, '');
    if (bare !== '/dev/null' && !found.some((known) => known.path === bare)) found.push({ path: bare, deletes: false });
  }
  return found;
}
