// Keeps the direction of imports: shared, engine, store, broker, agents, cli and desktop, main and serve; nothing points
// back, and files of one room form no circle. Reads the imports of the sources with a real parser, types included.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const root = resolve(__dirname, '..');

/** Rooms from the ground up: a room may import itself and what stands on a lower floor. */
const FLOORS: readonly (readonly string[])[] = [
  ['shared'],
  ['electron/engine'],
  ['electron/store'],
  ['electron/broker'],
  ['electron/agents'],
  ['electron/cli', 'electron/desktop'],
  ['electron'],
];
const RENDERER = 'renderer';
const PRELOAD = 'electron/preload.ts';
/** Start programs, and the parts both are built from: nobody but the start programs imports them. */
const TOPS = ['electron/main.ts', 'electron/serve.ts'];

interface Import {
  readonly from: string;
  /** Path in the repository, or the name of a package. */
  readonly to: string;
  readonly isOurs: boolean;
}

function sources(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'));
}

function importsOf(file: string): readonly Import[] {
  const { program, module, errors } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  expect(errors, file).toEqual([]);
  const named = [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap((one) => one.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...dynamicImports(program),
  ];
  return [...new Set(named)].map((name) => {
    const isOurs = name.startsWith('.');
    return { from: file, to: isOurs ? found(join(dirname(file), name)) : name, isOurs };
  });
}

/** `import('…')` as a value and as a type. */
function dynamicImports(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(dynamicImports);
  const isImport = 'type' in node && (node.type === 'ImportExpression' || node.type === 'TSImportType') && 'source' in node;
  const source = isImport ? node.source : null;
  return typeof source === 'object' && source !== null && 'value' in source && typeof source.value === 'string' ? [source.value, ...inner] : inner;
}

function found(path: string): string {
  const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${path}/index.tsx`];
  const hit = candidates.find((candidate) => existsSync(join(root, candidate)) && statSync(join(root, candidate)).isFile());
  return relative('', hit ?? path).replaceAll('\\', '/');
}

/** The most specific room of a file; files straight in electron/ are the top floor. */
function roomOf(file: string): string {
  const rooms = [...FLOORS.flat(), RENDERER].filter((room) => file.startsWith(`${room}/`));
  return rooms.sort((a, b) => b.length - a.length)[0] ?? file;
}
const floorOf = (room: string): number => FLOORS.findIndex((floor) => floor.includes(room));

const files = ['shared', 'electron', RENDERER].flatMap(sources);
const imports = files.flatMap(importsOf);
const ours = imports.filter((one) => one.isOurs);
const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
const arrow = ({ from, to }: Import): string => `${from} -> ${to}`;

it('finds the sources and their imports', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(ours.map(arrow)).toContain('shared/commands.ts -> shared/schemas.ts');
});

it('every relative import names a file that is there', () => {
  expect(ours.filter(({ to }) => !existsSync(join(root, to))).map(arrow)).toEqual([]);
});

it('no room imports a room above it, or beside it', () => {
  const backwards = ours.filter(({ from, to }) => {
    const [here, there] = [roomOf(from), roomOf(to)];
    if (from === PRELOAD || here === there || here === RENDERER) return false;
    return floorOf(there) === -1 || floorOf(there) >= floorOf(here);
  });
  expect(backwards.map(arrow)).toEqual([]);
});

it('nobody imports main or serve', () => {
  expect(ours.filter(({ to }) => TOPS.includes(to)).map(arrow)).toEqual([]);
});

it('the renderer imports shared and browser packages only', () => {
  const foreign = imports.filter(({ from, to, isOurs }) => {
    if (roomOf(from) !== RENDERER || isTest(from)) return false;
    return isOurs ? ![RENDERER, 'shared'].includes(roomOf(to)) : to.startsWith('node:') || to === 'electron';
  });
  expect(foreign.map(arrow)).toEqual([]);
});

it('the preload imports electron and types', () => {
  const { module } = parseSync(PRELOAD, readFileSync(join(root, PRELOAD), 'utf8'));
  const values = module.staticImports.filter((one) => one.entries.some((entry) => !entry.isType)).map((one) => one.moduleRequest.value);
  expect(values).toEqual(['electron']);
});

it('engine and shared import no Node module and no Electron', () => {
  const impure = imports.filter(
    ({ from, to }) => ['shared', 'electron/engine'].includes(roomOf(from)) && !isTest(from) && (to.startsWith('node:') || to === 'electron'),
  );
  expect(impure.map(arrow)).toEqual([]);
});

it('files of a room form no circle', () => {
  const inside = new Map<string, string[]>();
  for (const { from, to } of ours) {
    if (roomOf(from) === roomOf(to)) inside.set(from, [...(inside.get(from) ?? []), to]);
  }
  expect(circles(inside)).toEqual([]);
});

function circles(edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const hits: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file);
    if (at !== -1) hits.push([...way.slice(at), file].join(' -> '));
    if (at !== -1 || done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return hits;
}

it('sees a circle when there is one', () => {
  const ring = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
  ]);
  expect(circles(ring)).toEqual(['a -> b -> c -> a']);
});
