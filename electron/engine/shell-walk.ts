// Walks the syntax tree of shell text (spec 6): units from every list, pipe, subshell, substitution, heredoc, loop and function
// body, redirect targets, and the directory in force at each of them. What a program does with its arguments is read elsewhere.

import {
  type AndOr,
  type Assignment,
  type Command,
  type CompoundList,
  forEachChild,
  type If,
  type ParsedScript,
  type Pipeline,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { holdsSubstitution } from './shell-builtins';
import { type Directories, join, same } from './shell-places';
import {
  addOpaqueUnit,
  addRedirect,
  addUnit,
  makeOpaque,
  type Outcome,
  type Reader,
  readAssignment,
  readCommandLine,
  readValue,
  staying,
} from './shell-reader';
import { argumentOf, assignmentOf, inputOf } from './shell-syntax';
import { type Arg, argOf, literalArg } from './shell-words';

/** Reads text into `reader`. Errors of nested scripts count like those of the text itself. */
export function readText(reader: Reader, text: string): Outcome {
  const { source } = reader;
  reader.source = text;
  const outcome = readScript(reader, parse(text));
  reader.source = source;
  return outcome;
}

function readScript(reader: Reader, script: ParsedScript): Outcome {
  if (script.source !== undefined) reader.source = script.source;
  for (const error of script.errors ?? NO_ERRORS) reader.errors.push(error.message);
  return readList(reader, script.commands, true);
}
const NO_ERRORS: readonly { readonly message: string }[] = [];

function readList(reader: Reader, statements: readonly Statement[], leading: boolean): Outcome {
  let outcome = staying(reader);
  reader.leading = leading;
  for (const statement of statements) {
    if (statement.background === true) {
      inSubshell(reader, () => readNode(reader, statement.command));
      outcome = staying(reader);
    } else {
      outcome = readNode(reader, statement.command);
      reader.directories = join(outcome.ok, outcome.fail);
    }
  }
  return statements.length === 1 ? outcome : staying(reader);
}

/** What happens inside does not move the shell. */
function inSubshell(reader: Reader, read: () => void): void {
  const { directories } = reader;
  read();
  reader.directories = directories;
  reader.leading = false;
}

type Node = Statement['command'] | CompoundList;

function readNode(reader: Reader, node: Node): Outcome {
  switch (node.type) {
    case 'Command':
      return readCommand(reader, node);
    case 'AndOr':
      return readAndOr(reader, node);
    case 'Pipeline':
      return readPipeline(reader, node);
    case 'CompoundList':
      return readList(reader, node.commands, false);
    case 'BraceGroup':
      return readList(reader, node.body.commands, reader.leading);
    case 'Subshell': {
      inSubshell(reader, () => readList(reader, node.body.commands, true));
      return staying(reader);
    }
    case 'Redirected': {
      for (const redirect of node.redirects) readRedirect(reader, redirect, -1);
      const outcome = readNode(reader, node.command);
      reader.leading = false;
      return outcome;
    }
    case 'If':
      return readIf(reader, node);
    case 'While':
      return readLoop(reader, () => {
        readList(reader, node.clause.commands, false);
        readList(reader, node.body.commands, false);
      });
    case 'For':
    case 'Select':
      visit(reader, node.name, -1);
      for (const word of node.wordlist ?? []) {
        readValue(reader, argOf(word), -1);
        visit(reader, word, -1);
      }
      return readLoop(reader, () => readList(reader, node.body.commands, false));
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) if (part !== undefined) visit(reader, part, -1);
      return readLoop(reader, () => readList(reader, node.body.commands, false));
    case 'Case': {
      visit(reader, node.word, -1);
      const start = reader.directories;
      let after: Directories = start;
      let falls: Directories = start;
      for (const item of node.items) {
        for (const pattern of item.pattern) visit(reader, pattern, -1);
        reader.directories = item.terminator === ';;' ? start : join(start, falls);
        readList(reader, item.body.commands, false);
        falls = join(falls, reader.directories);
        after = join(after, reader.directories);
      }
      reader.directories = after;
      return staying(reader);
    }
    case 'Function':
      return readFunction(reader, () => readNode(reader, node.body));
    case 'Coproc':
      inSubshell(reader, () => readNode(reader, node.body));
      return staying(reader);
    case 'TestCommand':
    case 'ArithmeticCommand':
      // A shell without them takes `[[` for a program, `&&` in it for a list, and `((` for subshells.
      if (reader.mayBePlainSh) addOpaqueUnit(reader, reader.source.slice(node.pos, node.end), 'sh may read it as a list of commands');
      visit(reader, node, -1);
      reader.leading = false;
      return staying(reader);
  }
}

function readAndOr(reader: Reader, node: AndOr): Outcome {
  let outcome: Outcome | null = null;
  for (let index = 0; index < node.commands.length; index++) {
    const command = node.commands[index];
    if (command === undefined) continue;
    if (outcome === null) {
      outcome = readNode(reader, command);
      continue;
    }
    const isAnd = node.operators[index - 1] === '&&';
    if (!isAnd) reader.leading = false;
    reader.directories = isAnd ? outcome.ok : outcome.fail;
    const next: Outcome = readNode(reader, command);
    outcome = isAnd ? { ok: next.ok, fail: join(outcome.fail, next.fail) } : { ok: join(outcome.ok, next.ok), fail: next.fail };
  }
  return outcome ?? staying(reader);
}

