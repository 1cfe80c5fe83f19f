// Buttons, fields and small marks that every screen shares. Targets are at least 28 px, focus is always visible, a disabled
// button that matters stays focusable and says why.

import type { AriaAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import { useId } from 'react';
import type { Failure } from '../../shared/failure';
import type { RiskLevel } from '../../shared/terms';

type Tone = 'plain' | 'solid' | 'ghost' | 'deny';
const TONES: Readonly<Record<Tone, string>> = {
  plain: 'border-line bg-panel text-text hover:bg-sunk',
  solid: 'border-accent bg-accent text-onsolid font-medium hover:opacity-90',
  ghost: 'border-transparent text-accent hover:bg-sunk',
  deny: 'border-deny bg-panel text-deny hover:bg-removed',
};
const BLOCKED: Readonly<Record<Tone, string>> = {
  plain: 'border-dashed border-line bg-transparent text-quiet',
  solid: 'border-dashed border-line bg-transparent text-quiet',
  ghost: 'border-transparent text-quiet',
  deny: 'border-dashed border-line bg-transparent text-quiet',
};

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly tone?: Tone;
  readonly size?: 'small' | 'usual';
  /** Why it cannot be used now: shown as its title and read out. */
  readonly blocked?: string | null;
  /** For a moment only, such as arming: it cannot be used but does not look so. */
  readonly holds?: boolean;
  readonly keyCap?: string;
}

export function Button({
  tone = 'plain',
  size = 'usual',
  blocked = null,
  holds = false,
  keyCap,
  children,
  onClick,
  className = '',
  type = 'button',
  ...rest
}: ButtonProps) {
  const isBlocked = blocked !== null || holds;
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
      className={`inline-flex items-center justify-center gap-2 rounded-md border whitespace-nowrap ${size === 'small' ? 'min-h-7 px-2' : 'min-h-8 px-3'} ${blocked === null ? TONES[tone] : BLOCKED[tone]} ${className}`}
    >
      {children}
      {keyCap === undefined ? null : <KeyCap>{keyCap}</KeyCap>}
    </button>
  );
}

/** A button with a picture alone; `label` is its name and its tip. */
export function IconButton({ label, children, ...rest }: Omit<ButtonProps, 'aria-label' | 'size'> & { readonly label: string }) {
  return (
    <Button {...rest} size="small" aria-label={label} title={label} className={`w-7 !px-0 ${rest.className ?? ''}`}>
      {children}
    </Button>
  );
}

export function KeyCap({ children }: { readonly children: ReactNode }) {
  return (
    <span aria-hidden="true" className="rounded border border-current px-1 font-mono text-[0.6875rem] leading-4 font-normal opacity-80">
      {children}
    </span>
  );
}

export interface FieldBinding {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': AriaAttributes['aria-describedby'];
}

/** A labelled field with a hint and an error beside it. The child gets what ties them together. */
export function Field({
  label,
  hint,
  error,
  className = '',
  children,
}: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly className?: string;
  children(binding: FieldBinding): ReactNode;
}) {
  const id = useId();
  return (
    <div className={`grid content-start gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children(boundTo(id, hint !== undefined, error))}
      <Hints id={id} hint={hint} error={error} />
    </div>
  );
}

export const boundTo = (id: string, hasHint: boolean, error: string | undefined): FieldBinding => ({
  id,
  'aria-invalid': error !== undefined,
  'aria-describedby': [...(hasHint ? [`${id}-hint`] : []), ...(error === undefined ? [] : [`${id}-error`])].join(' ') || undefined,
});

export function Hints({ id, hint, error }: { readonly id: string; readonly hint?: ReactNode; readonly error?: string | undefined }) {
  return (
    <>
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
    </>
  );
}

/** A box with its words, and a line under them that says what it means. */
export function Check({
  label,
  hint,
  checked,
  onChange,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  onChange(isOn: boolean): void;
}) {
  return (
    <label className="flex min-h-7 items-start gap-2">
      <input type="checkbox" className="mt-0.5" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {label}
        {hint === undefined ? null : <span className="block text-quiet">{hint}</span>}
      </span>
    </label>
  );
}

/** One of a few, side by side. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  onChange(value: T): void;
}) {
  const name = useId();
  return (
    <fieldset className="flex w-fit flex-wrap rounded-md border border-line" aria-label={label}>
      {options.map((option, index) => (
        <label
          key={option.value}
          className={`flex min-h-7 items-center px-3 first:rounded-l-[5px] last:rounded-r-[5px] has-[:checked]:bg-chosen has-[:checked]:font-medium has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent ${index === 0 ? '' : 'border-l border-line'}`}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.text}
        </label>
      ))}
    </fieldset>
  );
}

/** An error beside what caused it: what and why, then what to do. */
export function FailureNote({ failure, children }: { readonly failure: Failure | null; readonly children?: ReactNode }) {
  if (failure === null) return null;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 rounded-md border border-deny bg-removed px-3 py-1.5">
      <p className="min-w-0 flex-1 break-words">
        <Words text={failure.message} /> {failure.hint === undefined ? null : <Words text={failure.hint} />}
      </p>
      {children}
    </div>
  );
}

/** Something a person should know, that is no error of theirs. */
export function Notice({ tone = 'care', children }: { readonly tone?: 'care' | 'quiet'; readonly children: ReactNode }) {
  return (
    <div
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border px-3 py-1.5 ${tone === 'care' ? 'border-care bg-caring' : 'border-hair bg-sunk'}`}
    >
      {children}
    </div>
  );
}

/** Sentences of ours in which text of a call stands in backticks. */
export function Words({ text }: { readonly text: string }) {
  const parts = text.split('`');
  if (parts.length < 3) return text;
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 && index < parts.length - 1 ? (
          <code key={index} className="wrap-anywhere">
            {part}
          </code>
        ) : (
          part
        ),
      )}
    </>
  );
}

const RISK_WORDS: Readonly<Record<RiskLevel, string>> = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' };

/** Level as a shape and a word, never colour alone: a ring, half a disc, a triangle. */
export function RiskMark({ level, short = false }: { readonly level: RiskLevel; readonly short?: boolean }) {
  return (
    <span className={`inline-flex items-center gap-1 whitespace-nowrap ${level === 'high' ? 'font-semibold text-care' : 'text-quiet'}`}>
      <svg viewBox="0 0 12 12" className="size-3 shrink-0" aria-hidden="true">
        {level === 'high' ? (
          <path d="M6 .8 11.6 11H.4Z" fill="currentColor" />
        ) : (
          <>
            <circle cx="6" cy="6" r="4.75" fill="none" stroke="currentColor" strokeWidth="1.5" />
            {level === 'medium' ? <path d="M6 1.25a4.75 4.75 0 0 0 0 9.5Z" fill="currentColor" /> : null}
          </>
        )}
      </svg>
      {short ? level : RISK_WORDS[level]}
    </span>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="grid h-full place-content-center justify-items-center gap-3 p-8 text-center text-quiet">
      <p className="text-[0.9375rem] text-text">{title}</p>
      {children}
    </div>
  );
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  level = 3,
  actions,
  children,
}: {
  readonly title: string;
  /** 2 where the screen has no other heading between it and the title. */
  readonly level?: 2 | 3;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3">
        <Heading id={id} className="flex-1 text-[0.8125rem] leading-5 wrap-anywhere">
          {title}
        </Heading>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Names and values, one pair a line. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="grid gap-y-1 wide:grid-cols-[9rem_1fr]">{children}</dl>;
}
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
