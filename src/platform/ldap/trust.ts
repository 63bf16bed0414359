/** The certificate authorities that a directory's certificate may come from. */

import { readFile } from 'node:fs/promises';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { ifThere } from '../../lib/if-there.ts';
import { LdapError } from './ldap-error.ts';

/** Where Debian, Red Hat, SUSE and Alpine keep the authorities that the system trusts. */
const systemFiles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * A context is kept until the file changes: making one of the 140 authorities of a system takes the main thread 20 ms. Node's
 * own list of them (`getCACertificates('system')`) takes five times as long.
 */
export class LdapTrust {
  private readonly file: string | undefined;
  private known: { readonly pem: string; readonly context: SecureContext } | undefined;

  /** @param file - certificates in PEM; those of the operating system when absent */
  constructor(file?: string) {
    this.file = file;
  }

  /** @throws LdapError `untrusted` when the file cannot be read or holds no certificates */
  async context(): Promise<SecureContext> {
    const pem = this.file === undefined ? await readSystem() : await readTrust(this.file);
    if (this.known?.pem !== pem) this.known = { pem, context: createContext(this.file, pem) };
    return this.known.context;
  }
}

async function readSystem(): Promise<string> {
  for (const file of systemFiles) {
    const pem = await ifThere(readFile(file, 'utf8'));
    if (pem !== undefined) return pem;
  }
  return rootCertificates.join('\n');
}

async function readTrust(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new LdapError(
      'untrusted',
      `cannot read ${file}, the certificates that directories are checked with`,
      cause,
    );
  }
}

function createContext(file: string | undefined, pem: string): SecureContext {
  const name = file ?? 'the list of authorities of the system';
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new LdapError('untrusted', `${name} holds no certificate in PEM`);
  try {
    return createSecureContext({ ca: pem });
  } catch (cause) {
    throw new LdapError('untrusted', `${name} holds a certificate that cannot be read`, cause);
  }
}
