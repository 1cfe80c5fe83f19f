import { expect, it } from 'vitest';
import { diffPaths, patchPaths } from './patch';

it('names every file that a patch adds, changes and removes', () => {
  const patch = '*** Begin Patch\n*** Add File: a/n.txt\n+x\n*** Update File: src/b.js\n@@\n-a\n+b\n*** Delete File: c d.md\n*** End Patch\n';
  expect(patchPaths(patch)).toEqual([
    { path: 'a/n.txt', deletes: false },
    { path: 'src/b.js', deletes: false },
    { path: 'c d.md', deletes: true },
  ]);
});

it('names both ends of a move, the source as removed', () => {
  expect(patchPaths('*** Update File: a\n*** Move to: ../b\n@@\n')).toEqual([
    { path: 'a', deletes: true },
    { path: '../b', deletes: false },
  ]);
});

it('reads headers that are indented, and lines that end with a carriage return', () => {
  expect(patchPaths('  *** Add File: a \r\n+x\r\n')).toEqual([{ path: 'a', deletes: false }]);
});

it('takes lines of the content for no header', () => {
  expect(patchPaths('*** Add File: a\n+*** Delete File: b\n-*** Delete File: c\n')).toEqual([{ path: 'a', deletes: false }]);
});

it('finds nothing in what is no patch', () => {
  expect(patchPaths('hello *** Add File: x')).toEqual([]);
  expect(patchPaths('')).toEqual([]);
});

it('names the files of a unified diff once', () => {
  expect(diffPaths('--- a/x/y\n+++ b/x/y\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/n\t2026-01-01\n')).toEqual([
    { path: 'x/y', deletes: false },
    { path: 'n', deletes: false },
  ]);
});

it('stays quick on a large patch', () => {
  expect(patchPaths('*** Add File: a\n+x\n'.repeat(50_000))).toHaveLength(50_000);
});
