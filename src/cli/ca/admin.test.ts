/** Actions that work on the directory: import, prune, delete, renew, migrate, extend, verify. */

import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  decodeCertificates,
  encodeCertificateRequest,
} from '../../platform/x509/index.ts';
import { CertificateAuthority, defaultCaSettings } from '../../services/ca/index.ts';
import { runCommand } from '../run-command.testing.ts';
import { caCommand } from './ca.ts';

let base: string;
let template: string;
let count = 0;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-ca-admin-'));
  template = join(base, 'template');
  const ca = await open(template);
  await sign(ca, 'good.test');
  await sign(ca, 'bad.test');
  // Certificates begin a day before: this one ended an hour ago.
  await sign(ca, 'short.test', -3600);
  await ca.revoke(['bad.test', 'short.test']);
  await ca.close();
});

afterAll(() => rm(base, { recursive: true }));

function open(caDir: string, start = new Date()): Promise<CertificateAuthority> {
  const key = { kind: 'ec', curve: 'P-256' } as const;
  const settings = { ...defaultCaSettings, key, caDir, caName: 'Puppet CA: admin' };
  return CertificateAuthority.open(settings, { log: silentLogger, now: () => start });
}

async function sign(ca: CertificateAuthority, certname: string, ttlSeconds?: number): Promise<void> {
  const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  await ca.submitRequest(
    certname,
    encodeCertificateRequest(await createCertificateRequest({ certname }, keys)),
  );
  await ca.sign(certname, { ttlSeconds });
}

/** A CA directory that the test may spoil. */
async function copy(): Promise<string> {
  const caDir = join(base, `ca-${++count}`);
  await cp(template, caDir, { recursive: true });
  return caDir;
}

function run(action: string, ...args: readonly string[]) {
  return runCommand(caCommand, action, ...args);
}

test('verify finds a sound directory sound', async () => {
  const caDir = await copy();

  const result = await run('verify', '--ca-dir', caDir);

  expect(result).toEqual({
    exitCode: 0,
    out: `3 signed certificates, 0 requests, 2 revoked serial numbers.\nThe CA in ${caDir} is sound.\n`,
    err: '',
  });
});

test('verify says in words what is wrong', async () => {
  const caDir = await copy();
  const inventory = await readFile(join(caDir, 'inventory.txt'), 'utf8');
  const [first = '', , third = ''] = inventory.split('\n');
  await writeFile(join(caDir, 'inventory.txt'), `${first}\n${first}\n${third}\n`);
  await writeFile(join(caDir, 'serial'), '0001');
  await writeFile(
    join(caDir, 'signed', 'broken.test.pem'),
    '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----',
  );
  await chmod(join(caDir, 'ca_key.pem'), 0o644);
  const [, root = ''] = (await readFile(join(caDir, 'ca_crl.pem'), 'utf8')).split(/(?<=END X509 CRL-----\n)/);
  await writeFile(join(caDir, 'ca_crl.pem'), root);

  const { err, exitCode, out } = await run('verify', '--ca-dir', caDir);

  expect(exitCode).toBe(1);
  expect(err).toContain('can be read by everybody: chmod 600');
  expect(err).toContain('There is no CRL of /CN=Puppet CA: admin');
  expect(err).toContain('The serial number 0x1 (good.test) is in inventory.txt twice');
  expect(err).toContain('signed/broken.test.pem cannot be read');
  expect(out).toContain('The file serial says 0001, but 0x1 has been used already');
  expect(out).toContain('0x2 (bad.test) is not in inventory.txt');
});

test('prune removes what has expired, or what is named', async () => {
  const caDir = await copy();

  const expired = await run('prune', '--ca-dir', caDir, '--remove-expired');
  const named = await run('prune', '--ca-dir', caDir, '--remove-entries', '--certname', 'bad.test');
  const again = await run('prune', '--ca-dir', caDir);
  const wrong = await run('prune', '--ca-dir', caDir, '--remove-entries', '--serial', 'xyz');

  const total = "Total number of certificates found in Puppet's CRL is";
  expect(expired.out).toBe(`${total}: 2.\nRemoved 1 certs from Puppet's CRL.\n`);
  expect(named.out).toBe(`${total}: 1.\nRemoved 1 certs from Puppet's CRL.\n`);
  expect(again.out).toBe(`${total}: 0.\nNo matching revocations found in the CRL for pruning\n`);
  expect(wrong.err).toContain("'xyz' is not a serial number in hexadecimal");
});

test('delete removes files and nothing else', async () => {
  const caDir = await copy();

  const expired = await run('delete', '--ca-dir', caDir, '--expired');
  const revoked = await run('delete', '--ca-dir', caDir, '--revoked');
  const missing = await run('delete', '--ca-dir', caDir, '--certname', 'nosuch.test');
  const nothing = await run('delete', '--ca-dir', caDir);

  expect([expired.out, revoked.out]).toEqual([
    '1 signed certificates deleted.\n',
    '1 signed certificates deleted.\n',
  ]);
  expect(existsSync(join(caDir, 'signed', 'good.test.pem'))).toBe(true);
  expect(missing).toMatchObject({
    exitCode: 24,
    err: 'Error:\n    Could not find certificate file for nosuch.test\n',
  });
  expect(nothing.err).toContain('Must pass one of the valid flags');
});

