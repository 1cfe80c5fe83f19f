// The rules of a group in the order in which they are tried: the floors that hold above all of them, the rules with what each
// has decided, and what comes after. Each row can be moved, turned off, edited and deleted by buttons.

import { ChevronDown, ChevronUp, Lock, MoreHorizontal } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Fragment, type ReactNode } from 'react';
import type { Rule, Settings } from '../../../shared/model';
import { agentName } from '../../../shared/sentences';
import { ACTION_WORDS, classWords } from '../../rule-words';
import { IconButton } from '../controls';
import { RuleEditor } from './rule-editor';

const TONES = { allow: 'text-allow', deny: 'text-deny', require: 'text-care' } as const;
const CELL = 'px-2 py-1.5 align-top';
const COLUMNS = 6;

export interface RuleTableProps {
  readonly groupId: string;
  readonly rules: readonly Rule[];
  readonly protectedPaths: Settings['protected_paths'];
  /** The rule that decided the call that is tried. */
  readonly decidedBy: string | null;
  readonly editedId: string | null;
  readonly blocked: string | null;
  onEdit(id: string | null): void;
  onMove(index: number, by: 1 | -1): void;
  onToggle(rule: Rule): void;
  onDelete(rule: Rule): void;
  readonly after: ReactNode;
}

