/** Options of a command among settings: `--facts FILE` is the command's, `--strict error` a setting. */

import {
  commandSources,
  loadSettings,
  parseFlags,
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
  /** Settings that were given on the command line, by name. */
  readonly given: ReadonlyMap<string, string>;
}

/** Names with their dashes: `--facts`, `-e`. */
export interface OptionNames {
  readonly withValue: readonly string[];
  readonly flags: readonly string[];
}

/** @throws UsageError for what is neither an option nor a setting, and for missing values */
export function readCommandLine(args: readonly string[], names: OptionNames): CommandLine {
  const values = new Map<string, readonly string[]>();
  const flags = new Set<string>();
  const others: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    const [name, attached] = splitFlag(argument);
    if (names.withValue.includes(name)) {
      const value = attached ?? args[(index += 1)];
      if (value === undefined) throw new UsageError(`${name} needs a value`);
      values.set(name, [...(values.get(name) ?? []), value]);
    } else if (names.flags.includes(argument)) flags.add(argument);
    else others.push(argument);
  }
  return { values, flags, ...readOthers(others) };
}

/** The last value that was given for an option. */
export function lastOf({ values }: CommandLine, name: string): string | undefined {
  return values.get(name)?.at(-1);
}

/** For commands that take no further words. @throws UsageError naming the first of them */
export function refuseWords([word]: readonly string[]): void {
  if (word !== undefined) throw new UsageError(`Unexpected argument '${word}'`);
}

function splitFlag(argument: string): readonly [string, string | undefined] {
  const equals = argument.startsWith('--') ? argument.indexOf('=') : -1;
  return equals < 0 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

function readOthers(args: readonly string[]): Pick<CommandLine, 'given' | 'positional' | 'settings'> {
  try {
    const parsed = parseFlags(args);
    const unknown = parsed.positional.find((argument) => /^-./.test(argument));
    if (unknown !== undefined) throw new UsageError(`Unknown option ${unknown}`);
    const { positional, values } = parsed;
    const given = new Map(Array.from(values, ([name, { text }]) => [name, text]));
    return { given, positional, settings: loadSettings(commandSources(parsed)).settings };
  } catch (error) {
    if (error instanceof SettingsError) throw new UsageError(error.message);
    throw error;
  }
}
