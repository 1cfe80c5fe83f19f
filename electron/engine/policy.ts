// skeleton: signatures first, filled in the next commits.
import type { Rule } from '../../shared/model';
import type { PlatformFacts } from './facts';

export interface PolicyOptions {
  readonly platform: PlatformFacts;
  readonly home: string;
  /** Canonical spelling of the existing part of an absolute pattern's literal head; the rest stays. */
  canonicalPrefix(pattern: string): string;
}
export interface CompiledPolicy {
  /** Every rule, also disabled and expired ones, in evaluation order per group. */
  readonly rules: readonly Rule[];
}
export function compilePolicy(_rules: readonly Rule[], _options: PolicyOptions): CompiledPolicy {
  throw new Error('not built yet');
}
/** Intake: may a relative shell operand that starts with `segment` be named by a deny rule or a protection (spec 4)? */
export function namesDeniedSegment(_policy: CompiledPolicy, _groupId: string | null, _segment: string): boolean {
  throw new Error('not built yet');
}
/** Literal heads of relative path patterns; where one stands at a symbolic link the broker fills `SessionFacts.links`. */
export function relativeHeads(_policy: CompiledPolicy): readonly string[] {
  throw new Error('not built yet');
}
