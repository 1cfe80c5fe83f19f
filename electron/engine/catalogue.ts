// The tool catalogue (spec 3.3): data, one row per known tool of each agent, saying which input fields are paths, commands and
// addresses. Says nothing about what a call may do.

import type { Access, Kind } from '../../shared/terms';

export interface ToolRow {
  readonly kind: Kind;
  /** Null when the name is in no row: kind `other`. */
  readonly agent: string | null;
  readonly executes: boolean;
  readonly readsBelow: boolean;
  readonly paths: readonly PathField[];
  readonly commands: readonly CommandField[];
  readonly addresses: readonly AddressField[];
}
export interface PathField {
  /** Field of the input; `edits[].path` reaches into a list, `action.path` into an object. */
  readonly at: string;
  readonly access: Access;
  readonly deletes?: boolean;
  readonly recursive?: boolean;
  readonly form?: 'path' | 'glob' | 'patch';
  /** Left out means the working directory. */
  readonly orWorkingDirectory?: boolean;
}
export interface CommandField {
  readonly at: string;
  readonly form: 'text' | 'argv' | 'either';
  /** Field with the directory the command runs in. */
  readonly directory?: string;
}
export interface AddressField {
  readonly at: string;
  readonly form: 'url' | 'prose';
}

export interface McpName {
  readonly server: string;
  readonly tool: string;
}

export declare function lookupTool(agent: string, tool: string): ToolRow;
/** Server and bare name of a tool spelled `mcp__server__tool` or `server:tool`; null for others. */
export declare function mcpName(tool: string): McpName | null;
