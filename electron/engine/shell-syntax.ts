// Nodes of the syntax tree as arguments and input of a program: what stands in a simple command, without looking at what it does.

import type { Assignment, Command, HereDoc, Redirection, Word } from 'unbash';
import type { Input } from './shell-reader';
import { type Arg, argOf } from './shell-words';

export const argumentOf = (argument: Word | Assignment): Arg => (argument.type === 'Word' ? argOf(argument) : assignmentOf(argument));

export function assignmentOf(node: Assignment): Arg {
  const { value } = node;
  if (value.type === 'ArrayValue')
    return { text: node.text, literal: value.elements.every((element) => argOf(element).literal), splits: false, word: null };
  const { literal, text } = argOf(value);
  const head = node.index === undefined ? node.name : `${node.name}[${node.index.text}]`;
  return { text: `${head}${node.append === true ? '+=' : '='}${text}`, literal, splits: false, word: null };
}

/** What it reads from its standard input, when the text shows it: the last heredoc or here-string. */
export function inputOf({ prefix, suffix }: Command): Input | null {
  for (const parts of [suffix, prefix]) {
    for (let at = parts.length - 1; at >= 0; at--) {
      const part = parts[at];
      if (part === undefined || part.type === 'Word' || part.type === 'Assignment' || !isInput(part)) continue;
      if (part.type === 'HereDoc') return heredocInput(part);
      const arg = part.type === 'HereString' && part.target !== undefined ? argOf(part.target) : null;
      return arg === null ? null : { text: arg.text, literal: arg.literal };
    }
  }
  return null;
}

const isInput = (redirect: Redirection): boolean =>
  redirect.type === 'Redirect'
    ? redirect.operator.startsWith('<')
    : redirect.descriptor === undefined || (redirect.descriptor.type === 'FileDescriptor' && redirect.descriptor.value === 0);

function heredocInput(node: HereDoc): Input {
  const { text, parts } = node.body;
  if (node.delimiter?.quoted === true) return { text, literal: true };
  const literal = parts === undefined || parts.every((part) => part.type === 'Literal');
  return { text: text.replace(/\\(?:\n|([$`\\]))/g, '$1'), literal };
}
