/** The recipe of an agent that renews its certificate, by `curl` and `openssl` alone. */

import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CaServer, startCaServer } from './ca-server.ts';
import { describeWith } from './needs.ts';
import { run } from './real-puppetserver.ts';

const hasCurl = existsSync('/usr/bin/curl');

describeWith('curl', hasCurl, 'certificate_renewal by curl', () => {
  let base: string;
  let server: CaServer;
  const file = (name: string) => join(base, name);

  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'bunraku-renewal-'));
    server = await startCaServer({ allowAutoRenewal: true, autosign: true });
    writeFileSync(file('ca.pem'), server.ca.bundle);
    const request = 'req -new -newkey rsa:2048 -nodes -subj /CN=agent.example.net'.split(' ');
    await run('openssl', [...request, '-keyout', file('key.pem'), '-out', file('request.pem')]);
    await curl('PUT', 'certificate_request/agent.example.net', '--data-binary', `@${file('request.pem')}`);
    writeFileSync(file('certificate.pem'), (await curl('GET', 'certificate/agent.example.net')).output);
  });

  afterAll(async () => {
    await server.close();
    rmSync(base, { recursive: true });
  });

  function curl(method: string, path: string, ...args: readonly string[]) {
    const url = `https://localhost:${server.port}/puppet-ca/v1/${path}`;
    const text = ['--header', 'Content-Type: text/plain', '--header', 'Accept: text/plain'];
    return run('curl', [
      '--silent',
      '--fail',
      '--cacert',
      file('ca.pem'),
      '--request',
      method,
      ...text,
      ...args,
      url,
    ]);
  }

  const shown = () => ['--cert', file('certificate.pem'), '--key', file('key.pem')];

  test('gives a new certificate of the same key, which is good and can be shown in turn', async () => {
    const before = new X509Certificate(readFileSync(file('certificate.pem')));

    const renewed = await curl('POST', 'certificate_renewal', ...shown());

    expect(renewed.exitCode).toBe(0);
    const after = new X509Certificate(renewed.output);
    expect(after.subject).toBe('CN=agent.example.net');
    expect(after.serialNumber).not.toBe(before.serialNumber);
    expect(after.publicKey.equals(before.publicKey)).toBe(true);
    writeFileSync(file('certificate.pem'), renewed.output);
    writeFileSync(file('crl.pem'), server.ca.crl.pem);
    const trust = ['-CAfile', file('ca.pem'), '-CRLfile', file('crl.pem')];
    const verified = await run('openssl', ['verify', '-crl_check_all', ...trust, file('certificate.pem')]);
    expect(verified.output).toContain('OK');
    expect((await curl('POST', 'certificate_renewal', ...shown())).exitCode).toBe(0);
  });

  test('refuses who shows no certificate', async () => {
    const answer = await curl('POST', 'certificate_renewal');

    expect(answer.exitCode).toBe(22);
  });
});
