/** Who has proved what: a proof becomes a grant for one name and key, and no machine gets two certificates. */

import { timingSafeEqual } from 'node:crypto';
import { KeyedQueue } from '../../lib/keyed-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import { createGrantText, decodeGrant, digestOf, encodeGrant } from './grant-text.ts';
import {
  type IdentityProvider,
  type ProvenIdentity,
  refusedKind,
  refusedProof,
} from './identity-provider.ts';
import type { Claim, IdentityStore, StoredGrant } from './store.ts';
import type { IdentityClaim } from './wire.ts';

/** The authority. */
export interface CertificatesTerminus {
  /** SHA-256 of the CA's first certificate, lower-case hexadecimal. */
  fingerprint(): string;
  /** SHA-256 of the key of the valid certificate of that name; `undefined` when there is none. */
  keyOf(certname: string): Promise<string | undefined>;
  /** Whether a rule is for identities of that provider: other platforms are not asked. */
  takes(provider: string): boolean;
  /** Why no rule signs for this identity; `undefined` when one may. */
  obstacleTo(certname: string, identity: ProvenIdentity): string | undefined;
}

export interface IdentityRegisterOptions {
  readonly store: IdentityStore;
  readonly certificates: CertificatesTerminus;
  /** By name. */
  readonly providers: Readonly<Record<string, IdentityProvider>>;
  readonly now: () => Date;
  readonly log: Logger;
  /** Told of each refusal, for alerts and the record. */
  readonly onRefused: (refusal: Refusal) => void;
}

export interface Refusal {
  readonly certname: string;
  readonly provider: string;
  readonly address: string;
  readonly reason: string;
  /** A second claim that waits for a person. */
  readonly isHeld: boolean;
}

/** What a grant lets the authority do. */
export interface GrantedIdentity {
  readonly provider: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isKeyBound: boolean;
}

const grantLifeMs = 5 * 60 * 1000;

export class IdentityRegister {
  private readonly options: IdentityRegisterOptions;
  private readonly instances = new KeyedQueue();

  constructor(options: IdentityRegisterOptions) {
    this.options = options;
  }

  /**
   * Looks at a proof and grants its certificate.
   *
   * @param address - where it came from
   * @throws ServiceError `forbidden` or `conflict` saying why it does not count, `unavailable` when the platform does not answer
   */
  async prove(
    claim: IdentityClaim,
    address: string,
    signal: AbortSignal,
  ): Promise<{ readonly token: string; readonly expiresAt: Date }> {
    const { log, onRefused } = this.options;
    const { certname, provider } = claim;
    try {
      const identity = await this.verify(claim, signal);
      const granted = await this.instances.run([identity.instance], () => this.grantTo(identity, claim));
      const { attributes, instance } = identity;
      log.info({ certname, provider, instance, attributes, address }, 'accepted a proof of identity');
      return granted;
    } catch (error) {
      if (error instanceof ServiceError && error.kind === refusedKind) {
        const isHeld = error.reason === 'conflict';
        onRefused({ certname, provider, address, reason: error.message, isHeld });
      }
      throw error;
    }
  }

  /** Whether a text is meant as a grant: one that is not valid is refused rather than passed over. */
  isGrant(text: string): boolean {
    return decodeGrant(text) !== undefined;
  }

  /** @throws ServiceError `forbidden` saying why the grant does not count for that name and key */
  async find(text: string, certname: string, keyDigest: string): Promise<GrantedIdentity> {
    const { attributes, isKeyBound, provider } = await this.valid(text, certname, keyDigest);
    return { attributes, isKeyBound, provider };
  }

  /** Uses the grant, once. @throws ServiceError `forbidden` saying why it does not count */
  async use(text: string, certname: string, keyDigest: string): Promise<void> {
    const { id } = await this.valid(text, certname, keyDigest);
    if (!(await this.options.store.useGrant(id, this.options.now()))) throw noGrant('has been used');
  }

