/** Sources of settings that this process has: its environment, its files, its host's name. */

import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { readTextIfThere } from '../../lib/if-there.ts';
import { allSettings } from './all-settings.ts';
import type { Flags } from './flags.ts';
import type { SettingsSources } from './load-settings.ts';
import { qualifiedName } from './qualified-name.ts';
import type { RawValue } from './raw-value.ts';
import { path } from './setting-types.ts';

/** The environment of the process: the only place that reads it. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** The same for programs of this one: their settings are their own. */
export function environmentWithoutSettings(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BUNRAKU_')));
}

/** Reads a secret, which programs that this process starts do not see then. */
export function takeVariable(name: string): string | undefined {
  const { [name]: value } = process.env;
  delete process.env[name];
  return value;
}

/** @param flags - of the command line */
export function processSources(
  flags: Pick<Flags, 'values'>,
  environment: Readonly<Record<string, string | undefined>> = processEnvironment(),
): SettingsSources {
  return {
    flags: withAbsolutePaths(flags.values),
    environment,
    hostname: qualifiedName(hostname().toLowerCase(), readTextIfThere),
    readFile: readTextIfThere,
  };
}

/** For commands about the server of this machine: they need not be told what it was told. */
export function commandSources(flags: Pick<Flags, 'values'>): SettingsSources {
  return { ...processSources(flags), isForRunningServer: true };
}

/** A relative path on the command line is relative to the working directory; files mean what their settings say. */
function withAbsolutePaths(values: Flags['values']): Flags['values'] {
  const resolved = new Map<string, RawValue>();
  for (const [name, value] of values) {
    const isPath = (allSettings.find(name)?.type as unknown) === path && name !== 'default_manifest';
    resolved.set(name, isPath ? { ...value, text: resolve(value.text) } : value);
  }
  return resolved;
}
