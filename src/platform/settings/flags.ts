/** Settings on the command line: `--ca-ttl 5y`, `--ca_ttl=5y`, `--storeconfigs`, `--no-storeconfigs`. */

import { nearestName } from '../../lib/nearest-name.ts';
import { allSettings } from './all-settings.ts';
import { type RawValue, SettingsError, settingKey } from './raw-value.ts';
import type { Setting } from './setting.ts';
import { boolean } from './setting-types.ts';

export interface Flags {
  readonly values: ReadonlyMap<string, RawValue>;
  /** Other words, in order; everything after `--`. */
  readonly positional: readonly string[];
}

/** @throws SettingsError for flags that are no settings, and for those without their value */
export function parseFlags(args: readonly string[]): Flags {
  const values = new Map<string, RawValue>();
  const positional: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (argument === '--') {
      positional.push(...args.slice(index + 1));
      break;
    }
    if (!argument.startsWith('--')) {
      positional.push(argument);
      continue;
    }
    const taken = parseFlag(argument, args[index + 1]);
    values.set(taken.name, { text: taken.text, origin: taken.flag });
    if (taken.usesNext) index++;
  }
  return { values, positional };
}

interface TakenFlag {
  readonly name: string;
  readonly flag: string;
  readonly text: string;
  readonly usesNext: boolean;
}

function parseFlag(argument: string, next: string | undefined): TakenFlag {
  const equals = argument.indexOf('=');
  const flag = equals < 0 ? argument : argument.slice(0, equals);
  const { setting, isNegated } = settingOf(flag);
  const name = setting.name;
  if (equals >= 0) return { name, flag, text: argument.slice(equals + 1), usesNext: false };
  if (isNegated) return { name, flag, text: 'false', usesNext: false };
  const isSwitch = (setting.type as unknown) === boolean;
  if (isSwitch) {
    const usesNext = next === 'true' || next === 'false';
    return { name, flag, text: usesNext ? next : 'true', usesNext };
  }
  if (next === undefined) throw new SettingsError([`${flag} needs a value`]);
  return { name, flag, text: next, usesNext: true };
}

function settingOf(flag: string): { setting: Setting<unknown>; isNegated: boolean } {
  const key = settingKey(flag.slice(2));
  const setting = allSettings.find(key);
  if (setting !== undefined) return { setting, isNegated: false };
  const negated = key.startsWith('no_') ? allSettings.find(key.slice(3)) : undefined;
  if (negated !== undefined && (negated.type as unknown) === boolean)
    return { setting: negated, isNegated: true };
  const nearest = nearestName(key, allSettings.names);
  const hint = nearest === undefined ? '' : `; did you mean --${nearest.replaceAll('_', '-')}?`;
  throw new SettingsError([`Unknown option ${flag}${hint}`]);
}
