/**
 * All sources of settings to one frozen record: flags over environment over our file over `webserver.conf` over `puppet.conf`
 * over defaults.
 */

import { nearestName } from '../../lib/nearest-name.ts';
import { allSettings, type DefinedSettings, type Settings } from './all-settings.ts';
import { caServerOf, disablingLine } from './authority-elsewhere.ts';
import { parseConfigFile } from './config-file.ts';
import { interpolate } from './interpolate.ts';
import { levelOfInstallation } from './language-level.ts';
import { nodeTerminusOfInstallation } from './node-terminus.ts';
import { parsePuppetConf } from './puppet-conf.ts';
import { puppetNames } from './puppet-defaults.ts';
import { puppetValuesAtLevels } from './puppet-values.ts';
import { type RawValue, type RawValues, SettingsError, settingKey } from './raw-value.ts';
import { InvalidValue, type Setting } from './setting.ts';
import { decodeStartedWith, startedWithFile } from './started-with.ts';
import { parseWebserverConf } from './webserver-conf.ts';

export interface SettingsSources {
  readonly flags: RawValues;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The host's name with its domain, for the default of `certname`. */
  readonly hostname: string;
  /** @returns `undefined` when there is no such file */
  readonly readFile: (path: string) => string | undefined;
  /** Whether flags of the server that was last started in this state directory count, below those that are given. */
  readonly isForRunningServer?: boolean;
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** What flags and variables gave. */
  readonly given: RawValues;
  /** Unknown names, with what was probably meant. */
  readonly warnings: readonly string[];
  /** Where each value came from: a file with its line, a variable, a flag, `default`. */
  readonly origins: { readonly [K in keyof DefinedSettings]: string };
}

const variablePrefix = 'BUNRAKU_';
/** Not settings: a secret, and what a primary tells servers that it starts on its own machine. */
const otherVariables = ['BUNRAKU_JOIN_TOKEN', 'BUNRAKU_BOUND_TO', 'BUNRAKU_BOUND_GRACE_MS'];

/** @throws SettingsError with every value that is wrong, each naming its place */
export function loadSettings(sources: SettingsSources): LoadedSettings {
  const warnings: string[] = [];
  const given = new Map<string, RawValue>();
  addEnvironment(given, sources.environment, warnings);
  addKnown(given, sources.flags, warnings);
  const own = sources.isForRunningServer === true ? withStartedWith(given, sources, warnings) : given;
  const first = new Values(own, sources.hostname);
  const configFile = first.path('config', own.has('config'), sources.readFile);
  const fromFile = configFile === undefined ? new Map() : parseConfigFile(configFile.text, configFile.name);
  const withFile = merged(fromFile, own, warnings);
  const second = new Values(withFile, sources.hostname);
  const puppetConf = second.path('puppet_conf', withFile.has('puppet_conf'), sources.readFile);
  const fromPuppet = puppetConf === undefined ? new Map() : parsePuppetConf(puppetConf.text, puppetConf.name);
  const puppet = knownPuppetValues(fromPuppet, warnings);
  const below = new Map([
    ...puppet,
    ...webserverValues(new Map([...puppet, ...withFile]), sources, warnings),
  ]);
  const all = new Map([...below, ...withFile]);
  const values = new Values(withCaCfg(all, sources), sources.hostname);
  return { ...values.parseAll(fromPuppet, sources.readFile), given, warnings };
}

/** What Puppet Server listens on is not what `puppet.conf` says, which may be meant for its agent. */
function webserverValues(
  known: RawValues,
  { hostname, readFile }: SettingsSources,
  warnings: string[],
): RawValues {
  const file = new Values(known, hostname).path('webserver_conf', known.has('webserver_conf'), readFile);
  if (file === undefined) return new Map();
  const conf = parseWebserverConf(file.text, file.name);
  warnings.push(...conf.warnings);
  return conf.values;
}

/** What was said of `ca` itself wins over Puppet Server's list of services. */
function withCaCfg(values: RawValues, { hostname, readFile }: SettingsSources): RawValues {
  if (values.has('ca')) return values;
  const file = new Values(values, hostname).text('ca_cfg');
  const text = readIfAllowed(file, readFile);
  const line = text === undefined ? undefined : disablingLine(text);
  if (line === undefined) return values;
  return new Map([...values, ['ca', { text: 'false', origin: `${file}:${line}` }]]);
}

function withStartedWith(
  given: RawValues,
  { hostname, readFile }: SettingsSources,
  warnings: string[],
): ReadonlyMap<string, RawValue> {
  const file = startedWithFile(new Values(given, hostname).text('statedir'));
  const text = readIfAllowed(file, readFile);
  return text === undefined ? given : merged(decodeStartedWith(text, file), given, warnings);
}

/** Other users of the machine may ask a server too, and name everything themselves. */
function readIfAllowed(file: string, readFile: SettingsSources['readFile']): string | undefined {
  try {
    return readFile(file);
  } catch {
    return undefined;
  }
}

function merged(
  below: ReadonlyMap<string, RawValue>,
  above: ReadonlyMap<string, RawValue>,
  warnings: string[],
): ReadonlyMap<string, RawValue> {
  const result = new Map<string, RawValue>();
  addKnown(result, below, warnings);
  for (const [name, value] of above) result.set(name, value);
  return result;
}

