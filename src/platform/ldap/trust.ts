/** The certificate authorities that a directory's certificate may come from. */

import { readFile } from 'node:fs/promises';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { LdapError } from './ldap-error.ts';

/** Reading the authorities takes milliseconds, so a context is kept until the file changes. */
export class LdapTrust {
  private readonly file: string | undefined;
  private known: { readonly pem: string; readonly context: SecureContext } | undefined;

  /** @param file - certificates in PEM; the authorities of Node and of the operating system when absent */
  constructor(file?: string) {
    this.file = file;
  }

  /** @throws LdapError `untrusted` when the file cannot be read or holds no certificates */
  async context(): Promise<SecureContext> {
    const pem = this.file === undefined ? '' : await readTrust(this.file);
    if (this.known?.pem !== pem) this.known = { pem, context: createContext(this.file, pem) };
    return this.known.context;
  }
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
  if (file === undefined)
    return createSecureContext({ ca: [...getCACertificates('default'), ...getCACertificates('system')] });
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new LdapError('untrusted', `${file} holds no certificate in PEM`);
  try {
    return createSecureContext({ ca: pem });
  } catch (cause) {
    throw new LdapError('untrusted', `${file} holds a certificate that cannot be read`, cause);
  }
}
