/** What Puppet's files say of a certificate authority that is on another server. */

import type { PuppetValue } from './puppet-values.ts';
import type { RawValues } from './raw-value.ts';

const usualPort = 8140;

export interface CaServerSources {
  readonly puppetConf: RawValues;
  readonly puppetValues: Readonly<Record<string, PuppetValue>>;
  /** Names of this server: an authority of one of these is its own. */
  readonly ownNames: readonly string[];
}

/** The certificate authority that `puppet.conf` names. */
export interface CaServer {
  /** `HOST`, or `HOST:PORT` where `ca_port` says so. */
  readonly address: string;
  /** What named it. */
  readonly setting: 'ca_server' | 'server';
}

/** @returns what `ca_server` says, or else `server`; `undefined` when neither names another host */
export function caServerOf({ ownNames, puppetConf, puppetValues }: CaServerSources): CaServer | undefined {
  const port = puppetConf.has('ca_port') ? Number(puppetValues['ca_port']) : usualPort;
  for (const name of ['ca_server', 'server'] as const) {
    const host = puppetConf.has(name) ? String(puppetValues[name] ?? '') : '';
    if (host === '' || ownNames.includes(host)) continue;
    return { address: port === usualPort ? host : `${host}:${port}`, setting: name };
  }
  return undefined;
}

const services = 'puppetlabs.services.ca.';

/** @param text - of `services.d/ca.cfg`, which names one service a line @returns the line that disables the authority */
export function disablingLine(text: string): number | undefined {
  const names = text.split(/\r?\n/).map((line) => line.replace(/#.*/, '').trim());
  if (names.some((name) => name.startsWith(`${services}certificate-authority-service/`))) return undefined;
  const index = names.findIndex((name) =>
    name.startsWith(`${services}certificate-authority-disabled-service/`),
  );
  return index < 0 ? undefined : index + 1;
}
