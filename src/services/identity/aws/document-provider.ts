/**
 * Instances on AWS that cannot reach the Security Token Service: the identity document that AWS has signed. It names no key, so the
 * first who shows it gets the certificate.
 *
 * @see "Instance identity documents" and "Verify the instance identity document using the RSA-2048 signature" in the EC2 User Guide
 */

import type { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import { DerError } from '../../../lib/der/index.ts';
import { readSignedContent, X509Error } from '../../../platform/x509/index.ts';
import {
  type IdentityProvider,
  type ProofContext,
  type ProvenIdentity,
  refusedProof,
  renderSkew,
} from '../identity-provider.ts';
import { DocumentProofWire, decodeProof } from '../wire.ts';
import type { GroupsTerminus } from './sts-provider.ts';

const longestAgeMs = 15 * 60 * 1000;
/** Clocks differ. */
const mostAheadMs = 5 * 60 * 1000;

const DocumentWire = z.object({
  accountId: z.string().regex(/^\d{12}$/),
  instanceId: z.string().regex(/^i-(?:[0-9a-f]{8}|[0-9a-f]{17})$/),
  region: z.string().max(40),
  imageId: z.string().max(40),
  pendingTime: z.iso.datetime(),
});

export class DocumentProvider implements IdentityProvider {
  private readonly signers: readonly X509Certificate[];
  private readonly groups: GroupsTerminus | undefined;

  /** @param signers - certificates of AWS for its regions */
  constructor(signers: readonly X509Certificate[], groups?: GroupsTerminus) {
    this.signers = signers;
    this.groups = groups;
  }

  async verify(proof: unknown, { now, signal }: ProofContext): Promise<ProvenIdentity> {
    const { pkcs7 } = decodeProof(DocumentProofWire, proof);
    const document = this.read(pkcs7);
    checkStart(document.pendingTime, now);
    const { accountId: account, imageId: image, instanceId, region } = document;
    const group = await this.groups?.groupOf(instanceId, signal);
    return {
      provider: 'aws-document',
      instance: `aws/${account}/${instanceId}`,
      name: instanceId,
      isKeyBound: false,
      attributes: { account, image, region, ...(group === undefined ? {} : { group }) },
    };
  }

  private read(pkcs7: string): z.infer<typeof DocumentWire> {
    const base64 = pkcs7.replace(/-----(?:BEGIN|END) PKCS7-----/g, '').replace(/\s+/g, '');
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw refusedProof('pkcs7 is not base64');
    const text = this.signedText(Buffer.from(base64, 'base64'));
    const parsed = checkShape(DocumentWire, parse(text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw refusedProof(`the signed document is no identity document: ${issue?.path.join('.')}`);
  }

  private signedText(message: Buffer): string {
    try {
      return readSignedContent(message, this.signers).content.toString('utf8');
    } catch (error) {
      if (error instanceof X509Error || error instanceof DerError) throw refusedProof(error.message);
      throw error;
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The shape says that it is none.
    return undefined;
  }
}

function checkStart(pendingTime: string, now: Date): void {
  const fromNowMs = Date.parse(pendingTime) - now.getTime();
  if (fromNowMs <= mostAheadMs && fromNowMs >= -longestAgeMs) return;
  throw refusedProof(
    `the instance was started at ${pendingTime}, ${renderSkew(fromNowMs)} the clock of the primary, which allows 15 min`,
  );
}
