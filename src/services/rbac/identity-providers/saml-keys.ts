/** The key and the certificate by which a SAML provider knows us: made when they are needed first, and kept. */

import { randomBytes } from 'node:crypto';
import {
  commonNameOnly,
  createKeyPair,
  encodeCertificate,
  encodePublicKeyInfo,
  keySigner,
  signCertificate,
} from '../../../platform/x509/index.ts';
import type { SecretSeal } from '../directory/directory.ts';
import type { ProviderStore } from './provider-store.ts';

export interface SamlKeysOptions {
  readonly store: Pick<ProviderStore, 'findKey' | 'addKey'>;
  readonly seal: SecretSeal;
  readonly now: () => Date;
}

export interface SamlKey {
  /** In PEM, both. */
  readonly certificate: string;
  readonly privateKey: string;
}

/** Providers know the certificate, not an authority: it lasts as long as an installation may. */
const years = 30;
const yearMs = 365 * 24 * 3600 * 1000;

export class SamlKeys {
  private readonly options: SamlKeysOptions;

  constructor(options: SamlKeysOptions) {
    this.options = options;
  }

  /** @throws Error when the key in `rbac.key` is not the one that encrypted it */
  async get(): Promise<SamlKey> {
    const { seal, store } = this.options;
    let found = await store.findKey();
    if (found === undefined) {
      const { certificate, privateKey } = await this.create();
      // Another server may have made one meanwhile: the first counts.
      await store.addKey({ certificate, sealedKey: seal.close(privateKey) });
      found = await store.findKey();
    }
    if (found === undefined) throw new Error('the key for SAML was not kept');
    return { certificate: found.certificate, privateKey: seal.open(found.sealedKey) };
  }

  private async create(): Promise<SamlKey> {
    const { privateKey, publicKey } = await createKeyPair({ kind: 'rsa', bits: 3072 });
    const name = commonNameOnly('Bunraku SAML');
    const start = this.options.now();
    const certificate = await signCertificate(
      {
        serial: `01${randomBytes(15).toString('hex')}`,
        issuer: name,
        subject: name,
        notBefore: new Date(start.getTime() - 24 * 3600 * 1000),
        notAfter: new Date(start.getTime() + years * yearMs),
        publicKeyInfo: encodePublicKeyInfo(publicKey),
        extensions: [],
      },
      keySigner(privateKey),
      () => undefined,
    );
    return {
      certificate: encodeCertificate(certificate),
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  }
}
