// Brace expansion of text that holds no quotes and no expansions: `{a,b}/c` is `a/c` and `b/c`, `{1..3}` is `1`, `2` and `3`.

/** Null when there are more than `max`, or when the text holds what a shell would have to be asked about. */
export function expandBraces(text: string, max: number): readonly string[] | null {
  if (/["'`$\\]/.test(text)) return null;
  const found = expand(text, max, 0);
  return found === null || found.length > max ? null : found;
}

const MAX_DEPTH = 16;

function expand(text: string, max: number, depth: number): readonly string[] | null {
  if (depth > MAX_DEPTH) return null;
  for (let open = text.indexOf('{'); open >= 0; open = text.indexOf('{', open + 1)) {
    const close = closing(text, open);
    if (close < 0) continue;
    const inner = text.slice(open + 1, close);
    const choices = choicesOf(inner, max);
    if (choices === null) return null;
    if (choices.length === 0) continue;
    const tails = expand(text.slice(close + 1), max, depth + 1);
    if (tails === null) return null;
    const found: string[] = [];
    for (const choice of choices) {
      const heads = expand(choice, max, depth + 1);
      if (heads === null || found.length + heads.length * tails.length > max) return null;
      for (const head of heads) for (const tail of tails) found.push(text.slice(0, open) + head + tail);
    }
    return found;
  }
  return [text];
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

/** Choices between the braces; empty when they are no brace expansion, such as `{a}`. */
function choicesOf(inner: string, max: number): readonly string[] | null {
  const choices: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === '{') depth++;
    else if (inner[at] === '}') depth--;
    else if (inner[at] === ',' && depth === 0) {
      choices.push(inner.slice(start, at));
      start = at + 1;
    }
  }
  if (choices.length > 0) return [...choices, inner.slice(start)];
  return sequence(inner, max);
}

function sequence(inner: string, max: number): readonly string[] | null {
  const match = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(inner);
  if (match === null) return [];
  const [, first = '', last = '', by] = match;
  const isNumber = /\d/.test(first);
  if (isNumber !== /\d/.test(last)) return [];
  const from = isNumber ? Number(first) : first.charCodeAt(0);
  const to = isNumber ? Number(last) : last.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  if (Math.abs(to - from) / step + 1 > max) return null;
  const width = isNumber && /^-?0\d|^-?0\d/.test(first) ? first.length : 0;
  const found: string[] = [];
  for (let at = from; from <= to ? at <= to : at >= to; at += from <= to ? step : -step) {
    found.push(isNumber ? String(at).padStart(width, '0') : String.fromCharCode(at));
  }
  return found;
}
