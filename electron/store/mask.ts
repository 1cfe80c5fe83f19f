// Keeps secrets and bulk out of what is logged, exported or shown to a reviewer (spec 2). Owns what counts as a secret in
// text and what a shortened text says of itself. The record that a decision is made from is never touched by it.
//
// Formats of known providers come from secretlint's recommended rules; what they leave out and what shells, headers and
// key names give away is in the table below.

import { createHash } from 'node:crypto';
import { rules as secretlintRules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Json } from '../../shared/model';

export interface Masked<T> {
  readonly value: T;
  /** How many secrets were masked. */
  readonly masked: number;
  /** How many texts or lists were shortened. */
  readonly shortened: number;
}

type Span = readonly [start: number, end: number, kind: string];

/** The part of secretlint's rule interface that its rules use to report; everything they do is synchronous. */
interface SecretlintReport {
  readonly range: readonly [number, number];
}
interface SecretlintRule {
  readonly meta: { readonly id: string };
  create(
    context: { report(found: SecretlintReport): void; ignore(): void; createTranslator(): () => object; readonly sharedOptions: object },
    options: object,
  ): { file?(source: { readonly content: string; readonly filePath: undefined; readonly ext: string; readonly contentType: 'text' }): unknown };
}

let found: [number, number, string][] = [];
const DETECTORS = (secretlintRules as readonly SecretlintRule[])
  // Comments that switch detection off are for people's repositories; text of an agent must not switch off ours.
  .filter((rule) => !rule.meta.id.endsWith('filter-comments'))
  .map((rule) => {
    const kind = rule.meta.id.replace(/^.*secretlint-rule-/, '');
    const report = ({ range }: SecretlintReport): void => {
      found.push([range[0], range[1], kind]);
    };
    return rule.create({ report, ignore: () => undefined, createTranslator: () => () => ({}), sharedOptions: {} }, {});
  });

const NAME = `[A-Za-z0-9_.-]{0,64}(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)`;
const WORD = String.raw`(?:string|number|boolean|unknown|any|null|undefined|true|false|none|None|nil)\b`;

interface Pattern {
  readonly kind: string;
  /** The first group is what is masked; without one it is the whole match. Bounded everywhere, so linear in the text. */
  readonly pattern: RegExp;
  /** A cheap question that comes first. */
  readonly onlyIf?: RegExp;
}

