import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  decodePrivateKey,
  decodeRevocationLists,
  encodeCertificateRequest,
  encodeRevocationList,
  type KeyPair,
  keySigner,
  signRevocationList,
} from '../../../platform/x509/index.ts';
import { CertificateAuthority } from '../authority.ts';
import { type CaSettings, defaultCaSettings } from '../ca-settings.ts';

const dayMs = 86_400_000;
const key = { kind: 'ec', curve: 'P-256' } as const;
let base: string;
let keys: KeyPair;
let count = 0;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-ca-maintenance-'));
  keys = await createKeyPair(key);
});

afterAll(() => rm(base, { recursive: true }));

/** An authority whose clock the test sets. */
async function open(changes: Partial<CaSettings> = {}, start = new Date()) {
  const caDir = join(base, `ca-${++count}`);
  let now = start;
  const settings = {
    ...defaultCaSettings,
    key,
    caName: 'Puppet CA: test',
    autosign: true,
    caDir,
    ...changes,
  };
  const ca = await CertificateAuthority.open(settings, { log: silentLogger, now: () => now });
  const later = (days: number) => {
    now = new Date(start.getTime() + days * dayMs);
  };
  return { ca, caDir, later };
}

async function sign(ca: CertificateAuthority, certname: string): Promise<void> {
  const request = await createCertificateRequest({ certname }, keys);
  await ca.submitRequest(certname, encodeCertificateRequest(request));
}

describe('maintenance', () => {
  test('does nothing where nothing is due', async () => {
    const { ca } = await open();
    await sign(ca, 'a');
    await ca.revoke(['a']);
    const before = ca.crl.pem;

    const report = await ca.maintain();

    expect(report).toEqual({ hasChanged: false, pruned: 0 });
    expect(ca.crl.pem).toBe(before);
    await ca.close();
  });

  test('signs lists anew before they lapse, the root’s too', async () => {
    const { ca, later } = await open();
    const told: string[] = [];
    ca.onCrlChange(({ etag }) => told.push(etag));
    const [before] = decodeRevocationLists(ca.crl.pem);

    later(5 * 365 - 100);
    const report = await ca.maintain();

    const [own, root] = decodeRevocationLists(ca.crl.pem);
    expect(report.hasChanged).toBe(true);
    expect(own?.number).toBe((before?.number ?? 0n) + 1n);
    expect(own?.nextUpdate?.getTime()).toBeGreaterThan(
      (before?.nextUpdate?.getTime() ?? 0) + 4 * 365 * dayMs,
    );
    expect(root?.nextUpdate?.getTime()).toBeGreaterThan(own?.thisUpdate.getTime() ?? 0);
    expect(told).toEqual([ca.crl.etag]);
    await ca.close();
  });

  test('signs the root’s list of an older installation anew where the root’s key is at hand', async () => {
    const { ca, caDir, later } = await open();
    await ca.close();
    const lists = decodeRevocationLists(await readFile(join(caDir, 'ca_crl.pem'), 'utf8'));
    const rootKey = keySigner(decodePrivateKey(await readFile(join(caDir, 'root_key.pem'), 'utf8')));
    const [own, root] = lists;
    if (!own || !root) throw new Error('two lists');
    const soon = new Date(Date.now() + 30 * dayMs);
    const content = {
      ...root,
      number: 7n,
      nextUpdate: soon,
      authorityKeyId: root.authorityKeyId ?? Buffer.alloc(0),
    };
    const lapsing = await signRevocationList(content, rootKey);
    await writeFile(join(caDir, 'ca_crl.pem'), encodeRevocationList(own) + encodeRevocationList(lapsing));
    later(0);
    const settings = { ...defaultCaSettings, caDir, caName: '' };
    const again = await CertificateAuthority.open(settings, { log: silentLogger, now: () => new Date() });

    await again.maintain();

    const [, renewed] = decodeRevocationLists(again.crl.pem);
    expect(renewed?.number).toBe(8n);
    expect(renewed?.nextUpdate?.getTime()).toBeGreaterThan(soon.getTime());
    await again.close();
  });

  test('takes certificates off the list a week after their end, not before', async () => {
    const { ca, later } = await open({ certificateTtlSeconds: 10 * 86_400 });
    await sign(ca, 'short');
    await ca.revoke(['short']);
    expect(ca.revokedCount).toBe(1);

    later(16);
    const early = await ca.maintain();
    later(18);
    const due = await ca.maintain();

    expect(early).toEqual({ hasChanged: false, pruned: 0 });
    expect(due).toEqual({ hasChanged: true, pruned: 1 });
    expect(ca.revokedCount).toBe(0);
    await ca.close();
  });
});

test('the list for infrastructure is what agents get where that is enabled, and has infrastructure only', async () => {
  const { ca: first, caDir } = await open();
  await first.close();
  await rm(join(caDir, 'infra_crl.pem'));
  await writeFile(join(caDir, 'infra_inventory.txt'), 'compile1\n');
  const environment = { log: silentLogger, now: () => new Date() };
  const settings = { ...defaultCaSettings, caDir, caName: '', autosign: true, enableInfraCrl: true };
  const ca = await CertificateAuthority.open(settings, environment);
  await sign(ca, 'agent1');
  await sign(ca, 'compile1');

  await ca.revoke(['agent1']);
  await ca.revoke(['compile1']);

  const [infra] = decodeRevocationLists(ca.agentCrl.pem);
  expect([...(infra?.revokedSerials ?? [])]).toEqual(['2']);
  expect(ca.revokedCount).toBe(2);
  await ca.close();
});

