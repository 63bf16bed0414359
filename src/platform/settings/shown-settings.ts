/** All settings as people see them: what is in effect, and where it came from. */

import { renderSeconds } from '../../lib/duration.ts';
import { allSettings, type DefinedSettings, type Settings } from './all-settings.ts';
import { duration, size, timeToLive } from './setting-types.ts';

export interface ShownSetting {
  readonly name: string;
  readonly section: string;
  readonly doc: string;
  /** Durations with their unit, sizes in bytes; without passwords in addresses. */
  readonly value: string;
  /** As it would be written. */
  readonly default: string;
  /** A file with its line, a variable, a flag, or `default`. */
  readonly origin: string;
}

export type SettingOrigins = { readonly [K in keyof DefinedSettings]: string };

export function shownSettings(settings: Settings, origins: SettingOrigins): readonly ShownSetting[] {
  return allSettings.definitions.map(([key, { default: usual, doc, name, section, type }]) => ({
    name,
    section,
    doc,
    value: textOf(settings[key], type.name),
    default: usual,
    origin: origins[key],
  }));
}

/** What stands before the host of an address may be a password. */
function textOf(value: unknown, type: string): string {
  if (value === undefined || value === null) return '';
  if (value === Number.POSITIVE_INFINITY) return 'unlimited';
  if (typeof value === 'number' && (type === duration.name || type === timeToLive.name))
    return renderSeconds(value);
  if (typeof value === 'number' && type === size.name) return `${value} bytes`;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll(/\/\/[^/@\s]+@/g, '//…@');
}
