// Settings of the person: appearance, notifications, keys, tray. Each takes effect at once and says so.

import { useState } from 'react';
import type { Draft } from '../../shared/commands';
import type { Failure } from '../../shared/failure';
import { FailureNote, Field, INPUT, Screen } from '../parts/controls';
import { bridge, useProjection } from '../store';

export function SettingsScreen() {
  const settings = useProjection((projection) => projection.settings);
  const health = useProjection((projection) => projection.health);
  const [failure, setFailure] = useState<Failure | null>(null);
  async function change(patch: Draft<'settings.update'>): Promise<void> {
    const result = await bridge.invoke('settings.update', patch);
    setFailure(result.ok ? null : result.failure);
  }
  const toggle = (label: string, hint: string, isOn: boolean, patch: (isOn: boolean) => Draft<'settings.update'>) => (
    <label className="flex min-h-7 items-start gap-2">
      <input type="checkbox" className="mt-0.5 size-4" checked={isOn} onChange={(event) => void change(patch(event.target.checked))} />
      <span>
        {label}
        <span className="block text-quiet">{hint}</span>
      </span>
    </label>
  );
  return (
    <Screen title="Settings">
      <div className="grid max-w-xl gap-5 p-4">
        <FailureNote failure={failure} />
        <Field id="theme" label="Theme">
          <select
            id="theme"
            className={INPUT}
            value={settings.theme}
            onChange={(event) => void change({ theme: event.target.value as typeof settings.theme })}
          >
            <option value="system">As the system</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </Field>
        <Field id="notifications" label="Notifications">
          <select
            id="notifications"
            className={INPUT}
            value={settings.notifications}
            onChange={(event) => void change({ notifications: event.target.value as typeof settings.notifications })}
          >
            <option value="grouped">Quiet, grouped by session</option>
            <option value="each">Each request</option>
            <option value="none">None</option>
          </select>
        </Field>
        {toggle('Single-letter keys', 'A, D, F and the others, while the queue has focus.', settings.single_letter_keys, (single_letter_keys) => ({
          single_letter_keys,
        }))}
        {toggle('Keep in the tray', 'Closing the window leaves Gatehouse running.', settings.keep_in_tray, (keep_in_tray) => ({ keep_in_tray }))}
        {toggle(
          'Allow once from a notification',
          'For low risk only. A notification cannot show a diff.',
          settings.allow_from_notification,
          (allow_from_notification) => ({ allow_from_notification }),
        )}
        <p className="text-quiet">Gatehouse {health.version}</p>
      </div>
    </Screen>
  );
}
