import { describe, expect, it } from 'vitest';
import { changesOf, readPatch } from './changes';

describe('what an edit would change', () => {
  it('is a replacement under any of its spellings', () => {
    expect(changesOf({ file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true })).toEqual([
      { kind: 'replace', before: 'x', after: 'y', everywhere: true },
    ]);
    expect(changesOf({ path: 'a', oldText: 'x', newText: 'y' })).toEqual([{ kind: 'replace', before: 'x', after: 'y', everywhere: false }]);
  });

  it('is every one of several replacements', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'd' },
    ];
    expect(changesOf({ file_path: 'f', edits })).toHaveLength(2);
  });

  it('is new content, with the place where the input names one', () => {
    expect(changesOf({ file_path: 'a', content: 'x' })).toEqual([{ kind: 'content', text: 'x', place: 'New content' }]);
    expect(changesOf({ path: 'a', line: 12, content: 'x' })).toEqual([{ kind: 'content', text: 'x', place: 'Put in at line 12' }]);
    expect(changesOf({ path: 'a', start_line: 3, end_line: 9, content: 'x' })).toEqual([
      { kind: 'content', text: 'x', place: 'In place of lines 3 to 9' },
    ]);
  });

  it('is nothing where the input holds nothing to draw, and the text itself where a patch is in no known form', () => {
    expect(changesOf({ file_path: 'a' })).toEqual([]);
    expect(changesOf({ patch: 'make it better' })).toEqual([{ kind: 'content', text: 'make it better', place: 'New content' }]);
  });
});

describe('a patch', () => {
  it('is read in the form of apply_patch', () => {
    const text = [
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '*** Move to: src/b.ts',
      '@@ function total() {',
      ' keep',
      '-old',
      '+new',
      '*** Add File: c.txt',
      '+one',
      '*** Delete File: d.txt',
      '*** End Patch',
    ].join('\n');
    expect(readPatch(text)).toEqual([
      {
        kind: 'patch',
        path: 'src/a.ts',
        action: 'change',
        movedTo: 'src/b.ts',
        hunks: [
          {
            heading: 'function total() {',
            starts: null,
            lines: [
              { sign: ' ', text: 'keep' },
              { sign: '-', text: 'old' },
              { sign: '+', text: 'new' },
            ],
          },
        ],
      },
      { kind: 'patch', path: 'c.txt', action: 'add', movedTo: null, hunks: [{ heading: '', starts: null, lines: [{ sign: '+', text: 'one' }] }] },
      { kind: 'patch', path: 'd.txt', action: 'delete', movedTo: null, hunks: [] },
    ]);
  });

  it('is read as a unified diff, with its line numbers', () => {
    const text = [
      'diff --git a/x.ts b/x.ts',
      'index 1..2 100644',
      '--- a/x.ts',
      '+++ b/x.ts',
      '@@ -10,2 +10,2 @@ class X',
      ' keep',
      '-old',
      '+new',
    ].join('\n');
    expect(readPatch(text)).toMatchObject([
      { path: 'x.ts', action: 'change', hunks: [{ heading: 'class X', starts: { before: 10, after: 10 }, lines: { length: 3 } }] },
    ]);
  });

  it('keeps a line that only looks like the head of a file', () => {
    const [file] = readPatch('*** Update File: a.sql\n@@\n--- a comment\n+-- another');
    expect(file).toMatchObject({
      path: 'a.sql',
      hunks: [
        {
          lines: [
            { sign: '-', text: '-- a comment' },
            { sign: '+', text: '-- another' },
          ],
        },
      ],
    });
  });
});
