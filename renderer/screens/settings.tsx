// Settings of the person: appearance, notifications, keys, tray, what agents begin with, what is protected, who reviews. What
// is a choice takes effect at once; what is written is saved by its button.

import type { Draft } from '../../shared/commands';
import { useCommand } from '../command';
import { act } from '../keyboard';
import { Button, Check, Choice, FailureNote, Section } from '../parts/controls';
import { Page } from '../parts/screen';
import { Defaults } from '../parts/settings/defaults';
import { Protection } from '../parts/settings/protection';
import { Reviewer } from '../parts/settings/reviewer';
import { door, useProjection } from '../store';

export function SettingsScreen() {
  const settings = useProjection((projection) => projection.settings);
  const health = useProjection((projection) => projection.health);
  const { run, failure } = useCommand();
  const change = (patch: Draft<'settings.update'>): void => void run('settings.update', patch);
  return (
    <Page title="Settings">
      <div className="grid max-w-4xl gap-8 p-4 wide:px-6">
        <FailureNote failure={failure} />
        <Section level={2} title="Appearance">
          <div>
            <Choice
              label="Theme"
              value={settings.theme}
              options={[
                { value: 'system', text: 'As the system' },
                { value: 'light', text: 'Light' },
                { value: 'dark', text: 'Dark' },
              ]}
              onChange={(theme) => change({ theme })}
            />
          </div>
          <p className="text-quiet">Contrast and stillness follow the system. Text grows with Ctrl and +.</p>
        </Section>
        <Section level={2} title="Notifications">
          <div>
            <Choice
              label="Notifications"
              value={settings.notifications}
              options={[
                { value: 'grouped', text: 'Quiet, grouped by session' },
                { value: 'each', text: 'Each request' },
                { value: 'none', text: 'None' },
              ]}
              onChange={(notifications) => change({ notifications })}
            />
          </div>
          <p className="text-quiet">None comes while the window has focus. Letting one pass never allows anything.</p>
          <Check
            label="Allow once from a notification"
            hint="For low risk only. A notification is seen in the middle of something else and cannot show a diff."
            checked={settings.allow_from_notification}
            onChange={(allow_from_notification) => change({ allow_from_notification })}
          />
          <Check
            label="Hold all questions"
            hint="They wait in the inbox without a notification until you release them."
            checked={settings.questions_held}
            onChange={(questions_held) => change({ questions_held })}
          />
        </Section>
        <Section level={2} title="Keys">
          <Check
            label="Single-letter keys"
            hint="A, D, F and the others, while the queue has focus."
            checked={settings.single_letter_keys}
            onChange={(single_letter_keys) => change({ single_letter_keys })}
          />
          <div>
            <Button size="small" onClick={() => act('sheet')}>
              Show all keys
            </Button>
          </div>
        </Section>
        <Section level={2} title="Window">
          <Check
            label="Keep in the tray"
            hint="Closing the window leaves Gatehouse running, so that agents can go on asking."
            checked={settings.keep_in_tray}
            onChange={(keep_in_tray) => change({ keep_in_tray })}
          />
        </Section>
        <Section level={2} title="What agents begin with">
          <Defaults />
        </Section>
        <Section level={2} title="Protected paths">
          <Protection />
        </Section>
        <Section level={2} title="Reviewer">
          <Reviewer />
        </Section>
        <p className="text-quiet">
          Gatehouse {health.version}, running since {new Date(health.started_at).toLocaleString('en-GB')}
          {door().door === 'browser' ? ', seen in a browser' : ''}.
        </p>
      </div>
    </Page>
  );
}