export function RuleTable({ groupId, rules, protectedPaths, decidedBy, editedId, onEdit, after, ...rest }: RuleTableProps) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-[32rem] table-fixed" aria-label="Rules, in the order in which they are tried">
        <colgroup>
          <col className="w-9" />
          <col className="w-20" />
          <col className="w-32" />
          <col />
          <col className="w-14" />
          <col className="w-[6.75rem]" />
        </colgroup>
        <thead>
          <tr className="border-b border-line text-left text-quiet">
            {['#', 'Effect', 'Tool', 'Target', 'Hits', 'Actions'].map((title) => (
              <th key={title} scope="col" className={`px-2 py-1 font-normal ${title === 'Hits' ? 'text-right' : ''}`}>
                {title === 'Actions' ? <span className="sr-only">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Floors protectedPaths={protectedPaths} />
          {rules.map((rule, index) => (
            <Fragment key={rule.id}>
              {editedId === rule.id ? (
                <tr>
                  <td colSpan={COLUMNS} className="py-2">
                    <RuleEditor groupId={groupId} rule={rule} rules={rules} onDone={() => onEdit(null)} />
                  </td>
                </tr>
              ) : (
                <RuleRow rule={rule} index={index} count={rules.length} isDeciding={decidedBy === rule.id} onEdit={onEdit} {...rest} />
              )}
            </Fragment>
          ))}
          <tr className="text-quiet">
            <td className={CELL} />
            <td colSpan={COLUMNS - 1} className={CELL}>
              {after}
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function Floors({ protectedPaths }: { readonly protectedPaths: Settings['protected_paths'] }) {
  const lifted = protectedPaths.lifted.length === 0 ? '' : ` Lifted in Settings: ${protectedPaths.lifted.join(', ')}.`;
  const extra = protectedPaths.extra.length === 0 ? '' : ` Added by you: ${protectedPaths.extra.join(', ')}.`;
  return (
    <>
      <Floor
        effect="Deny"
        tone="text-deny"
        target="Credentials"
        note={`SSH, GnuPG, cloud, Docker and Git logins, .netrc, the npm token, browser profiles; and the files of Gatehouse itself.${extra}${lifted}`}
      />
      <Floor
        effect="Ask"
        tone="text-care"
        target="Settings of agents"
        note="Writing to an agent's own settings, git hooks and start-up files of shells is asked, whatever a rule allows."
      />
    </>
  );
}

function Floor({ effect, tone, target, note }: { readonly effect: string; readonly tone: string; readonly target: string; readonly note: string }) {
  return (
    <tr className="border-b border-hair bg-ground">
      <td className={CELL}>
        <Lock size={14} aria-label="Locked" className="mt-0.5 text-quiet" />
      </td>
      <td className={`${CELL} ${tone}`}>{effect}</td>
      <td className={CELL}>any</td>
      <td className={CELL} colSpan={3}>
        {target}
        <span className="block text-quiet">{note}</span>
      </td>
    </tr>
  );
}

function RuleRow({
  rule,
  index,
  count,
  isDeciding,
  blocked,
  onEdit,
  onMove,
  onToggle,
  onDelete,
}: {
  readonly rule: Rule;
  readonly index: number;
  readonly count: number;
  readonly isDeciding: boolean;
} & Pick<RuleTableProps, 'blocked' | 'onEdit' | 'onMove' | 'onToggle' | 'onDelete'>) {
  const targets = [rule.command_pattern, rule.path_pattern].filter((one) => one !== null);
  const words = classWords(rule.tool_pattern);
  const extras = [
    ...(rule.agent === null ? [] : [`only ${agentName(rule.agent)}`]),
    ...(rule.source === null ? [] : [`source ${rule.source}`]),
    ...(rule.expires_at === null ? [] : [`until ${new Date(rule.expires_at).toLocaleString('en-GB')}`]),
    ...(rule.created_by.startsWith('request:') ? ['from an answer'] : rule.created_by.startsWith('import:') ? ['imported'] : []),
    ...(rule.reason === '' ? [] : [`tells the agent: ${rule.reason}`]),
  ];
  const name = `rule ${index + 1}`;
  return (
    <tr className={`border-b border-hair ${isDeciding ? 'bg-chosen' : ''} ${rule.enabled ? '' : 'text-quiet'}`}>
      <td className={`${CELL} tabular-nums`}>{index + 1}</td>
      <td className={`${CELL} whitespace-nowrap`}>
        <span className={rule.enabled ? TONES[rule.action] : ''}>{ACTION_WORDS[rule.action]}</span>
        {rule.hard ? ', hard' : ''}
        {rule.enabled ? null : <span className="block">turned off</span>}
        {isDeciding ? <span className="block font-semibold text-text">decides</span> : null}
      </td>
      <td className={CELL}>
        <code className="wrap-anywhere">{rule.tool_pattern}</code>
        {words === null ? null : <span className="block text-quiet">{words}</span>}
      </td>
      <td className={CELL}>
        {targets.length === 0 ? 'any' : <code className="wrap-anywhere">{targets.join(' ')}</code>}
        {rule.note === '' ? null : <span className="block text-quiet">{rule.note}</span>}
        {extras.length === 0 ? null : <span className="block text-quiet">{extras.join(', ')}</span>}
      </td>
      <td className={`${CELL} text-right tabular-nums`}>{rule.hits.toLocaleString('en')}</td>
      <td className={`${CELL} whitespace-nowrap`}>
        <span className="flex justify-end gap-1">
          <IconButton
            tone="ghost"
            label={`Move ${name} up`}
            blocked={blocked ?? (index === 0 ? 'It is the first.' : null)}
            onClick={() => onMove(index, -1)}
          >
            <ChevronUp size={16} aria-hidden="true" />
          </IconButton>
          <IconButton
            tone="ghost"
            label={`Move ${name} down`}
            blocked={blocked ?? (index === count - 1 ? 'It is the last.' : null)}
            onClick={() => onMove(index, 1)}
          >
            <ChevronDown size={16} aria-hidden="true" />
          </IconButton>
          <DropdownMenu.Root>
            <DropdownMenu.Trigger asChild>
              <IconButton tone="ghost" label={`More for ${name}`}>
                <MoreHorizontal size={16} aria-hidden="true" />
              </IconButton>
            </DropdownMenu.Trigger>
            <DropdownMenu.Portal>
              <DropdownMenu.Content align="end" className="appears z-10 min-w-36 rounded-md border border-line bg-panel p-1 shadow-lg">
                <Entry onSelect={() => onEdit(rule.id)}>Edit</Entry>
                <Entry onSelect={() => onToggle(rule)}>{rule.enabled ? 'Turn off' : 'Turn on'}</Entry>
                <Entry onSelect={() => onDelete(rule)}>Delete</Entry>
              </DropdownMenu.Content>
            </DropdownMenu.Portal>
          </DropdownMenu.Root>
        </span>
      </td>
    </tr>
  );
}

const Entry = ({ children, onSelect }: { readonly children: ReactNode; onSelect(): void }) => (
  <DropdownMenu.Item onSelect={onSelect} className="flex min-h-7 items-center rounded px-2 outline-none data-[highlighted]:bg-chosen">
    {children}
  </DropdownMenu.Item>
);
