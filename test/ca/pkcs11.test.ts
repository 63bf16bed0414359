/** An authority whose key is in a PKCS #11 module (SoftHSM here), by the commands of the documentation. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPresent, opensc, pkcs11Engine, softhsm } from '../../scripts/debian-packages.ts';
import { caCommand } from '../../src/cli/ca/ca.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
} from '../../src/platform/x509/index.ts';
import { CertificateAuthority, defaultCaSettings } from '../../src/services/ca/index.ts';
import { describeWith } from './needs.ts';

const needed = [softhsm, opensc, pkcs11Engine];
const names = needed.map(({ name }) => name).join(', ');
const module = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/lib/libsofthsm2.so'].find(existsSync) ?? '';
const kinds = { RSA: 'rsa:2048', EC: 'EC:prime256v1' } as const;
const ids = { RSA: '01', EC: '02' } as const;
const pin = '1234';

describeWith(names, needed.every(isPresent), 'an authority with its key in a PKCS #11 module', () => {
  let base: string;

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'bunraku-pkcs11-'));
    await mkdir(join(base, 'tokens'));
    await writeFile(join(base, 'softhsm2.conf'), `directories.tokendir = ${join(base, 'tokens')}\n`);
    await writeFile(join(base, 'pin'), pin, { mode: 0o600 });
    program('softhsm2-util', '--init-token', '--free', '--label', 'puppet', '--pin', pin, '--so-pin', '4321');
  });

  afterAll(() => rm(base, { recursive: true }));

  function program(name: string, ...args: readonly string[]): string {
    const env = { ...process.env, SOFTHSM2_CONF: join(base, 'softhsm2.conf') };
    return execFileSync(name, args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'], cwd: base });
  }

  function keyUri(label: string): string {
    return `pkcs11:token=puppet;object=${label};type=private;pin-source=file:${join(base, 'pin')}`;
  }

  /** Makes a key that never leaves the module, its certificate, and what signs with it. */
  async function prepare(kind: keyof typeof kinds): Promise<string> {
    const access = ['--module', module, '--login', '--pin', pin, '--token-label', 'puppet'];
    program(
      'pkcs11-tool',
      ...access,
      '--keypairgen',
      '--key-type',
      kinds[kind],
      '--label',
      kind,
      '--id',
      ids[kind],
    );
    const subject = ['-subj', '/CN=Puppet CA: module', '-days', '5475', '-out', `${kind}.pem`];
    const key = ['-engine', 'pkcs11', '-keyform', 'engine', '-key', keyUri(kind)];
    const authority = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
    const extensions = [...authority, 'subjectKeyIdentifier=hash'].flatMap((line) => ['-addext', line]);
    program('openssl', 'req', '-x509', '-new', '-sha256', ...subject, ...key, ...extensions);
    const sign = join(base, `sign-${kind}`);
    const lines = [
      '#!/bin/sh',
      `export SOFTHSM2_CONF='${join(base, 'softhsm2.conf')}'`,
      `exec openssl dgst "-$1" -engine pkcs11 -keyform engine -sign '${keyUri(kind)}'`,
    ];
    await writeFile(sign, `${lines.join('\n')}\n`);
    await chmod(sign, 0o755);
    return sign;
  }

  async function bunrakuCa(...args: readonly string[]) {
    let text = '';
    const collect = (piece: string) => void (text += piece);
    const { signal } = new AbortController();
    const exitCode = await caCommand.run(args, {
      stdout: collect,
      stderr: collect,
      isTerminal: false,
      signal,
    });
    return { exitCode, text };
  }

  test.each(['RSA', 'EC'] as const)('of kind %s is imported, signs and revokes', async (kind) => {
    const signingCommand = await prepare(kind);
    const caDir = join(base, `ca-${kind}`);
    await writeFile(join(base, 'no-crl.pem'), '');
    const places = ['--ca-dir', caDir, '--ssl-dir', join(base, 'ssl'), '--signing-command', signingCommand];
    const bundle = ['--cert-bundle', join(base, `${kind}.pem`), '--crl-chain', join(base, 'no-crl.pem')];

    const imported = await bunrakuCa('import', ...places, ...bundle, '--certname', `primary-${kind}.test`);
    const ca = await CertificateAuthority.open(
      { ...defaultCaSettings, caDir, caName: '', signingCommand: [signingCommand], autosign: true },
      { log: silentLogger, now: () => new Date() },
    );
    const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
    const certnames = Array.from({ length: 12 }, (_, index) => `node${index}.test`);
    await Promise.all(
      certnames.map(async (certname) =>
        ca.submitRequest(
          certname,
          encodeCertificateRequest(await createCertificateRequest({ certname }, keys)),
        ),
      ),
    );
    await ca.revoke(['node3.test']);
    await ca.close();

    const verify = (certname: string) => {
      const files = ['-CAfile', join(caDir, 'ca_crt.pem'), '-CRLfile', join(caDir, 'ca_crl.pem')];
      return program(
        'openssl',
        'verify',
        '-crl_check',
        '-x509_strict',
        ...files,
        join(caDir, 'signed', certname),
      );
    };
    expect(imported).toMatchObject({ exitCode: 0 });
    expect((await readdir(caDir)).filter((name) => /key/.test(name))).toEqual([]);
    for (const certname of certnames.filter((name) => name !== 'node3.test'))
      expect(verify(`${certname}.pem`)).toMatch(/: OK\n$/);
    expect(() => verify('node3.test.pem')).toThrow('certificate revoked');
    expect((await bunrakuCa('verify', ...places)).exitCode).toBe(0);
  });

  test('a module that refuses is named in words, and nothing is signed', async () => {
    const caDir = join(base, 'ca-RSA');
    const broken = join(base, 'sign-broken');
    await writeFile(broken, '#!/bin/sh\necho "the token is not there" >&2\nexit 1\n');
    await chmod(broken, 0o755);
    const places = ['--ca-dir', caDir, '--ssl-dir', join(base, 'ssl'), '--signing-command', broken];

    const refused = bunrakuCa('generate', '--certname', 'late.test', ...places);

    await expect(refused).rejects.toThrow('The signing command ended with 1: the token is not there');
    expect(existsSync(join(caDir, 'signed', 'late.test.pem'))).toBe(false);
  });
});
