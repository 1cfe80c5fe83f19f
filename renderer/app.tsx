// The frame: rail, banners, status line, one screen at a time. Owns navigation and what is announced; a screen owns its
// content.

import { useEffect, useRef, useState } from 'react';
import { Toaster } from 'sonner';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { durationText } from '../shared/sentences';
import { OFFLINE, useCommand } from './command';
import { DESTINATIONS, type Destination } from './destinations';
import { goTo, useGuardedLocation } from './guard';
import { select } from './inbox-view';
import { act, useKey } from './keyboard';
import { Announcer } from './parts/announcer';
import { Boundary } from './parts/boundary';
import { useNow } from './parts/clock';
import { Button } from './parts/controls';
import { KeySheet } from './parts/key-sheet';
import { LeaveDialog } from './parts/leave-dialog';
import { Palette } from './parts/palette';
import { InboxScreen } from './screens/inbox';
import { door, useProjection, useStore } from './store';
import { useTheme } from './theme';

export function App() {
  const isReady = useStore((state) => state.projection !== null);
  return <Router hook={useGuardedLocation}>{isReady ? <Frame /> : <Starting />}</Router>;
}

const SLOW_MS = 400;

/** After 400 ms a line of text, not a skeleton. */
function Starting() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <main className="grid h-full place-content-center gap-1 text-center">
      <h1>Gatehouse</h1>
      <p role="status" className="min-h-5 text-quiet">
        {isSlow ? 'Waiting for Gatehouse to answer.' : ''}
      </p>
      {isSlow && door().door === 'browser' ? (
        <p className="text-quiet">
          If it stays so, open a new login link: <code>npm run serve</code> prints one.
        </p>
      ) : null}
    </main>
  );
}

function Frame() {
  const count = useProjection((projection) => projection.pending.size);
  const theme = useProjection((projection) => projection.settings.theme);
  const [path] = useLocation();
  const active = DESTINATIONS.find((one) => one.path !== '/' && (path === one.path || path.startsWith(`${one.path}/`))) ?? DESTINATIONS[0];
  useTheme(theme);
  useEffect(() => {
    document.title = count === 0 ? 'Gatehouse' : `(${count}) Gatehouse`;
  }, [count]);
  useNudges();
  useFocusOnArrival(active?.path ?? '/');
  return (
    <div className="flex h-full flex-col wide:flex-row">
      <button
        type="button"
        className="sr-only rounded-md border border-line bg-panel px-3 focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-20 focus:min-h-8"
        onClick={() => document.getElementById('content')?.focus()}
      >
        Skip to the content
      </button>
      <Rail activePath={active?.path ?? '/'} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Banners />
        <main id="content" tabIndex={-1} className="min-h-0 flex-1 -outline-offset-2">
          <Boundary key={active?.path} instead={<p className="p-4">This screen could not be drawn. Go to another, or reload the window.</p>}>
            <Switch>
              {DESTINATIONS.map(({ path: to, screen }) => (
                <Route key={to} path={to === '/' ? to : `${to}/*?`} component={screen} />
              ))}
              <Route component={InboxScreen} />
            </Switch>
          </Boundary>
        </main>
        <StatusLine />
      </div>
      <Announcer />
      <KeySheet />
      <Palette />
      <LeaveDialog />
      <Toaster
        position="bottom-right"
        toastOptions={{ style: { background: 'var(--panel)', color: 'var(--text)', borderColor: 'var(--line)', borderRadius: '6px' } }}
      />
    </div>
  );
}

/** A notification or the tray asked for the inbox, or for one request of it: shown, and armed like any other. */
function useNudges(): void {
  const nudge = useStore((state) => state.nudge);
  useEffect(() => {
    if (nudge === null) return;
    goTo('/');
    if (nudge.request_id !== undefined) select(nudge.request_id);
  }, [nudge]);
}

/** Going to a screen moves the focus to it, unless it is on the rail, where the next may be chosen. */
function useFocusOnArrival(path: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    if (document.activeElement?.closest('nav') != null) return;
    const list = document.querySelector<HTMLElement>('main [role=listbox]');
    (list ?? document.getElementById('content'))?.focus({ preventScroll: true });
  }, [path]);
}

