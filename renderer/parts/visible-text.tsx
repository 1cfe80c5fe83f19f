// Text in which nothing hides: control, zero-width and bidirectional characters are drawn as their code, so that what is
// read is what will run.

/** Unicode's controls and formats (bidirectional marks among them), separators other than the blank, and letters drawn as nothing. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}\u00a0\u115f\u1160\u3164\uffa0]/u;
const SHOWN = new Set(['\n', '\t']);

export function VisibleText({ text }: { readonly text: string }) {
  if (!HIDDEN.test(text)) return text;
  const parts = text.split(new RegExp(`(${HIDDEN.source})`, 'u'));
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 || SHOWN.has(part) ? (
          part
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
