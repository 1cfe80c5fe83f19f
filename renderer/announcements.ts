// What is read out about the queue: new requests at most every two seconds, summarised; outcomes as they fall. Pure.

import type { Request } from '../shared/model';
import { agentName, outcomeSentence } from '../shared/sentences';

/** New requests are announced at most so often (ux 17). */
export const ANNOUNCE_MS = 2_000;

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const inWords = (count: number): string => NUMBERS[count] ?? String(count);
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** `Two new requests from Claude Code; three waiting.` */
export function arrivalText(fresh: readonly Request[], waiting: number): string {
  const agents = [...new Set(fresh.map((request) => agentName(request.agent)))].join(' and ');
  return `${capital(inWords(fresh.length))} new ${fresh.length === 1 ? 'request' : 'requests'} from ${agents}; ${inWords(waiting)} waiting.`;
}

/** `Allowed by a person.`, or a summary when several fell together. */
export function outcomeText(settled: readonly Request[]): string {
  const texts = settled.flatMap(({ decision }) => (decision === null ? [] : [outcomeSentence(decision)]));
  const [first = ''] = texts;
  return new Set(texts).size <= 1
    ? `${texts.length > 1 ? `${capital(inWords(texts.length))} requests: ` : ''}${first}.`
    : `${capital(inWords(texts.length))} requests were settled.`;
}
