/** What manifests see as `$settings::NAME`: every setting of Puppet with the value that it has on this server. */

import { parseSeconds } from '../../lib/duration.ts';
import { interpolate } from './interpolate.ts';
import type { InstallationLevel } from './language-level.ts';
import { type PuppetDefaults, type PuppetSettingKind, puppetDefaults } from './puppet-defaults.ts';
import type { RawValues } from './raw-value.ts';

/** As manifests see it; `null` is `undef`. */
export type PuppetValue = string | number | boolean | null | readonly string[];

export interface PuppetValueSources {
  /** What `puppet.conf` says for a server. */
  readonly puppetConf: RawValues;
  /** Texts of the settings that Bunraku honours itself, whatever said so; `undefined` for others. */
  readonly ownText: (name: string) => string | undefined;
  readonly hostname: string;
}

type Values = Readonly<Record<string, PuppetValue>>;

/** By name, at each language level. */
export function puppetValuesAtLevels(
  sources: PuppetValueSources,
): Readonly<Record<InstallationLevel, Values>> {
  return Object.freeze({
    7: puppetValues(sources, puppetDefaults[7]),
    8: puppetValues(sources, puppetDefaults[8]),
    9: puppetValues(sources, puppetDefaults[9]),
  });
}

interface Reading extends PuppetValueSources {
  readonly defaults: PuppetDefaults;
}

function puppetValues(sources: PuppetValueSources, defaults: PuppetDefaults): Values {
  const values: Record<string, PuppetValue> = {};
  for (const [name, [kind]] of Object.entries(defaults)) {
    const text = textOf(name, { ...sources, defaults }, []);
    values[name] = text === null ? null : munge(kind, text);
  }
  return Object.freeze(values);
}

function textOf(name: string, sources: Reading, above: readonly string[]): string | null {
  const own = sources.ownText(name);
  // Of a setting that may have no value at all, ours is empty then.
  if (own !== undefined) return own === '' ? (sources.defaults[name]?.[1] ?? null) : own;
  const written = sources.puppetConf.get(name)?.text ?? defaultOf(name, sources);
  // Code is not interpolated: its variables are its own. A setting that refers to itself stays as it is written.
  if (written === null || name === 'code' || above.includes(name)) return written;
  return interpolate(written, (other) => referred(other, sources, [...above, name]));
}

function defaultOf(name: string, { defaults, hostname }: Reading): string | null {
  if (name === 'srv_domain') return /^[^.]+\.(.+)$/.exec(hostname)?.[1] ?? null;
  return defaults[name]?.[1] ?? null;
}

function referred(name: string, sources: Reading, above: readonly string[]): string {
  if (name === 'run_mode') return 'server';
  if (name === 'hostname' || name === 'fqdn') return sources.hostname;
  return textOf(name, sources, above) ?? '';
}

/** A value that does not parse as its kind stays a text. */
function munge(kind: PuppetSettingKind, text: string): PuppetValue {
  return mungers[kind](text) ?? text;
}

const mungers: Readonly<Record<PuppetSettingKind, (text: string) => PuppetValue | undefined>> = {
  text: (text) => text,
  boolean: booleanIn,
  autosign: booleanIn,
  integer: (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
  duration: parseSeconds,
  timeToLive: (text) => (text === 'unlimited' ? Number.POSITIVE_INFINITY : parseSeconds(text)),
  list: (text) => text.split(/\s*,\s*/).filter((part) => part !== ''),
};

function booleanIn(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}
