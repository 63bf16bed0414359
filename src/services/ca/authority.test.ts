import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import {
  type CertificateRequest,
  createCertificateRequest,
  createKeyPair,
  decodeCertificates,
  encodeCertificate,
  encodeCertificateRequest,
  encodePublicKeyInfo,
  type KeyPair,
  type RequestContent,
  readPuppetExtensions,
} from '../../platform/x509/index.ts';
import { CertificateAuthority } from './authority.ts';
import { type CaSettings, defaultCaSettings } from './ca-settings.ts';
import { ensureServerCertificate } from './issuance/server-certificate.ts';

const now = new Date();
const clock = { log: silentLogger, now: () => now };
let base: string;
let keys: KeyPair;
let count = 0;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-ca-'));
  keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
});

afterAll(() => rm(base, { recursive: true }));

function settings(changes: Partial<CaSettings> = {}): CaSettings {
  return {
    ...defaultCaSettings,
    key: { kind: 'ec', curve: 'P-256' },
    caName: 'Puppet CA: primary.example.net',
    caDir: join(base, `ca-${++count}`),
    ...changes,
  };
}

function open(changes: Partial<CaSettings> = {}): Promise<CertificateAuthority> {
  return CertificateAuthority.open(settings(changes), clock);
}

async function request(content: RequestContent): Promise<string> {
  return encodeCertificateRequest(await createCertificateRequest(content, keys));
}

async function submit(ca: CertificateAuthority, content: RequestContent): Promise<string> {
  return ca.submitRequest(content.certname, await request(content));
}