test('renew signs for the same key', async () => {
  const caDir = await copy();
  const file = join(caDir, 'signed', 'good.test.pem');
  const [before] = decodeCertificates(await readFile(file, 'utf8'));

  const renewed = await run(
    'renew',
    '--ca-dir',
    caDir,
    '--ssl-dir',
    join(base, 'none'),
    '--certname',
    'good.test',
  );
  const refused = await run('renew', '--ca-dir', caDir, '--certname', 'bad.test,nosuch.test');

  const [after] = decodeCertificates(await readFile(file, 'utf8'));
  expect(renewed).toEqual({ exitCode: 0, out: 'Renewed the certificate of good.test\n', err: '' });
  expect(after?.publicKeyInfo).toEqual(before?.publicKeyInfo);
  expect(after?.serial).not.toBe(before?.serial);
  expect(refused.exitCode).toBe(1);
  expect(refused.err).toContain('Could not find certificate for nosuch.test');
});

test('sign --allow-dns-alt-names signs what else is refused', async () => {
  const caDir = await copy();
  const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  const ca = await open(caDir);
  const request = await createCertificateRequest({ certname: 'san.test', altNames: 'puppet' }, keys);
  await ca.submitRequest('san.test', encodeCertificateRequest(request));
  await ca.close();

  const refused = await run('sign', '--ca-dir', caDir, '--certname', 'san.test');
  const allowed = await run('sign', '--ca-dir', caDir, '--certname', 'san.test', '--allow-dns-alt-names');

  expect(refused.err).toContain("CSR 'san.test' contains extra subject alternative names (DNS:puppet)");
  expect(allowed.out).toBe('Successfully signed certificate request for san.test\n');
});

test('extend gives the authority a longer life', async () => {
  const caDir = await copy();
  const [before] = decodeCertificates(await readFile(join(caDir, 'ca_crt.pem'), 'utf8'));

  const result = await run('extend', '--ca-dir', caDir, '--ttl', '30y');

  const [after] = decodeCertificates(await readFile(join(caDir, 'ca_crt.pem'), 'utf8'));
  expect(result.exitCode).toBe(0);
  expect(result.out).toMatch(
    /^Extended the certificate of \/CN=Puppet CA: admin\nExtended the certificate of \/CN=Puppet Root CA/,
  );
  expect(after?.notAfter.getTime()).toBeGreaterThan(before?.notAfter.getTime() ?? 0);
  expect(after?.serial).toBe(before?.serial);
});

test('migrate moves the directory and leaves a link', async () => {
  const from = await copy();
  const to = join(base, 'migrated', 'ca');

  const moved = await run('migrate', '--from', from, '--ca-dir', to);
  const again = await run('migrate', '--from', from, '--ca-dir', join(base, 'elsewhere'));
  const over = await run('migrate', '--from', await copy(), '--ca-dir', to);

  expect(moved.exitCode).toBe(0);
  expect(lstatSync(from).isSymbolicLink()).toBe(true);
  expect((await run('verify', '--ca-dir', from)).exitCode).toBe(0);
  expect([again.exitCode, over.exitCode]).toEqual([1, 1]);
});

test('import refuses what does not fit together, all of it at once, and writes nothing', async () => {
  const caDir = join(base, 'imported');
  const own = await copy();
  const stranger = join(base, 'stranger.pem');
  execFileSync('openssl', ['ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', stranger]);
  const bundle = ['--cert-bundle', join(own, 'ca_crt.pem'), '--crl-chain', join(own, 'ca_crl.pem')];
  const places = ['--ca-dir', caDir, '--ssl-dir', join(base, 'imported-ssl'), '--certname', 'primary.test'];

  const wrongKey = await run('import', ...places, ...bundle, '--private-key', stranger);
  const [leaf = ''] = (await readFile(join(own, 'ca_crt.pem'), 'utf8')).split(/(?<=END CERTIFICATE-----\n)/);
  const short = join(base, 'short.pem');
  await writeFile(short, leaf);
  const keyOf = ['--private-key', join(own, 'ca_key.pem')];
  const shortChain = ['--cert-bundle', short, '--crl-chain', join(own, 'ca_crl.pem')];
  const noRoot = await run('import', ...places, ...shortChain, ...keyOf);
  const missing = await run('import', ...places);

  expect(wrongKey.err).toBe('Error:\n    Could not find certificate matching private key\n');
  expect(noRoot.err).toContain('Leaf certificate could not be validated');
  expect(noRoot.err).toContain('is missing: the chain has no root');
  expect(missing.err).toContain('--cert-bundle, --private-key, --crl-chain are required');
  expect(existsSync(join(caDir, 'ca_crt.pem'))).toBe(false);

  const good = await run('import', ...places, ...bundle, '--private-key', join(own, 'ca_key.pem'));
  expect(good).toEqual({ exitCode: 0, out: `Import succeeded. Find your files in ${caDir}\n`, err: '' });
  expect((await run('verify', '--ca-dir', caDir)).exitCode).toBe(0);
  expect(existsSync(join(base, 'imported-ssl', 'certs', 'primary.test.pem'))).toBe(true);
});
