// Text the agent sent, whole: wrapped, with nothing hidden in it. A long one begins folded, and says how much more there is.

import { useState } from 'react';
import { Button } from '../controls';
import { VisibleText } from '../visible-text';

/** Lines shown before the rest is asked for. */
const FOLDED_LINES = 60;
const FOLDED_CHARS = 6_000;

export function SentText({ text }: { readonly text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const folded = isOpen ? text : beginning(text);
  const rest = text.length - folded.length;
  const lines = rest === 0 ? 0 : text.split('\n').length;
  return (
    <div className="grid gap-1">
      <pre className="sent">
        <VisibleText text={folded} />
        {rest === 0 ? null : <span className="text-quiet"> …</span>}
      </pre>
      {rest === 0 ? null : (
        <div>
          <Button size="small" onClick={() => setIsOpen(true)}>
            {lines > FOLDED_LINES ? `Show all ${lines.toLocaleString('en')} lines` : `Show the other ${rest.toLocaleString('en')} characters`}
          </Button>
        </div>
      )}
    </div>
  );
}

function beginning(text: string): string {
  let end = -1;
  for (let line = 0; line < FOLDED_LINES; line += 1) {
    const next = text.indexOf('\n', end + 1);
    if (next === -1) {
      end = text.length;
      break;
    }
    end = next;
  }
  // A few more are not worth a button.
  const cut = Math.min(end, FOLDED_CHARS);
  return text.length - cut < 200 ? text : text.slice(0, cut);
}
