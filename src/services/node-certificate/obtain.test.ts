import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CaServer, startCaServer } from '../../../test/ca/ca-server.ts';
import { type Logger, silentLogger } from '../../platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  sslFiles,
} from '../../platform/x509/index.ts';
import { obtainNodeCertificate } from './index.ts';

const key = { kind: 'ec', curve: 'P-256' } as const;
let server: CaServer;
let base: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-obtain-'));
  server = await startCaServer({ autosign: false });
});
afterAll(async () => {
  await server.close();
  await rm(base, { recursive: true });
});

/** Asks for a certificate, until it has one or has told that it waits. */
async function ask(certname: string, altNames: string) {
  const stopping = new AbortController();
  const lines: { readonly message: string; readonly fingerprint: unknown }[] = [];
  const note: Logger['info'] = (fields, message) => {
    lines.push({ message, fingerprint: fields['fingerprint'] });
    if (message.startsWith('waiting')) stopping.abort();
  };
  const outcome = await obtainNodeCertificate({
    sslDir: join(base, certname),
    certname,
    altNames,
    key,
    primaryUrl: `https://localhost:${server.port}`,
    pollIntervalMs: 10,
    log: { ...silentLogger, info: note, warn: note },
    signal: stopping.signal,
  }).catch((error: Error) => error.message);
  return { outcome, lines };
}

async function listed(certname: string): Promise<unknown> {
  const status = await server.ca.findStatus(certname);
  return status?.fingerprints.sha256.replaceAll(':', '').toLowerCase();
}

test('a node that asks again tells the fingerprint of the request that the CA holds', async () => {
  const first = await ask('a.example.net', 'a.example.net');
  const second = await ask('a.example.net', 'a.example.net');
  const changed = await ask('a.example.net', 'a.example.net,puppet');

  const shown = [first, second, changed].map(({ lines }) => lines.at(-1)?.fingerprint);
  const plain = shown.map((text) => String(text).replaceAll(':', '').toLowerCase());
  expect(new Set(plain)).toEqual(new Set([await listed('a.example.net')]));
  expect(second.lines.map(({ message }) => message).join()).not.toContain('ignored');
  expect(changed.lines.at(-2)?.message).toContain(
    "ignored this one; to replace it, remove it there with 'bunraku ca clean --certname a.example.net'",
  );
});

test('a request of another key under this name is told, and not waited for', async () => {
  const keys = await createKeyPair(key);
  const other = encodeCertificateRequest(await createCertificateRequest({ certname: 'b.example.net' }, keys));
  await server.ca.submitRequest('b.example.net', other);

  const { lines, outcome } = await ask('b.example.net', 'b.example.net');

  const { privateKey, request } = sslFiles(join(base, 'b.example.net'), 'b.example.net');
  expect(outcome).toContain('The CA holds another certificate request for b.example.net');
  expect(outcome).toContain(`whose key is not ${privateKey}`);
  expect(lines.map(({ message }) => message).join()).not.toContain('waiting');
  expect(await readFile(request, 'utf8')).not.toBe(other);
});
