/** OpenSSL judges what we sign, revoke and extend: RSA and EC, under a root of our own, alone, or under a company's. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  type KeySpec,
} from '../../src/platform/x509/index.ts';
import {
  CertificateAuthority,
  defaultCaSettings,
  extendAuthority,
  importAuthority,
  verifyDirectory,
} from '../../src/services/ca/index.ts';

const specs: Readonly<Record<string, KeySpec>> = {
  RSA: { kind: 'rsa', bits: 2048 },
  EC: { kind: 'ec', curve: 'P-384' },
};
const shapes = ['a root of its own', 'no authority above', 'a company’s root and intermediate'] as const;

let base: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'bunraku-openssl-'));
});

afterAll(() => rmSync(base, { recursive: true }));

function openssl(directory: string, ...args: readonly string[]): string {
  return execFileSync('openssl', args, {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Authorities as a company makes them, by OpenSSL alone: the last one is for us, without a CRL. */
function companyChain(directory: string, kind: string, names: readonly string[]): void {
  mkdirSync(directory, { recursive: true });
  const newKey =
    kind === 'RSA' ? ['-newkey', 'rsa:2048'] : ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const config = `[req]
distinguished_name = dn
[dn]
[ca]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[issued]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[crl]
authorityKeyIdentifier = keyid
[one]
database = index.txt
default_md = sha256
default_crl_days = 30
crlnumber = crlnumber
crl_extensions = crl
`;
  writeFileSync(join(directory, 'conf'), config);
  writeFileSync(join(directory, 'index.txt'), '');
  writeFileSync(join(directory, 'crlnumber'), '01\n');
  const lists: string[] = [];
  for (const [index, name] of names.entries()) {
    const issuer = names[index - 1];
    const subject = ['-subj', `/O=Example/CN=${name}`, '-keyout', `${name}.key`, '-nodes', '-config', 'conf'];
    if (issuer === undefined)
      openssl(
        directory,
        'req',
        '-x509',
        ...newKey,
        ...subject,
        '-days',
        '90',
        '-extensions',
        'ca',
        '-out',
        `${name}.pem`,
      );
    else {
      openssl(directory, 'req', '-new', ...newKey, ...subject, '-out', `${name}.csr`);
      const signing = ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`, '-set_serial', String(index + 100)];
      const issued = ['-extfile', 'conf', '-extensions', 'issued', '-days', '90', '-out', `${name}.pem`];
      openssl(directory, 'x509', '-req', '-in', `${name}.csr`, ...signing, ...issued);
    }
    if (index === names.length - 1) continue;
    const files = ['-cert', `${name}.pem`, '-keyfile', `${name}.key`, '-out', `${name}.crl`];
    openssl(directory, 'ca', '-gencrl', '-config', 'conf', '-name', 'one', ...files);
    lists.push(readFileSync(join(directory, `${name}.crl`), 'utf8'));
  }
  writeFileSync(join(directory, 'crls.pem'), lists.join(''));
  const bundle = names.map((name) => readFileSync(join(directory, `${name}.pem`), 'utf8')).join('');
  writeFileSync(join(directory, 'bundle.pem'), bundle);
}

async function makeAuthority(caDir: string, kind: string, shape: (typeof shapes)[number]): Promise<void> {
  if (shape === 'a root of its own') return;
  const names = shape === 'no authority above' ? ['puppet'] : ['root', 'middle', 'puppet'];
  const company = `${caDir}-company`;
  companyChain(company, kind, names);
  const read = (name: string) => readFileSync(join(company, name), 'utf8');
  await importAuthority(
    {
      caDir,
      certificates: read('bundle.pem'),
      revocationLists: read('crls.pem'),
      privateKey: read('puppet.key'),
    },
    new Date(),
  );
}

function open(caDir: string, kind: string): Promise<CertificateAuthority> {
  const key = specs[kind] ?? { kind: 'ec', curve: 'P-256' };
  return CertificateAuthority.open(
    { ...defaultCaSettings, caDir, caName: 'Puppet CA: openssl', key, autosign: true },
    { log: silentLogger, now: () => new Date() },
  );
}

function verdict(caDir: string, certname: string, chain = 'ca_crt.pem'): string {
  const files = ['-CAfile', chain, '-CRLfile', 'ca_crl.pem'];
  try {
    return openssl(caDir, 'verify', '-crl_check_all', '-x509_strict', ...files, `signed/${certname}.pem`);
  } catch (error) {
    return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  }
}

describe.each(Object.keys(specs))('%s', (kind) => {
  test.each(shapes)('with %s', async (shape) => {
    const caDir = join(base, `${kind}-${shapes.indexOf(shape)}`);
    await makeAuthority(caDir, kind, shape);
    const ca = await open(caDir, kind);
    const keys = await createKeyPair(specs[kind] ?? { kind: 'ec', curve: 'P-256' });
    for (const certname of ['good', 'bad']) {
      const request = await createCertificateRequest({ certname }, keys);
      await ca.submitRequest(certname, encodeCertificateRequest(request));
    }
    await ca.revoke(['bad']);
    await ca.close();

    expect(verdict(caDir, 'good')).toBe('signed/good.pem: OK\n');
    expect(verdict(caDir, 'bad')).toContain('certificate revoked');
    expect((await verifyDirectory(caDir, false, new Date())).findings.filter(isError)).toEqual([]);

    const extension = extendAuthority({ caDir, ttlSeconds: 20 * 365 * 86_400 }, new Date());
    if (shape === 'a company’s root and intermediate') {
      await expect(extension).rejects.toThrow(
        'is not here: have it sign the certificate anew with the same key',
      );
      return;
    }
    expect(await extension).toHaveLength(shape === 'a root of its own' ? 2 : 1);
    const again = await open(caDir, kind);
    await again.maintain(true);
    await again.close();
    expect(verdict(caDir, 'good')).toBe('signed/good.pem: OK\n');
    expect(verdict(caDir, 'bad')).toContain('certificate revoked');
    // Agents go on with the authority's certificates that they have.
    expect(verdict(caDir, 'good', 'ca_crt.pem.before-extension')).toBe('signed/good.pem: OK\n');
  });
});

function isError({ severity }: { readonly severity: string }): boolean {
  return severity === 'error';
}