function Rail({ activePath }: { readonly activePath: string }) {
  const pending = useProjection((projection) => projection.pending.size);
  const drafted = useProjection((projection) => [...projection.outbox.values()].filter((item) => item.state === 'waiting').length);
  const counts: Readonly<Record<string, { readonly count: number; readonly what: string }>> = {
    '/': { count: pending, what: 'waiting' },
    '/sessions': { count: drafted, what: 'drafted' },
  };
  return (
    <nav aria-label="Main" className="shrink-0 border-hair max-wide:border-b wide:w-44 wide:border-r">
      <ul className="flex gap-0.5 p-2 max-wide:overflow-x-auto wide:flex-col">
        {DESTINATIONS.map((destination) => (
          <RailLink
            key={destination.path}
            destination={destination}
            isActive={activePath === destination.path}
            {...(counts[destination.path] ?? { count: 0, what: '' })}
          />
        ))}
      </ul>
    </nav>
  );
}

function RailLink({
  destination: { path, name, icon: Icon, key },
  isActive,
  count,
  what,
}: {
  readonly destination: Destination;
  readonly isActive: boolean;
  readonly count: number;
  readonly what: string;
}) {
  useKey(key, () => goTo(path));
  return (
    <li>
      <Link
        href={path}
        aria-current={isActive ? 'page' : undefined}
        className="flex min-h-8 items-center gap-2 rounded-md px-2 whitespace-nowrap hover:bg-sunk aria-[current=page]:bg-chosen aria-[current=page]:font-semibold"
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
        <span className="flex-1">{name}</span>
        {count === 0 ? null : (
          <span className="rounded-full bg-accent px-1.5 text-[0.6875rem] leading-4 font-semibold text-onsolid tabular-nums">
            {count}
            <span className="sr-only"> {what}</span>
          </span>
        )}
      </Link>
    </li>
  );
}

function Banners() {
  const problems = useProjection((projection) => projection.health.problems);
  const isOffline = useStore((state) => state.connection !== 'connected');
  return (
    <>
      {isOffline ? (
        <Banner>
          <strong className="font-semibold">{OFFLINE}</strong> Agents cannot ask now; what they ask is refused, not allowed. Connecting again.
        </Banner>
      ) : null}
      {problems.map((problem) => (
        <Banner key={`${problem.code}${problem.message}`}>
          <strong className="font-semibold">{problem.message}</strong> {problem.hint}
        </Banner>
      ))}
    </>
  );
}

const Banner = ({ children }: { readonly children: React.ReactNode }) => (
  <p role="alert" className="shrink-0 border-b border-care bg-caring px-4 py-2">
    {children}
  </p>
);

function StatusLine() {
  const count = useProjection((projection) => projection.pending.size);
  const oldest = useProjection((projection) => projection.pending.values().next().value?.created_at ?? null);
  const isHeld = useProjection((projection) => projection.settings.questions_held);
  const { run, blocked } = useCommand();
  const toggle = (): void => {
    if (blocked === null) void run('settings.update', { questions_held: !isHeld });
  };
  useKey('hold', toggle);
  return (
    <footer
      className={`flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 border-t px-4 ${isHeld ? 'border-care bg-caring' : 'border-hair text-quiet'}`}
    >
      {isHeld ? <span className="font-semibold text-care">Questions are held.</span> : null}
      <span className="flex-1 tabular-nums">
        {oldest === null ? (
          'Nothing is waiting'
        ) : (
          <>
            {count} waiting, oldest <Age since={oldest} />
          </>
        )}
      </span>
      <Button size="small" tone="ghost" blocked={blocked} onClick={toggle}>
        {isHeld ? 'Release' : 'Hold questions'}
      </Button>
      <Button size="small" tone="ghost" keyCap="?" className="max-wide:hidden" onClick={() => act('sheet')}>
        Keys
      </Button>
    </footer>
  );
}

function Age({ since }: { readonly since: string }) {
  const now = useNow();
  return durationText(now - Date.parse(since));
}
