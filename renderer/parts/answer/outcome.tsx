// What stands where the answers were, once a request is settled: the decision, by whom or what, and no buttons but to put it
// away.

import type { Request } from '../../../shared/model';
import { actorName, outcomeSentence } from '../../../shared/sentences';
import { dismiss, isUnanswered, useInbox } from '../../inbox-view';
import { useKey } from '../../keyboard';
import { Button, Words } from '../controls';

export const outcomeTone = (request: Request): string => {
  switch (request.decision?.status) {
    case 'allowed':
      return 'text-allow';
    case 'denied':
      return 'text-deny';
    case 'blocked':
    case 'staged':
      return 'text-care';
    case undefined:
      return 'text-quiet';
  }
};

export function Outcome({ request }: { readonly request: Request }) {
  const { decision } = request;
  const unanswered = useInbox((state) => state.lingering.filter(isUnanswered).length);
  const isKept = useInbox((state) => state.lingering.some((one) => one.id === request.id)) && isUnanswered(request);
  useKey('back', () => dismiss(request.id), isKept);
  if (decision === null) return null;
  const by = decision.cause === 'human' ? `${actorName(decision.resolved_by)}, ` : '';
  return (
    <div className="grid shrink-0 gap-1 border-t border-hair bg-panel px-4 py-3 wide:px-6">
      <p>
        <span className={`font-semibold ${outcomeTone(request)}`}>
          {isUnanswered(request) && decision.cause === 'withdrawn' ? 'The agent stopped waiting.' : `${outcomeSentence(decision)}.`}
        </span>{' '}
        <span className="text-quiet">
          {by}
          <time dateTime={decision.resolved_at}>{new Date(decision.resolved_at).toLocaleTimeString('en-GB')}</time>
          {decision.scope === null || decision.scope === 'once' ? '' : `, ${SCOPE_WORDS[decision.scope]}`}
        </span>
      </p>
      {decision.note === null ? null : <p className="break-words">Note: {decision.note}</p>}
      {decision.message === '' ? null : (
        <p className="break-words text-quiet">
          The agent is told: <Words text={decision.message} />
        </p>
      )}
      {isKept ? (
        <div className="flex gap-2">
          <Button keyCap="Esc" onClick={() => dismiss(request.id)}>
            Dismiss
          </Button>
          {unanswered > 1 ? (
            <Button onClick={() => useInbox.setState(({ lingering }) => ({ lingering: lingering.filter((one) => !isUnanswered(one)) }))}>
              Dismiss all {unanswered}
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

const SCOPE_WORDS = {
  timed: 'for a time',
  session: 'for this session',
  ticket: 'for this ticket',
  project: 'for this project',
  always: 'always, as a rule',
} as const;