function readPipeline(reader: Reader, node: Pipeline): Outcome {
  const wrappedBy = reader.wrappedBy;
  const prefix = node.prefixes.find((one) => one.type === 'Time');
  if (prefix?.type === 'Time') {
    const [first] = node.commands;
    const timed = first?.type === 'Command' && first.name !== undefined ? [argOf(first.name), ...first.args.map(argumentOf)] : [];
    const index = reader.units.length;
    addUnit(reader, [literalArg('time'), ...(prefix.posix === undefined ? [] : [literalArg('-p')]), ...timed], []);
    reader.wrappedBy = index;
    reader.leading = false;
  }
  const isNegated = node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1;
  let outcome = staying(reader);
  if (node.commands.length === 1 && node.commands[0] !== undefined) {
    outcome = readNode(reader, node.commands[0]);
    if (isNegated) outcome = { ok: outcome.fail, fail: outcome.ok };
  } else {
    const { directories } = reader;
    reader.leading = false;
    for (const command of node.commands) {
      reader.directories = directories;
      outcome = readNode(reader, command);
      reader.leading = false;
    }
    // The last command runs in the shell itself in zsh and ksh, in a subshell in bash.
    const after = join(directories, join(outcome.ok, outcome.fail));
    outcome = { ok: after, fail: after };
  }
  reader.wrappedBy = wrappedBy;
  return outcome;
}

function readIf(reader: Reader, node: If): Outcome {
  let ends: Directories | undefined;
  const branches = [{ clause: node.clause, body: node.then }, ...node.elif.map((branch) => ({ clause: branch.clause, body: branch.then }))];
  for (const branch of branches) {
    const tested = readList(reader, branch.clause.commands, false);
    reader.directories = tested.ok;
    readList(reader, branch.body.commands, false);
    ends = ends === undefined ? reader.directories : join(ends, reader.directories);
    reader.directories = tested.fail;
  }
  if (node.else !== undefined) readList(reader, node.else.commands, false);
  reader.directories = ends === undefined ? reader.directories : join(ends, reader.directories);
  return staying(reader);
}

/** A loop that moves: from its second round on nobody can tell where it stands. */
function readLoop(reader: Reader, read: () => void): Outcome {
  const start = reader.directories;
  const [firstUnit, firstTarget] = [reader.units.length, reader.targets.length];
  reader.leading = false;
  read();
  if (!same(start, reader.directories)) {
    forgetDirectories(reader, firstUnit, firstTarget);
    reader.directories = null;
  }
  return staying(reader);
}

/** A function runs where it is called: known only while nothing in the text moves. */
function readFunction(reader: Reader, read: () => void): Outcome {
  const { directories, moved } = reader;
  const [firstUnit, firstTarget] = [reader.units.length, reader.targets.length];
  reader.moved = false;
  read();
  const moves = reader.moved;
  reader.functions.push([firstUnit, reader.units.length, firstTarget, reader.targets.length]);
  reader.moved = moved || moves;
  reader.directories = moves ? null : directories;
  reader.leading = false;
  return staying(reader);
}

function forgetDirectories(reader: Reader, unit: number, target: number, unitEnd = reader.units.length, targetEnd = reader.targets.length): void {
  for (const one of reader.units.slice(unit, unitEnd)) one.directories = null;
  for (const one of reader.targets.slice(target, targetEnd)) one.directories = null;
}

/** To be called at the end: bodies of functions, when anything moved. */
export function settleFunctions(reader: Reader): void {
  if (!reader.moved) return;
  for (const [unit, unitEnd, target, targetEnd] of reader.functions) forgetDirectories(reader, unit, target, unitEnd, targetEnd);
}

// ------------------------------------------------------------------ a simple command

function readCommand(reader: Reader, node: Command): Outcome {
  const { name, prefix, suffix } = node;
  const index = reader.units.length;
  if (name === undefined) {
    reader.leading = false;
    for (const part of prefix) if (part.type === 'Assignment') readAssignment(reader, assignmentOf(part));
    visitAll(reader, prefix, -1);
    visitAll(reader, suffix, -1);
    return staying(reader);
  }
  const args: Arg[] = [argOf(name)];
  let isPlain = prefix.length === 0 && name.parts === undefined;
  for (const part of suffix) {
    if (part.type === 'Word') {
      args.push(argOf(part));
      if (part.parts !== undefined) isPlain = false;
    } else {
      isPlain = false;
      if (part.type === 'Assignment') args.push(assignmentOf(part));
    }
  }
  // Nothing but words without quotes and expansions: there is nothing inside them to visit.
  if (isPlain) return readCommandLine(reader, { args, assignments: NO_ARGS, input: null });
  const assignments = prefix.length === 0 ? NO_ARGS : prefix.flatMap((part) => (part.type === 'Assignment' ? [assignmentOf(part)] : []));
  const { directories } = reader;
  const outcome = readCommandLine(reader, { args, assignments, input: inputOf(node) });
  const { leading } = reader;
  reader.directories = directories;
  visitAll(reader, prefix, index);
  visit(reader, name, index);
  visitAll(reader, suffix, index);
  reader.leading = leading;
  return outcome;
}
const NO_ARGS: readonly Arg[] = [];

