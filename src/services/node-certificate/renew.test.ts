import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CaServer, startCaServer } from '../../../test/ca/ca-server.ts';
import { HttpClient } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import {
  createKeyPair,
  daysUntil,
  decodeCertificates,
  encodeCertificate,
  encodePrivateKey,
  encodePublicKeyInfo,
  sslFiles,
} from '../../platform/x509/index.ts';
import { renewNodeCertificate } from './index.ts';

const dayMs = 86_400_000;
let server: CaServer;
let base: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-renew-'));
  server = await startCaServer(
    {},
    {
      isInfrastructure: (identity) =>
        identity.kind === 'certificate' && identity.extensions['pp_auth_role'] === 'pe_compiler',
    },
  );
});

afterAll(async () => {
  await server.close();
  await rm(base, { recursive: true });
});

/** A node with a certificate for 90 days. */
async function prepare(certname: string, extensions: Record<string, string>) {
  const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  const publicKeyInfo = encodePublicKeyInfo(keys.publicKey);
  const certificate = encodeCertificate(
    await server.ca.issue({ certname, publicKeyInfo, extensions, ttlSeconds: (90 * dayMs) / 1000 }),
  );
  const privateKey = encodePrivateKey(keys.privateKey);
  const files = sslFiles(join(base, certname), certname);
  for (const file of [files.certificate, files.privateKey]) await mkdir(dirname(file), { recursive: true });
  await writeFile(files.certificate, certificate);
  await writeFile(files.privateKey, privateKey);
  const client = new HttpClient({ ca: server.ca.bundle, certificate, privateKey });
  const renewAt = (days: number) =>
    renewNodeCertificate({
      files,
      client,
      primaryUrl: `https://localhost:${server.port}`,
      now: new Date(Date.now() + days * dayMs),
      log: silentLogger,
      signal: new AbortController().signal,
    });
  return { files, renewAt, close: () => client.close() };
}

test('a server renews its certificate when a third of its life is left, for the same key and as long as the first time', async () => {
  const { close, files, renewAt } = await prepare('compile1', { pp_auth_role: 'pe_compiler' });
  const [before] = decodeCertificates(await readFile(files.certificate, 'utf8'));

  const early = await renewAt(55);
  const due = await renewAt(65);
  const again = await renewAt(55);

  const [after] = decodeCertificates(await readFile(files.certificate, 'utf8'));
  expect([early, due, again]).toEqual([false, true, false]);
  expect(after?.serial).not.toBe(before?.serial);
  expect(daysUntil(after?.notAfter ?? new Date(0), new Date())).toBe(89);
  expect(after?.publicKeyInfo).toEqual(before?.publicKeyInfo);
  expect(after?.extensions).toEqual(expect.arrayContaining([...(before?.extensions ?? [])].slice(0, 2)));
  close();
});

test('a CA that does not renew is named with its answer, and the old certificate stays', async () => {
  const { close, files, renewAt } = await prepare('agent1', {});
  const before = await readFile(files.certificate, 'utf8');

  await expect(renewAt(65)).rejects.toThrow('The CA did not renew the certificate (404): Not Found');

  expect(await readFile(files.certificate, 'utf8')).toBe(before);
  close();
});
