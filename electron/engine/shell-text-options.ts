// Options whose value is a command, whatever the program: finds them and hands out the text.

import { found, type Inner, PLAIN, type ProgramContext, type ProgramReading, shellText } from './shell-program';
import type { Arg } from './shell-words';

/** Every option that `names` matches, glued to its value or not; the value is shell text. */
export function withTextOptions(args: readonly Arg[], start: number, names: RegExp, context: ProgramContext): ProgramReading {
  const inner: Inner[] = [];
  const notPaths: number[] = [];
  for (let at = start; at < args.length; at++) {
    const arg = args[at];
    if (arg === undefined || !arg.text.startsWith('-')) continue;
    const equals = arg.text.indexOf('=');
    const name = equals > 0 && arg.text.startsWith('--') ? arg.text.slice(0, equals) : arg.text;
    if (names.test(name) && equals > 0) {
      inner.push({
        ...shellText(arg, context),
        form: 'text',
        text: arg.text.slice(equals + 1).replace(/^exec=/, ''),
        literal: arg.literal,
        context,
        place: 'here',
      });
      notPaths.push(at);
    } else if (names.test(name)) {
      const value = args[at + 1];
      if (value === undefined) continue;
      inner.push(shellText(value, context));
      notPaths.push(++at);
    } else if (arg.text[1] !== '-' && clusterEnd(arg.text, names) > 0) {
      inner.push({ form: 'text', text: arg.text.slice(clusterEnd(arg.text, names)), literal: arg.literal, context, place: 'here' });
      notPaths.push(at);
    }
  }
  const isLiteral = inner.every((one) => one.form !== 'text' || one.literal);
  return inner.length === 0 ? PLAIN : found({ opaque: isLiteral ? null : 'the command in an option is not literal', inner, notPaths });
}

/** Length of the shortest beginning of clustered short options that `names` takes and that a value follows; 0 when there is none. */
function clusterEnd(text: string, names: RegExp): number {
  for (let end = 2; end < text.length; end++) if (names.test(text.slice(0, end))) return end;
  return 0;
}
