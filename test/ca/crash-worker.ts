/**
 * Signs and revokes until it is killed, and prints a line for each thing that the authority acknowledged.
 *
 * Arguments: the CA directory, and a prefix for the names.
 */

import { silentLogger } from '../../src/platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
} from '../../src/platform/x509/index.ts';
import { CertificateAuthority } from '../../src/services/ca/authority.ts';
import { defaultCaSettings } from '../../src/services/ca/ca-settings.ts';

const [caDir = '', prefix = ''] = process.argv.slice(2);
const key = { kind: 'ec', curve: 'P-256' } as const;
const settings = { ...defaultCaSettings, key, caDir, caName: 'Puppet CA: crash', autosign: true };
const ca = await CertificateAuthority.open(settings, { log: silentLogger, now: () => new Date() });
const keys = await createKeyPair(key);

for (let index = 0; index < 100_000; index += 4) {
  await Promise.all([0, 1, 2, 3].map((offset) => signOne(`${prefix}-${index + offset}.test`)));
  const certname = `${prefix}-${index}.test`;
  await ca.revoke([certname]);
  process.stdout.write(`revoked ${certname}\n`);
}

async function signOne(certname: string): Promise<void> {
  const request = await createCertificateRequest({ certname }, keys);
  await ca.submitRequest(certname, encodeCertificateRequest(request));
  process.stdout.write(`signed ${certname}\n`);
}
