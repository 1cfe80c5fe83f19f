// Text in which nothing hides: control, zero-width and bidirectional characters are drawn as their code, and blanks at the
// end of a line as dots, so that what is read is what will run.

/** Unicode's controls and formats (bidirectional marks among them), separators other than the blank, and letters drawn as nothing. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}\u00a0\u115f\u1160\u3164\uffa0]/u;
const SHOWN = new Set(['\n', '\t']);
const SPLIT = new RegExp(`(${HIDDEN.source}| +(?=\\n|$))`, 'u');
const SPLIT_PART = new RegExp(`(${HIDDEN.source}| +(?=\\n))`, 'u');

/** `isPart`: the text goes on after it, so blanks at its end are not at the end of a line. */
export function VisibleText({ text, isPart = false }: { readonly text: string; readonly isPart?: boolean }) {
  const split = isPart ? SPLIT_PART : SPLIT;
  if (!split.test(text)) return text;
  return (
    <>
      {text.split(split).map((part, index) =>
        index % 2 === 0 || SHOWN.has(part) ? (
          part
        ) : part.startsWith(' ') ? (
          <span key={index} className="text-quiet" title="Blanks at the end of the line">
            {'·'.repeat(part.length)}
          </span>
        ) : (
          <mark key={index} className="rounded bg-removed px-0.5 text-deny" title="A character that does not show">
            {codeOf(part)}
          </mark>
        ),
      )}
    </>
  );
}

const codeOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
