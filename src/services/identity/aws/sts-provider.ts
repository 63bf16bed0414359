/**
 * Instances on AWS: a signed question to the Security Token Service whose signature it is. The primary makes the question out of
 * its own parts and sends it to AWS, so that a proof can say nothing but its date, its signature and its session token.
 *
 * @see "Create a signed AWS API request" in the IAM User Guide, and `GetCallerIdentity` in the STS API Reference
 */

import { ServiceError } from '../../../lib/service-error.ts';
import {
  type IdentityProvider,
  type ProofContext,
  type ProvenIdentity,
  refusedProof,
  renderSkew,
} from '../identity-provider.ts';
import { decodeProof, StsProofWire } from '../wire.ts';
import { signedNames, stsBody, stsHeaders } from './sts-request.ts';

/** Sends a question to AWS. */
export interface StsTerminus {
  /**
   * @param url - of one of AWS's own hosts
   * @throws ServiceError `unavailable` when there is no answer
   */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: string }>;
}

/** Knows which instances belong to which groups. */
export interface GroupsTerminus {
  /** @returns the name of its Auto Scaling group; `undefined` when it is in none */
  groupOf(instanceId: string, signal: AbortSignal): Promise<string | undefined>;
}

const longestAgeMs = 15 * 60 * 1000;
const hosts = /^sts(?:-fips)?\.([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com(\.cn)?$/;
const globalHost = 'sts.amazonaws.com';
const authorizationPattern =
  /^AWS4-HMAC-SHA256 Credential=[\w-]{16,128}\/(\d{8})\/([a-z0-9-]{1,32})\/sts\/aws4_request, ?SignedHeaders=([a-z0-9;-]{1,200}), ?Signature=[0-9a-f]{64}$/;
const rolePattern =
  /^arn:aws(?:-cn|-us-gov)?:sts::(\d{12}):assumed-role\/([\w+=,.@-]{1,64})\/(i-(?:[0-9a-f]{8}|[0-9a-f]{17}))$/;

export class StsProvider implements IdentityProvider {
  private readonly sts: StsTerminus;
  private readonly groups: GroupsTerminus | undefined;

  /** @param groups - absent where the primary may not ask AWS: rules about groups match no instance then */
  constructor(sts: StsTerminus, groups?: GroupsTerminus) {
    this.sts = sts;
    this.groups = groups;
  }

  async verify(proof: unknown, context: ProofContext): Promise<ProvenIdentity> {
    const { authorization, date, host, security_token: securityToken } = decodeProof(StsProofWire, proof);
    checkHost(host, checkAuthorization(authorization, date, securityToken !== undefined));
    checkAge(date, context.now);
    const { caFingerprint, keyDigest, signal } = context;
    const headers = stsHeaders({ host, date, securityToken, caFingerprint, keyDigest });
    const answer = await this.sts.post(`https://${host}/`, { ...headers, authorization }, stsBody, signal);
    const { account, instanceId, role } = callerOf(answer);
    const group = await this.groups?.groupOf(instanceId, signal);
    return {
      provider: 'aws',
      instance: `aws/${account}/${instanceId}`,
      name: instanceId,
      isKeyBound: true,
      attributes: { account, role, ...(group === undefined ? {} : { group }) },
    };
  }
}

/** @returns date and region that the signature is for */
function checkAuthorization(text: string, date: string, hasToken: boolean): string {
  const [, day, region = '', names] = authorizationPattern.exec(text) ?? [];
  if (day === undefined) throw refusedProof('authorization is no signature of version 4 for sts');
  if (day !== date.slice(0, 8))
    throw refusedProof(`the signature is for the day ${day}, and the date says ${date}`);
  const expected = signedNames.filter((name) => hasToken || name !== 'x-amz-security-token').join(';');
  if (names !== expected) throw refusedProof(`the signature covers ${names}, not ${expected}`);
  return region;
}

/** A proof is sent to AWS alone, whatever it says. */
function checkHost(host: string, region: string): void {
  const [, place, china] = hosts.exec(host) ?? [];
  const isKnown =
    host === globalHost || (place !== undefined && (china !== undefined) === place.startsWith('cn-'));
  if (!isKnown) throw refusedProof(`'${host}' is no host of the Security Token Service`);
  const expected = place ?? 'us-east-1';
  if (region !== expected)
    throw refusedProof(`the signature is for the region ${region}, and ${host} is in ${expected}`);
}

function checkAge(date: string, now: Date): void {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const [year, month, day, hour, minute, second] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time)) throw refusedProof(`'${date}' is no date`);
  const fromNowMs = time - now.getTime();
  if (Math.abs(fromNowMs) > longestAgeMs)
    throw refusedProof(
      `it was made at ${date}, ${renderSkew(fromNowMs)} the clock of the primary, which allows 15 min`,
    );
}

/** Who AWS says has signed. */
function callerOf({ body, status }: { readonly status: number; readonly body: string }) {
  if (status >= 500)
    throw new ServiceError('unavailable', `The Security Token Service answers with status ${status}`, {
      details: { retryAfterSeconds: 5 },
    });
  if (status !== 200)
    throw refusedProof(`AWS does not accept its signature: ${errorCode(body) ?? `status ${status}`}`);
  const account = onlyElement(body, 'Account');
  const arn = onlyElement(body, 'Arn');
  if (
    !/^<GetCallerIdentityResponse[\s>]/.test(body.trimStart()) ||
    account === undefined ||
    arn === undefined
  )
    throw new ServiceError(
      'bad-gateway',
      'The Security Token Service gives an answer that is no GetCallerIdentityResponse',
    );
  const [, ofArn, role, instanceId] = rolePattern.exec(arn) ?? [];
  if (role === undefined || instanceId === undefined)
    throw refusedProof(`${arn} is not the role of an instance, whose session has the name of the instance`);
  if (ofArn !== account) throw refusedProof(`${arn} is not in the account ${account}`);
  return { account, role, instanceId };
}

/** The text of the one element with that name. */
function onlyElement(xml: string, name: string): string | undefined {
  const found = [...xml.matchAll(new RegExp(`<${name}>([^<>&]*)</${name}>`, 'g'))];
  return found.length === 1 ? found[0]?.[1] : undefined;
}

function errorCode(xml: string): string | undefined {
  const code = onlyElement(xml, 'Code');
  return code !== undefined && /^\w{1,60}$/.test(code) ? code : undefined;
}