const NAMED = /passw|passphrase|secret|token|key|credential/i;
const PATTERNS: readonly Pattern[] = [
  { kind: 'private key', pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----([^-]{0,20000})/dg },
  { kind: 'web token', pattern: /\beyJ[\w-]{8,8192}\.[\w-]{4,8192}\.[\w-]{4,8192}/dg },
  { kind: 'aws', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/dg },
  { kind: 'google', pattern: /\bAIza[\w-]{35}/dg },
  { kind: 'google', pattern: /\bya29\.[\w-]{20,2048}/dg },
  { kind: 'stripe', pattern: /\b(?:[rsp]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,256}/dg },
  { kind: 'api key', pattern: /\bsk-[\w-]{20,256}/dg },
  { kind: 'digitalocean', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/dg },
  { kind: 'pypi', pattern: /\bpypi-[\w-]{32,1024}/dg },
  { kind: 'age', pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{50,64}\b/dg },
  { kind: 'telegram', pattern: /\b\d{8,10}:AA[\w-]{32,36}(?![\w-])/dg },
  { kind: 'authorization', pattern: /\bbearer\s{1,4}([\w.~+/=-]{16,8192})/dgi },
  {
    kind: 'authorization',
    pattern:
      /\b(?:proxy-)?authorization\s{0,4}[:=]\s{0,4}((?:bearer|basic|digest|token|negotiate|aws4-hmac-sha256)\s[^\r\n'"]{4,8192}|[^\s'"]{16,8192})/dgi,
  },
  { kind: 'authorization', pattern: /\b(?:x-api-key|x-auth-token|private-token)\s{0,4}:\s{0,4}([^\s'"]{8,8192})/dgi },
  { kind: 'cookie', pattern: /\b(?:set-)?cookie\s{0,4}:\s{0,4}([^\s'"=]{1,256}=[^\r\n'"]{1,8192})/dgi },
  { kind: 'url', pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@'"]{0,256}:([^\s/@'"]{1,256})@/dgi },
  { kind: 'url', pattern: /[?&](?:access_token|api_?key|key|token|sig|signature|password|secret|auth|code)=([^&\s'"#]{4,4096})/dgi },
  // NAME=value as shells and .env files have it. `$OTHER` and `$(command)` name a secret and are none.
  {
    kind: 'assignment',
    onlyIf: NAMED,
    pattern: new RegExp(
      String.raw`(?<![\w.-])${NAME}=(?!${WORD})("(?!\$)[^"\r\n]{1,4096}"|'[^'\r\n]{1,4096}'|[^\s'"$;&|<>(){}\x60,]{3,4096})`,
      'dgi',
    ),
  },
  // "name": "value", name = "value", name: 'value', also inside quoted JSON.
  {
    kind: 'assignment',
    onlyIf: NAMED,
    pattern: new RegExp(String.raw`(?<![\w.-])${NAME}\\{0,2}["']?\s{0,4}[:=]\s{0,4}\\{0,2}("(?!\$)[^"\r\n]{3,4096}"|'[^'\r\n]{3,4096}')`, 'dgi'),
  },
  // --password value, --token=value.
  {
    kind: 'option',
    onlyIf: NAMED,
    pattern: new RegExp(String.raw`(?<!\S)--?${NAME}[ =](?![-$])("(?!\$)[^"]{1,4096}"|'[^']{1,4096}'|[^\s'"$;&|<>]{1,4096})`, 'dgi'),
  },
  { kind: 'option', pattern: /\bcurl\b[^\n|;]{0,200}?\s(?:-u|--user)[ =]?["']?[^\s:'"$]{1,256}:([^\s'"$]{1,256})/dg },
  { kind: 'option', pattern: /\b(?:mysql|mysqldump|mariadb)\b[^\n|;]{0,200}?\s-p([^\s'"$]{1,256})/dg },
  { kind: 'option', pattern: /\bsshpass\s{1,4}-p\s{0,4}(\S{1,256})/dg },
];

/** Keys of free-form objects whose values are secrets whatever they look like. */
const SECRET_KEY =
  /(?:^|[_.-])(?:passw(?:or)?d|pwd|passphrase|secret|token|api_?key|apikey|access_?key|private_?key|client_?secret|authorization|cookie|credentials?)$/i;

const knownKeys = new Map<string, boolean>();
const MAX_KNOWN_KEYS = 1000;

/** The same few key names come again and again, so what was found out about one is kept. */
function isSecretKey(key: string): boolean {
  const known = knownKeys.get(key);
  if (known !== undefined) return known;
  const isSecret = key.length <= 200 && SECRET_KEY.test(key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('-', '_'));
  if (knownKeys.size < MAX_KNOWN_KEYS) knownKeys.set(key, isSecret);
  return isSecret;
}

const SEPARATOR = '\n\u0001\n';
/** Nothing shorter is taken for a secret by its form. */
const MIN_SECRET_CHARS = 8;
/** Characters that secrets are made of: a report that ends in the middle of a run of them is widened to the whole run. */
const RUN = /[\w+/=~.-]/;

function spansIn(text: string): readonly Span[] {
  found = [];
  const source = { content: text, filePath: undefined, ext: '', contentType: 'text' } as const;
  for (const detector of DETECTORS) detector.file?.(source);
  const spans: Span[] = found.map(([start, end, kind]) => [start, endOfRun(text, end), kind]);
  found = [];
  for (const { kind, pattern, onlyIf } of PATTERNS) {
    if (onlyIf && !onlyIf.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? [match.index, match.index + match[0].length];
      if (end > start) spans.push([start, end, kind]);
    }
  }
  return spans;
}

function endOfRun(text: string, end: number): number {
  let at = end;
  while (at < text.length && RUN.test(text.charAt(at))) at += 1;
  return at;
}

/** Spans in order, those that overlap joined into one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = result.at(-1);
    if (last && span[0] < last[1]) result[result.length - 1] = [last[0], Math.max(last[1], span[1]), last[2]];
    else result.push(span);
  }
  return result;
}

function replaceSpans(text: string, spans: readonly Span[]): Masked<string> {
  let value = '';
  let at = 0;
  const ordered = joined(spans);
  for (const [start, end, kind] of ordered) {
    value += `${text.slice(at, start)}[masked: ${kind}]`;
    at = end;
  }
  return { value: value + text.slice(at), masked: ordered.length, shortened: 0 };
}

/** Replaces every secret in one text. */
export const maskText = (text: string): Masked<string> => replaceSpans(text, spansIn(text));

export interface Limits {
  readonly textChars: number;
  readonly listItems: number;
}

/** Nesting that is followed. */
export const MAX_DEPTH = 64;
/** Record fields that hold what an agent sent or a program gave: free-form, so key names count there. */
const FREE_FORM = new Set(['input', 'edited_input', 'result', 'facts', 'homeostat']);
/** A secret that the cut would split is still seen whole, because twice of what is kept is looked at. */
const scannedPart = (text: string, limits: Limits): string => text.slice(0, limits.textChars * 2);

const isList = (value: readonly Json[] | { readonly [key: string]: Json }): value is readonly Json[] => Array.isArray(value);
/** An argv shows what its words mean only when they are read together: `--password`, `hunter2`. */
const isArgv = (value: readonly Json[]): value is readonly string[] => value.length > 1 && value.every((item) => typeof item === 'string');
const argvText = (words: readonly string[], limits: Limits): string => scannedPart(words.join(' '), limits);

/**
 * A copy of `json` for the log: secrets replaced, long texts cut with their length and SHA-256, long lists cut, deep nesting
 * left out. Object keys stay as they are. `freeForm`: key names such as `password` decide as well.
 */
export function maskJson(json: Json, limits: Limits, freeForm = false): Masked<Json> {
  const found = survey(json, limits, freeForm);
  const known = found.secrets;
  if (!known && !found.isBulky) return { value: json, masked: 0, shortened: 0 };
  let masked = 0;
  let shortened = 0;

  const text = (original: string): string => {
    const result = known === null ? null : replaceSpans(scannedPart(original, limits), known.spans(scannedPart(original, limits)));
    masked += result?.masked ?? 0;
    if (original.length <= limits.textChars) return result?.value ?? original;
    shortened += 1;
    const hash = createHash('sha256').update(original).digest('hex');
    return `${(result?.value ?? original).slice(0, limits.textChars / 2)}… [shortened: ${original.length} characters, sha256 ${hash}]`;
  };
  const walk = (value: Json, depth: number, free: boolean, secret: boolean): Json => {
    if (typeof value === 'string' || typeof value === 'number') {
      if (!secret || value === '') return typeof value === 'string' ? text(value) : value;
      masked += 1;
      return '[masked: key name]';
    }
    if (value === null || typeof value === 'boolean') return value;
    if (depth >= MAX_DEPTH) {
      shortened += 1;
      return '[left out: nested too deep]';
    }
    if (isList(value)) {
      const kept = value.slice(0, limits.listItems).map((item) => walk(item, depth + 1, free, secret));
      if (value.length <= limits.listItems) return kept;
      shortened += 1;
      return [...kept, `[left out: ${value.length - limits.listItems} more]`];
    }
    const entries = Object.entries(value);
    if (entries.length > limits.listItems) shortened += 1;
    return Object.fromEntries(
      entries
        .slice(0, limits.listItems)
        .map(([key, item]) => [key, walk(item, depth + 1, free || FREE_FORM.has(key), secret || (free && isSecretKey(key)))]),
    );
  };
  const value = walk(json, 0, freeForm, false);
  return { value, masked, shortened };
}

interface Secrets {
  /** What to mask in one text: what looks like a secret there, and values that were found to be secret elsewhere. */
  spans(text: string): readonly Span[];
}

/**
 * What is to be done. Nothing, in most cases: one walk, and one pass over all texts together, decide that, which is what
 * makes it cheap.
 */
function survey(json: Json, limits: Limits, freeForm: boolean): { readonly secrets: Secrets | null; readonly isBulky: boolean } {
  const texts = new Set<string>();
  const values = new Set<string>();
  let isBulky = false;
  let hasSecretKeys = false;
  const visit = (value: Json, depth: number, free: boolean, secret: boolean): void => {
    if (typeof value !== 'object' || value === null) {
      if (typeof value === 'string' && value.length > limits.textChars) isBulky = true;
      if (typeof value === 'string' && value.length >= MIN_SECRET_CHARS) texts.add(scannedPart(value, limits));
      if (secret && value !== null && typeof value !== 'boolean' && value !== '') {
        hasSecretKeys = true;
        if (typeof value === 'string') values.add(value);
      }
      return;
    }
    if (depth >= MAX_DEPTH) {
      isBulky = true;
      return;
    }
    let count = 0;
    if (isList(value)) {
      if (isArgv(value)) texts.add(argvText(value, limits));
      for (const item of value) {
        if (count++ === limits.listItems) break;
        visit(item, depth + 1, free, secret);
      }
    } else {
      for (const key of Object.keys(value)) {
        if (count++ === limits.listItems) break;
        visit(value[key] ?? null, depth + 1, free || FREE_FORM.has(key), secret || (free && isSecretKey(key)));
      }
    }
    if (count > limits.listItems) isBulky = true;
  };
  visit(json, 0, freeForm, false);
  return { secrets: secretsIn(texts, values, hasSecretKeys), isBulky };
}

function secretsIn(texts: ReadonlySet<string>, values: Set<string>, hasSecretKeys: boolean): Secrets | null {
  const spansByText = new Map<string, readonly Span[]>();
  let offset = 0;
  const all = joined(spansIn([...texts].join(SEPARATOR)));
  for (const text of texts) {
    const end = offset + text.length;
    const inside = all.filter((span) => span[0] < end && span[1] > offset);
    const spans = inside.map((span): Span => [Math.max(0, span[0] - offset), Math.min(text.length, span[1] - offset), span[2]]);
    if (spans.length > 0) spansByText.set(text, spans);
    for (const [from, to] of spans) values.add(text.slice(from, to).replace(/^(["'])(.*)\1$/s, '$2'));
    offset = end + SEPARATOR.length;
  }
  if (values.size === 0 && !hasSecretKeys) return null;
  // A value that gave itself away once is masked wherever it stands, however short of context.
  const repeated = [...values].slice(0, MAX_REPEATED);
  return {
    spans(text) {
      const spans = [...(spansByText.get(text) ?? [])];
      for (const value of repeated) {
        if (value.length < MIN_REPEATED_CHARS && value !== text) continue;
        for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) spans.push([at, at + value.length, 'repeated']);
      }
      return spans;
    },
  };
}

/** Shorter values are looked for as whole texts only: they would mask words that merely look the same. */
const MIN_REPEATED_CHARS = 6;
const MAX_REPEATED = 100;
