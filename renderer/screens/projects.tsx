// Projects and their tickets: what each sets for the sessions that work in it, with what it inherits.

import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import type { Failure } from '../../shared/failure';
import type { Project, Ticket } from '../../shared/model';
import { nameSchema } from '../../shared/schemas';
import { Button, Empty, FailureNote, Field, INPUT, Screen } from '../parts/controls';
import { ListPane } from '../parts/list-pane';
import { Panes } from '../parts/panes';
import { RunContextForm } from '../parts/run-context-form';
import { bridge, useProjection } from '../store';

type Selected =
  | { readonly kind: 'project'; readonly project: Project }
  | { readonly kind: 'ticket'; readonly project: Project; readonly ticket: Ticket };

export function ProjectsScreen() {
  const projects = useProjection((projection) => projection.projects);
  const tickets = useProjection((projection) => projection.tickets);
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [isCreating, setIsCreating] = useState(false);
  const [showsDetail, setShowsDetail] = useState(false);
  const ordered = [...projects.values()].filter((project) => !project.archived).sort((a, b) => a.name.localeCompare(b.name));
  const ticketsOf = (project: Project): readonly Ticket[] => [...tickets.values()].filter((ticket) => ticket.project_id === project.id);
  const items = ordered.flatMap((project) => [
    { id: project.id, title: project.name, detail: project.folder ?? 'no folder' },
    ...ticketsOf(project).map((ticket) => ({ id: ticket.id, title: `– ${ticket.title}`, detail: `ticket, ${ticket.state.replace('_', ' ')}` })),
  ]);
  const selected = selectionOf(selectedId ?? items[0]?.id ?? null, projects, tickets);
  const create = <Button onClick={() => setIsCreating(true)}>New project</Button>;
  if (isCreating) {
    return (
      <Screen title="Projects">
        <NewProject
          onDone={(project) => {
            setIsCreating(false);
            if (project !== null) setSelectedId(project.id);
          }}
        />
      </Screen>
    );
  }
  if (selected === null) {
    return (
      <Screen title="Projects" actions={create}>
        <Empty title="There is no project yet.">
          <p>A project is a folder of work with settings that its sessions inherit.</p>
        </Empty>
      </Screen>
    );
  }
  return (
    <Screen title="Projects" actions={create}>
      <Panes
        list={
          <ListPane
            label="Projects and tickets"
            items={items}
            selectedId={selected.kind === 'project' ? selected.project.id : selected.ticket.id}
            onSelect={(id) => {
              setSelectedId(id);
              setShowsDetail(true);
            }}
          />
        }
        detail={<Detail key={selected.kind === 'project' ? selected.project.id : selected.ticket.id} selected={selected} onSelect={setSelectedId} />}
        showsDetail={showsDetail}
        onBack={() => setShowsDetail(false)}
      />
    </Screen>
  );
}

function selectionOf(id: string | null, projects: ReadonlyMap<string, Project>, tickets: ReadonlyMap<string, Ticket>): Selected | null {
  if (id === null) return null;
  const project = projects.get(id);
  if (project !== undefined) return { kind: 'project', project };
  const ticket = tickets.get(id);
  const parent = ticket === undefined ? undefined : projects.get(ticket.project_id);
  return ticket === undefined || parent === undefined ? null : { kind: 'ticket', project: parent, ticket };
}

function Detail({ selected, onSelect }: { readonly selected: Selected; onSelect(id: string | null): void }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const { project } = selected;
  if (selected.kind === 'ticket') {
    const { ticket } = selected;
    return (
      <div className="min-h-0 flex-1 overflow-auto p-4">
        <div className="grid max-w-3xl gap-5">
          <header>
            <h2>{ticket.title}</h2>
            <p className="text-quiet">
              Ticket in {project.name}, {ticket.state.replace('_', ' ')}
            </p>
          </header>
          <RunContextForm target={{ owner: 'ticket', project_id: project.id, ticket_id: ticket.id }} own={ticket.run_context} layer="ticket" />
        </div>
      </div>
    );
  }
  async function remove(): Promise<void> {
    const result = await bridge.invoke('project.delete', { id: project.id });
    if (result.ok) onSelect(null);
    else setFailure(result.failure);
  }
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      <div className="grid max-w-3xl gap-5">
        <header className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1">
            <h2>{project.name}</h2>
            <p className="break-all text-quiet">{project.folder ?? 'No folder'}</p>
          </div>
          <Button onClick={() => void remove()}>Delete project</Button>
        </header>
        <FailureNote failure={failure} />
        <NewTicket project={project} />
        <section aria-labelledby="project-context" className="grid gap-3">
          <h3 id="project-context">Run context of this project</h3>
          <RunContextForm target={{ owner: 'project', project_id: project.id }} own={project.run_context} layer="project" />
        </section>
      </div>
    </div>
  );
}

const projectForm = z.object({ name: nameSchema, folder: z.string() });

function NewProject({ onDone }: { onDone(project: Project | null): void }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const { register, handleSubmit, setError, setValue, formState } = useForm({
    resolver: zodResolver(projectForm),
    defaultValues: { name: '', folder: '' },
  });
  const submit = handleSubmit(async ({ name, folder }) => {
    const result = await bridge.invoke('project.create', { name, folder: folder.trim() === '' ? null : folder.trim() });
    if (result.ok) onDone(result.value);
    else if (result.failure.subject === 'name' || result.failure.subject === 'folder')
      setError(result.failure.subject, { message: result.failure.message });
    else setFailure(result.failure);
  });
  async function choose(): Promise<void> {
    const folder = await bridge.pickFolder();
    if (folder !== null) setValue('folder', folder, { shouldDirty: true });
  }
  return (
    <form onSubmit={submit} className="grid max-w-xl gap-4 p-4" aria-label="New project" noValidate>
      <Field id="project-name" label="Name" error={formState.errors.name?.message}>
        <input id="project-name" className={INPUT} aria-invalid={!!formState.errors.name} {...register('name')} />
      </Field>
      <Field
        id="project-folder"
        label="Folder"
        hint="Working directory of its sessions when nothing else sets one. May be empty."
        error={formState.errors.folder?.message}
      >
        <div className="flex gap-2">
          <input id="project-folder" className={INPUT} aria-invalid={!!formState.errors.folder} {...register('folder')} />
          {bridge.door === 'window' ? <Button onClick={() => void choose()}>Choose folder</Button> : null}
        </div>
      </Field>
      <FailureNote failure={failure} />
      <div className="flex gap-2">
        <Button type="submit" tone="solid">
          Create project
        </Button>
        <Button onClick={() => onDone(null)}>Back</Button>
      </div>
    </form>
  );
}

function NewTicket({ project }: { readonly project: Project }) {
  const [title, setTitle] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  return (
    <form
      className="grid gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        void bridge.invoke('ticket.create', { project_id: project.id, title }).then((result) => {
          setFailure(result.ok ? null : result.failure);
          if (result.ok) setTitle('');
        });
      }}
    >
      <label htmlFor="ticket-title" className="font-medium">
        New ticket
      </label>
      <div className="flex gap-2">
        <input id="ticket-title" className={INPUT} value={title} onChange={(event) => setTitle(event.target.value)} />
        <Button type="submit" blocked={title.trim() === '' ? 'Give it a title first.' : null}>
          Add ticket
        </Button>
      </div>
      <FailureNote failure={failure} />
    </form>
  );
}
