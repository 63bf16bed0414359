/** All settings as people see them: what is in effect, and where it came from. */

import { allSettings, type DefinedSettings, type Settings } from './all-settings.ts';

export interface ShownSetting {
  readonly name: string;
  readonly section: string;
  readonly doc: string;
  /** Durations in seconds, sizes in bytes; without passwords in addresses. */
  readonly value: string;
  /** As it would be written. */
  readonly default: string;
  /** A file with its line, a variable, a flag, or `default`. */
  readonly origin: string;
}

export type SettingOrigins = { readonly [K in keyof DefinedSettings]: string };

export function shownSettings(settings: Settings, origins: SettingOrigins): readonly ShownSetting[] {
  return allSettings.definitions.map(([key, { default: usual, doc, name, section }]) => ({
    name,
    section,
    doc,
    value: textOf(settings[key]),
    default: usual,
    origin: origins[key],
  }));
}

/** What stands before the host of an address may be a password. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll(/\/\/[^/@\s]+@/g, '//…@');
}
