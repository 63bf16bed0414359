/** Proofs as honest servers make them, and how each may be changed. */

import { randomBytes } from 'node:crypto';
import { amzDate, authorizationOf } from '../../src/platform/aws/index.ts';
import type { KeyPair } from '../../src/platform/x509/index.ts';
import { stsBody, stsHeaders } from '../../src/services/identity/aws/sts-request.ts';
import { identityDocument } from '../support/aws/fake-documents.ts';
import { instanceCaller, type KnownCaller } from '../support/aws/fake-sts.ts';
import { account, digestOf, group, newKeys, type ProvingSite } from './proving-site.ts';

export interface Claim {
  readonly provider: string;
  readonly certname: string;
  readonly key_digest: string;
  readonly ca_fingerprint: string;
  readonly proof: Record<string, unknown>;
}

/** A machine or pod that wants to be a compile server. */
export interface Applicant {
  readonly keys: KeyPair;
  readonly certname: string;
  readonly claim: Claim;
}

export interface StsParts {
  readonly host: string;
  readonly region: string;
  readonly date: Date;
  readonly caFingerprint: string;
  readonly keyDigest: string;
  readonly service: string;
  readonly body: string;
  readonly caller: KnownCaller;
  readonly headers: Readonly<Record<string, string>>;
}

export function newInstanceId(): string {
  return `i-0${randomBytes(8).toString('hex')}`;
}

/** @param changes - what this one signs otherwise than an honest server */
export function stsProofOf(parts: StsParts): Record<string, unknown> {
  const { body, caFingerprint, caller, date, headers: others, host, keyDigest, region, service } = parts;
  const stamp = amzDate(date);
  const { sessionToken: securityToken } = caller;
  const headers = {
    ...stsHeaders({ host, date: stamp, securityToken, caFingerprint, keyDigest }),
    ...others,
  };
  const authorization = authorizationOf(
    { method: 'POST', path: '/', headers, body },
    { region, service },
    { accessKeyId: caller.accessKeyId, secretAccessKey: caller.secret },
  );
  return {
    host,
    authorization,
    date: stamp,
    ...(securityToken === undefined ? {} : { security_token: securityToken }),
  };
}

export async function ofInstance(
  site: ProvingSite,
  changes: Partial<StsParts> & { readonly instanceId?: string; readonly certname?: string } = {},
): Promise<Applicant & { readonly parts: StsParts }> {
  const { certname, instanceId = newInstanceId(), ...others } = changes;
  const keys = await newKeys();
  const caller = others.caller ?? instanceCaller(account, 'puppet-compile-server', instanceId);
  site.sts.add(caller);
  if (!site.groups.has(instanceId)) site.groups.set(instanceId, group);
  const parts: StsParts = {
    host: 'sts.eu-west-1.amazonaws.com',
    region: 'eu-west-1',
    date: site.now,
    caFingerprint: site.caFingerprint,
    keyDigest: digestOf(keys),
    service: 'sts',
    body: stsBody,
    headers: {},
    ...others,
    caller,
  };
  const name = certname ?? `${instanceId}.compute.test`;
  return {
    keys,
    certname: name,
    parts,
    claim: claimOf(site, { keys, certname: name }, 'aws', stsProofOf(parts)),
  };
}

export async function ofDocument(
  site: ProvingSite,
  changes: Readonly<Record<string, unknown>> = {},
  ...options: readonly string[]
): Promise<Applicant> {
  const keys = await newKeys();
  const document = { ...identityDocument(account, newInstanceId(), site.now), ...changes };
  const instanceId = String(document['instanceId']);
  if (!site.groups.has(instanceId)) site.groups.set(instanceId, group);
  const certname = `${instanceId}.compute.test`;
  const proof = { pkcs7: site.documents.sign(document, ...options) };
  return { keys, certname, claim: claimOf(site, { keys, certname }, 'aws-document', proof) };
}

export interface PodParts {
  readonly name: string;
  readonly uid: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly audiences: readonly string[];
  readonly lifeSeconds: number;
}

export async function ofPod(
  site: ProvingSite,
  changes: Partial<PodParts> = {},
): Promise<Applicant & { readonly parts: PodParts }> {
  const keys = await newKeys();
  const suffix = randomBytes(3).toString('hex');
  const parts: PodParts = {
    name: `compile-7d9f-${suffix}`,
    uid: `6f1c2b9e-0000-4000-8000-000000${suffix}`,
    namespace: 'puppet',
    serviceAccount: 'compile',
    audiences: ['bunraku'],
    lifeSeconds: 600,
    ...changes,
  };
  const { audiences, lifeSeconds, name, namespace, serviceAccount, uid } = parts;
  const path = `${namespace}/${name}`;
  if (!site.pods.has(path)) site.pods.set(path, { uid, isBeingDeleted: false, phase: 'Running' });
  const expiresAt = Math.floor(site.now.getTime() / 1000) + lifeSeconds;
  const token = site.tokens.issue({ namespace, serviceAccount, pod: { name, uid }, audiences, expiresAt });
  return {
    keys,
    certname: name,
    parts,
    claim: claimOf(site, { keys, certname: name }, 'kubernetes', { token }),
  };
}

function claimOf(
  site: ProvingSite,
  { certname, keys }: { readonly keys: KeyPair; readonly certname: string },
  provider: string,
  proof: Record<string, unknown>,
): Claim {
  return { provider, certname, key_digest: digestOf(keys), ca_fingerprint: site.caFingerprint, proof };
}
