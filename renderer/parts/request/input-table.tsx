// The input of a call as a table of names and values, whole.

import type { Json, JsonObject } from '../../../shared/model';
import { SentText } from './sent-text';

export function InputTable({ input, without = [] }: { readonly input: JsonObject; readonly without?: readonly string[] }) {
  const entries = Object.entries(input).filter(([name]) => !without.includes(name));
  if (entries.length === 0) return without.length > 0 ? null : <p className="text-quiet">No input.</p>;
  return (
    <table className="w-full table-fixed" aria-label="Input of the call">
      <colgroup>
        <col className="w-28 wide:w-36" />
        <col />
      </colgroup>
      <tbody>
        {entries.map(([name, value]) => (
          <tr key={name}>
            <th scope="row" className="py-1.5 pr-3 text-left align-top font-normal wrap-anywhere text-quiet">
              {name}
            </th>
            <td className="py-0.5">
              <SentText text={textOf(value)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
