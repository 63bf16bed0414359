/** Identity documents of instances, signed by real OpenSSL as AWS signs them: with lengths that are not known in advance. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class FakeDocuments {
  /** PEM, as people download it from AWS. */
  readonly certificate: string;
  private readonly directory = mkdtempSync(join(tmpdir(), 'bunraku-documents-'));

  constructor() {
    this.openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'key.pem',
      '-out',
      'certificate.pem',
      '-days',
      '30',
      '-subj',
      '/C=US/ST=Washington State/L=Seattle/O=Amazon Web Services LLC',
    );
    this.certificate = readFileSync(join(this.directory, 'certificate.pem'), 'utf8');
  }

  /** What `dynamic/instance-identity/rsa2048` gives: base64 in lines, without armour. */
  sign(document: object, ...options: readonly string[]): string {
    writeFileSync(join(this.directory, 'document'), JSON.stringify(document, undefined, 2));
    this.openssl(
      'cms',
      '-sign',
      '-binary',
      '-nodetach',
      '-stream',
      '-outform',
      'DER',
      '-in',
      'document',
      '-signer',
      'certificate.pem',
      '-inkey',
      'key.pem',
      '-out',
      'message',
      ...options,
    );
    const base64 = readFileSync(join(this.directory, 'message')).toString('base64');
    return (base64.match(/.{1,64}/g) ?? []).join('\n');
  }

  close(): void {
    rmSync(this.directory, { recursive: true });
  }

  private openssl(...words: readonly string[]): void {
    execFileSync('openssl', words, { cwd: this.directory, stdio: 'pipe' });
  }
}

/** A document as an instance of today has it. */
export function identityDocument(
  account: string,
  instanceId: string,
  pendingTime: Date,
): Record<string, unknown> {
  return {
    accountId: account,
    architecture: 'x86_64',
    availabilityZone: 'eu-west-1a',
    billingProducts: null,
    devpayProductCodes: null,
    marketplaceProductCodes: null,
    imageId: 'ami-0123456789abcdef0',
    instanceId,
    instanceType: 'c7a.large',
    kernelId: null,
    pendingTime: pendingTime.toISOString().replace(/\.\d+/, ''),
    privateIp: '10.0.1.17',
    ramdiskId: null,
    region: 'eu-west-1',
    version: '2017-09-30',
  };
}
