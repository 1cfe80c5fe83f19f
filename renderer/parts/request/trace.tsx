// A trace to be read from top to bottom: each step with its number, what it compared, and what came of it. The step that
// decided stands out.

import type { TraceStep } from '../../../shared/model';
import { Words } from '../controls';

const OUTCOMES: Readonly<Record<TraceStep['outcome'], { readonly word: string; readonly tone: string }>> = {
  allow: { word: 'allow', tone: 'text-allow' },
  deny: { word: 'deny', tone: 'text-deny' },
  require: { word: 'ask', tone: 'text-care' },
  stage: { word: 'stage', tone: 'text-care' },
  pass: { word: 'pass', tone: 'text-quiet' },
  skipped: { word: 'not run', tone: 'text-quiet' },
};

export function Trace({ steps }: { readonly steps: readonly TraceStep[] }) {
  if (steps.length === 0) return <p className="text-quiet">No trace was kept.</p>;
  const hasChecks = new Set(steps.map((step) => step.check)).size > 2;
  return (
    <table className="w-full">
      <caption className="sr-only">Steps of the gate, in order</caption>
      <thead>
        <tr className="text-left text-quiet">
          <th scope="col" className="w-8 pr-2 text-right font-normal">
            Step
          </th>
          <th scope="col" className="w-16 px-2 font-normal">
            Result
          </th>
          <th scope="col" className="px-2 font-normal">
            Compared
          </th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step, index) => {
          const outcome = OUTCOMES[step.outcome];
          const decides = step.outcome !== 'pass' && step.outcome !== 'skipped';
          return (
            <tr key={index} className={decides ? 'bg-sunk align-top' : 'align-top'}>
              <td className="py-0.5 pr-2 text-right text-quiet tabular-nums">{step.step}</td>
              <td className={`px-2 py-0.5 whitespace-nowrap ${outcome.tone} ${decides ? 'font-semibold' : ''}`}>{outcome.word}</td>
              <td className="px-2 py-0.5 break-words">
                <span className="text-quiet">{step.name}: </span>
                {hasChecks && step.check !== undefined ? `part ${step.check + 1}, ` : ''}
                <Words text={step.compared} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
