// The grant dial: what an answer could be remembered for, narrowest first, each line saying what it would cover, and what else
// of the last week it would have allowed. Always opens the rule, filled in; it is never a silent side effect.

import { useMemo, useState } from 'react';
import type { Group, Request } from '../../../shared/model';
import type { Width } from '../../../shared/terms';
import type { Answer } from '../../answer';
import { useAsked } from '../../command';
import { answerOf, coverage, type DialLine, dialLines, draftRules, lastsText, type Picks, WIDTH_WORDS } from '../../dial';
import { useKey } from '../../keyboard';
import { useProjection } from '../../store';
import { Button, FailureNote, Field, KeyCap, Words } from '../controls';

interface DialProps {
  readonly request: Request;
  readonly blocked: string | null;
  readonly holds: boolean;
  onChoose(answer: Answer): void;
}

export function ScopeDial({ request, blocked, holds, onChoose }: DialProps) {
  const asked = useAsked('request.scopes', { id: request.id }, request.digest);
  const lines = useMemo(() => dialLines(asked.value?.items ?? []), [asked.value]);
  const [picks, setPicks] = useState<Picks>(new Map());
  const groupName = useGroup(request)?.name ?? 'default';
  const [isWriting, setIsWriting] = useState(false);
  const always = lines.find((line) => line.scope === 'always');
  const take = (line: DialLine | undefined): void => {
    if (line === undefined || blocked !== null || holds) return;
    const given = answerOf(line, picks);
    if (given === null) return;
    if (line.scope === 'always') setIsWriting(true);
    else onChoose(given);
  };
  useKey('pick', (event) => take(lines[Number(event.key) - 1]), lines.length > 0 && !isWriting);
  if (asked.failure !== null) return <FailureNote failure={asked.failure} />;
  if (asked.value === null) return <p className="text-quiet">Asking what an answer could cover.</p>;
  const [widest] = lines.toSorted((a, b) => b.parts.length - a.parts.length);
  if (widest === undefined) return <p className="text-quiet">This call can be allowed once only.</p>;
  if (isWriting && always !== undefined)
    return <AlwaysRule request={request} line={always} picks={picks} blocked={blocked} onChoose={onChoose} onBack={() => setIsWriting(false)} />;
  const covers = coverage(widest, picks);
  return (
    <fieldset className="grid gap-2 rounded-md border border-hair p-3" aria-label="Scopes">
      <Reach line={widest} picks={picks} onPick={(subject, pick) => setPicks(new Map([...picks, [subject, pick]]))} />
      <p className="min-w-0 wrap-anywhere">
        <span className="text-quiet">Will not ask again about </span>
        {covers === '' ? 'nothing: tick at least one part.' : <Words text={covers} />}
      </p>
      <ul className="flex flex-wrap gap-2">
        {lines.map((line, index) => {
          const own = coverage(line, picks);
          return (
            <li key={line.key} className="grid gap-1">
              <Button
                size="small"
                title={`Holds ${lastsText(line, groupName)}`}
                blocked={blocked ?? (own === '' ? 'Tick at least one part first.' : null)}
                holds={holds}
                onClick={() => take(line)}
              >
                <KeyCap>{index + 1}</KeyCap>
                {line.label}
                {line.scope === 'always' ? '…' : ''}
              </Button>
              {own === covers ? null : (
                <span className="max-w-60 wrap-anywhere text-quiet">
                  <Words text={own} />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <Preview request={request} line={widest} picks={picks} />
    </fieldset>
  );
}

/** The group whose rules the session of a request is under. */
const useGroup = (request: Request): Group | undefined =>
  useProjection((projection) => {
    const id = projection.sessions.get(request.session_id)?.effective.values.security_group ?? 'default';
    return projection.groups.get(id) ?? projection.groups.get('default');
  });

/** How much of each part is remembered: it narrows or widens the target, never the kind of call. */
function Reach({ line, picks, onPick }: { readonly line: DialLine; readonly picks: Picks; onPick(subject: string, pick: Width | 'skip'): void }) {
  const [only, ...more] = line.parts;
  if (only === undefined || (more.length === 0 && only.widths.length < 2)) return null;
  return (
    <ul className="grid gap-1" aria-label="Reach">
      {line.parts.map((part) => {
        const pick = picks.get(part.subject);
        const isTicked = pick !== 'skip';
        return (
          <li key={part.subject} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {more.length === 0 ? (
              <span className="text-quiet">Reach</span>
            ) : (
              <label className="flex min-h-7 min-w-0 flex-1 items-center gap-2">
                <input
                  type="checkbox"
                  checked={isTicked}
                  onChange={(event) => onPick(part.subject, event.target.checked ? (part.widths[0]?.width ?? 'skip') : 'skip')}
                />
                <code className="min-w-0 wrap-anywhere">{part.subject}</code>
              </label>
            )}
            <select
              aria-label={`Reach of ${part.subject}`}
              className="field !w-auto"
              disabled={!isTicked}
              value={pick === 'skip' || pick === undefined ? part.widths[0]?.width : pick}
              onChange={(event) => onPick(part.subject, event.target.value as Width)}
            >
              {part.widths.map((one) => (
                <option key={one.width} value={one.width}>
                  {WIDTH_WORDS[one.width]}
                </option>
              ))}
            </select>
          </li>
        );
      })}
    </ul>
  );
}

const WEEK_MS = 7 * 86_400_000;
const SHOWN = 3;

/** Calls of the last week that asked or would ask, and would have been allowed by the same. */
function Preview({ request, line, picks }: { readonly request: Request; readonly line: DialLine; readonly picks: Picks }) {
  const groupId = useGroup(request)?.id ?? 'default';
  const [since] = useState(() => new Date(Date.now() - WEEK_MS).toISOString());
  const [isWhole, setIsWhole] = useState(false);
  const drafts = draftRules(request, line, picks, groupId);
  const asked = useAsked('replay', drafts.length === 0 ? null : { draft_rules: drafts, since });
  if (asked.value === null || drafts.length === 0) return null;
  const others = asked.value.items.filter((one) => one.request_id !== request.id && one.before === 'require' && one.after === 'allow');
  const texts = [...new Set(others.map((one) => one.text))];
  return (
    <div>
      <p className="text-quiet">
        {others.length === 0
          ? `Of ${count(asked.value.compared)} in the last 7 days, no other would have been allowed by this.`
          : `Of ${count(asked.value.compared)} in the last 7 days, this would also have allowed ${others.length}:`}
      </p>
      <ul>
        {(isWhole ? texts : texts.slice(0, SHOWN)).map((text) => (
          <li key={text}>
            <code className="wrap-anywhere">{text}</code>
          </li>
        ))}
      </ul>
      {!isWhole && texts.length > SHOWN ? (
        <Button size="small" tone="ghost" onClick={() => setIsWhole(true)}>
          Show all {texts.length}
        </Button>
      ) : null}
    </div>
  );
}

const count = (calls: number): string => (calls === 1 ? '1 call' : `${calls.toLocaleString('en')} calls`);

/** The rule that Always would write: one part can be edited by hand, several are kept as they are offered. */
function AlwaysRule({
  request,
  line,
  picks,
  blocked,
  onChoose,
  onBack,
}: {
  readonly request: Request;
  readonly line: DialLine;
  readonly picks: Picks;
  readonly blocked: string | null;
  onChoose(answer: Answer): void;
  onBack(): void;
}) {
  const group = useGroup(request);
  const given = answerOf(line, picks);
  const [only, ...more] = line.parts;
  const offered = only?.widths.find((one) => one.width === picks.get(only.subject)) ?? only?.widths[0];
  const [surface, setSurface] = useState(request.tool);
  const [pattern, setPattern] = useState(offered?.pattern ?? '');
  const isByHand = more.length === 0 && (surface !== request.tool || pattern !== offered?.pattern);
  if (given === null) return null;
  return (
    <fieldset className="grid gap-2 rounded-md border border-hair p-3" aria-label="Rule to save">
      <p>
        Adds a rule to the group <strong>{group?.name ?? 'default'}</strong>, just above the one that asked and below every deny.
      </p>
      {more.length === 0 ? (
        <div className="grid gap-2 wide:grid-cols-[12rem_1fr]">
          <Field label="Tool">
            {(bind) => (
              <input {...bind} spellCheck={false} className="field font-mono" value={surface} onChange={(event) => setSurface(event.target.value)} />
            )}
          </Field>
          <Field label="Target" hint="* stands for anything; folder/* for the folder and all below it.">
            {(bind) => (
              <input {...bind} spellCheck={false} className="field font-mono" value={pattern} onChange={(event) => setPattern(event.target.value)} />
            )}
          </Field>
        </div>
      ) : (
        <p className="break-words">
          <Words text={coverage(line, picks)} />
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          tone="solid"
          blocked={blocked ?? (surface.trim() === '' || pattern.trim() === '' ? 'A rule needs a tool and a target.' : null)}
          onClick={() =>
            onChoose(isByHand ? { action: 'approve', scope: 'always', rule: { surface: surface.trim(), pattern: pattern.trim() } } : given)
          }
        >
          Save rule and allow
        </Button>
        <Button onClick={onBack}>Back to the scopes</Button>
      </div>
    </fieldset>
  );
}
