/** An authority in this process, which signs thousands of certificates in a moment. */

import type { KeyObject } from 'node:crypto';
import {
  basicConstraints,
  type CertificateContent,
  commonNameOnly,
  createKeyPair,
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

const name = 'Puppet CA: bench';
const day = 86_400_000;

export class BenchAuthority {
  readonly certificate: string;
  private readonly key: KeyObject;
  private serial = 2;

  private constructor(certificate: string, key: KeyObject) {
    this.certificate = certificate;
    this.key = key;
  }

  /** With an RSA key of 4096 bits, as authorities of Puppet have. */
  static async create(): Promise<BenchAuthority> {
    const keys = await createKeyPair({ kind: 'rsa', bits: 4096 });
    const extensions = [
      basicConstraints(true),
      keyUsage('ca'),
      subjectKeyIdentifier(keyIdentifier(encodePublicKeyInfo(keys.publicKey))),
    ];
    const content = { ...contentOf(1, name, keys), extensions };
    const certificate = await signCertificate(content, keySigner(keys.privateKey), unchecked);
    return new BenchAuthority(encodeCertificate(certificate), keys.privateKey);
  }

  async issue(certname: string, keys: KeyPair, altName?: string): Promise<Issued> {
    this.serial += 1;
    const names = altName === undefined ? [] : [subjectAltName(parseAltNames(altName))];
    const content = {
      ...contentOf(this.serial, certname, keys),
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

function contentOf(serial: number, certname: string, keys: KeyPair): Omit<CertificateContent, 'extensions'> {
  const now = Date.now();
  return {
    serial: serial.toString(16),
    issuer: commonNameOnly(name),
    subject: commonNameOnly(certname),
    notBefore: new Date(now - day),
    notAfter: new Date(now + day),
    publicKeyInfo: encodePublicKeyInfo(keys.publicKey),
  };
}

function unchecked(): void {
  // a certificate of a measurement
}
