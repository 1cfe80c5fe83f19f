// The commands of a tool call (spec 3.3 and 6): takes the fields that hold shell text, an argv or code, has them read, and puts
// the readings together. Knows the shapes agents use; what a command does is the engine's reading.

import type { Json, JsonObject, RequestPath, ShellUnit } from '../../shared/model';
import type { CommandField, ToolRow } from '../engine/catalogue';
import { asOneUnit, parseShell, readArgv, type ShellDialect, type ShellReading } from '../engine/shell';
import { fieldAt, isList } from './input-fields';
import type { Paths } from './paths';
import { finishReading } from './shell-intake';

export interface TakenCommands {
  readonly units: readonly ShellUnit[];
  readonly paths: readonly RequestPath[];
  readonly addresses: readonly string[];
}

export function commandsOf(
  row: ToolRow,
  input: JsonObject,
  start: string | null,
  paths: Paths,
  namesDenied: (segment: string) => boolean,
): TakenCommands {
  const units: ShellUnit[] = [];
  const found: RequestPath[] = [];
  const addresses: string[] = [];
  for (const field of row.commands) {
    for (const at of field.at) {
      const readings = readingsOf(field, at, input, paths);
      if (readings.length === 0) continue;
      const directory = directoryOf(field, input, start, paths);
      if (directory.path !== null) found.push(directory.path);
      for (const reading of readings) {
        const finished = finishReading(reading, directory.start, paths, namesDenied);
        const offset = units.length;
        for (const unit of finished.units) units.push(unit.wrapped_by === undefined ? unit : { ...unit, wrapped_by: unit.wrapped_by + offset });
        found.push(...finished.paths);
        addresses.push(...finished.addresses);
      }
    }
  }
  return { units, paths: found, addresses };
}

/** The directory that the input names for its command; like a `cd`, it is a place the command reads. */
function directoryOf(
  field: CommandField,
  input: JsonObject,
  start: string | null,
  paths: Paths,
): { readonly start: string | null; readonly path: RequestPath | null } {
  for (const at of field.directory ?? []) {
    const value = fieldAt(input, at);
    if (value === null || value === '') continue;
    const raw = typeof value === 'string' ? value : JSON.stringify(value);
    const canonical = typeof value === 'string' ? paths.canonical(value, start).path : null;
    return { start: canonical, path: { raw, canonical, access: 'read', origin: 'operand' } };
  }
  return { start, path: null };
}

function readingsOf(field: CommandField, at: string, input: JsonObject, paths: Paths): readonly ShellReading[] {
  const value = fieldAt(input, at);
  if (value === null) return [];
  const dialect = dialectOf(field, input, paths);
  const shell = (text: string): ShellReading => parseShell(text, dialect);
  const isText = typeof value === 'string';
  switch (field.form) {
    case 'code':
      return [asOneUnit(isText ? value : JSON.stringify(value), 'it is code, or input for a running program')];
    case 'text':
      return [isText ? shell(value) : argvOf(value)];
    case 'argv':
      return [isText ? shell(value) : argvOf(value)];
    case 'list': {
      const args = at === 'command' ? fieldAt(input, 'args') : null;
      if (isText) return [args === null ? shell(value) : withArgs(value, args)];
      return (isList(value) ? value : [value]).map((entry) => entryOf(entry, shell));
    }
  }
}

const isText = (value: Json): value is string => typeof value === 'string';

/** A list of words; anything else is shown as it is and never taken for harmless. */
function argvOf(value: Json): ShellReading {
  return isList(value) && value.every(isText)
    ? readArgv(value.filter(isText))
    : asOneUnit(JSON.stringify(value), 'the command is in a form that is not known here');
}

/** `{command, args}` of Cline, or shell text. */
function entryOf(entry: Json, shell: (text: string) => ShellReading): ShellReading {
  if (typeof entry === 'string') return shell(entry);
  if (typeof entry === 'object' && entry !== null && !isList(entry)) {
    const command = fieldAt(entry as JsonObject, 'command');
    if (typeof command === 'string') return withArgs(command, fieldAt(entry as JsonObject, 'args') ?? []);
  }
  return argvOf(entry);
}

const withArgs = (command: string, args: Json): ShellReading =>
  isList(args) ? argvOf([command, ...args]) : asOneUnit(JSON.stringify([command, args]), 'the command is in a form that is not known here');

/** Shells that read the language of sh, by a bare name or from where systems keep them. */
const POSIX_SHELL = /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?bin\/)?(ba|z|da|k|a)?sh$/;

function dialectOf(field: CommandField, input: JsonObject, paths: Paths): ShellDialect {
  const named = field.shell === undefined ? null : fieldAt(input, field.shell);
  if (named !== null && named !== '') {
    const shell = typeof named === 'string' ? POSIX_SHELL.exec(named) : null;
    if (shell === null) return 'other';
    return shell[1] === 'ba' || shell[1] === 'z' || shell[1] === 'k' ? 'bash' : 'sh';
  }
  const isWindows = paths.platform.separator === '\\';
  switch (field.dialect ?? 'bash') {
    case 'bash':
      return 'bash';
    case 'native':
      return isWindows ? 'other' : 'bash';
    case 'sh':
      return isWindows ? 'other' : 'sh';
    case 'other':
      return 'other';
  }
}
