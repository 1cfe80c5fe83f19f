// Projects and their tickets: what each sets for the sessions that work in it, with what it inherits.

import { zodResolver } from '@hookform/resolvers/zod';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { z } from 'zod';
import type { Project, SessionView, Ticket } from '../../shared/model';
import { nameSchema } from '../../shared/schemas';
import type { TicketState } from '../../shared/terms';
import { useCommand } from '../command';
import { useUnsaved } from '../guard';
import { useChosen } from '../parts/chosen';
import { FolderButton } from '../parts/context/editors';
import { OwnedContext } from '../parts/context/owned-context';
import { Button, Empty, FailureNote, Field, Section } from '../parts/controls';
import { Confirm } from '../parts/dialog';
import { GrantList } from '../parts/grant-list';
import { ListPane } from '../parts/list-pane';
import { TextLink } from '../parts/request/why';
import { Detail, Page, TwoPanes } from '../parts/screen';
import { useProjection } from '../store';
import { nameOf } from './sessions';

const NEW = 'new';
const STATE_WORDS: Readonly<Record<TicketState, string>> = { todo: 'to do', in_progress: 'in progress', done: 'done', failed: 'failed' };

export function ProjectsScreen() {
  const projects = useProjection((projection) => projection.projects);
  const tickets = useProjection((projection) => projection.tickets);
  const [chosenId, choose] = useChosen('/projects');
  const items = useMemo(() => rowsOf([...projects.values()], [...tickets.values()]), [projects, tickets]);
  const shownId = chosenId ?? items[0]?.id ?? null;
  const ticket = shownId === null ? undefined : tickets.get(shownId);
  const project = shownId === null ? undefined : projects.get(ticket?.project_id ?? shownId);
  const create = (
    <Button size="small" onClick={() => choose(NEW)}>
      <Plus size={16} aria-hidden="true" /> New project
    </Button>
  );
  if (items.length === 0 && chosenId !== NEW) {
    return (
      <Page title="Projects" tools={create}>
        <Empty title="There is no project yet.">
          <p className="max-w-sm">
            A project is a folder of work. What you set for it holds for every session that works in it, and a ticket can set it otherwise.
          </p>
        </Empty>
      </Page>
    );
  }
  const detail =
    chosenId === NEW ? (
      <NewProject onDone={choose} />
    ) : project === undefined ? (
      <Empty title="It is not there any more." />
    ) : ticket === undefined ? (
      <ProjectDetail key={project.id} project={project} onChoose={choose} />
    ) : (
      <TicketDetail key={ticket.id} project={project} ticket={ticket} onChoose={choose} />
    );
  return (
    <TwoPanes
      title="Projects"
      tools={create}
      list={
        <ListPane
          label="Projects and tickets"
          items={items}
          selectedId={chosenId === NEW ? null : shownId}
          onSelect={choose}
          onOpen={() => shownId !== null && choose(shownId)}
        />
      }
      detail={detail}
      showsDetail={chosenId !== null}
      onBack={() => choose(null)}
    />
  );
}

/** Projects by name with their tickets under them, archived ones at the end. */
function rowsOf(projects: readonly Project[], tickets: readonly Ticket[]) {
  const ordered = projects.toSorted((a, b) => Number(a.archived) - Number(b.archived) || a.name.localeCompare(b.name));
  const firstArchived = ordered.find((project) => project.archived)?.id;
  return ordered.flatMap((project) => [
    {
      id: project.id,
      title: project.name,
      detail: project.folder ?? 'No folder',
      ...(project.run_context === null ? {} : { mark: 'own settings' }),
      ...(project.id === firstArchived ? { heading: 'Archived' } : {}),
    },
    ...tickets
      .filter((ticket) => ticket.project_id === project.id)
      .map((ticket) => ({
        id: ticket.id,
        level: 1,
        title: ticket.title,
        detail: `Ticket, ${STATE_WORDS[ticket.state]}`,
        ...(ticket.run_context === null ? {} : { mark: 'own settings' }),
      })),
  ]);
}

function Users({ sessions }: { readonly sessions: readonly SessionView[] }) {
  if (sessions.length === 0) return <p className="text-quiet">No session is at work in it.</p>;
  return (
    <p className="text-quiet">
      {sessions.length === 1 ? '1 session uses this: ' : `${sessions.length} sessions use this: `}
      {sessions.map((session, index) => (
        <span key={session.id}>
          {index === 0 ? '' : ', '}
          <TextLink to={`/sessions/${session.id}`}>{nameOf(session)}</TextLink>
        </span>
      ))}
    </p>
  );
}

