// Remembered answers as a list: what each covers, how long it holds, the request it came from, and Revoke.

import { toast } from 'sonner';
import type { Grant } from '../../shared/model';
import { durationText } from '../../shared/sentences';
import { useCommand } from '../command';
import { useNow } from './clock';
import { Button, FailureNote } from './controls';

const SCOPES: Readonly<Record<Grant['scope'], string>> = {
  timed: 'for a time',
  session: 'this session',
  ticket: 'this ticket',
  project: 'this project',
};

/** Those still in force: what has run out says nothing any more. */
export const inForce = (grants: Iterable<Grant>, nowMs: number): readonly Grant[] =>
  [...grants].filter((grant) => grant.expires_at === null || Date.parse(grant.expires_at) > nowMs);

export function GrantList({ grants }: { readonly grants: readonly Grant[] }) {
  const now = useNow();
  const { run, failure, blocked } = useCommand();
  const shown = inForce(grants, now);
  if (shown.length === 0) return <p className="text-quiet">None.</p>;
  return (
    <>
      <FailureNote failure={failure} />
      <ul>
        {shown.map((grant) => (
          <li key={grant.id} className="flex flex-wrap items-center gap-x-3 border-t border-hair py-1">
            <span className={`w-12 ${grant.action === 'deny' ? 'text-deny' : 'text-allow'}`}>{grant.action === 'deny' ? 'Deny' : 'Allow'}</span>
            <span className="min-w-0 flex-1">
              <code className="wrap-anywhere">
                {grant.surface} {grant.pattern}
              </code>
              {grant.note === '' ? null : <span className="block break-words text-quiet">{grant.note}</span>}
            </span>
            <span className="text-quiet tabular-nums">
              {grant.expires_at === null ? SCOPES[grant.scope] : `${durationText(Date.parse(grant.expires_at) - now)} left`}
            </span>
            <Button
              size="small"
              aria-label={`Revoke ${grant.surface} ${grant.pattern}`}
              blocked={blocked}
              onClick={() =>
                void run('grant.revoke', { id: grant.id }).then(({ ok }) => ok && toast.success('Revoked. The next such call is judged without it.'))
              }
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
