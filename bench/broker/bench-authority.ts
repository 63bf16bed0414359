/** An authority in this process, which signs thousands of certificates in a moment. */

import { type KeyObject, randomBytes } from 'node:crypto';
import {
  basicConstraints,
  type CertificateContent,
  commonNameOnly,
  createKeyPair,
  decodeCertificates,
  decodePrivateKey,
  encodeCertificate,
  encodePrivateKey,
  encodePublicKeyInfo,
  type KeyPair,
  keyIdentifier,
  keySigner,
  keyUsage,
  parseAltNames,
  signCertificate,
  subjectAltName,
  subjectKeyIdentifier,
} from '../../src/platform/x509/index.ts';

export interface Issued {
  readonly certname: string;
  readonly certificate: string;
  readonly privateKey: string;
}

type DistinguishedName = CertificateContent['issuer'];

const name = 'Puppet CA: bench';
const day = 86_400_000;

export class BenchAuthority {
  readonly certificate: string;
  private readonly key: KeyObject;
  private readonly subject: DistinguishedName;

  private constructor(certificate: string, key: KeyObject) {
    this.certificate = certificate;
    this.key = key;
    const [own] = decodeCertificates(certificate);
    this.subject = own?.subject ?? commonNameOnly(name);
  }

  /** One that there is already. @param certificate - PEM, as the key */
  static of(certificate: string, privateKey: string): BenchAuthority {
    return new BenchAuthority(certificate, decodePrivateKey(privateKey));
  }

  /** With an RSA key of 2048 bits: those of Puppet have 4096, which takes half a minute for ten thousand certificates. */
  static async create(): Promise<BenchAuthority> {
    const keys = await createKeyPair({ kind: 'rsa', bits: 2048 });
    const extensions = [
      basicConstraints(true),
      keyUsage('ca'),
      subjectKeyIdentifier(keyIdentifier(encodePublicKeyInfo(keys.publicKey))),
    ];
    const content = { ...contentOf(commonNameOnly(name), name, keys), extensions };
    const certificate = await signCertificate(content, keySigner(keys.privateKey), unchecked);
    return new BenchAuthority(encodeCertificate(certificate), keys.privateKey);
  }

  async issue(certname: string, keys: KeyPair, altName?: string): Promise<Issued> {
    const names = altName === undefined ? [] : [subjectAltName(parseAltNames(altName))];
    const content = {
      ...contentOf(this.subject, certname, keys),
      extensions: [basicConstraints(false), ...names],
    };
    const certificate = await signCertificate(content, keySigner(this.key), unchecked);
    return {
      certname,
      certificate: encodeCertificate(certificate),
      privateKey: encodePrivateKey(keys.privateKey),
    };
  }
}

function contentOf(
  issuer: DistinguishedName,
  certname: string,
  keys: KeyPair,
): Omit<CertificateContent, 'extensions'> {
  const now = Date.now();
  return {
    serial: `7${randomBytes(8).toString('hex')}`,
    issuer,
    subject: commonNameOnly(certname),
    notBefore: new Date(now - day),
    notAfter: new Date(now + day),
    publicKeyInfo: encodePublicKeyInfo(keys.publicKey),
  };
}

function unchecked(): void {
  // a certificate of a measurement
}
