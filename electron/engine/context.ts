// skeleton: signatures first, filled in the next commits.
import type { ContextLayer, EffectiveContext, RunContext } from '../../shared/model';
import type { Mode } from '../../shared/terms';
import type { PlatformFacts } from './facts';

export type ResolvedContext = Pick<EffectiveContext, 'fields' | 'ceilings' | 'values'>;
export interface ContextLayerValue {
  readonly layer: ContextLayer;
  readonly context: RunContext | null;
}
/** Layers strongest first. `parent`: resolved values of the parent session, which a child cannot leave (spec 4). */
export function resolveRunContext(_layers: readonly ContextLayerValue[], _parent: RunContext | null = null): ResolvedContext {
  throw new Error('not built yet');
}
export function effectiveMode(_given: {
  readonly explicit: Mode | null;
  readonly parent: Mode | null;
  readonly context: Mode | null;
  readonly worktree: boolean;
}): Mode | null {
  throw new Error('not built yet');
}
export function toolGroupId(_context: RunContext): string | null {
  throw new Error('not built yet');
}
export function extraSystemPrompt(_context: RunContext): string | null {
  throw new Error('not built yet');
}
export function effectiveWorkingDir(_context: RunContext, _projectFolder: string | null, _sessionCwd: string | null): string | null {
  throw new Error('not built yet');
}
/** Canonical roots of a resolved context. */
export interface ContextRoots {
  readonly workingDirectory: string | null;
  readonly writeRoots: readonly string[];
  readonly readRoots: readonly string[];
}
export function isWriteAllowed(_path: string, _roots: ContextRoots, _platform: PlatformFacts): boolean {
  throw new Error('not built yet');
}
export function isReadAllowed(_path: string, _roots: ContextRoots, _platform: PlatformFacts): boolean {
  throw new Error('not built yet');
}
/** An entry of `allow_fs_*` as a directory or file: a trailing slash, `/*` or `/**` is dropped; other wildcards stay literal. */
export function contextEntry(_entry: string): { readonly path: string; readonly hasLiteralWildcard: boolean } {
  throw new Error('not built yet');
}