function openssl(...args: readonly string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

describe('a new authority', () => {
  test('has the files of Puppet Server, the keys for its eyes only', async () => {
    const chosen = settings();
    const ca = await CertificateAuthority.open(chosen, clock);
    await ca.close();

    const files = await readdir(chosen.caDir);
    expect(files.sort()).toEqual(
      [
        'bunraku.lock',
        'bunraku.requests',
        'ca_crl.pem',
        'ca_crt.pem',
        'ca_key.pem',
        'ca_pub.pem',
        'infra_crl.pem',
        'infra_inventory.txt',
        'infra_serials',
        'inventory.txt',
        'requests',
        'root_key.pem',
        'serial',
        'signed',
      ].sort(),
    );
    for (const file of ['ca_key.pem', 'root_key.pem']) {
      expect((await stat(join(chosen.caDir, file))).mode & 0o777).toBe(0o600);
    }
  });

  test('is an intermediate under a root of its own', async () => {
    const ca = await open();

    const [signing, root] = decodeCertificates(ca.bundle);

    expect(ca.health.certificates[0]?.name).toBe('Puppet CA: primary.example.net');
    expect(signing?.serial).toBe('2');
    expect(signing?.issuer.raw).toEqual(root?.subject.raw);
    expect(ca.crl.pem.match(/BEGIN X509 CRL/g)).toHaveLength(2);
    await ca.close();
  });

  test('keeps other processes out until it is closed', async () => {
    const chosen = settings();
    const ca = await CertificateAuthority.open(chosen, clock);

    await expect(CertificateAuthority.open(chosen, clock)).rejects.toThrow('in use by another process');
    const other = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('BEGIN EXCLUSIVE')`;
    const lock = join(chosen.caDir, 'bunraku.lock');
    expect(() => execFileSync(process.execPath, ['-e', other, lock], { stdio: 'pipe' })).toThrow('is locked');

    await ca.close();
    await (await CertificateAuthority.open(chosen, clock)).close();
  });

  test('that was interrupted is begun again', async () => {
    const chosen = settings();
    await mkdir(chosen.caDir, { recursive: true });
    await writeFile(join(chosen.caDir, 'bunraku.setup'), '');
    await writeFile(join(chosen.caDir, 'serial'), '0001');

    const ca = await CertificateAuthority.open(chosen, clock);

    expect(decodeCertificates(ca.bundle)).toHaveLength(2);
    await ca.close();
  });

  test('is not made when half of another exists', async () => {
    const chosen = settings();
    await mkdir(chosen.caDir, { recursive: true });
    await writeFile(join(chosen.caDir, 'serial'), '0001');

    await expect(CertificateAuthority.open(chosen, clock)).rejects.toThrow(
      'Cannot initialize CA with partial state; need all files or none.',
    );
  });
});

describe('requests', () => {
  test('wait until they are signed', async () => {
    const ca = await open();

    expect(await submit(ca, { certname: 'a.example.net' })).toBe('pending');
    expect((await ca.findStatus('a.example.net'))?.state).toBe('requested');
    await ca.sign('a.example.net');

    expect((await ca.findStatus('a.example.net'))?.state).toBe('signed');
    expect(await ca.findRequest('a.example.net')).toBeUndefined();
    await ca.close();
  });

  test('are signed at once when autosign is on, and openssl accepts the result', async () => {
    const chosen = settings({ autosign: true });
    const ca = await CertificateAuthority.open(chosen, clock);
    const content = { certname: 'b.example.net', extensions: { pp_role: 'web' } };

    expect(await submit(ca, content)).toBe('signed');

    const strict = ['-x509_strict', '-crl_check_all', '-verify_hostname', 'b.example.net'];
    const bundle = join(chosen.caDir, 'ca_crt.pem');
    const crls = join(chosen.caDir, 'ca_crl.pem');
    const certificate = join(chosen.caDir, 'signed', 'b.example.net.pem');
    const output = openssl('verify', ...strict, '-CAfile', bundle, '-CRLfile', crls, certificate);
    expect(output).toContain(': OK');
    const [decoded] = decodeCertificates((await ca.findCertificate('b.example.net'))?.content ?? '');
    expect(readPuppetExtensions(decoded?.raw ?? Buffer.alloc(0))).toEqual({ pp_role: 'web' });
    await ca.close();
  });

  test('are refused when the name has one already, in words that say which', async () => {
    const ca = await open();
    await submit(ca, { certname: 'c.example.net' });

    const again = () => submit(ca, { certname: 'c.example.net' });
    await expect(again()).rejects.toThrow(
      'c.example.net already has a requested certificate; ignoring certificate request',
    );
    await ca.sign('c.example.net');
    await expect(again()).rejects.toThrow('c.example.net already has a signed certificate');
    await ca.revoke(['c.example.net']);
    await expect(again()).rejects.toThrow('c.example.net already has a revoked certificate');
    await ca.close();
  });

  test.each([
    ['A.example.net', 'A.example.net', 'Certificate names must be lower case.'],
    ['a', 'b', 'Instance name "b" does not match requested key "a"'],
    ['*.example.net', '*.example.net', 'Subject contains a wildcard, which is not allowed: *.example.net'],
    ['../../etc/x', '../../etc/x', 'Subject hostname format is invalid'],
    ['x-', 'x-', 'Subject hostname format is invalid'],
    ['a..b', 'a..b', 'Subject hostname format is invalid'],
    ['ä.example.net', 'ä.example.net', 'Subject hostname format is invalid'],
    ['', '', 'Subject hostname format is invalid'],
  ])('for %j with the subject %j are refused', async (certname, subject, message) => {
    const ca = await open({ autosign: true });
    const pem = await request({ certname: subject });

    await expect(ca.submitRequest(certname, pem)).rejects.toThrow(message);

    expect(await ca.encodedStatuses()).toEqual([]);
    await ca.close();
  });

  test('that are not requests are refused', async () => {
    const ca = await open();

    await expect(ca.submitRequest('a', 'garbage')).rejects.toThrow(
      'Could not read the certificate request: No certificate request found',
    );
    await ca.close();
  });

  const refusals: readonly (readonly [string, Partial<RequestContent>, string])[] = [
    [
      'other names',
      { altNames: 'puppet,IP:10.0.0.1,n.example.net' },
      "CSR 'n.example.net' contains extra subject alternative names (IP:10.0.0.1, DNS:puppet), which are disallowed. To allow subject alternative names, set allow-subject-alt-names to true in your ca.conf file. Then restart the puppetserver and try signing this certificate again.",
    ],
    [
      'an authorization extension',
      { extensions: { pp_auth_role: 'admin' } },
      "CSR 'n.example.net' contains an authorization extension, which is disallowed. To allow authorization extensions, set allow-authorization-extensions to true in your ca.conf file. Then restart the puppetserver and try signing this certificate again.",
    ],
    [
      'an unknown extension',
      { extensions: { '2.5.29.19': 'x' } },
      'Found extensions that are not permitted: 2.5.29.19',
    ],
  ];

  test.each(refusals)('for %s are kept but not signed', async (_, content, message) => {
    const ca = await open({ autosign: true });

    await expect(submit(ca, { certname: 'n.example.net', ...content })).rejects.toMatchObject({
      reason: 'bad-request',
      message,
    });
    await expect(ca.sign('n.example.net')).rejects.toMatchObject({ reason: 'conflict', message });
    await ca.close();
  });

  test('for other names and rights are signed where that is allowed, but never for the CA itself', async () => {
    const ca = await open({ autosign: true, allowSubjectAltNames: true, allowAuthorizationExtensions: true });

    await submit(ca, { certname: 'm', altNames: 'puppet', extensions: { pp_auth_role: 'admin' } });
    const forAdmin = submit(ca, { certname: 'evil', extensions: { pp_cli_auth: 'true' } });

    await expect(forAdmin).rejects.toThrow('not permitted: 1.3.6.1.4.1.34380.1.3.39');
    expect(await ca.findStatus('m')).toMatchObject({
      state: 'signed',
      subjectAltNames: ['DNS:puppet', 'DNS:m'],
      authorizationExtensions: { pp_auth_role: 'admin' },
    });
    await ca.close();
  });

  test('whose signature is not that of their key are refused', async () => {
    const ca = await open({ autosign: true });
    const { raw }: CertificateRequest = await createCertificateRequest({ certname: 'forged' }, keys);
    const forged = Buffer.from(raw);
    forged.writeUInt8(forged.readUInt8(forged.length - 1) ^ 1, forged.length - 1);
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${forged.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

    await expect(ca.submitRequest('forged', pem)).rejects.toThrow(
      'CSR contains a public key that does not correspond to the signing key',
    );
    await ca.close();
  });
});

describe('serial numbers and the inventory', () => {
  test('count up, also over a restart and a serial file from a backup', async () => {
    const chosen = settings({ autosign: true });
    const first = await CertificateAuthority.open(chosen, clock);
    await Promise.all(['a', 'b', 'c'].map((certname) => submit(first, { certname })));
    await first.close();
    await writeFile(join(chosen.caDir, 'serial'), '0001');

    const second = await CertificateAuthority.open(chosen, clock);
    await submit(second, { certname: 'd' });
    await second.close();

    const inventory = await readFile(join(chosen.caDir, 'inventory.txt'), 'utf8');
    const lines = inventory.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['0x0001', '0x0002', '0x0003', '0x0004']);
    expect(lines[3]).toMatch(
      /^0x0004 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dUTC \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dUTC \/CN=d$/,
    );
    expect(await readFile(join(chosen.caDir, 'serial'), 'utf8')).toBe('0005');
  });

  test('survive a line that was cut off', async () => {
    const chosen = settings({ autosign: true });
    const first = await CertificateAuthority.open(chosen, clock);
    await submit(first, { certname: 'a' });
    await first.close();
    const path = join(chosen.caDir, 'inventory.txt');
    const whole = await readFile(path, 'utf8');
    await appendFile(path, '0x0002 2026-11');

    await (await CertificateAuthority.open(chosen, clock)).close();

    expect(await readFile(path, 'utf8')).toBe(whole);
  });
});

describe('revocation', () => {
  test('those who are told of removed certificates are told of no others', async () => {
    const ca = await CertificateAuthority.open(settings({ autosign: true }), clock);
    for (const certname of ['a', 'b', 'c']) await submit(ca, { certname });
    const told: string[] = [];
    const stop = ca.onCleaned(async (certname) => {
      told.push(certname);
    });

    await ca.clean(['a', 'unknown']);
    await ca.deleteFiles('b');
    await ca.deleteFiles('b');
    await ca.revoke(['c']);
    stop();
    await ca.clean(['c']);

    expect(told).toEqual(['a', 'b']);
  });

  test('is on disk, in the list, and told to listeners', async () => {
    const chosen = settings({ autosign: true });
    const ca = await CertificateAuthority.open(chosen, clock);
    await submit(ca, { certname: 'a' });
    const heard: string[] = [];
    const stop = ca.onCrlChange(({ pem }) => heard.push(pem));

    await ca.revoke(['a', 'unknown']);
    await ca.revoke(['a']);
    stop();

    const onDisk = await readFile(join(chosen.caDir, 'ca_crl.pem'), 'utf8');
    expect(heard).toEqual([onDisk]);
    expect(ca.crl.pem).toBe(onDisk);
    expect(ca.isRevoked('1')).toBe(true);
    const args = ['-crl_check_all', '-CAfile', join(chosen.caDir, 'ca_crt.pem')];
    const verify = () =>
      openssl(
        'verify',
        ...args,
        '-CRLfile',
        join(chosen.caDir, 'ca_crl.pem'),
        join(chosen.caDir, 'signed', 'a.pem'),
      );
    expect(verify).toThrow('certificate revoked');
    await ca.close();
  });

  test('reaches the infrastructure list for infrastructure nodes only', async () => {
    const chosen = settings({ autosign: true });
    const ca = await CertificateAuthority.open(chosen, clock);
    await writeFile(join(chosen.caDir, 'infra_inventory.txt'), 'primary\ncompile1\n');
    await submit(ca, { certname: 'agent' });
    await submit(ca, { certname: 'compile1' });
    const infra = () => openssl('crl', '-in', join(chosen.caDir, 'infra_crl.pem'), '-noout', '-text');

    await ca.revoke(['agent']);
    expect(infra()).toContain('No Revoked Certificates');
    await ca.revoke(['compile1']);

    expect(infra()).toContain('Serial Number: 02');
    await ca.close();
  });

  test('of a cleaned node holds, and its name is free again', async () => {
    const ca = await open({ autosign: true });
    await submit(ca, { certname: 'a' });

    expect(await ca.clean(['a', 'nobody'])).toEqual(['nobody']);

    expect(ca.isRevoked('1')).toBe(true);
    expect(await submit(ca, { certname: 'a' })).toBe('signed');
    expect((await ca.findStatus('a'))?.certificate?.serial).toBe('2');
    await ca.close();
  });
});

test('what a killed writer has left half written is gone after the next start', async () => {
  const chosen = settings({ autosign: true });
  const first = await CertificateAuthority.open(chosen, clock);
  await submit(first, { certname: 'a' });
  await first.close();
  const leftover = join(chosen.caDir, 'signed', 'a.pem.0123456789ab.tmp');
  await writeFile(leftover, 'half');

  const second = await CertificateAuthority.open(chosen, clock);

  expect((await readdir(join(chosen.caDir, 'signed'))).sort()).toEqual(['a.pem']);
  await second.close();
});

describe('a file that cannot be read', () => {
  test('does not hide the others', async () => {
    const chosen = settings({ autosign: true });
    const ca = await CertificateAuthority.open(chosen, clock);
    await submit(ca, { certname: 'good' });
    await writeFile(join(chosen.caDir, 'signed', 'bad.pem'), 'nonsense');
    await writeFile(join(chosen.caDir, 'requests', 'bad.pem'), '-----BEGIN CERTIFICATE REQUEST-----');

    const [status = '', ...others] = await ca.encodedStatuses();
    expect(JSON.parse(status)).toMatchObject({ name: 'good', state: 'signed' });
    expect(others).toEqual([]);
    await ca.close();
  });
});

describe('renewal', () => {
  test('keeps key and extensions under a new number', async () => {
    const ca = await open({ autosign: true, allowAutoRenewal: true });
    await submit(ca, { certname: 'a', extensions: { pp_role: 'web' } });
    const [old] = decodeCertificates((await ca.findCertificate('a'))?.content ?? '');

    const renewed = await ca.renew(old?.raw ?? Buffer.alloc(0));

    expect(renewed.serial).toBe('2');
    expect(renewed.publicKeyInfo).toEqual(old?.publicKeyInfo);
    expect(readPuppetExtensions(renewed.raw)).toEqual({ pp_role: 'web' });
    expect((await ca.findCertificate('a'))?.content).toBe(encodeCertificate(renewed));
    await ca.revoke(['a']);
    await expect(ca.renew(renewed.raw)).rejects.toMatchObject({ reason: 'forbidden' });
    await ca.close();
  });
});

describe("the server's own certificate", () => {
  test('is made once, with its names and the right to use the administrative API', async () => {
    const ca = await open();
    const sslDir = join(base, 'ssl');
    const order = {
      sslDir,
      certname: 'primary.example.net',
      altNames: '',
      key: { kind: 'ec', curve: 'P-256' },
    } as const;

    const files = await ensureServerCertificate(ca, order, new Date());
    const first = await readFile(files.certificate, 'utf8');
    await ensureServerCertificate(ca, order, new Date());

    expect(await readFile(files.certificate, 'utf8')).toBe(first);
    expect((await stat(files.privateKey)).mode & 0o777).toBe(0o600);
    expect(await ca.findStatus('primary.example.net')).toMatchObject({
      subjectAltNames: ['DNS:puppet', 'DNS:primary.example.net'],
      authorizationExtensions: { pp_cli_auth: 'true' },
    });
    await ensureServerCertificate(ca, { ...order, altNames: 'new.example.net, IP:::1' }, new Date());
    const second = await readFile(files.certificate, 'utf8');
    expect(second).not.toBe(first);
    await ensureServerCertificate(ca, { ...order, altNames: 'new.example.net, IP:::1' }, new Date());
    expect(await readFile(files.certificate, 'utf8')).toBe(second);
    await ca.revoke(['primary.example.net']);
    await ensureServerCertificate(ca, { ...order, altNames: 'new.example.net, IP:::1' }, new Date());
    expect(await readFile(files.certificate, 'utf8')).not.toBe(second);
    await ca.close();
  });

  test('for a compile server carries what its request asked for', async () => {
    const ca = await open();
    const certificate = await ca.issue({
      certname: 'compile1.example.net',
      publicKeyInfo: encodePublicKeyInfo(keys.publicKey),
      altNames: 'puppet, IP:10.0.0.7',
      extensions: { pp_role: 'compiler' },
      ttlSeconds: 3600,
    });

    expect(readPuppetExtensions(certificate.raw)).toEqual({ pp_role: 'compiler' });
    expect(certificate.notAfter.getTime()).toBe(Math.floor(now.getTime() / 1000) * 1000 + 3_600_000);
    await ca.close();
  });
});