function ProjectDetail({ project, onChoose }: { readonly project: Project; onChoose(id: string | null): void }) {
  const { run, failure, blocked } = useCommand();
  const sessions = useProjection((projection) =>
    [...projection.sessions.values()].filter((one) => one.project_id === project.id && one.state !== 'ended'),
  );
  const tickets = useProjection((projection) => [...projection.tickets.values()].filter((ticket) => ticket.project_id === project.id));
  const grants = useProjection((projection) => [...projection.grants.values()].filter((grant) => grant.project_id === project.id));
  const [isEditing, setIsEditing] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Detail>
      {isEditing ? (
        <EditProject project={project} onDone={() => setIsEditing(false)} />
      ) : (
        <header className="grid gap-1">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="min-w-0 flex-1 break-words">{project.name}</h2>
            <Button size="small" onClick={() => setIsEditing(true)}>
              Edit name and folder
            </Button>
            <Button size="small" blocked={blocked} onClick={() => void run('project.update', { id: project.id, archived: !project.archived })}>
              {project.archived ? 'Take out of the archive' : 'Archive'}
            </Button>
            <Button size="small" tone="deny" blocked={blocked} onClick={() => setIsDeleting(true)}>
              Delete project
            </Button>
          </div>
          <p className="wrap-anywhere text-quiet">{project.folder ?? 'No folder'}</p>
          <Users sessions={sessions} />
        </header>
      )}
      <FailureNote failure={failure} />
      <Section title="Run context">
        <OwnedContext target={{ owner: 'project', project_id: project.id }} what={`the run context of ${project.name}`} own={project.run_context} />
      </Section>
      <Section title="Tickets">
        {tickets.length === 0 ? <p className="text-quiet">None.</p> : null}
        <ul>
          {tickets.map((ticket) => (
            <li key={ticket.id} className="flex flex-wrap items-center gap-x-3 border-t border-hair py-1">
              <span className="min-w-0 flex-1">
                <TextLink to={`/projects/${ticket.id}`}>{ticket.title}</TextLink>
              </span>
              <span className="text-quiet">{STATE_WORDS[ticket.state]}</span>
            </li>
          ))}
        </ul>
        {project.archived ? <p className="text-quiet">An archived project takes no new tickets.</p> : <NewTicket project={project} />}
      </Section>
      <Section title="Remembered answers for this project">
        <GrantList grants={grants} />
      </Section>
      <Confirm
        isOpen={isDeleting}
        title={`Delete the project ${project.name}`}
        act="Delete project"
        back="Keep it"
        onAct={() =>
          void run('project.delete', { id: project.id, ...(sessions.length > 0 ? { force: true } : {}) }).then((result) => {
            if (!result.ok) return;
            onChoose(null);
            toast.success(`${project.name} was deleted.`);
          })
        }
        onBack={() => setIsDeleting(false)}
      >
        <p>
          Its {tickets.length === 1 ? 'ticket goes' : `${tickets.length} tickets go`} with it, and the answers remembered for it. The folder is left
          as it is.
        </p>
        {sessions.length === 0 ? null : <p>{sessions.map(nameOf).join(', ')} will run without its settings from the next call on.</p>}
      </Confirm>
    </Detail>
  );
}

function TicketDetail({ project, ticket, onChoose }: { readonly project: Project; readonly ticket: Ticket; onChoose(id: string | null): void }) {
  const { run, failure, blocked } = useCommand();
  const sessions = useProjection((projection) =>
    [...projection.sessions.values()].filter((one) => one.ticket_id === ticket.id && one.state !== 'ended'),
  );
  const grants = useProjection((projection) => [...projection.grants.values()].filter((grant) => grant.ticket_id === ticket.id));
  const [isDeleting, setIsDeleting] = useState(false);
  const target = { project_id: project.id, id: ticket.id };
  const isOver = ticket.state === 'done' || ticket.state === 'failed';
  return (
    <Detail>
      <header className="grid gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="min-w-0 flex-1 break-words">{ticket.title}</h2>
          {ticket.state === 'todo' ? (
            <Button size="small" blocked={blocked} onClick={() => void run('ticket.start', target)}>
              Start
            </Button>
          ) : null}
          {ticket.state === 'in_progress' ? (
            <>
              <Button size="small" blocked={blocked} onClick={() => void run('ticket.update', { ...target, state: 'done' })}>
                Done
              </Button>
              <Button size="small" blocked={blocked} onClick={() => void run('ticket.update', { ...target, state: 'failed' })}>
                Failed
              </Button>
            </>
          ) : null}
          {isOver || ticket.state === 'in_progress' ? (
            <Button size="small" blocked={blocked} onClick={() => void run('ticket.reset', target)}>
              Reset to do
            </Button>
          ) : null}
          <Button size="small" tone="deny" blocked={blocked} onClick={() => setIsDeleting(true)}>
            Delete ticket
          </Button>
        </div>
        <p className="text-quiet">
          Ticket in <TextLink to={`/projects/${project.id}`}>{project.name}</TextLink>, {STATE_WORDS[ticket.state]}
        </p>
        <Users sessions={sessions} />
      </header>
      <FailureNote failure={failure} />
      <Section title="Run context">
        <OwnedContext
          target={{ owner: 'ticket', project_id: project.id, ticket_id: ticket.id }}
          what={`the run context of ${ticket.title}`}
          own={ticket.run_context}
        />
      </Section>
      <Section title="Remembered answers for this ticket">
        <GrantList grants={grants} />
      </Section>
      <Confirm
        isOpen={isDeleting}
        title={`Delete the ticket ${ticket.title}`}
        act="Delete ticket"
        back="Keep it"
        onAct={() =>
          void run('ticket.delete', target).then((result) => {
            if (!result.ok) return;
            onChoose(project.id);
            toast.success(`${ticket.title} was deleted.`);
          })
        }
        onBack={() => setIsDeleting(false)}
      >
        <p>What it sets and the answers remembered for it are gone.</p>
      </Confirm>
    </Detail>
  );
}

