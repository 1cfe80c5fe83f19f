// The frame: rail, banner, status line, one screen at a time. Owns navigation, the theme and what is announced; a screen
// owns its content.

import { useEffect, useMemo, useRef, useState } from 'react';
import { Toaster } from 'sonner';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { agentName, durationText } from '../shared/sentences';
import { DESTINATIONS } from './destinations';
import { Boundary } from './parts/boundary';
import { useNow } from './parts/clock';
import { Button } from './parts/controls';
import { KeySheet } from './parts/key-sheet';
import { Palette } from './parts/palette';
import { InboxScreen } from './screens/inbox';
import { bridge, useProjection, useStore } from './store';

export function App() {
  const isReady = useStore((state) => state.projection !== null);
  return <Router hook={useHashLocation}>{isReady ? <Frame /> : <Starting />}</Router>;
}

/** After 400 ms a line of text, not a skeleton. */
function Starting() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setIsSlow(true), 400);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <main className="grid h-full place-content-center gap-1 text-center">
      <h1>Gatehouse</h1>
      <p className="text-quiet">{isSlow ? 'Waiting for the gate to answer.' : ' '}</p>
    </main>
  );
}

function Frame() {
  const pending = useProjection((projection) => projection.pending.length);
  const theme = useProjection((projection) => projection.settings.theme);
  const [path] = useLocation();
  useTheme(theme);
  useEffect(() => {
    document.title = pending === 0 ? 'Gatehouse' : `(${pending}) Gatehouse`;
  }, [pending]);
  const active = DESTINATIONS.find((one) => one.path === path || (one.path !== '/' && path.startsWith(one.path)));
  return (
    <div className="flex h-full flex-col min-[720px]:flex-row">
      <button
        type="button"
        className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:bg-panel focus:p-2"
        onClick={() => document.getElementById('content')?.focus()}
      >
        Skip to the content
      </button>
      <Rail activePath={active?.path ?? '/'} pending={pending} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Banner />
        <main id="content" tabIndex={-1} className="min-h-0 flex-1 outline-none">
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
      <Toaster position="bottom-right" toastOptions={{ style: { background: 'var(--panel)', color: 'var(--text)', borderColor: 'var(--line)' } }} />
    </div>
  );
}

function Rail({ activePath, pending }: { readonly activePath: string; readonly pending: number }) {
  const working = useProjection((projection) => [...projection.sessions.values()].filter((session) => session.state !== 'ended').length);
  const counts: Readonly<Record<string, number>> = { '/': pending, '/sessions': working };
  return (
    <nav aria-label="Main" className="shrink-0 border-hair max-[719px]:border-b min-[720px]:w-44 min-[720px]:border-r">
      <ul className="flex gap-0.5 p-2 max-[719px]:overflow-x-auto min-[720px]:flex-col">
        {DESTINATIONS.map(({ path, name, icon: Icon }) => {
          const count = counts[path] ?? 0;
          return (
            <li key={path}>
              <Link
                href={path}
                aria-current={activePath === path ? 'page' : undefined}
                className="flex min-h-8 items-center gap-2 rounded-md px-2 whitespace-nowrap hover:bg-sunk aria-[current=page]:bg-chosen aria-[current=page]:font-medium"
              >
                <Icon size={16} aria-hidden="true" />
                <span className="flex-1">{name}</span>
                {count === 0 ? null : (
                  <span className={`tabular-nums ${path === '/' ? 'font-semibold' : 'text-quiet'}`}>
                    {count}
                    <span className="sr-only">{path === '/' ? ' waiting' : ' open'}</span>
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Banner() {
  const problems = useProjection((projection) => projection.health.problems);
  const isOffline = useStore((state) => state.connection !== 'connected');
  return (
    <>
      {isOffline ? (
        <p role="alert" className="border-b border-care bg-sunk px-4 py-2">
          Gatehouse cannot be reached. Agents cannot ask now; what they ask is refused, not allowed. Connecting again.
        </p>
      ) : null}
      {problems.map((problem) => (
        <p key={`${problem.code}${problem.message}`} role="alert" className="border-b border-care bg-sunk px-4 py-2">
          {problem.message} {problem.hint}
        </p>
      ))}
    </>
  );
}

function StatusLine() {
  const now = useNow();
  const [oldest, count] = useProjection((projection) => [projection.pending[0], projection.pending.length] as const);
  const isHeld = useProjection((projection) => projection.settings.questions_held);
  return (
    <footer className={`flex items-center gap-3 border-t px-4 py-1 ${isHeld ? 'border-care bg-sunk' : 'border-hair text-quiet'}`}>
      {isHeld ? (
        <>
          <span className="text-care">Questions are held.</span>
          <Button onClick={() => void bridge.invoke('settings.update', { questions_held: false })}>Release</Button>
        </>
      ) : null}
      <span className="flex-1">
        {oldest === undefined ? 'Nothing is waiting' : `${count} waiting, oldest ${durationText(now - Date.parse(oldest.created_at))}`}
      </span>
      <span>? keys</span>
    </footer>
  );
}

const ANNOUNCE_MS = 2_000;

/** One polite live region: new requests at most every two seconds, summarised; outcomes as they fall. */
function Announcer() {
  const pending = useProjection((projection) => projection.pending);
  const [text, setText] = useState('');
  const known = useRef<ReadonlySet<string>>(new Set(pending.map((request) => request.id)));
  const fresh = useMemo(() => pending.filter((request) => !known.current.has(request.id)), [pending]);
  useEffect(() => {
    if (fresh.length === 0) {
      known.current = new Set(pending.map((request) => request.id));
      return;
    }
    const timer = window.setTimeout(() => {
      const agents = [...new Set(fresh.map((request) => agentName(request.agent)))].join(' and ');
      setText(`${fresh.length === 1 ? 'A new request' : `${fresh.length} new requests`} from ${agents}; ${pending.length} waiting`);
      known.current = new Set(pending.map((request) => request.id));
    }, ANNOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [fresh, pending]);
  return (
    <p aria-live="polite" role="status" className="sr-only">
      {text}
    </p>
  );
}

function useTheme(theme: 'system' | 'light' | 'dark'): void {
  useEffect(() => {
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    const apply = (): void => {
      document.documentElement.dataset.theme = theme === 'system' ? (system.matches ? 'dark' : 'light') : theme;
    };
    apply();
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [theme]);
}
