// Tries a call against the rules, by the real engine, without making it: the verdict, what decided, and every step.

import { useEffect, useMemo, useState } from 'react';
import type { Draft } from '../../../shared/commands';
import type { VerdictKind } from '../../../shared/terms';
import { useAsked } from '../../command';
import { useProjection } from '../../store';
import { FailureNote, Field } from '../controls';
import { Trace } from '../request/trace';

const FORMS = {
  run: { text: 'Run a command', tool: 'Bash', field: 'command', label: 'Command', example: 'npm test' },
  edit: { text: 'Edit a file', tool: 'Write', field: 'file_path', label: 'Path', example: 'src/index.ts' },
  read: { text: 'Read a file', tool: 'Read', field: 'file_path', label: 'Path', example: 'docs/readme.md' },
  fetch: { text: 'Fetch an address', tool: 'WebFetch', field: 'url', label: 'Address', example: 'https://example.com' },
  tool: { text: 'Use another tool', tool: '', field: '', label: 'Tool', example: 'mcp__mail__send' },
} as const;
type FormName = keyof typeof FORMS;

const VERDICTS: Readonly<Record<VerdictKind, { readonly word: string; readonly tone: string }>> = {
  allow: { word: 'Allow', tone: 'text-allow' },
  deny: { word: 'Deny', tone: 'text-deny' },
  require: { word: 'Ask', tone: 'text-care' },
  stage: { word: 'Stage', tone: 'text-care' },
};

const SETTLE_MS = 200;

export function TryCall({ groupId, onDecided }: { readonly groupId: string; onDecided(ruleId: string | null): void }) {
  const rules = useProjection((projection) => projection.rules);
  const roots = useRoots();
  const [form, setForm] = useState<FormName>('run');
  const [target, setTarget] = useState('');
  const [root, setRoot] = useState<string | null>(null);
  const place = root ?? roots[0] ?? '';
  const settled = useSettled(target.trim());
  const { tool, field, label, example } = FORMS[form];
  const input = useMemo((): Draft<'simulate'> | null => {
    if (settled === '') return null;
    return {
      context: { agent: 'claude-code', run_context: { security_group: groupId }, ...(place === '' ? {} : { root: place, cwd: place }) },
      calls: [{ tool: tool === '' ? settled : tool, input: field === '' ? {} : { [field]: settled } }],
    };
  }, [settled, groupId, place, tool, field]);
  const asked = useAsked('simulate', input, rules);
  const result = input === null ? undefined : asked.value?.items[0];
  const decidedBy = result?.rule_id ?? null;
  useEffect(() => onDecided(decidedBy), [decidedBy, onDecided]);
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 wide:grid-cols-[11rem_1fr_14rem]">
        <Field label="Call">
          {(bind) => (
            <select {...bind} className="field" value={form} onChange={(event) => setForm(event.target.value as FormName)}>
              {Object.entries(FORMS).map(([name, one]) => (
                <option key={name} value={name}>
                  {one.text}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={label}>
          {(bind) => (
            <input
              {...bind}
              spellCheck={false}
              autoComplete="off"
              placeholder={example}
              className="field font-mono"
              value={target}
              onChange={(event) => setTarget(event.target.value)}
            />
          )}
        </Field>
        <Field label="In">
          {(bind) => (
            <select {...bind} className="field" value={place} onChange={(event) => setRoot(event.target.value)}>
              {roots.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
              <option value="">no directory</option>
            </select>
          )}
        </Field>
      </div>
      <div aria-live="polite">
        {asked.failure !== null && input !== null ? <FailureNote failure={asked.failure} /> : null}
        {result === undefined ? (
          <p className="text-quiet">Name a {label.toLowerCase()} to see what the rules say about it. Nothing is run.</p>
        ) : (
          <div className="grid gap-2">
            <p>
              <span className={`font-semibold ${VERDICTS[result.verdict].tone}`}>{VERDICTS[result.verdict].word}</span>
              <span className="text-quiet">{result.cause === null ? ': a person decides' : `, by ${result.cause.replace('_', ' ')}`}</span>
            </p>
            <Trace steps={result.trace} />
          </div>
        )}
      </div>
    </div>
  );
}

/** Directories of open sessions and of projects, each once. */
function useRoots(): readonly string[] {
  const sessions = useProjection((projection) => projection.sessions);
  const projects = useProjection((projection) => projection.projects);
  return useMemo(() => {
    const open = [...sessions.values()].flatMap((session) => (session.state === 'ended' || session.root === null ? [] : [session.root]));
    return [...new Set([...open, ...[...projects.values()].flatMap((project) => project.folder ?? [])])];
  }, [sessions, projects]);
}

/** The text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return settled;
}
