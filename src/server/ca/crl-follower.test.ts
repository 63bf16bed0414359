import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CaServer, startCaServer } from '../../../test/ca/ca-server.ts';
import { HttpClient } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import {
  createKeyPair,
  encodeCertificate,
  encodePrivateKey,
  encodePublicKeyInfo,
} from '../../platform/x509/index.ts';
import { CrlFollower } from './crl-follower.ts';

async function issue(server: CaServer, certname: string) {
  const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  const certificate = await server.ca.issue({ certname, publicKeyInfo: encodePublicKeyInfo(keys.publicKey) });
  return { certificate: encodeCertificate(certificate), privateKey: encodePrivateKey(keys.privateKey) };
}

test('a revocation is on the disk and applied as soon as the primary has it, and stopping ends the wait', async () => {
  const base = await mkdtemp(join(tmpdir(), 'bunraku-follower-'));
  const server = await startCaServer();
  const file = join(base, 'crl.pem');
  await writeFile(file, server.ca.crl.pem);
  const client = new HttpClient({ ca: server.ca.bundle, ...(await issue(server, 'compile1')) });
  let applied = '';
  const follower = new CrlFollower({
    client,
    primaryUrl: `https://localhost:${server.port}`,
    file,
    log: silentLogger,
    onChange: async () => {
      applied = await readFile(file, 'utf8');
    },
  });
  await issue(server, 'gone');

  follower.start();
  await server.ca.revoke(['gone']);

  await expect.poll(() => applied).toBe(server.ca.crl.pem);
  await issue(server, 'gone too');
  await server.ca.revoke(['gone too']);
  await expect.poll(() => applied).toBe(server.ca.crl.pem);
  await rm(file);
  await issue(server, 'gone as well');
  await server.ca.revoke(['gone as well']);
  await expect.poll(() => applied).toBe(server.ca.crl.pem);
  await follower.stop();
  client.close();
  await server.close();
  await rm(base, { recursive: true });
});
