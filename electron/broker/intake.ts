// Intake (spec 3): a tool call as it was received becomes facts: named, classified, its paths canonical, its shell text in units.
// Decides nothing and stores nothing.

import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { fail, ok, type Result } from '../../shared/failure';
import type { Json, JsonObject, Request, RequestPath } from '../../shared/model';
import type { Access, Kind } from '../../shared/terms';
import { lookupTool, type PathField, type ToolRow } from '../engine/catalogue';
import type { CallFacts } from '../engine/facts';
import { mcpName } from '../engine/match';
import { diffPaths, patchPaths } from '../engine/patch';
import { PROTECTED_SEGMENTS } from '../engine/protected';
import { expandBraces } from '../engine/shell-braces';
import { commandsOf } from './command-intake';
import { addressesInProse, fileOfAddress, hostOf } from './hosts';
import { nestsDeeper, valuesAt } from './input-fields';
import type { Paths } from './paths';

export interface CallToTakeIn {
  readonly tool: string;
  readonly input: JsonObject;
  readonly cwd?: string | null;
  readonly kind?: Kind;
  readonly paths?: readonly (string | { readonly path: string; readonly access: Access })[];
  readonly hosts?: readonly string[];
}
export interface SessionPlace {
  readonly agent: string;
  readonly source: string;
  readonly root: string | null;
  /** Effective working directory, canonical. */
  readonly workingDirectory: string | null;
  /** Engine's `namesDeniedSegment` for this session's group: such operands are looked at even when nothing exists there. */
  readonly namesDeniedSegment?: (segment: string) => boolean;
}

/** Deeper input is refused: no tool takes it, and it could not be made canonical. */
export const MAX_INPUT_DEPTH = 200;

/**
 * Spec 3. Never throws. Declared facts are added to what the input says, never put in its place. `invalid` (subject `input`) for
 * input that is nested too deeply to be read.
 */
export function takeIn(draft: CallToTakeIn, session: SessionPlace, paths: Paths): Result<CallFacts> {
  if (nestsDeeper(draft.input, MAX_INPUT_DEPTH))
    return fail('invalid', `The input is nested deeper than ${MAX_INPUT_DEPTH} levels.`, {
      subject: 'input',
      hint: 'Send the input as the tool gets it.',
    });
  const row = lookupTool(session.agent, draft.tool);
  const directory = session.workingDirectory ?? session.root;
  const cwd = typeof draft.cwd === 'string' && draft.cwd !== '' ? paths.canonical(draft.cwd, directory) : null;
  const base = cwd === null ? directory : cwd.path;
  const namesDenied = session.namesDeniedSegment ?? ((segment: string): boolean => PROTECTED_SEGMENTS.has(segment));

  const named = row.paths.map((field) => ({ field, found: pathsOf(field, draft.input, base, paths) }));
  // A name that is known from other agents only: a read counts as one when it says what it reads.
  const isKnown = !row.isGuess || !isReading(row.kind) || named.some(({ found }) => found.length > 0);
  const kind = isKnown ? row.kind : 'other';
  const found = isKnown
    ? named.flatMap((one) => (one.found.length === 0 && one.field.optional !== true ? [leftOut(one.field, base)] : one.found))
    : [];
  const commands = commandsOf(row, draft.input, base, paths, namesDenied);
  found.push(...commands.paths);
  const addresses = addressesOf(row, draft.input);
  for (const address of addresses) {
    const file = fileOfAddress(address);
    if (file !== null) found.push(...resolved(file, { access: 'read', origin: 'argument' }, base, paths));
  }
  for (const declared of draft.paths ?? []) {
    const { path, access } =
      typeof declared === 'string' ? { path: declared, access: isReading(kind) ? ('read' as const) : ('write' as const) } : declared;
    found.push(...resolved(path, { access, origin: 'declared' }, base, paths));
  }
  const hosts = [...addresses, ...commands.addresses, ...(draft.hosts ?? [])].flatMap((address) => hostOf(address) ?? []);
  return ok({
    tool: draft.tool,
    mcp: mcpName(draft.tool),
    agent: session.agent,
    source: session.source,
    ...kinds(kind, draft.kind),
    paths: distinct(found),
    units: commands.units,
    hosts: [...new Set(hosts)],
    cwd: cwd === null ? base : (cwd.path ?? draft.cwd ?? null),
    executes: row.executes,
    readsBelow: isKnown && row.readsBelow,
  });
}

// ------------------------------------------------------------------ kinds

const isReading = (kind: Kind): boolean => kind === 'read' || kind === 'search';

/**
 * A declared kind hardens a read. Beside any other kind it stands apart: taken in its place it would remove what the catalogue
 * says, and a tool that nobody knows would choose its own class of rules.
 */
function kinds(kind: Kind, declared: Kind | undefined): Pick<CallFacts, 'kind' | 'declaredKind'> {
  if (declared === undefined || declared === kind) return { kind };
  if (isReading(kind) && isReading(declared)) return { kind };
  if (isReading(kind) || (kind === 'edit' && declared === 'delete')) return { kind: declared };
  return { kind, declaredKind: declared };
}

// ------------------------------------------------------------------ paths

type PathDraft = Omit<RequestPath, 'raw' | 'canonical'>;

