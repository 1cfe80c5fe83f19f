// What the engine is told. Everything a verdict depends on stands in these records; the engine asks nobody. Paths are
// canonical already (the broker's edge made them so), times are epoch milliseconds. Owns shapes only.

import type { AccessEntry, Check, Grant, RequestPath, ShellUnit, TraceStep } from '../../shared/model';
import type { BudgetCeiling, Cause, Kind, Mode, Phase, VerdictKind } from '../../shared/terms';

/** How paths compare on the machine that is judged for (spec 3.4). A value, so that any platform is tested on any other. */
export interface PlatformFacts {
  readonly separator: '/' | '\\';
  readonly caseSensitive: boolean;
}

/** A tool call after intake (spec 3): named, classified, its paths canonical, its shell text in units. */
export interface CallFacts {
  /** Registered name, as the agent sent it. */
  readonly tool: string;
  /** MCP server and bare tool name when `tool` is spelled `mcp__server__tool` or `server:tool`. */
  readonly mcp: { readonly server: string; readonly tool: string } | null;
  readonly agent: string;
  readonly source: string;
  readonly kind: Kind;
  /**
   * What the caller says it is, where the catalogue says otherwise and `kind` could not take it over without removing a check
   * (spec 3.3). Only a deny, a require or a mode that refuses may lean on it, never an allow.
   */
  readonly declaredKind?: Kind;
  readonly paths: readonly RequestPath[];
  readonly units: readonly ShellUnit[];
  readonly hosts: readonly string[];
  /** Directory that names were resolved in. Never a root. */
  readonly cwd: string | null;
  /** The tool runs shell text or an argv (class `@exec`). */
  readonly executes: boolean;
  /** The tool reads below a directory, so an allow has to name what to skip (spec 9). */
  readonly readsBelow: boolean;
}

/** Where credentials and our own files are (spec 5.4), canonical. */
export interface ProtectedPlaces {
  readonly home: string;
  readonly ownDataDir: string;
  /** Canonical paths the person added, and names of built-in protections the person lifted. */
  readonly extra: readonly string[];
  readonly lifted: readonly string[];
}

export interface CeilingUse {
  readonly ceiling: BudgetCeiling;
  readonly limit: number;
  readonly used: number;
}

/** The session as a decision sees it: resolved, canonical, now. */
export interface SessionFacts {
  readonly id: string;
  readonly root: string | null;
  /** Effective working directory. */
  readonly workingDirectory: string | null;
  /** Group of the run context; null: `default` alone. A group that was deleted counts as no rules. */
  readonly groupId: string | null;
  readonly mode: Mode | null;
  readonly phase: Phase | null;
  readonly withheld: readonly string[];
  readonly cancelled: boolean;
  /** Only ceilings that are set. */
  readonly budget: readonly CeilingUse[];
  /** Without the implicit root. */
  readonly access: readonly AccessEntry[];
  readonly writeRoots: readonly string[];
  readonly readRoots: readonly string[];
  /** Session rules, then ticket's and project's grants, oldest first; the engine drops what expired. */
  readonly grants: readonly Grant[];
  /** Tool patterns that are staged. */
  readonly outbox: readonly string[];
  readonly headless: boolean;
  /** A person will be asked only after a reviewer (spec 4, step 11). */
  readonly hasReviewer: boolean;
  readonly hasPreToolHook: boolean;
  readonly platform: PlatformFacts;
  readonly protectedPlaces: ProtectedPlaces;
  /**
   * Symbolic links that stand where a relative path pattern begins (`relativeHeads`), below root or working directory:
   * `at` as spelled there, `to` where it lands, both absolute. So `private/*` also covers what `private` points to (5.3).
   */
  readonly links?: readonly PatternLink[];
}

export interface PatternLink {
  readonly at: string;
  readonly to: string;
}

/** What the hooks of step 8 said; absent when they have not run (simulate, replay, re-decision). */
export type HookOutcome = { readonly outcome: 'pass' } | { readonly outcome: 'deny' | 'require'; readonly reason: string; readonly command: string };

/** What the reviewer of step 11 said. */
export interface ReviewerOutcome {
  readonly outcome: 'allow' | 'deny' | 'unsure';
  readonly reason: string;
}

/** Verdict of one check. */
export interface CheckRuling {
  readonly check: Check;
  readonly verdict: VerdictKind;
  /** A require that nothing can relax. */
  readonly hard: boolean;
  readonly cause: Cause | null;
  readonly ruleId: string | null;
  readonly grantId: string | null;
}

/** The engine's answer (spec 4): the verdict and everything that led to it. `require` means a person, or `headless`. */
export interface Ruling {
  readonly verdict: VerdictKind;
  readonly hard: boolean;
  /** Null only for `require` that goes to a person. */
  readonly cause: Cause | null;
  readonly ruleId: string | null;
  /** Rules that matched, for hit counting. */
  readonly matchedRuleIds: readonly string[];
  /** What the agent is told when it is refused; empty for allow. */
  readonly message: string;
  readonly checks: readonly CheckRuling[];
  readonly trace: readonly TraceStep[];
  /** For an allowed recursive read: folder names to skip. */
  readonly exclude: readonly string[];
}
