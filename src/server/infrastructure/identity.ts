/** Proofs of identity on the primary: joined with the authority, its rules, and the platforms that are asked. */

import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../lib/service-error.ts';
import { type AutoScaling, postToAws } from '../../platform/aws/index.ts';
import type { Change } from '../../platform/changes/index.ts';
import { type HttpRequest, type Identity, TrustedProxies } from '../../platform/http/index.ts';
import type { ClusterApi } from '../../platform/kubernetes/index.ts';
import { processEnvironment, type Settings } from '../../platform/settings/index.ts';
import { decodeContentSigners, X509Error } from '../../platform/x509/index.ts';
import { type CertificateAuthority, senderAddress } from '../../services/ca/index.ts';
import {
  DocumentProvider,
  type GroupsTerminus,
  type IdentityProvider,
  IdentityStore,
  identityRoute,
  ProofLimit,
  Refusals,
  StsProvider,
  type StsTerminus,
  TokenProvider,
} from '../../services/identity/index.ts';
import type { StatusRegistry } from '../../services/status/index.ts';
import { openGroups } from '../autoscaler/aws.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import { clusterTerminus, openCluster } from './cluster-terminus.ts';
import { identitiesWith } from './identities.ts';

/** What it works with. */
export interface IdentityGround {
  readonly authority: { readonly ca: CertificateAuthority };
  readonly isInfrastructure: (identity: Identity) => boolean;
  readonly activity: { readonly record: (change: Change) => Promise<void> };
}

/** Looks at proofs, and tells the authority of grants. */
export async function openIdentity(
  { database, log: root, settings }: Foundation,
  { activity, authority, isInfrastructure }: IdentityGround,
) {
  const now = () => new Date();
  const proxies = new TrustedProxies(settings.trustedProxies);
  const cluster = await openCluster(settings);
  const refusals = new Refusals(now, activity.record);
  const { ca } = authority;
  const store = new IdentityStore(database);
  const groups = openGroups();
  const { joinsWith, register } = identitiesWith({
    ca,
    store,
    providers: await providersFor(settings, cluster, {
      aws: groupsFor('aws', ca, groups),
      'aws-document': groupsFor('aws-document', ca, groups),
    }),
    now,
    log: root.child({ service: 'identity' }),
    onRefused: (refusal) => refusals.note(refusal),
  });
  return {
    value: {
      joinsWith,
      certnameOfInstance: (instanceId: string) => store.findCertnameOfInstance(instanceId),
    },
    routes: [
      identityRoute({
        register,
        limit: new ProofLimit(
          () => performance.now(),
          (address) => proxies.hasAddress(address),
        ),
        senderAddress: (request: HttpRequest) => senderAddress(request, isInfrastructure),
      }),
    ],
    register: (status: StatusRegistry) =>
      status.register({
        names: ['identity-service'],
        version: announcedVersion(settings),
        read: () => ({ state: 'running', alerts: refusals.alerts() }),
      }),
    async stop() {
      cluster?.close();
      await groups.close();
    },
  };
}

/** @throws ServiceError `conflict` naming the setting and what is wrong with its file */
async function providersFor(
  { awsDocumentCertificates: file }: Settings,
  cluster: ClusterApi | undefined,
  groups: Readonly<Record<'aws' | 'aws-document', GroupsTerminus>>,
): Promise<Readonly<Record<string, IdentityProvider>>> {
  return {
    aws: new StsProvider(stsOf(processEnvironment()), groups.aws),
    ...(file === ''
      ? {}
      : { 'aws-document': new DocumentProvider(await signersIn(file), groups['aws-document']) }),
    ...(cluster === undefined ? {} : { kubernetes: new TokenProvider(clusterTerminus(cluster)) }),
  };
}

/** Asks AWS only where a rule wants to know: the primary needs no rights there otherwise. */
function groupsFor(
  provider: string,
  ca: IdentityGround['authority']['ca'],
  groups: AutoScaling,
): GroupsTerminus {
  return {
    async groupOf(instanceId) {
      if (ca.policy?.identityFields.get(provider)?.has('group') !== true) return undefined;
      return (await groups.find(instanceId))?.group;
    },
  };
}

async function signersIn(file: string) {
  try {
    return decodeContentSigners(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof X509Error)
      throw new ServiceError('conflict', `${file}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** AWS's own variables lead to an endpoint of the site's own, as in its programs; what is signed stays the same. */
function stsOf(environment: Readonly<Record<string, string | undefined>>): StsTerminus {
  const endpoint = environment['AWS_ENDPOINT_URL_STS'] ?? environment['AWS_ENDPOINT_URL'];
  return {
    post: (url, headers, body, signal) =>
      postToAws({ url: endpoint ?? url, headers, body, proxies: environment, signal }),
  };
}
