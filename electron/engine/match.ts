// Matching of rule patterns (spec 5.1 to 5.3) as plain questions: does this pattern match this text, this tool, this path.
// The indexed form of the same questions is in rule-index.ts; both must always agree.

import type { Access, Kind } from '../../shared/terms';
import type { PatternLink, PlatformFacts } from './facts';
import { compilePathPattern, pathMatches, pathSubject } from './path-pattern';
import { comparable, within } from './path-text';
import { compileWildcard, type Wildcard, wildcardMatches } from './wildcard';

/**
 * Spec 5.1. `*` matches any run of characters, also empty, also `/`; everything else is literal; anchored at both ends; a
 * pattern that ends in ` *` also matches the text without it. Linear in pattern and text.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  return wildcardMatches(compileWildcard(pattern), text);
}

/** What a tool pattern is compared with: a call, or one check of it. */
export interface ToolSubject {
  readonly tool: string;
  readonly mcp: { readonly server: string; readonly tool: string } | null;
  readonly kind: Kind;
  readonly executes: boolean;
  /** Set for a path check: class tokens match it by its access, whatever the tool (spec 4). */
  readonly access?: Access | null;
}

export const TOOL_CLASSES = ['@fs_read', '@fs_write', '@fs_any', '@exec', '@net', '@mcp'] as const;
export type ToolClass = (typeof TOOL_CLASSES)[number];

/** A tool pattern taken apart once: a class, one of some names, or a wildcard in each of its spellings. */
export type ToolPattern =
  | { readonly by: 'class'; readonly toolClass: ToolClass }
  | { readonly by: 'name'; readonly names: readonly string[] }
  | { readonly by: 'wildcard'; readonly wildcards: readonly Wildcard[] };

export function compileToolPattern(pattern: string): ToolPattern {
  const toolClass = TOOL_CLASSES.find((one) => one === pattern);
  if (toolClass !== undefined) return { by: 'class', toolClass };
  const spellings = toolPatterns(pattern);
  return pattern.includes('*') ? { by: 'wildcard', wildcards: spellings.map(compileWildcard) } : { by: 'name', names: spellings };
}

export function toolMatches(pattern: ToolPattern, subject: ToolSubject): boolean {
  switch (pattern.by) {
    case 'class':
      return isOfClass(pattern.toolClass, subject);
    case 'name':
      return pattern.names.includes(subject.tool) || (subject.mcp !== null && pattern.names.includes(longName(subject)));
    case 'wildcard': {
      const long = longName(subject);
      return pattern.wildcards.some(
        (wildcard) => wildcardMatches(wildcard, subject.tool) || (long !== subject.tool && wildcardMatches(wildcard, long)),
      );
    }
  }
}

/** Spec 5.2: a wildcard over the tool name, or a class. An MCP tool answers to `mcp__server__tool` and to `server:tool`. */
export function matchesTool(pattern: string, call: ToolSubject): boolean {
  return toolMatches(compileToolPattern(pattern), call);
}

/** `mcp__server__tool` for an MCP tool however it is registered; the name itself for any other. */
export function longName(call: Pick<ToolSubject, 'tool' | 'mcp'>): string {
  const { tool, mcp } = call;
  return mcp === null || tool.startsWith('mcp__') ? tool : `mcp__${mcp.server}__${mcp.tool}`;
}

/** Server and tool of an MCP name in either spelling (spec 5.2); null for any other name. */
export function mcpName(tool: string): ToolSubject['mcp'] {
  const long = /^mcp__(.+?)__(.+)$/s.exec(tool);
  if (long?.[1] !== undefined && long[2] !== undefined) return { server: long[1], tool: long[2] };
  const colon = tool.indexOf(':');
  return colon > 0 && colon < tool.length - 1 ? { server: tool.slice(0, colon), tool: tool.slice(colon + 1) } : null;
}

/** A pattern as written, and in the long MCP spelling when it is written `server:tool`. */
export function toolPatterns(pattern: string): readonly string[] {
  const colon = pattern.indexOf(':');
  if (colon <= 0 || colon === pattern.length - 1) return [pattern];
  return [pattern, `mcp__${pattern.slice(0, colon)}__${pattern.slice(colon + 1)}`];
}

/**
 * Spec 5.2 and 4. A path check belongs to the file classes by its access. A check without a path belongs to them by the
 * tool's kind, so that a denial of a class also holds for a call whose paths are not known.
 */
export function isOfClass(toolClass: ToolClass, call: ToolSubject): boolean {
  switch (toolClass) {
    case '@fs_read':
      return hasNoPath(call) ? call.kind === 'read' || call.kind === 'search' : call.access === 'read';
    case '@fs_write':
      return hasNoPath(call) ? call.kind === 'edit' || call.kind === 'delete' : call.access === 'write';
    case '@fs_any':
      return isOfClass('@fs_read', call) || isOfClass('@fs_write', call);
    case '@exec':
      return call.executes || call.kind === 'execute';
    case '@net':
      return call.kind === 'fetch';
    case '@mcp':
      return call.mcp !== null;
  }
}

const hasNoPath = (call: ToolSubject): boolean => call.access === undefined || call.access === null;

export interface PathMatchBases {
  readonly root: string | null;
  readonly workingDirectory: string | null;
  readonly home: string;
  readonly platform: PlatformFacts;
  readonly links?: readonly PatternLink[];
}

/** Spec 5.3, for a canonical path. The pattern's own prefix is taken as written: who can ask the disk makes it canonical first. */
export function matchesPath(pattern: string, canonicalPath: string, bases: PathMatchBases): boolean {
  return pathMatches(compilePathPattern(pattern, bases), pathSubject(canonicalPath, bases));
}

/** `path` is `dir` or below it, on directory boundaries, by the case rules of the platform. Both canonical. */
export function isWithin(dir: string, path: string, platform: PlatformFacts): boolean {
  return within(comparable(dir, platform), comparable(path, platform));
}
