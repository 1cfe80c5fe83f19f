// Sessions: who is at work, what was answered for them, and the settings each runs under.

import { useMemo, useState } from 'react';
import { toast } from 'sonner';
import type { SessionView } from '../../shared/model';
import { agentName, durationText } from '../../shared/sentences';
import { answerAll } from '../answer';
import { useCommand } from '../command';
import { goTo } from '../guard';
import { useChosen } from '../parts/chosen';
import { useNow } from '../parts/clock';
import { OwnedContext } from '../parts/context/owned-context';
import { Button, Empty, Fact, Facts, FailureNote, Notice, Section, Words } from '../parts/controls';
import { Confirm } from '../parts/dialog';
import { GrantList, inForce } from '../parts/grant-list';
import { ListPane } from '../parts/list-pane';
import { TextLink } from '../parts/request/why';
import { Detail, Page, TwoPanes } from '../parts/screen';
import { BudgetMeters, Drafted, ModeField, Steering, Timeline } from '../parts/session-parts';
import { sessionRows, stateWord } from '../session-rows';
import { projectionNow, useProjection } from '../store';

export function SessionsScreen() {
  const sessions = useProjection((projection) => projection.sessions);
  const isHeld = useProjection((projection) => projection.settings.questions_held);
  const rows = useMemo(() => sessionRows(sessions.values()), [sessions]);
  const [chosenId, choose] = useChosen('/sessions');
  const chosen = (chosenId === null ? undefined : sessions.get(chosenId)) ?? rows[0]?.session;
  const now = useNow();
  if (chosen === undefined) {
    return (
      <Page title="Sessions">
        <Empty title="No agent has opened a session yet.">
          <p>A session appears with the first tool call of a connected agent.</p>
        </Empty>
      </Page>
    );
  }
  return (
    <TwoPanes
      title="Sessions"
      list={
        <ListPane
          label="Sessions"
          items={rows.map(({ session, level, isFirstEnded }) => ({
            id: session.id,
            level,
            title: nameOf(session),
            mark: stateWord(session, isHeld),
            detail: [
              agentName(session.agent),
              durationText(now - Date.parse(session.created_at)),
              ...(session.pending === 0 ? [] : [`${session.pending} waiting`]),
              ...grantWords(inForce(session.session_rules, now).length),
            ].join(', '),
            ...(isFirstEnded ? { heading: 'Ended' } : {}),
          }))}
          selectedId={chosen.id}
          onSelect={choose}
          onOpen={() => choose(chosen.id)}
        />
      }
      detail={<SessionDetail key={chosen.id} session={chosen} />}
      showsDetail={chosenId !== null}
      onBack={() => choose(null)}
    />
  );
}

export const nameOf = (session: SessionView): string => session.title || session.root || 'Session without a folder';

const grantWords = (count: number): readonly string[] => (count === 0 ? [] : [count === 1 ? '1 grant' : `${count} grants`]);

