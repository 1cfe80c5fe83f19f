// Why a person is asked, and what it is about: the rule that asked, the session and its work, and what it did just before.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Request } from '../../../shared/model';
import { actionSentence, outcomeSentence } from '../../../shared/sentences';
import { justBefore, reasonsOf } from '../../reasons';
import { useProjection } from '../../store';
import { Fact, Facts, Words } from '../controls';

const SHOWN_BEFORE = 3;

export function Why({ request }: { readonly request: Request }) {
  const { rules, groups, recent } = useProjection((projection) => projection);
  const session = useProjection((projection) => projection.sessions.get(request.session_id));
  const ticket = useProjection((projection) => (session?.ticket_id ? projection.tickets.get(session.ticket_id) : undefined));
  const project = useProjection((projection) => (session?.project_id ? projection.projects.get(session.project_id) : undefined));
  const reasons = reasonsOf(request.trace ?? request.decision?.trace ?? [], { rules, groups });
  const before = justBefore(recent, request, SHOWN_BEFORE);
  return (
    <section aria-labelledby="why" className="grid gap-1">
      <h3 id="why">{request.decision === null ? 'Why you are asked' : 'What it was about'}</h3>
      <Facts>
        {request.decision !== null ? null : (
          <Fact name={reasons.length === 1 ? 'Reason' : 'Reasons'}>
            <ul>
              {reasons.map((reason) => (
                <li key={`${reason.rule?.id}${reason.text}`}>
                  {reason.rule === null ? null : (
                    <>
                      <TextLink to={`/groups/${reason.rule.groupId}`}>{reason.rule.label}</TextLink>:{' '}
                    </>
                  )}
                  <Words text={reason.text} />
                  {reason.parts > 1 ? <span className="text-quiet"> ({reason.parts} parts of the call)</span> : null}
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name="Session">
          <TextLink to={`/sessions/${request.session_id}`}>{session?.title || session?.root || request.session_id}</TextLink>
          {session?.root != null && session.title !== '' ? <span className="text-quiet"> in {session.root}</span> : null}
          {request.cwd !== null && request.cwd !== session?.root ? <span className="text-quiet"> at {request.cwd}</span> : null}
        </Fact>
        {project === undefined ? null : (
          <Fact name={ticket === undefined ? 'Project' : 'Ticket'}>
            {ticket === undefined ? (
              <TextLink to={`/projects/${project.id}`}>{project.name}</TextLink>
            ) : (
              <>
                <TextLink to={`/projects/${ticket.id}`}>{ticket.title}</TextLink>
                <span className="text-quiet"> in {project.name}</span>
              </>
            )}
          </Fact>
        )}
        {before.length === 0 ? null : (
          <Fact name="Just before">
            <ul>
              {before.map((one) => (
                <li key={one.id} className="break-words">
                  {actionSentence(one, session)}
                  {one.decision === null ? null : <span className="text-quiet">, {outcomeSentence(one.decision).toLowerCase()}</span>}
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
    </section>
  );
}

export const TextLink = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <Link href={to} className="break-words text-accent underline decoration-1 underline-offset-2">
    {children}
  </Link>
);
