/** The real `puppetserver ca` command line and a directory that it made, with us as the server. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import {
  createCertificateRequest,
  createKeyPair,
  decodeRevocationLists,
  encodeCertificateRequest,
  type RequestContent,
} from '../../src/platform/x509/index.ts';
import { verifyDirectory } from '../../src/services/ca/index.ts';
import { type CaServer, startCaServer } from './ca-server.ts';
import { describeWith } from './needs.ts';
import { hasPuppetserver, RealPuppetserver, run } from './real-puppetserver.ts';

describeWith('puppetserver', hasPuppetserver, 'the real puppetserver ca', () => {
  let base: string;
  let real: RealPuppetserver;
  let server: CaServer;

  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'bunraku-puppetserver-ca-'));
    real = new RealPuppetserver({ base, certname: 'localhost', port: await freePort() });
    const setup = await real.ca('setup', '--subject-alt-names', 'localhost');
    expect(setup).toEqual({
      exitCode: 0,
      output: `Generation succeeded. Find your files in ${real.caDir}\n`,
    });
    await serve();
  });

  afterAll(async () => {
    await server.close();
    rmSync(base, { recursive: true });
  });

  async function serve(): Promise<void> {
    const taken = { caDir: real.caDir, sslDir: real.sslDir };
    server = await startCaServer({ caDir: real.caDir, allowAutoRenewal: true }, { port: real.port, taken });
  }

  async function submit(...contents: readonly RequestContent[]): Promise<void> {
    const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
    for (const content of contents) {
      const request = await createCertificateRequest(content, keys);
      await server.ca.submitRequest(content.certname, encodeCertificateRequest(request));
    }
  }

  /** Fingerprints differ each time. */
  async function say(...args: readonly string[]): Promise<string> {
    const { exitCode, output } = await real.ca(...args);
    return `${output.replace(/([0-9A-F]{2}:){31}[0-9A-F]{2}/g, 'FINGERPRINT')}=> ${exitCode}`;
  }

  test('lists, signs, revokes and cleans as with its own server', async () => {
    expect(await say('list')).toBe('No certificates to list\n=> 0');
    await submit({ certname: 'a.test' }, { certname: 'b.test' }, { certname: 'c.test', altNames: 'x' });

    expect(await say('list')).toBe(
      `Requested Certificates:
    a.test       (SHA256)  FINGERPRINT
    b.test       (SHA256)  FINGERPRINT
    c.test       (SHA256)  FINGERPRINT\talt names: ["DNS:x"]
=> 0`,
    );
    expect(await say('sign', '--certname', 'a.test,nosuch.test')).toBe(
      `Successfully signed certificate request for a.test
Error:
    Could not find certificate request for nosuch.test
=> 1`,
    );
    expect(await say('sign', '--certname', 'c.test')).toContain(
      "body: CSR 'c.test' contains extra subject alternative names (DNS:x), which are disallowed.",
    );
    expect(await say('sign', '--certname', 'b.test', '--ttl', '30d')).toBe(
      'Successfully signed certificate request for b.test\n=> 0',
    );
    expect(await say('revoke', '--certname', 'b.test,c.test,nosuch.test')).toBe(
      `Certificate for b.test has been revoked
Error:
    Could not revoke unsigned csr for c.test
Error:
    Could not find certificate for nosuch.test
=> 1`,
    );
    expect(await say('list', '--all')).toBe(
      `Requested Certificates:
    c.test       (SHA256)  FINGERPRINT\talt names: ["DNS:x"]
Signed Certificates:
    a.test          (SHA256)  FINGERPRINT\talt names: ["DNS:a.test"]
    localhost       (SHA256)  FINGERPRINT\talt names: ["DNS:localhost", "DNS:localhost"]\tauthorization extensions: [pp_cli_auth: true]
Revoked Certificates:
    b.test       (SHA256)  FINGERPRINT\talt names: ["DNS:b.test"]
=> 0`,
    );
    expect(await say('clean', '--certname', 'a.test,c.test,nosuch.test')).toBe(
      `Certificate for a.test has been revoked
Cleaned files related to a.test
Cleaned files related to c.test
Error:
    Could not find files to clean for nosuch.test
=> 1`,
    );
  });

  test('generates a certificate whose key and names are good', async () => {
    const said = await say('generate', '--certname', 'gen.test', '--ttl', '1y');

    expect(said).toContain('Successfully submitted certificate request for gen.test');
    expect(said).toContain('Successfully signed certificate request for gen.test');
    expect(said).toMatch(/=> 0$/);
    const file = join(real.sslDir, 'certs', 'gen.test.pem');
    const chain = join(real.caDir, 'ca_crt.pem');
    const crl = join(real.caDir, 'ca_crl.pem');
    const verified = await run('openssl', [
      'verify',
      '-crl_check_all',
      '-CAfile',
      chain,
      '-CRLfile',
      crl,
      file,
    ]);
    expect(verified).toEqual({ exitCode: 0, output: `${file}: OK\n` });
  });

  test('works on the directory when we have stopped, and we go on with it afterwards', async () => {
    const [before] = decodeRevocationLists(server.ca.crl.pem);
    expect(await say('prune')).toBe(
      'Puppetserver service is running. Please stop it before attempting to run this command.\n=> 1',
    );
    await server.close();

    const pruned = await say('prune');
    const found = await verifyDirectory(real.caDir, false, new Date());
    await serve();

    const total = before?.revokedSerials.size;
    expect(pruned).toBe(
      `Total number of certificates found in Puppet's CRL is: ${total}.\nNo duplicate revocations found in the CRL.\n=> 0`,
    );
    expect(found.findings).toEqual([]);
    await submit({ certname: 'after.test' });
    expect(await say('sign', '--all')).toContain('Successfully signed certificate request for after.test');
    const inventory = readFileSync(join(real.caDir, 'inventory.txt'), 'utf8').trimEnd().split('\n');
    const serials = inventory.map((line) => line.split(' ')[0]);
    expect(new Set(serials).size).toBe(serials.length);
    expect(existsSync(join(real.caDir, 'signed', 'after.test.pem'))).toBe(true);
  });
});
