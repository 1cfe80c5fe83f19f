// `settings.json`: what the person set, kept through electron-store (in serve mode through its base, which needs no
// Electron). Owns the defaults, and that a file that cannot be understood is set aside and reported, never overwritten
// unread. Keys of a later version are kept and not used.

import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Conf from 'conf';
import type { Json, Settings } from '../../shared/model';
import { settingsPatchSchema } from '../../shared/schemas';
import type { StoreProblem } from './contract';
import { asideName, FILES, makePrivate, moveAside, readIfPresent } from './data-folder';

export const DEFAULT_SETTINGS: Settings = {
  run_context_defaults: { agents: {}, sources: {} },
  theme: 'system',
  notifications: 'grouped',
  keep_in_tray: true,
  questions_held: false,
  single_letter_keys: true,
  allow_from_notification: false,
  agent_workspaces: {},
  reviewer: null,
  protected_paths: { extra: [], lifted: [] },
};

type Values = Record<string, Json>;

/** The part of electron-store that is used: the whole file as one value, written in one step. */
export interface KeptValues {
  store: Values;
}
/** `ElectronStore` of electron-store in the desktop app; `Conf`, which it extends, elsewhere. */
export type KeptValuesClass = new (options: {
  cwd: string;
  name?: string;
  configName?: string;
  configFileMode: number;
  accessPropertiesByDotNotation: false;
}) => KeptValues;

export interface SettingsFile {
  readonly initial: Settings;
  /** Throws when the disk refuses; the file is then as it was. */
  write(settings: Settings): void;
  /** Changes when the file does, by whomever. */
  fingerprint(): string;
}

/** Reads the settings. Throws only when the file cannot be read at all, as a permission error. */
export function openSettings(
  dataDir: string,
  nowMs: number,
  Kept: KeptValuesClass = Conf,
): { readonly file: SettingsFile; readonly problem: StoreProblem | null } {
  const path = join(dataDir, FILES.settings);
  const { initial, problem } = readSettings(path, nowMs);
  const kept = new Kept({ cwd: dataDir, name: 'settings', configName: 'settings', configFileMode: 0o600, accessPropertiesByDotNotation: false });
  const file: SettingsFile = {
    initial,
    write(settings) {
      kept.store = { ...kept.store, ...plain(settings) };
    },
    fingerprint: () =>
      createHash('sha256')
        .update(readIfPresent(path) ?? '')
        .digest('hex'),
  };
  return { file, problem };
}

const plain = (settings: Settings): Values => JSON.parse(JSON.stringify(settings));

function readSettings(path: string, nowMs: number): { readonly initial: Settings; readonly problem: StoreProblem | null } {
  const text = readIfPresent(path);
  if (text === null) return { initial: DEFAULT_SETTINGS, problem: null };
  makePrivate(path);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = null;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { initial: DEFAULT_SETTINGS, problem: damagedFile(moveAside(path, nowMs)) };
  }
  const { values, unusable } = understood(json as Values);
  if (unusable.length === 0) return { initial: { ...DEFAULT_SETTINGS, ...values }, problem: null };
  const copy = asideName(path, nowMs);
  copyFileSync(path, copy);
  makePrivate(copy);
  return { initial: { ...DEFAULT_SETTINGS, ...values }, problem: damagedValues(unusable, copy) };
}

/** Each known key on its own, so that one bad value does not cost the others. */
function understood(json: Values): { readonly values: Partial<Settings>; readonly unusable: readonly string[] } {
  const values: Record<string, unknown> = {};
  const unusable: string[] = [];
  for (const key of Object.keys(DEFAULT_SETTINGS)) {
    if (!Object.hasOwn(json, key)) continue;
    const parsed = settingsPatchSchema.safeParse({ [key]: json[key] });
    if (parsed.success) Object.assign(values, parsed.data);
    else unusable.push(key);
  }
  return { values: values as Partial<Settings>, unusable };
}

const fileName = (path: string): string => path.slice(path.lastIndexOf(FILES.settings));

const damagedFile = (aside: string): StoreProblem => ({
  code: 'settings_damaged',
  message: `The settings file was damaged and was moved aside to \`${fileName(aside)}\`. Gatehouse runs with the settings it came with.`,
  hint: 'Check Settings, or correct the file and put it back while Gatehouse is closed.',
});

const damagedValues = (keys: readonly string[], copy: string): StoreProblem => ({
  code: 'settings_damaged',
  message: `The settings file holds values that cannot be used (${keys.map((key) => `\`${key}\``).join(', ')}); those have the values Gatehouse came with. A copy of the file is \`${fileName(copy)}\`.`,
  hint: 'Set them again in Settings.',
});