const projectForm = z.object({ name: nameSchema, folder: z.string() });
type ProjectValues = z.input<typeof projectForm>;

/** Name and folder, for a new project and one that there is. */
function ProjectFields({
  label,
  values,
  act,
  back,
  what,
  onSave,
  onBack,
}: {
  readonly label: string;
  readonly values: ProjectValues;
  readonly act: string;
  readonly back: string;
  readonly what: string;
  onSave(fields: { readonly name: string; readonly folder: string | null }): ReturnType<ReturnType<typeof useCommand>['run']>;
  onBack(): void;
}) {
  const { register, handleSubmit, setError, setValue, formState } = useForm<ProjectValues>({
    resolver: zodResolver(projectForm),
    defaultValues: values,
  });
  const [failure, setFailure] = useState<ReturnType<typeof useCommand>['failure']>(null);
  const { errors, isDirty, isSubmitting, isSubmitSuccessful } = formState;
  useUnsaved(what, isDirty && !isSubmitting && !isSubmitSuccessful);
  const submit = handleSubmit(async ({ name, folder }) => {
    setFailure(null);
    const result = await onSave({ name: name.trim(), folder: folder.trim() === '' ? null : folder.trim() });
    if (result.ok) return;
    const { subject, message } = result.failure;
    if (subject === 'name' || subject === 'folder') setError(subject, { message: message.replaceAll('`', '') });
    else setFailure(result.failure);
  });
  return (
    <form onSubmit={submit} aria-label={label} noValidate className="grid max-w-xl gap-4">
      <Field label="Name" error={errors.name?.message}>
        {(bind) => <input {...bind} className="field" autoComplete="off" {...register('name')} />}
      </Field>
      <Field label="Folder" hint="Working directory of its sessions where nothing else sets one. May be empty." error={errors.folder?.message}>
        {(bind) => (
          <div className="flex gap-2">
            <input {...bind} spellCheck={false} className="field font-mono" autoComplete="off" {...register('folder')} />
            <FolderButton onPick={(folder) => setValue('folder', folder, { shouldDirty: true })} />
          </div>
        )}
      </Field>
      <FailureNote failure={failure} />
      <div className="flex gap-2">
        <Button type="submit" tone="solid">
          {isSubmitting ? 'Saving' : act}
        </Button>
        <Button onClick={onBack}>{back}</Button>
      </div>
    </form>
  );
}

function NewProject({ onDone }: { onDone(id: string | null): void }) {
  const { run } = useCommand();
  return (
    <Detail>
      <h2>New project</h2>
      <ProjectFields
        label="New project"
        what="the new project"
        values={{ name: '', folder: '' }}
        act="Create project"
        back="Back to the list"
        onSave={async (fields) => {
          const result = await run('project.create', fields);
          // After the form has been told that it is saved, so that nothing is left unsaved.
          if (result.ok) window.setTimeout(() => onDone(result.value.id));
          return result;
        }}
        onBack={() => onDone(null)}
      />
    </Detail>
  );
}

function EditProject({ project, onDone }: { readonly project: Project; onDone(): void }) {
  const { run } = useCommand();
  return (
    <ProjectFields
      label="Name and folder"
      what={`the name and folder of ${project.name}`}
      values={{ name: project.name, folder: project.folder ?? '' }}
      act="Save name and folder"
      back="Leave it as it is"
      onSave={async (fields) => {
        const result = await run('project.update', { id: project.id, ...fields });
        if (result.ok) onDone();
        return result;
      }}
      onBack={onDone}
    />
  );
}

function NewTicket({ project }: { readonly project: Project }) {
  const { run, failure, blocked } = useCommand();
  const [title, setTitle] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run('ticket.create', { project_id: project.id, title }).then((result) => {
          if (result.ok) setTitle('');
        });
      }}
    >
      <Field label="New ticket" error={failure?.message}>
        {(bind) => (
          <div className="flex max-w-xl gap-2">
            <input {...bind} className="field" autoComplete="off" value={title} onChange={(event) => setTitle(event.target.value)} />
            <Button type="submit" blocked={blocked ?? (title.trim() === '' ? 'Give it a title first.' : null)}>
              Add ticket
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