function SessionDetail({ session }: { readonly session: SessionView }) {
  const { run, failure, blocked } = useCommand();
  const isHeld = useProjection((projection) => projection.settings.questions_held);
  const groups = useProjection((projection) => projection.groups);
  const drafted = useProjection((projection) =>
    [...projection.outbox.values()].filter((item) => item.session_id === session.id && item.state === 'waiting'),
  );
  const [ends, setEnds] = useState<'cancel' | 'end' | null>(null);
  const closed = session.state === 'ended' ? 'The session has ended. What it ran under is kept to be read.' : null;
  const { value: groupId, origin } = session.effective.fields.security_group;
  const group = typeof groupId === 'string' ? groupId : 'default';
  const denyAll = (): void => {
    const waiting = [...projectionNow().pending.values()].filter((request) => request.session_id === session.id);
    void answerAll(waiting, { action: 'deny' });
  };
  return (
    <Detail>
      <header className="grid gap-1">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 className="min-w-0 break-words">{nameOf(session)}</h2>
          <span className="text-quiet">
            {agentName(session.agent)}, {stateWord(session, isHeld)}
            {session.headless ? ', nobody to ask' : ''}
          </span>
        </div>
        {session.notices.map((notice) => (
          <Notice key={notice}>
            <Words text={notice} />
          </Notice>
        ))}
      </header>
      <div className="grid gap-2">
        <Facts>
          <Fact name="Permission group">
            <TextLink to={`/groups/${group}`}>{groups.get(group)?.name ?? group}</TextLink>
            <span className="text-quiet">
              {origin === 'none' ? ', built-in' : `, from the ${origin.replace('_', ' ')}`}
              {groups.has(group) ? '' : ', deleted: it counts as a group without rules'}
            </span>
          </Fact>
          <Work session={session} />
          <Fact name="Directory">
            <code className="wrap-anywhere">{session.root ?? 'none'}</code>
            {session.cwd !== null && session.cwd !== session.root ? (
              <span className="text-quiet">
                , works in <code className="wrap-anywhere">{session.cwd}</code>
              </span>
            ) : null}{' '}
            <TextLink to={`/directories/${session.id}`}>
              {session.access.length === 0
                ? 'add directories'
                : session.access.length === 1
                  ? 'and 1 directory'
                  : `and ${session.access.length} directories`}
            </TextLink>
          </Fact>
          {session.parent_id === null ? null : (
            <Fact name="Parent">
              <TextLink to={`/sessions/${session.parent_id}`}>the session that started it</TextLink>
            </Fact>
          )}
        </Facts>
        <FailureNote failure={failure} />
        {closed !== null ? null : (
          <div className="flex flex-wrap gap-2">
            {session.pending === 0 ? null : (
              <>
                <Button tone="solid" onClick={() => goTo('/')}>
                  Answer {session.pending} waiting
                </Button>
                <Button tone="deny" blocked={blocked} onClick={denyAll}>
                  Deny all {session.pending}
                </Button>
              </>
            )}
            <Button blocked={blocked} onClick={() => setEnds('cancel')}>
              Cancel the run
            </Button>
            <Button blocked={blocked} onClick={() => setEnds('end')}>
              End the session
            </Button>
          </div>
        )}
      </div>
      {closed !== null ? null : (
        <div className="grid gap-4 wide:grid-cols-2">
          <ModeField session={session} closed={closed} />
          <Steering sessionId={session.id} />
        </div>
      )}
      {drafted.length === 0 ? null : (
        <Section title="Drafted calls">
          <Drafted items={drafted} />
        </Section>
      )}
      <Section title="Remembered answers">
        <GrantList grants={session.session_rules} />
      </Section>
      <Section title="Run context">
        <OwnedContext
          target={{ owner: 'session', session_id: session.id }}
          what={`the run context of ${nameOf(session)}`}
          own={session.run_context}
          known={session.effective}
          closed={closed}
        />
      </Section>
      <Section title="Used">
        <BudgetMeters session={session} />
      </Section>
      <Section title="Timeline">
        <Timeline session={session} />
      </Section>
      <Confirm
        isOpen={ends !== null}
        title={ends === 'cancel' ? 'Cancel the run' : 'End the session'}
        act={ends === 'cancel' ? 'Cancel the run' : 'End the session'}
        back="Keep it running"
        onAct={() =>
          void run(ends === 'cancel' ? 'session.cancel' : 'session.end', { session_id: session.id }).then(({ ok }) => {
            if (ok) toast.success(ends === 'cancel' ? 'The run was cancelled. What waited is refused.' : 'The session has ended.');
          })
        }
        onBack={() => setEnds(null)}
      >
        {ends === 'cancel' ? (
          <p>
            What waits is refused, and so is every call that comes after. This cannot be taken back. Sessions with the same run are cancelled too.
          </p>
        ) : (
          <p>What waits is withdrawn and its remembered answers are gone. The agent can open another session.</p>
        )}
      </Confirm>
    </Detail>
  );
}

function Work({ session }: { readonly session: SessionView }) {
  const project = useProjection((projection) => (session.project_id === null ? undefined : projection.projects.get(session.project_id)));
  const ticket = useProjection((projection) => (session.ticket_id === null ? undefined : projection.tickets.get(session.ticket_id)));
  if (project === undefined) {
    return (
      <Fact name="Project">
        <span className="text-quiet">none: it runs under its own settings and the defaults</span>
      </Fact>
    );
  }
  return (
    <Fact name={ticket === undefined ? 'Project' : 'Ticket'}>
      {ticket === undefined ? null : (
        <>
          <TextLink to={`/projects/${ticket.id}`}>{ticket.title}</TextLink> in{' '}
        </>
      )}
      <TextLink to={`/projects/${project.id}`}>{project.name}</TextLink>
    </Fact>
  );
}
