// The command palette: what can be done now, where one can go, and what is open, each with the key that does the same.

import { Command } from 'cmdk';
import { useState } from 'react';
import { DESTINATIONS } from '../destinations';
import { goTo } from '../guard';
import { act, useKey, useLiveKeys } from '../keyboard';
import { binding, KEYS, type KeyId, keyCap } from '../keys';
import { door, useProjection } from '../store';
import { KeyCap } from './controls';

/** Walking lists and closing things are no commands. */
const NO_COMMANDS: ReadonlySet<KeyId> = new Set(['next', 'previous', 'open', 'first', 'last', 'back', 'palette', 'pick', 'confirm']);
const GOING: ReadonlySet<KeyId> = new Set(DESTINATIONS.map((one) => one.key));
const GROUP = '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-quiet';

export function Palette() {
  const [isOpen, setIsOpen] = useState(false);
  const live = useLiveKeys();
  const sessions = useProjection((projection) => projection.sessions);
  const projects = useProjection((projection) => projection.projects);
  useKey('palette', () => setIsOpen(true));
  const then = (work: () => void) => () => {
    setIsOpen(false);
    // After the dialog has given the focus back.
    window.setTimeout(work);
  };
  // Going somewhere comes first: what Enter does at once must not decide anything.
  const commands = KEYS.flatMap(({ id }) => (live.includes(id) && !NO_COMMANDS.has(id) && !GOING.has(id) ? [id] : []));
  return (
    <Command.Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      label="Command palette"
      overlayClassName="fixed inset-0 z-10 bg-shade"
      contentClassName="appears fixed top-[12vh] left-1/2 z-10 w-[min(36rem,92vw)] -translate-x-1/2 rounded-md border border-line bg-panel shadow-lg"
    >
      <Command.Input
        placeholder="Type a command, a screen or a session"
        aria-label="Command"
        className="min-h-11 w-full border-b border-hair bg-transparent px-4 outline-none"
      />
      <Command.List className="max-h-96 overflow-auto p-2">
        <Command.Empty className="p-2 text-quiet">Nothing has that name.</Command.Empty>
        <Command.Group heading="Go to" className={GROUP}>
          {DESTINATIONS.map(({ path, name, key }) => (
            <Item key={path} text={name} keyId={key} onSelect={then(() => goTo(path))} />
          ))}
        </Command.Group>
        {commands.length === 0 ? null : (
          <Command.Group heading="Do" className={GROUP}>
            {commands.map((id) => (
              <Item key={id} text={binding(id).does} keyId={id} onSelect={then(() => act(id))} />
            ))}
          </Command.Group>
        )}
        <Command.Group heading="Open" className={GROUP}>
          {[...sessions.values()]
            .filter((session) => session.state !== 'ended')
            .map((session) => (
              <Item
                key={session.id}
                text={`Session ${session.title || session.root || session.id}`}
                value={session.id}
                onSelect={then(() => goTo(`/sessions/${session.id}`))}
              />
            ))}
          {[...projects.values()]
            .filter((project) => !project.archived)
            .map((project) => (
              <Item key={project.id} text={`Project ${project.name}`} value={project.id} onSelect={then(() => goTo(`/projects/${project.id}`))} />
            ))}
        </Command.Group>
      </Command.List>
    </Command.Dialog>
  );
}

function Item({ text, value, keyId, onSelect }: { readonly text: string; readonly value?: string; readonly keyId?: KeyId; onSelect(): void }) {
  return (
    <Command.Item
      value={value === undefined ? text : `${text} ${value}`}
      onSelect={onSelect}
      className="flex min-h-8 items-center gap-3 rounded-md px-2 data-[selected=true]:bg-chosen"
    >
      <span className="min-w-0 flex-1 truncate">{text}</span>
      {keyId === undefined ? null : <KeyCap>{keyCap(keyId, door().platform === 'darwin')}</KeyCap>}
    </Command.Item>
  );
}
