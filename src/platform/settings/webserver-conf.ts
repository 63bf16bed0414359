/** Reads Puppet Server's `webserver.conf`. */

import { lineOf, parseHoconFile } from './config-file.ts';
import { type RawValue, SettingsError } from './raw-value.ts';

export interface WebserverConf {
  /** By the names of our settings. */
  readonly values: ReadonlyMap<string, RawValue>;
  /** One for each setting of the file that has no effect here. */
  readonly warnings: readonly string[];
}

/** Names of settings in the file, and of our settings that mean the same. */
const meanings: Readonly<Record<string, string>> = {
  'ssl-host': 'listen',
  'ssl-port': 'serverport',
  host: 'http_host',
  port: 'http_port',
  'ssl-cert': 'hostcert',
  'ssl-key': 'hostprivkey',
  'ssl-ca-cert': 'localcacert',
  'ssl-crl-path': 'hostcrl',
  'idle-timeout-milliseconds': 'keep_alive_timeout',
};

/** Jetty's default when the file has `host` without `port`. */
const defaultPlainPort = '8080';
const ownCertificate = ['ssl-cert', 'ssl-key', 'ssl-ca-cert'];
const servedProtocols = ['TLSv1.2', 'TLSv1.3'];

/**
 * @param file - its name, for messages
 * @throws SettingsError naming file and line
 * @see "webserver.conf" in the Puppet Server documentation
 */
export function parseWebserverConf(text: string, file: string): WebserverConf {
  const values = new Map<string, RawValue>();
  const warnings: string[] = [];
  const said = serverOf(parseHoconFile(text, file), file);
  for (const [name, value] of Object.entries(said)) {
    const origin = `${file}${lineOf(name, text)}`;
    const meaning = meanings[name];
    const problem = meaning === undefined ? noEffect(name, value) : undefined;
    if (meaning !== undefined) values.set(meaning, { text: textOf(name, value, origin), origin });
    if (problem !== undefined) warnings.push(`${origin}: ${problem}`);
  }
  const parts = ownCertificate.filter((name) => Object.hasOwn(said, name));
  if (parts.length > 0 && parts.length < ownCertificate.length) {
    const missing = ownCertificate.filter((name) => !parts.includes(name));
    throw new SettingsError([`${file}: ${parts.join(', ')} without ${missing.join(', ')}: all are needed`]);
  }
  const host = values.get('http_host');
  if (host !== undefined && !values.has('http_port'))
    values.set('http_port', { text: defaultPlainPort, origin: host.origin });
  return { values, warnings };
}

/** The settings of the server for agents. The file may describe several servers, each under its name. */
function serverOf(data: unknown, file: string): Readonly<Record<string, unknown>> {
  const webserver = isRecord(data) ? (data['webserver'] ?? {}) : data;
  if (!isRecord(webserver)) throw new SettingsError([`${file}: webserver should have settings by name`]);
  const { 'puppet-server': named, ...common } = webserver;
  return isRecord(named) ? { ...common, ...named } : webserver;
}

function textOf(name: string, value: unknown, origin: string): string {
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new SettingsError([`${origin}: ${name} should be a text or a number`]);
  if (name !== 'idle-timeout-milliseconds') return String(value).trim();
  const milliseconds = Number(value);
  if (!(milliseconds > 0))
    throw new SettingsError([`${origin}: ${name}: '${value}' is not a number above 0`]);
  return `${Math.ceil(milliseconds / 1000)}s`;
}

/** @returns why a setting has no effect; `undefined` when the server does what it says anyway */
function noEffect(name: string, value: unknown): string | undefined {
  const nothing = `${name} has no effect here`;
  if (name === 'client-auth')
    return value === 'want' ? undefined : `${nothing}: certificates are asked for, and not demanded (want)`;
  if (name === 'ssl-protocols') {
    const served = servedProtocols.join(' and ');
    const wanted = Array.isArray(value) ? value : String(value).split(/\s*,\s*/);
    const isServed = servedProtocols.every((protocol) => wanted.includes(protocol));
    return isServed && wanted.length === servedProtocols.length
      ? undefined
      : `${nothing}: ${served} are served`;
  }
  // The file of the packages: it describes the log that puppetserver_access_log writes.
  if (name === 'access-log-config')
    return String(value).endsWith('/request-logging.xml')
      ? undefined
      : `${nothing}: see puppetserver_access_log`;
  return nothing;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
