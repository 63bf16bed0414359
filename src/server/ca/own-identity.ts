/** How a server that has no certificate yet proves who it is, by the setting `identity`. */

import { hostname } from 'node:os';
import { InstanceMetadata } from '../../platform/aws/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { processEnvironment, type Settings } from '../../platform/settings/index.ts';
import {
  documentProof,
  obtainGrant,
  type ProofMaker,
  podProof,
  stsProof,
} from '../../services/identity/index.ts';
import type { ProveIdentity } from '../../services/node-certificate/index.ts';

/** @returns `undefined` where the server does not prove itself */
export function proofMakerFor({
  identity,
  identityTokenFile,
}: Pick<Settings, 'identity' | 'identityTokenFile'>): ProofMaker | undefined {
  const metadata = () => new InstanceMetadata(processEnvironment()['AWS_EC2_METADATA_SERVICE_ENDPOINT']);
  switch (identity) {
    case 'none':
      return undefined;
    case 'aws':
      return stsProof(metadata(), () => new Date());
    case 'aws-document':
      return documentProof(metadata());
    case 'kubernetes':
      return podProof(identityTokenFile);
    default:
      return identity satisfies never;
  }
}

/** @param url - of any server of the installation */
export function proveWith(
  maker: ProofMaker,
  {
    certname,
    log,
    pauseMs,
    signal,
    url,
  }: {
    readonly certname: string;
    readonly log: Logger;
    readonly pauseMs: number;
    readonly signal: AbortSignal;
    readonly url: string;
  },
): ProveIdentity {
  return (bonds, client) => obtainGrant({ ...bonds, maker, client, url, certname, log, signal, pauseMs });
}

/** The name that a proof allows, in the domain of this host. */
export async function provenCertname(maker: ProofMaker, signal: AbortSignal): Promise<string> {
  const [, ...domain] = hostname().toLowerCase().split('.');
  return [await maker.name(signal), ...domain].join('.');
}