function addEnvironment(
  values: Map<string, RawValue>,
  environment: Readonly<Record<string, string | undefined>>,
  warnings: string[],
): void {
  const found = new Map<string, RawValue>();
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(variablePrefix) || otherVariables.includes(name) || text === undefined) continue;
    found.set(settingKey(name.slice(variablePrefix.length)), { text: text.trim(), origin: name });
  }
  addKnown(values, found, warnings);
}

function addKnown(values: Map<string, RawValue>, found: RawValues, warnings: string[]): void {
  for (const [name, value] of found) {
    const setting = allSettings.find(name);
    if (setting === undefined) warnings.push(unknownSetting(name, value, allSettings.names));
    else values.set(setting.name, value);
  }
}

function knownPuppetValues(found: RawValues, warnings: string[]): ReadonlyMap<string, RawValue> {
  const values = new Map<string, RawValue>();
  for (const [name, value] of found) {
    const setting = allSettings.find(name);
    if (setting?.inPuppetConf === true) values.set(setting.name, value);
    else if (!puppetNames.has(name) && name !== 'name')
      warnings.push(unknownSetting(name, value, puppetNames));
  }
  return values;
}

function unknownSetting(name: string, value: RawValue, names: Iterable<string>): string {
  const nearest = nearestName(name, names);
  return `${value.origin}: unknown setting '${name}'${nearest === undefined ? '' : `; did you mean '${nearest}'?`}`;
}

/** Without an authority here, everything asks the server that has it. */
function addCaServer(settings: Partial<Record<keyof Settings, unknown>>, puppetConf: RawValues): void {
  const { certname, dnsAltNames, level, puppetValues: values } = settings as Settings;
  const caServer = caServerOf({
    puppetConf,
    puppetValues: values[level],
    ownNames: [certname, ...dnsAltNames],
  });
  settings.caServer = caServer;
  if (settings.ca === false && settings.primary === '') settings.primary = caServer?.address ?? '';
}

/** Texts of settings with their `$references` followed. */
class Values {
  private readonly given: RawValues;
  private readonly hostname: string;

  constructor(given: RawValues, hostname: string) {
    this.given = given;
    this.hostname = hostname;
  }

  /** The text of the file that a setting names; one that was named by somebody must exist. */
  path(
    name: string,
    isGiven: boolean,
    readFile: (path: string) => string | undefined,
  ): { readonly name: string; readonly text: string } | undefined {
    const file = this.text(name);
    const text = this.readFile(name, file, readFile);
    if (text === undefined && isGiven)
      throw new SettingsError([`${this.given.get(name)?.origin}: no such file: ${file}`]);
    return text === undefined ? undefined : { name: file, text };
  }

  private readFile(name: string, file: string, readFile: (path: string) => string | undefined) {
    try {
      return readFile(file);
    } catch (error) {
      // A directory, or one that only others may read; of a directory the system says no name.
      const origin = this.given.get(name)?.origin ?? name;
      throw new SettingsError([`${origin}: cannot read ${file}: ${(error as Error).message}`]);
    }
  }

  /** @param puppetConf - all of it, also what we do not honour */
  parseAll(
    puppetConf: RawValues,
    readFile: SettingsSources['readFile'],
  ): Pick<LoadedSettings, 'settings' | 'origins'> {
    const problems: string[] = [];
    const settings: Partial<Record<keyof Settings, unknown>> = {};
    const origins: Partial<Record<keyof DefinedSettings, string>> = {};
    for (const [key, setting] of allSettings.definitions) {
      try {
        settings[key] = setting.type.parse(this.text(setting.name), setting.name);
        origins[key] = this.given.get(setting.name)?.origin ?? 'default';
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error;
        problems.push(`${this.given.get(setting.name)?.origin ?? setting.name}: ${error.message}`);
      }
    }
    if (problems.length > 0) throw new SettingsError(problems);
    const { hostname } = this;
    settings.puppetValues = puppetValuesAtLevels({
      puppetConf,
      hostname,
      ownText: (name) => this.ownText(name),
    });
    const { chosenNodeTerminus, languageLevel, stateDir } = settings as Settings;
    settings.nodeTerminus =
      chosenNodeTerminus === '' ? nodeTerminusOfInstallation(stateDir, readFile) : chosenNodeTerminus;
    settings.level = languageLevel ?? levelOfInstallation(stateDir, readFile);
    addCaServer(settings, puppetConf);
    return { settings: Object.freeze(settings) as Settings, origins: origins as LoadedSettings['origins'] };
  }

  text(name: string, inFlight: readonly string[] = []): string {
    if (inFlight.includes(name))
      throw new InvalidValue(`${name} refers to itself: ${[...inFlight, name].join(' -> ')}`);
    const setting = allSettings.find(name);
    const written =
      setting === undefined ? undefined : (this.given.get(setting.name)?.text ?? this.defaultOf(setting));
    if (written === undefined) throw new InvalidValue(`Could not find value for $${name}`);
    return interpolate(written, (other) => {
      return other === 'hostname' || other === 'fqdn' ? this.hostname : this.text(other, [...inFlight, name]);
    });
  }

  /** The text of a setting of Puppet that we honour; `undefined` for its older names, which the reference keeps apart. */
  private ownText(name: string): string | undefined {
    const setting = allSettings.find(name);
    return setting?.inPuppetConf === true && setting.name === name ? this.text(name) : undefined;
  }

  private defaultOf(setting: Setting<unknown>): string {
    const isTryout = (this.given.get('data')?.text ?? '') !== '';
    return isTryout && setting.dataDefault !== undefined ? setting.dataDefault : setting.default;
  }
}