function visitAll(reader: Reader, parts: Command['prefix'] | Command['suffix'], unit: number): void {
  for (const part of parts) {
    if (part.type === 'Assignment') readAssigned(reader, part, unit);
    if (part.type === 'Redirect' || part.type === 'HereString' || part.type === 'HereDoc') readRedirect(reader, part, unit);
    else visit(reader, part, unit);
  }
}

function readAssigned(reader: Reader, { value }: Assignment, unit: number): void {
  for (const word of value.type === 'Word' ? [value] : value.elements) readValue(reader, argOf(word), unit);
}

// ------------------------------------------------------------------ redirects and expansions

function readRedirect(reader: Reader, redirect: Redirection, unit: number): void {
  if (redirect.type === 'HereDoc') {
    visit(reader, redirect.body, unit);
    return;
  }
  const { target } = redirect;
  if (target === undefined) return;
  visit(reader, target, unit);
  if (redirect.type === 'HereString') return;
  const arg = argOf(target);
  switch (redirect.operator) {
    case '<':
      addRedirect(reader, arg, 'read', unit);
      return;
    case '<>':
      addRedirect(reader, arg, 'read', unit);
      addRedirect(reader, arg, 'write', unit);
      return;
    case '<&':
    case '>&':
      // To a descriptor, or closing one: no file (spec 6).
      if (/^(?:\d+-?|-)$/.test(arg.text)) return;
      addRedirect(reader, arg, redirect.operator === '>&' ? 'write' : 'read', unit);
      return;
    case '>':
    case '>>':
    case '>|':
    case '&>':
    case '&>>':
      addRedirect(reader, arg, 'write', unit);
  }
}

const NO_PARTS: readonly WordPart[] = [];

/** Scripts inside a word, an assignment, a test or an arithmetic expression. `unit`: whose word it is, -1 when no command's. */
function visit(reader: Reader, node: SyntaxNode, unit: number): void {
  switch (node.type) {
    case 'Word':
    case 'DoubleQuoted': {
      // The usual parts without a detour over the general walk.
      for (const part of node.parts ?? NO_PARTS) {
        if (part.type === 'CommandExpansion' || part.type === 'ProcessSubstitution') {
          if (part.script !== undefined) visit(reader, part.script, unit);
        } else if (part.type !== 'Literal' && part.type !== 'SingleQuoted' && part.type !== 'SimpleExpansion') visit(reader, part, unit);
      }
      return;
    }
    case 'Script': {
      const { wrappedBy, source } = reader;
      inSubshell(reader, () => readScript(reader, node));
      reader.wrappedBy = wrappedBy;
      reader.source = source;
      return;
    }
    case 'AnsiCQuoted':
      // A shell without these quotes ends them at the first quote, and runs what follows.
      if (node.text.slice(2, -1).includes("'")) evaluated(reader, node.text, unit, 'another shell would end the quotes earlier');
      return;
    case 'ExtendedGlob':
      // Qualifiers of zsh, such as `*(e:'rm x':)`, run code.
      if (!/^[?*+@!]\([\w.*?|/,@%~-]*\)$/.test(node.text)) evaluated(reader, node.text, unit, 'zsh may run code in the pattern');
      break;
    case 'ParameterExpansion': {
      const { operation } = node;
      if (operation?.type === 'Unknown' || (operation?.type === 'Transform' && operation.operand.text === 'P')) evaluated(reader, node.text, unit);
      break;
    }
    case 'ArithmeticWord':
      if (node.parts === undefined && holdsSubstitution(node.value)) evaluated(reader, node.value, unit);
      break;
    case 'TestUnary':
      if (node.operator === '-v' || node.operator === '-R') visitEvaluated(reader, node.operand, unit);
      break;
    case 'TestBinary':
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) {
        visitEvaluated(reader, node.left, unit);
        visitEvaluated(reader, node.right, unit);
      }
      break;
    default:
  }
  forEachChild(node, (child) => visit(reader, child, unit));
}

/** A literal that an arithmetic evaluation would run: `[[ 'a[$(rm x)]' -eq 0 ]]`. */
function visitEvaluated(reader: Reader, word: Word, unit: number): void {
  const { literal, text } = argOf(word);
  if (literal && holdsSubstitution(text)) evaluated(reader, text, unit);
}

function evaluated(reader: Reader, text: string, index: number, reason = 'a value is evaluated as shell code'): void {
  const unit = reader.units[index];
  if (unit === undefined) addOpaqueUnit(reader, text, reason);
  else makeOpaque(unit, reason);
}