/** Paths that the input names in one field. */
function pathsOf(field: PathField, input: JsonObject, base: string | null, paths: Paths): readonly RequestPath[] {
  return field.at.flatMap((at) => valuesAt(input, at).flatMap((value) => pathsIn(value, at, field, input, base, paths)));
}

/** Spec 4: a path that is left out is the working directory. */
const leftOut = (field: PathField, base: string | null): RequestPath => ({ raw: '.', canonical: base, ...draftOf(field) });

function pathsIn(value: Json, at: string, field: PathField, input: JsonObject, base: string | null, paths: Paths): readonly RequestPath[] {
  const draft = draftOf(field);
  if (typeof value !== 'string') {
    // Its parts stand in a field of their own, such as `files.path` beside `files`.
    if (typeof value === 'object' && field.at.some((other) => other.startsWith(`${at}.`))) return [];
    return [{ raw: JSON.stringify(value), canonical: null, ...draft }];
  }
  switch (field.form ?? 'path') {
    case 'path':
      return resolved(value, draft, base, paths);
    case 'patch':
      return patchPathsOf(value, draft, base, paths);
    case 'glob':
      return globPathsOf(value, field, draft, input, base, paths);
  }
}

const draftOf = ({ access, deletes, recursive }: PathField): PathDraft => ({
  access,
  origin: 'argument',
  ...(deletes === true ? { deletes } : {}),
  ...(recursive === true ? { recursive } : {}),
});

/** Where it lands, and where it lands for a tool that tidies the text first; mostly the same. */
function resolved(raw: string, draft: PathDraft, base: string | null, paths: Paths): readonly RequestPath[] {
  const canonical = paths.canonical(raw === '' ? '.' : raw, base).path;
  const tidied = paths.tidied(raw, base);
  const one: RequestPath = { raw, canonical, ...draft };
  return tidied === null || tidied.path === canonical ? [one] : [one, { raw, canonical: tidied.path, ...draft }];
}

/** A patch without a header it understands could write anywhere. */
function patchPathsOf(text: string, draft: PathDraft, base: string | null, paths: Paths): readonly RequestPath[] {
  const named = patchPaths(text);
  const all = named.length > 0 ? named : diffPaths(text);
  if (all.length === 0) return [{ raw: text.slice(0, 200), canonical: null, ...draft }];
  return all.flatMap(({ path, deletes }) => resolved(path, deletes ? { ...draft, deletes } : draft, base, paths));
}

const MAX_GLOBS = 64;

/** The directory before the first wildcard, in the directory of the search. Climbing after a wildcard could lead anywhere. */
function globPathsOf(text: string, field: PathField, draft: PathDraft, input: JsonObject, base: string | null, paths: Paths): readonly RequestPath[] {
  const given = (field.within ?? [])
    .flatMap((at) => valuesAt(input, at))
    .filter((value): value is string => typeof value === 'string' && value !== '');
  const starts = given.length === 0 ? [base] : given.map((within) => paths.canonical(within, base).path);
  const patterns = expandBraces(text, MAX_GLOBS) ?? [text];
  return patterns.flatMap((pattern): readonly RequestPath[] => {
    const wild = pattern.search(/[*?[{!(]/);
    const directory = wild < 0 ? pattern : pattern.slice(0, pattern.slice(0, wild).lastIndexOf('/') + 1);
    if (wild >= 0 && /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(pattern.slice(wild))) return [{ raw: pattern, canonical: null, ...draft }];
    if (directory === '') return [];
    return starts.flatMap((start) => (start === null ? [{ raw: pattern, canonical: null, ...draft }] : resolved(directory, draft, start, paths)));
  });
}

/** The same path once: the strictest way it is named stands for all. */
function distinct(found: readonly RequestPath[]): readonly RequestPath[] {
  const seen = new Set<string>();
  return found.filter((path) => {
    const key = `${path.origin}\0${path.access}\0${path.deletes === true}\0${path.canonical ?? `\0${path.raw}`}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

// ------------------------------------------------------------------ addresses

function addressesOf(row: ToolRow, input: JsonObject): readonly string[] {
  return row.addresses.flatMap((field) =>
    field.at.flatMap((at) =>
      valuesAt(input, at).flatMap((value) => (typeof value !== 'string' ? [] : field.form === 'url' ? [value] : addressesInProse(value))),
    ),
  );
}

// ------------------------------------------------------------------ records

/** The facts of a recorded request, for re-decision: nothing is resolved again. */
export function recall(request: Request): CallFacts {
  const row = lookupTool(request.agent, request.tool);
  const { tool, agent, source, kind, paths, units, hosts, cwd } = request;
  return {
    tool,
    mcp: mcpName(tool),
    agent,
    source,
    kind,
    paths,
    units,
    hosts,
    cwd,
    executes: row.executes,
    readsBelow: row.readsBelow && isReading(kind),
  };
}

/** SHA-256 (hex) over session, tool, canonical input, cwd and canonical paths (spec 2). */
export function digestOf(sessionId: string, tool: string, input: JsonObject, cwd: string | null, canonicalPaths: readonly (string | null)[]): string {
  return createHash('sha256')
    .update(canonicalize([sessionId, tool, input, cwd, canonicalPaths]) ?? '')
    .digest('hex');
}