  private async verify(claim: IdentityClaim, signal: AbortSignal): Promise<ProvenIdentity> {
    const { certificates, now, providers } = this.options;
    const { ca_fingerprint: fingerprint, certname, key_digest: keyDigest, proof, provider: name } = claim;
    const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
    if (provider === undefined)
      throw refusedProof(
        `this installation takes no proofs of '${name}', but of ${Object.keys(providers).join(', ')}`,
      );
    if (!certificates.takes(name))
      throw refusedProof(`no rule of signing_policy is for identities of ${name}`);
    const caFingerprint = certificates.fingerprint();
    if (fingerprint !== caFingerprint)
      throw refusedProof(
        `it is for the CA with the fingerprint ${fingerprint}, and this one has ${caFingerprint}`,
      );
    const identity = await provider.verify(proof, { caFingerprint, keyDigest, now: now(), signal });
    if (!belongsTo(certname, identity.name))
      throw refusedProof(`${certname} does not begin with the name that was proved: ${identity.name}`);
    const obstacle = certificates.obstacleTo(certname, identity);
    if (obstacle !== undefined) throw refusedProof(obstacle);
    return identity;
  }

  private async grantTo(identity: ProvenIdentity, { certname, key_digest: keyDigest }: IdentityClaim) {
    const { now, store } = this.options;
    await this.checkOnlyOne(identity, certname, keyDigest);
    const text = createGrantText();
    const claimedAt = now();
    const expiresAt = new Date(claimedAt.getTime() + grantLifeMs);
    const { attributes, instance, isKeyBound, provider } = identity;
    const grant = { id: text.id, digest: digestOf(text.secret), attributes, isKeyBound, provider };
    await store.save(
      { instance, certname, keyDigest, claimedAt },
      { ...grant, certname, keyDigest, expiresAt, usedAt: undefined },
      claimedAt,
    );
    return { token: encodeGrant(text), expiresAt };
  }

  /** Another key takes the place of the one before only where the proof names it. */
  private async checkOnlyOne(
    { instance, isKeyBound }: ProvenIdentity,
    certname: string,
    keyDigest: string,
  ): Promise<void> {
    const { certificates, store } = this.options;
    const former = await store.findClaim(instance);
    if (former !== undefined && former.certname !== certname && (await this.isLive(former)))
      throw held(
        `${instance} has a certificate as ${former.certname} already, and asks for another as ${certname}`,
      );
    if (isKeyBound) return;
    if (former !== undefined && former.keyDigest !== keyDigest && (await this.isLive(former)))
      throw held(`${instance} has a certificate as ${former.certname} already, and asks with another key`);
    const present = await certificates.keyOf(certname);
    if (present !== undefined && present !== keyDigest)
      throw held(`${certname} has a certificate for another key already, and this proof names no key`);
  }

  /** Whether a claim has become a certificate that is valid, or still may. */
  private async isLive({ certname, keyDigest }: Claim): Promise<boolean> {
    const { certificates, now, store } = this.options;
    if (await store.hasOpenGrant(certname, keyDigest, now())) return true;
    return (await certificates.keyOf(certname)) === keyDigest;
  }

  private async valid(text: string, certname: string, keyDigest: string): Promise<StoredGrant> {
    const { now, store } = this.options;
    const given = decodeGrant(text);
    const grant = given && (await store.findGrant(given.id));
    if (!given || !grant || !isEqual(digestOf(given.secret), grant.digest)) throw noGrant('is not known');
    if (grant.expiresAt <= now()) throw noGrant(`ended at ${grant.expiresAt.toISOString()}`);
    if (grant.certname !== certname) throw noGrant(`is for ${grant.certname}, not for ${certname}`);
    if (grant.keyDigest !== keyDigest) throw noGrant('is for another key');
    if (grant.usedAt !== undefined) throw noGrant('has been used');
    return grant;
  }
}

/** No name has two owners: it is the platform's name of the machine, alone or with a domain. */
function belongsTo(certname: string, name: string): boolean {
  return certname === name || certname.startsWith(`${name}.`);
}

function held(reason: string): ServiceError {
  const message = `The claim is held: ${reason}. If that server is gone: bunraku infrastructure forget NAME --force`;
  return new ServiceError('conflict', message, { kind: refusedKind });
}

function noGrant(reason: string): ServiceError {
  return new ServiceError('forbidden', `The grant to join with ${reason}`, { kind: 'infrastructure/grant' });
}

function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));
}