describe('requests that wait', () => {
  test('are as many as is allowed; the next is told to come back', async () => {
    const { ca } = await open({ autosign: false, maxPendingRequests: 2 });
    await sign(ca, 'a');
    await sign(ca, 'b');

    await expect(sign(ca, 'c')).rejects.toMatchObject({ reason: 'unavailable' });
    await ca.deleteRequest('a');
    await sign(ca, 'c');

    expect(ca.pendingRequests).toBe(2);
    await ca.close();
  });

  test('with weak keys are refused in words', async () => {
    const { ca } = await open();
    const weak = await createKeyPair({ kind: 'rsa', bits: 1024 });
    const request = encodeCertificateRequest(await createCertificateRequest({ certname: 'weak' }, weak));

    await expect(ca.submitRequest('weak', request)).rejects.toThrow(
      "CSR 'weak' is refused: an RSA key of 1024 bits is too weak, it must have at least 2048",
    );
    await ca.close();
  });
});

describe('rules in a file', () => {
  test('sign, hold and refuse, and give rights that the settings do not', async () => {
    const policyFile = join(base, 'policy.yaml');
    await writeFile(
      policyFile,
      `rules:
  - { name: bad, action: refuse, certname: 'bad*' }
  - { name: servers, action: sign, certname: 'c*', alt_names: puppet, extensions: { pp_auth_role: x }, ttl: 1d }
`,
    );
    const { ca } = await open({ autosign: false, policyFile });
    const submit = async (certname: string, altNames: string) => {
      const content = { certname, altNames, extensions: { pp_auth_role: 'x' } };
      return ca.submitRequest(
        certname,
        encodeCertificateRequest(await createCertificateRequest(content, keys)),
      );
    };

    expect(await submit('c1', 'puppet')).toBe('signed');
    expect(await submit('c2', 'evil')).toBe('pending');
    await expect(submit('bad1', 'puppet')).rejects.toMatchObject({ reason: 'forbidden' });

    const status = await ca.findStatus('c1');
    expect(status?.subjectAltNames).toContain('DNS:puppet');
    expect((status?.certificate?.notAfter.getTime() ?? 0) - Date.now()).toBeLessThan(dayMs + 1000);
    expect(await ca.findStatus('bad1')).toBeUndefined();
    await ca.close();
  });
});

describe('rules that change', () => {
  test('sign what waits, and refuse nothing that waits', async () => {
    const policyFile = join(base, 'changing.yaml');
    await writeFile(policyFile, 'default: hold\nrules: []\n');
    const { ca } = await open({ autosign: false, policyFile });
    const submit = async (certname: string, altNames: string) =>
      ca.submitRequest(
        certname,
        encodeCertificateRequest(await createCertificateRequest({ certname, altNames }, keys)),
      );
    await submit('web1', 'puppet');
    await submit('web2', 'evil');
    await submit('bad1', 'puppet');

    await ca.reconsider();
    const before = ca.pendingRequests;
    await writeFile(
      policyFile,
      "default: refuse\nrules: [{ name: web, action: sign, certname: 'web*', alt_names: puppet }]\n",
    );
    await ca.reconsider();

    const states = await Promise.all(['web1', 'web2', 'bad1'].map((name) => ca.findStatus(name)));
    expect(before).toBe(3);
    expect(states.map((status) => status?.state)).toEqual(['signed', 'requested', 'requested']);
    await writeFile(policyFile, 'rules: 5');
    await expect(ca.reconsider()).rejects.toThrow(policyFile);
    await ca.close();
  });
});

describe('a key that is elsewhere', () => {
  test('signs through a program, and a program that signs with another key is found out', async () => {
    const { ca, caDir } = await open();
    await ca.close();
    const elsewhere = join(base, 'hsm.pem');
    await writeFile(elsewhere, await readFile(join(caDir, 'ca_key.pem')));
    const program = join(base, 'sign.sh');
    await writeFile(program, `#!/bin/sh\nexec openssl dgst -"$2" -sign "$1"\n`, { mode: 0o755 });
    await rm(join(caDir, 'ca_key.pem'));
    const settings = {
      ...defaultCaSettings,
      caDir,
      caName: '',
      autosign: true,
      signingCommand: [program, elsewhere],
    };
    const environment = { log: silentLogger, now: () => new Date() };
    const remote = await CertificateAuthority.open(settings, environment);

    await sign(remote, 'far');
    await remote.revoke(['far']);

    expect((await remote.findStatus('far'))?.state).toBe('revoked');
    await remote.close();
    const [wrong] = [await createKeyPair(key)];
    await writeFile(elsewhere, wrong.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const fooled = await CertificateAuthority.open(settings, environment);
    await expect(sign(fooled, 'other')).rejects.toThrow('a signature that the authority’s key has not made');
    await fooled.close();
  });
});

test('2,000 certificates are listed again in a moment, each with its state', async () => {
  const { ca, caDir } = await open();
  await sign(ca, 'template');
  const pem = await readFile(join(caDir, 'signed', 'template.pem'), 'utf8');
  for (let index = 0; index < 2000; index += 500) {
    const names = Array.from({ length: 500 }, (_, offset) => join(caDir, 'signed', `n${index + offset}.pem`));
    await Promise.all(names.map((name) => writeFile(name, pem)));
  }

  const first = await ca.encodedStatuses();
  await ca.revoke(['template']);
  const second = await ca.encodedStatuses({ state: 'revoked' });

  expect(first).toHaveLength(2001);
  expect(second).toHaveLength(2001);
  expect(JSON.parse(second[0] ?? '')).toMatchObject({ name: 'n0', state: 'revoked' });
  await ca.close();
});
