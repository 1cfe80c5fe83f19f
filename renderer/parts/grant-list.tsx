// Remembered answers as a list: what each covers, how long, and Revoke.

import { useState } from 'react';
import { toast } from 'sonner';
import type { Failure } from '../../shared/failure';
import type { Grant } from '../../shared/model';
import { durationText } from '../../shared/sentences';
import { bridge } from '../store';
import { useNow } from './clock';
import { Button, FailureNote } from './controls';

const SCOPES: Readonly<Record<Grant['scope'], string>> = {
  timed: 'for a time',
  session: 'this session',
  ticket: 'this ticket',
  project: 'this project',
};

export function GrantList({ grants }: { readonly grants: readonly Grant[] }) {
  const now = useNow();
  const [failure, setFailure] = useState<Failure | null>(null);
  if (grants.length === 0) return <p className="text-quiet">None.</p>;
  async function revoke(grant: Grant): Promise<void> {
    const result = await bridge.invoke('grant.revoke', { id: grant.id });
    setFailure(result.ok ? null : result.failure);
    if (result.ok) toast.success('Revoked. The next such call asks again.');
  }
  return (
    <>
      <FailureNote failure={failure} />
      <ul className="grid gap-1">
        {grants.map((grant) => (
          <li key={grant.id} className="flex flex-wrap items-center gap-3 border-b border-hair py-1">
            <span className={grant.action === 'deny' ? 'text-deny' : 'text-allow'}>{grant.action === 'deny' ? 'Deny' : 'Allow'}</span>
            <code className="min-w-0 flex-1 break-all">
              {grant.surface} {grant.pattern}
            </code>
            <span className="text-quiet">
              {grant.expires_at === null ? SCOPES[grant.scope] : `${durationText(Date.parse(grant.expires_at) - now)} left`}
            </span>
            <Button onClick={() => void revoke(grant)}>Revoke</Button>
          </li>
        ))}
      </ul>
    </>
  );
}
