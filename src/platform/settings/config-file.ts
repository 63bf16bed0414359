/** Our own configuration file, in HOCON or YAML. */

import { load as parseYaml } from 'js-yaml';
import { HoconError, parseHocon } from '../../lib/hocon/index.ts';
import { allSettings } from './all-settings.ts';
import { type RawValue, SettingsError, settingKey } from './raw-value.ts';
import { pathList } from './setting-types.ts';

/**
 * Settings of a configuration file; lists may be lists.
 *
 * @param file - its name: `.yaml` and `.yml` are YAML, everything else is HOCON
 * @throws SettingsError naming file, line and what is wrong
 */
export function parseConfigFile(text: string, file: string): ReadonlyMap<string, RawValue> {
  const data = parseData(text, file);
  if (data === undefined || data === null) return new Map();
  if (typeof data !== 'object' || Array.isArray(data))
    throw new SettingsError([`${file}: expected settings by name`]);
  const values = new Map<string, RawValue>();
  for (const [name, value] of Object.entries(data)) {
    const origin = `${file}${lineOf(name, text)}`;
    values.set(settingKey(name), { text: asText(value, name, origin), origin });
  }
  return values;
}

function parseData(text: string, file: string): unknown {
  if (!/\.ya?ml$/.test(file)) return parseHoconFile(text, file);
  try {
    return parseYaml(text);
  } catch (error) {
    throw unreadable(error, file);
  }
}

/** @throws SettingsError naming file, line and what is wrong */
export function parseHoconFile(text: string, file: string): unknown {
  try {
    return parseHocon(text);
  } catch (error) {
    throw unreadable(error, file);
  }
}

function unreadable(error: unknown, file: string): unknown {
  const isSyntax = error instanceof HoconError || (error instanceof Error && error.name === 'YAMLException');
  return isSyntax ? new SettingsError([`Could not parse ${file}: ${error.message}`]) : error;
}

/** Both parsers give values without places: the first line that begins with the name is the one. */
export function lineOf(name: string, text: string): string {
  const pattern = new RegExp(`^[\\s{,"']*${name.replace(/\W/g, '\\$&')}["']?\\s*[:={+]`);
  const index = text.split('\n').findIndex((line) => pattern.test(line));
  return index < 0 ? '' : `:${index + 1}`;
}

function asText(value: unknown, name: string, origin: string): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => asText(item, name, origin)).join(dividerOf(name));
  throw new SettingsError([
    `${origin}: ${name} should be a text, a number, true or false, or a list of them`,
  ]);
}

function dividerOf(name: string): string {
  return (allSettings.find(settingKey(name))?.type as unknown) === pathList ? ':' : ',';
}
