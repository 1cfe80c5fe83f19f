// Breaks central lines of the engine and the gate, one at a time, in a copy of the repository, and sees that a test fails
// each time. A line that can be broken unnoticed is a promise without a test. Run by `npm run test:deep`.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));

/** `find` stands once in `file`. `tests`: where it has to be noticed. */
const MUTATIONS = [
  {
    what: 'a hard require is relaxed like a soft one',
    file: 'electron/engine/judge.ts',
    find: "finding.verdict !== 'require' || finding.hard) return;",
    replace: "finding.verdict !== 'require') return;",
    tests: 'electron/engine',
  },
  {
    what: 'a protected path is no floor',
    file: 'electron/engine/judge.ts',
    find: "if (protection?.action === 'deny') return { by: 'protection', path, protection };\n  }\n  for (const path of enteredDirectories(call)) {",
    replace: 'void protection;\n  }\n  for (const path of enteredDirectories(call)) {',
    tests: 'electron/engine',
  },
  {
    what: 'directories have no boundary: /a/b holds /a/bc',
    file: 'electron/engine/path-text.ts',
    find: 'return path.length === dir.length || path.charCodeAt(dir.length) === SLASH || dir.charCodeAt(dir.length - 1) === SLASH;',
    replace: 'return true;',
    tests: 'electron/engine',
  },
  {
    what: 'a read-only directory does not stop a write',
    file: 'electron/engine/judge.ts',
    find: "if (ruling?.mode === 'read') return { step: 5, cause: 'directory', path, directory: ruling.path };",
    replace: 'void ruling;',
    tests: 'electron/engine',
  },
  {
    what: 'a deny of a rule no longer ends the matter',
    file: 'electron/engine/judge.ts',
    find: "if (rule?.action === 'deny') return found(question, 'deny', true, { by: 'rule', rule }, 'rule');",
    replace: "if (rule?.action === 'deny') return found(question, 'require', false, { by: 'rule', rule }, null);",
    tests: 'electron/engine',
  },
  {
    what: 'a token of agent scope counts as an operator',
    file: 'electron/broker/caller.ts',
    find: "for (const scope of caller.scopes) if (scope !== 'agent') return true;\n  return false;",
    replace: 'return caller.scopes.size > 0;',
    tests: 'electron/broker',
  },
];

const copy = mkdtempSync(join(tmpdir(), 'gatehouse-mutation-'));
let failed = 0;
try {
  for (const name of ['electron', 'shared', 'renderer', 'vitest.config.ts', 'tsconfig.json', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const { what, file, find, replace, tests } of MUTATIONS) {
    const path = join(copy, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(find).length !== 2) {
      failed += 1;
      console.log(`not ok: ${what}: the line is not there once; the list has to follow the code`);
      continue;
    }
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
    const run = spawnSync(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--bail', '1', '--reporter', 'dot', tests], {
      cwd: copy,
      encoding: 'utf8',
    });
    writeFileSync(path, text);
    const isNoticed = run.status !== 0 && /FAIL|failed/.test(run.stdout);
    if (!isNoticed) failed += 1;
    console.log(`${isNoticed ? 'ok' : 'not ok'}: ${what}${isNoticed ? ' is noticed' : ' goes unnoticed'}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${MUTATIONS.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
