// Buttons, fields and small marks that every screen shares. Targets are at least 28 px, focus is always visible, a disabled
// button that matters stays focusable and says why.

import type { ButtonHTMLAttributes, ReactNode } from 'react';
import type { Failure } from '../../shared/failure';
import type { RiskLevel } from '../../shared/terms';

type Tone = 'plain' | 'solid' | 'quiet' | 'deny';
const TONES: Readonly<Record<Tone, string>> = {
  plain: 'border border-line bg-panel hover:bg-sunk',
  solid: 'border border-accent bg-accent text-onsolid hover:opacity-90',
  quiet: 'border border-transparent text-accent hover:bg-sunk',
  deny: 'border border-deny text-deny bg-panel hover:bg-removed',
};

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly tone?: Tone;
  /** Why it cannot be used now: shown as its title and read out. */
  readonly blocked?: string | null;
  readonly keyCap?: string;
}

export function Button({ tone = 'plain', blocked = null, keyCap, children, onClick, className = '', type = 'button', ...rest }: ButtonProps) {
  const isBlocked = blocked !== null;
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBlocked}
      title={blocked ?? rest.title}
      onClick={(event) => {
        if (isBlocked) event.preventDefault();
        else onClick?.(event);
      }}
      className={`inline-flex min-h-7 items-center gap-2 rounded-md px-3 py-1 whitespace-nowrap ${TONES[tone]} ${isBlocked ? 'border-dashed opacity-70' : ''} ${className}`}
    >
      {children}
      {keyCap === undefined ? null : <KeyCap>{keyCap}</KeyCap>}
    </button>
  );
}

export function KeyCap({ children }: { readonly children: ReactNode }) {
  return (
    <span aria-hidden="true" className="rounded border border-current px-1 font-mono text-[0.6875rem] leading-4">
      {children}
    </span>
  );
}

export const INPUT = 'min-h-8 w-full rounded-md border border-line bg-sunk px-2 py-1 aria-invalid:border-deny';

export function Field({
  label,
  hint,
  error,
  children,
  id,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-quiet">
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} role="alert" className="text-deny">
          {error}
        </p>
      )}
    </div>
  );
}

/** An error beside what caused it: what and why, then what to do. */
export function FailureNote({ failure }: { readonly failure: Failure | null }) {
  if (failure === null) return null;
  return (
    <p role="alert" className="rounded-md border border-deny bg-removed px-3 py-2">
      {failure.message} {failure.hint}
    </p>
  );
}

const RISK: Readonly<Record<RiskLevel, { readonly mark: string; readonly tone: string }>> = {
  low: { mark: '·', tone: 'text-quiet' },
  medium: { mark: '~', tone: 'text-quiet' },
  high: { mark: '!', tone: 'text-care font-semibold' },
};

/** Level as a sign and a word, never colour alone. */
export function RiskMark({ level }: { readonly level: RiskLevel }) {
  return (
    <span className={`whitespace-nowrap ${RISK[level].tone}`}>
      <span aria-hidden="true">({RISK[level].mark}) </span>
      {level}
    </span>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="grid place-content-center gap-2 p-8 text-center text-quiet">
      <p className="text-text">{title}</p>
      {children}
    </div>
  );
}

export function Screen({ title, actions, children }: { readonly title: string; readonly actions?: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex flex-wrap items-center gap-3 border-b border-hair px-4 py-2">
        <h1 className="flex-1" tabIndex={-1}>
          {title}
        </h1>
        {actions}
      </header>
      <div className="min-h-0 flex-1 overflow-auto">{children}</div>
    </div>
  );
}
