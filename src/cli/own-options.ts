/** Options of a command among settings: `--facts FILE` is the command's, `--strict error` a setting. */

import {
  commandSources,
  loadSettings,
  type OwnOptions,
  parseFlags,
  type SettingOrigins,
  type Settings,
  SettingsError,
} from '../platform/settings/index.ts';
import { UsageError } from './command.ts';

export interface CommandLine {
  /** Values of the command's options, in the order in which they were given. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly flags: ReadonlySet<string>;
  readonly positional: readonly string[];
  readonly settings: Settings;
  /** Where each setting comes from: a file with its line, a variable, a flag, `default`. */
  readonly origins: SettingOrigins;
  /** Settings that were given on the command line, by name. */
  readonly given: ReadonlyMap<string, string>;
}

/** @throws UsageError for what is neither an option nor a setting, and for missing values */
export function readCommandLine(args: readonly string[], own: OwnOptions): CommandLine {
  try {
    const parsed = parseFlags(args, own);
    const { ownFlags: flags, ownValues: values, positional } = parsed;
    const unknown = positional.find((argument) => /^-./.test(argument));
    if (unknown !== undefined) throw new UsageError(`Unknown option ${unknown}`);
    const given = new Map(Array.from(parsed.values, ([name, { text }]) => [name, text]));
    const { origins, settings } = loadSettings(commandSources(parsed));
    return { values, flags, given, positional, settings, origins };
  } catch (error) {
    if (error instanceof SettingsError) throw new UsageError(error.message);
    throw error;
  }
}

/** The last value that was given for an option. */
export function lastOf({ values }: CommandLine, name: string): string | undefined {
  return values.get(name)?.at(-1);
}

/** For commands that take no further words. @throws UsageError naming the first of them */
export function refuseWords([word]: readonly string[]): void {
  if (word !== undefined) throw new UsageError(`Unexpected argument '${word}'`);
}
