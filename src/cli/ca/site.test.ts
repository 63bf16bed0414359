/** `bunraku ca` does offline what the server of the site would do. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import {
  type Certificate,
  createCertificateRequest,
  createKeyPair,
  decodeCertificates,
  encodeCertificateRequest,
} from '../../platform/x509/index.ts';
import { CertificateAuthority, defaultCaSettings } from '../../services/ca/index.ts';
import { caCommand } from './ca.ts';

const dayMs = 86_400_000;
let data: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'bunraku-ca-site-'));
  await mkdir(join(data, 'puppet'));
  await writeFile(
    join(data, 'puppet', 'puppet.conf'),
    '[server]\nca_ttl = 30d\nkeylength = 2048\ncertname = site.test\ndns_alt_names = puppet.site.test\n',
  );
  await writeFile(
    join(data, 'ca.conf'),
    'certificate-authority: { allow-subject-alt-names: true, allow-authorization-extensions: true }\n',
  );
  await writeFile(
    join(data, 'policy.yaml'),
    'rules: [{ name: short ones, action: sign, certname: "short*", ttl: 2d }]\n',
  );
  await writeFile(join(data, 'bunraku.conf'), `signing_policy = "${join(data, 'policy.yaml')}"\n`);
  expect(await run('setup')).toMatchObject({ exitCode: 0 });
});

afterAll(() => rm(data, { recursive: true }));

async function run(action: string, ...args: readonly string[]) {
  let text = '';
  const collect = (piece: string) => void (text += piece);
  const signal = new AbortController().signal;
  const io = { stdout: collect, stderr: collect, isTerminal: false, signal };
  const exitCode = await caCommand.run([action, '--data', data, ...args], io);
  return { exitCode, text };
}

async function submit(certname: string, content: { altNames?: string; extensions?: Record<string, string> }) {
  const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  const settings = { ...defaultCaSettings, caDir: join(data, 'ca'), caName: '' };
  const ca = await CertificateAuthority.open(settings, { log: silentLogger, now: () => new Date() });
  const request = await createCertificateRequest({ certname, ...content }, keys);
  await ca.submitRequest(certname, encodeCertificateRequest(request));
  await ca.close();
}

async function certificateOf(...path: readonly string[]): Promise<Certificate | undefined> {
  return decodeCertificates(await readFile(join(data, ...path), 'utf8'))[0];
}

const days = (certificate: Certificate | undefined) =>
  Math.round(((certificate?.notAfter.getTime() ?? 0) - Date.now()) / dayMs);

test('setup makes keys, names and validity as the settings say', async () => {
  const server = await certificateOf('puppet', 'ssl', 'certs', 'site.test.pem');
  const authority = await certificateOf('ca', 'ca_crt.pem');

  expect(days(server)).toBe(30);
  expect(server?.publicKeyInfo.length).toBeLessThan(400);
  expect(authority?.publicKeyInfo.length).toBeLessThan(400);
  expect((await run('list', '--all')).text).toContain('"DNS:puppet.site.test"');
});

test('sign uses ca_ttl and what ca.conf allows', async () => {
  await submit('long.test', { altNames: 'other', extensions: { pp_auth_role: 'x' } });

  const { exitCode, text } = await run('sign', '--certname', 'long.test');

  expect({ exitCode, text }).toEqual({
    exitCode: 0,
    text: 'Successfully signed certificate request for long.test\n',
  });
  expect(days(await certificateOf('ca', 'signed', 'long.test.pem'))).toBe(30);
});

test('generate asks the signing policy, as the server does', async () => {
  const { text } = await run('generate', '--certname', 'short.test');

  expect(text).toContain('Certificate for short.test was autosigned.');
  expect(days(await certificateOf('ca', 'signed', 'short.test.pem'))).toBe(2);
});

test('--config takes a puppet.conf, as puppetserver ca does, or one of ours', async () => {
  const puppetConf = join(data, 'other-puppet.conf');
  await writeFile(puppetConf, '[main]\nca_ttl = 7d\n');
  await submit('week.test', {});

  await run('sign', '--certname', 'week.test', '--config', puppetConf);

  expect(days(await certificateOf('ca', 'signed', 'week.test.pem'))).toBe(7);
});

test('a file of settings that cannot be read is named', async () => {
  await expect(run('list', '--config', join(data, 'nope'))).rejects.toThrow(
    `Could not read file '${join(data, 'nope')}'`,
  );
});
