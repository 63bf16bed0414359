/** A compile server's own certificate: got from the primary, and renewed before it ends. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ClientCredentials } from '../../platform/http-client/index.ts';
import type { RootLogger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { type SslFiles, sslFiles } from '../../platform/x509/index.ts';
import {
  obtainNodeCertificate,
  type RenewOptions,
  readOwnCertificate,
  readRequestAttributes,
  renewNodeCertificate,
} from '../../services/node-certificate/index.ts';
import type { Foundation } from '../foundation.ts';
import { type Periodic, periodically } from '../periodic.ts';
import { showOwnEnds } from './authority.ts';
import { proofMakerFor, proveWith } from './own-identity.ts';
import type { TlsReloader } from './service-certificates.ts';
import { readTlsMaterial, type TlsFiles } from './tls-files.ts';

const renewalIntervalMs = 60 * 60 * 1000;

/**
 * A key that the agent of the machine, which has the same certificate, can use as well: Puppet 7 makes no request with an
 * elliptic one. As strong as P-256, and its part of a handshake takes half as long as that of RSA-4096.
 */
export const keyForAgents = { kind: 'rsa', bits: 3072 } as const;

/**
 * Asks for one when there is none, and waits until it is signed. Where the agent has attributes of its own for its request,
 * the request is the one that the agent would make: it does not matter which of the two asks first.
 */
export async function obtainMemberCertificate(
  settings: Settings,
  log: RootLogger,
  primaryUrl: string,
  signal: AbortSignal,
): Promise<SslFiles> {
  const altNames = settings.dnsAltNames.length === 0 ? ['puppet'] : settings.dnsAltNames;
  const { certname } = settings;
  // Often readable by root only. It matters only for a request that is still to be made.
  const hasCertificate = existsSync(sslFiles(settings.sslDir, certname).certificate);
  const ofAgent = hasCertificate
    ? undefined
    : await readRequestAttributes(String(settings.puppetValues[settings.level]['csr_attributes']));
  const certificateLog = log.child({ service: 'certificate' });
  const pauseMs = settings.waitForCertSeconds * 1000;
  const maker = proofMakerFor(settings);
  return obtainNodeCertificate({
    sslDir: settings.sslDir,
    certname,
    altNames: [certname, ...altNames].join(','),
    ...(ofAgent ?? { extensions: { pp_auth_role: 'pe_compiler' } }),
    key: keyForAgents,
    primaryUrl,
    ...(maker === undefined
      ? {}
      : { prove: proveWith(maker, { certname, log: certificateLog, pauseMs, signal, url: primaryUrl }) }),
    ...(settings.caFingerprint === '' ? {} : { caFingerprint: settings.caFingerprint }),
    pollIntervalMs: pauseMs,
    log: certificateLog,
    signal,
  });
}

export async function memberCredentials(files: TlsFiles): Promise<ClientCredentials> {
  return {
    ca: await readFile(files.ca, 'utf8'),
    certificate: await readFile(files.certificate, 'utf8'),
    privateKey: await readFile(files.privateKey, 'utf8'),
  };
}

export interface MemberCertificate extends Periodic {
  /** Not known at once. */
  readonly endsAt: Date | undefined;
  /** Keeps an open port current. */
  attach(port: TlsReloader): void;
  /** Reads it again, as SIGHUP asks. */
  reload(): Promise<void>;
}

/** Renews the certificate before it ends, and shows when that is. */
export function keepMemberCertificate(
  { log, metrics }: Foundation,
  renewal: Pick<RenewOptions, 'files' | 'client' | 'primaryUrl' | 'signal'>,
): MemberCertificate {
  const { client, files } = renewal;
  const attached: TlsReloader[] = [];
  let endsAt: Date | undefined;
  const reload = async () => {
    client.setCredentials(await memberCredentials(files));
    const material = await readTlsMaterial(files);
    for (const port of attached) port.reloadTls(material);
  };
  showOwnEnds(metrics, () => (endsAt === undefined ? [] : [{ endsAt }]));
  const work = async () => {
    const certificateLog = log.child({ service: 'certificate' });
    if (await renewNodeCertificate({ ...renewal, now: new Date(), log: certificateLog })) await reload();
    endsAt = (await readOwnCertificate(renewal.files.certificate)).notAfter;
  };
  const periodic = periodically(work, renewalIntervalMs, log, "renew this server's certificate");
  return {
    ...periodic,
    reload,
    attach: (port) => void attached.push(port),
    get endsAt() {
      return endsAt;
    },
  };
}
