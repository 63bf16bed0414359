/** The PuppetDB that code asks while it is compiled, over HTTPS: the primary's, or the one that `puppetdb.conf` names. */

import { join } from 'node:path';
import { readTextIfThere } from '../../lib/if-there.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { FactsTerminus, PuppetDbTerminus } from '../../services/compiler/index.ts';
import {
  type CredentialFiles,
  decodeFactRows,
  defaultPuppetDbConf,
  FollowingClient,
  PuppetDbClient,
  type PuppetDbConf,
  parsePuppetDbConf,
} from '../../services/puppetdb-client/index.ts';

export interface UsedPuppetDb {
  readonly compiler: PuppetDbTerminus;
  readonly findFacts: FactsTerminus['find'];
  close(): void;
}

/** One that is asked over HTTPS. */
export interface RemotePuppetDb extends UsedPuppetDb {
  readonly client: PuppetDbClient;
  readonly conf: PuppetDbConf;
}

type Used = Pick<
  Settings,
  'confDir' | 'hostCert' | 'hostCrl' | 'hostPrivKey' | 'localCaCert' | 'storeConfigs' | 'storeConfigsBackend'
>;

/**
 * The one that `puppetdb.conf` names.
 *
 * @returns `undefined` when there is no such file
 * @throws ServiceError `bad-request` in the reference's words when it is wrong
 */
export function externalPuppetDb(settings: Used, log: Logger): RemotePuppetDb | undefined {
  const file = join(settings.confDir, 'puppetdb.conf');
  const text = readTextIfThere(file);
  if (text === undefined) return undefined;
  const conf = parsePuppetDbConf(text, file, (warning) => {
    log.warn({ file, warning }, 'puppetdb.conf has a setting that is retired');
  });
  return overHttps(settings, conf, log);
}

/** The primary's, which compile servers reach on the port that they know. */
export function primaryPuppetDb(
  settings: Used,
  primaryUrl: string,
  log: Logger,
  addresses: Readonly<Record<string, string>> = {},
): RemotePuppetDb {
  return overHttps(settings, defaultPuppetDbConf(primaryUrl), log, addresses);
}

function overHttps(
  settings: Used,
  conf: PuppetDbConf,
  log: Logger,
  addresses: Readonly<Record<string, string>> = {},
): RemotePuppetDb {
  const { hostCert: certificate, hostCrl: crl, hostPrivKey: privateKey, localCaCert: ca } = settings;
  const files: CredentialFiles = {
    ca,
    ...(readTextIfThere(crl) === undefined ? {} : { crl }),
    ...(conf.verifyClientCertificate ? { certificate, privateKey } : {}),
  };
  const client = new FollowingClient(files, Date.now, addresses);
  const puppetDb = new PuppetDbClient({ conf, client, log, nowMs: Date.now });
  const { findResources, query } = puppetDb;
  return {
    client: puppetDb,
    conf,
    compiler: collectsExported(settings) ? { findResources, query } : { query },
    findFacts: async (certname, signal) => {
      const rows = await puppetDb.findFacts(certname, signal);
      return rows === undefined ? undefined : decodeFactRows(certname, rows);
    },
    close: () => client.close(),
  };
}

/** Whether resources are exported and collected. */
export function collectsExported({
  storeConfigs,
  storeConfigsBackend,
}: Pick<Settings, 'storeConfigs' | 'storeConfigsBackend'>): boolean {
  return storeConfigs && storeConfigsBackend === 'puppetdb';
}
