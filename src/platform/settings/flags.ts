/** Settings on the command line: `--ca-ttl 5y`, `--ca_ttl=5y`, `--storeconfigs`, `--no-storeconfigs`. */

import { nearestName } from '../../lib/nearest-name.ts';
import { type CommandLineToken, type OptionKind, optionTokens } from '../../lib/option-tokens.ts';
import { allSettings } from './all-settings.ts';
import { type RawValue, SettingsError, settingKey } from './raw-value.ts';
import type { Setting } from './setting.ts';
import { boolean } from './setting-types.ts';

/** Options of a command besides settings, with their dashes: `--facts`, `-e`. They come before settings of their name. */
export interface OwnOptions {
  readonly withValue: readonly string[];
  readonly flags: readonly string[];
}

export interface Flags {
  readonly values: ReadonlyMap<string, RawValue>;
  /** Other words, in order; everything after `--`. */
  readonly positional: readonly string[];
  /** Values of the command's own options, in the order in which they were given. */
  readonly ownValues: ReadonlyMap<string, readonly string[]>;
  readonly ownFlags: ReadonlySet<string>;
}

const noOptions: OwnOptions = { withValue: [], flags: [] };

/** @throws SettingsError for options that are neither settings nor the command's own, and for missing values */
export function parseFlags(args: readonly string[], own: OwnOptions = noOptions): Flags {
  const values = new Map<string, RawValue>();
  const positional: string[] = [];
  const ownValues = new Map<string, readonly string[]>();
  const ownFlags = new Set<string>();
  const tokens = [...optionTokens(args, (name) => kindOf(name, own))];
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (token.kind === 'word') positional.push(token.text);
    else if (own.withValue.includes(token.name))
      ownValues.set(token.name, [...(ownValues.get(token.name) ?? []), valueOf(token)]);
    else if (own.flags.includes(token.name) && !token.isAttached) ownFlags.add(token.name);
    else if (!token.name.startsWith('--')) positional.push(token.name);
    else {
      const { isNegated, setting } = settingOf(token.name);
      const isSwitch = !token.isAttached && isBoolean(setting);
      const text = isSwitch ? (takeBoolean(tokens, isNegated) ?? String(!isNegated)) : valueOf(token);
      values.set(setting.name, { text, origin: token.name });
    }
  }
  return { values, positional, ownValues, ownFlags };
}

function kindOf(name: string, own: OwnOptions): OptionKind | undefined {
  if (own.withValue.includes(name)) return 'text';
  if (own.flags.includes(name)) return 'switch';
  const setting = name.startsWith('--') ? findSetting(name)?.setting : undefined;
  if (setting === undefined) return undefined;
  return isBoolean(setting) ? 'switch' : 'text';
}

function valueOf({ name, value }: Extract<CommandLineToken, { kind: 'option' }>): string {
  if (value === undefined) throw new SettingsError([`${name} needs a value`]);
  return value;
}

/** A switch may be followed by its value. */
function takeBoolean(tokens: CommandLineToken[], isNegated: boolean): string | undefined {
  const [next] = tokens;
  if (isNegated || next?.kind !== 'word' || (next.text !== 'true' && next.text !== 'false')) return undefined;
  tokens.shift();
  return next.text;
}

function isBoolean(setting: Setting<unknown>): boolean {
  return (setting.type as unknown) === boolean;
}

interface NamedSetting {
  readonly setting: Setting<unknown>;
  readonly isNegated: boolean;
}

function findSetting(flag: string): NamedSetting | undefined {
  const key = settingKey(flag.slice(2));
  const setting = allSettings.find(key);
  if (setting !== undefined) return { setting, isNegated: false };
  const negated = key.startsWith('no_') ? allSettings.find(key.slice(3)) : undefined;
  return negated !== undefined && isBoolean(negated) ? { setting: negated, isNegated: true } : undefined;
}

function settingOf(flag: string): NamedSetting {
  const found = findSetting(flag);
  if (found !== undefined) return found;
  const nearest = nearestName(settingKey(flag.slice(2)), allSettings.names);
  const hint = nearest === undefined ? '' : `; did you mean --${nearest.replaceAll('_', '-')}?`;
  throw new SettingsError([`Unknown option ${flag}${hint}`]);
}
