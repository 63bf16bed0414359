/** `/packages` on a primary and on a compile server that gets its files from there. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer, type HttpServer } from '../../src/platform/http/index.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import {
  LocalPackages,
  MirroredPackages,
  PackageRepository,
  type PackageSource,
  packageRoutes,
  renderOneLiner,
} from '../../src/services/packages/index.ts';
import { OpensslAuthority } from '../support/openssl-authority.ts';

const rpm = join(import.meta.dirname, 'samples', 'openvox-agent-8.11.0-1.el9.x86_64.rpm');
const served = 'el-9-x86_64/openvox-agent-8.11.0-1.el9.x86_64.rpm';

const directory = mkdtempSync(join(tmpdir(), 'bunraku-served-'));
const packages = join(directory, 'packages');
const authority = new OpensslAuthority('Puppet CA: test');
const certificate = authority.issue('localhost');
const client = new HttpClient({ ca: authority.certificate });
let primary: { readonly server: HttpServer; readonly url: string };
let compileServer: { readonly server: HttpServer; readonly url: string };

async function serve(source: PackageSource) {
  const server = createHttpServer({
    routes: packageRoutes({
      source,
      target: () =>
        Promise.resolve({
          server: 'localhost',
          port: 1,
          caCertificates: authority.certificate,
          brokerPort: 8142,
        }),
      pxpAgent: join(import.meta.dirname, '..', '..', 'agent'),
    }),
    authorization: { rules: [], allowHeaderCertInfo: false },
    tls: { ...certificate, ca: authority.certificate, crl: authority.crl() },
    log: silentLogger,
  });
  return { server, url: `https://localhost:${await server.listen(0, 'localhost')}/packages` };
}

beforeAll(async () => {
  await new PackageRepository(packages, () => new Date()).add(rpm);
  primary = await serve(new LocalPackages(packages));
  compileServer = await serve(
    new MirroredPackages({
      directory: join(directory, 'copies'),
      client,
      primaryUrl: primary.url.replace('/packages', ''),
      isPrimaryAway: () => Promise.resolve(false),
      log: silentLogger,
    }),
  );
});
afterAll(async () => {
  client.close();
  await Promise.all([primary.server.drain(0), compileServer.server.drain(0)]);
  authority.remove();
  rmSync(directory, { recursive: true });
});

function get(url: string, headers = {}) {
  return client.send({ method: 'GET', url, headers });
}

test('packages and their description are served whole, and not again when they are known', async () => {
  const { body, headers, status } = await get(`${primary.url}/current/${served}`);
  const again = await get(`${primary.url}/current/${served}`, {
    'if-modified-since': headers['last-modified'],
  });

  expect(status).toBe(200);
  expect(body.length).toBe(Number(headers['content-length']));
  expect(body.subarray(0, 4).toString('hex')).toBe('edabeedb');
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test.each([
  '/current/nothing',
  '/current',
  '/current/..%2f..%2fsecret',
  '/current/../../secret',
  '/current/%00',
  '/..%2fsecret',
  `/current/${'x'.repeat(300)}`,
])('%s is not there, on either server', async (path) => {
  writeFileSync(join(directory, 'secret'), 'secret');

  // Paths that two layers could read differently are refused before anything looks for them.
  for (const { url } of [primary, compileServer])
    expect([400, 404]).toContain((await get(url + path)).status);
});

test('a compile server has what the primary has, and what it had once when that is away', async () => {
  const before = await get(`${compileServer.url}/current/${served}`);
  const index = await get(`${compileServer.url}/current/el-9-x86_64/repodata/repomd.xml`);
  await new PackageRepository(packages, () => new Date(Date.now() + 60_000)).add(rpm);
  const changed = await get(`${compileServer.url}/current/el-9-x86_64/repodata/repomd.xml`);
  await primary.server.drain(0);

  const after = await get(`${compileServer.url}/current/${served}`);
  const unknown = await get(`${compileServer.url}/current/el-9-x86_64/agent-package`);

  expect(before.status).toBe(200);
  expect(changed.body.equals(index.body)).toBe(false);
  expect(after.body.equals(before.body)).toBe(true);
  expect(unknown.status).toBe(503);
  primary = await serve(new LocalPackages(packages));
});

test('copies are served soon while the primary hangs', async () => {
  await get(`${compileServer.url}/current/${served}`);
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, 'localhost', resolve));
  const { port } = silent.address() as AddressInfo;
  const mirror = new MirroredPackages({
    directory: join(directory, 'copies'),
    client,
    primaryUrl: `https://localhost:${port}`,
    isPrimaryAway: () => Promise.resolve(true),
    log: silentLogger,
  });

  const found = await mirror.find(`current/${served}`);
  const unknown = mirror.find('current/el-9-x86_64/other');

  await expect(unknown).rejects.toThrow(`No answer from https://localhost:${port}`);
  expect(found?.bytes).toBe(statSync(rpm).size);
  silent.close();
});

test('the scripts carry what the server knows, and nothing that a shell could take for more', async () => {
  const bash = (await get(`${primary.url}/current/install.bash`)).body.toString('utf8');
  const powershell = (await get(`${primary.url}/current/install.ps1`)).body.toString('utf8');

  expect(bash).toContain(
    "\nSERVER='localhost'\nPORT='1'\nBROKER_PORT='8142'\nCA_CERTIFICATES='-----BEGIN CERTIFICATE-----\n",
  );
  expect(powershell).toContain("\n$Server = 'localhost'\n$Port = '1'\n$CaCertificates = '-----BEGIN");
  expect(spawnSync('bash', ['-n'], { input: bash }).status).toBe(0);
});

const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;

test.skipIf(!hasShellcheck)(
  'shellcheck has nothing to say (needs the Debian package shellcheck)',
  async () => {
    const script = await get(`${primary.url}/current/install.bash`);

    const { stdout } = spawnSync('shellcheck', ['-'], { input: script.body, encoding: 'utf8' });

    expect(stdout).toBe('');
  },
);

test.each([
  [
    ['main:certname'],
    /Unable to interpret argument: 'main:certname'\. Expected flag or '<section>:<setting>=<value>'/,
  ],
  [['nonsense:a=b'], /Unable to interpret argument: 'nonsense:a=b'/],
  [['--puppet-service-ensure'], /--puppet-service-ensure needs a value/],
  [['--puppet-service-ensure', 'gone'], /Invalid value 'gone' for --puppet-service-ensure/],
  [['--pxp-agent', 'maybe'], /Invalid value 'maybe' for --pxp-agent/],
  [['--puppet-service-enable', '1'], /Invalid value '1' for --puppet-service-enable/],
])('install.bash refuses %j before it does anything', async (args, message) => {
  const script = await get(`${primary.url}/current/install.bash`);

  const { status, stderr } = spawnSync('bash', ['-s', '--', ...args], {
    input: script.body,
    encoding: 'utf8',
  });

  expect(status).toBe(1);
  expect(stderr).toMatch(message);
});

test.each([
  [
    'the guides put a -- between settings and flags',
    [
      'main:dns_alt_names=lb.example.com',
      'extension_requests:pp_role=x',
      '--',
      '--puppet-service-ensure',
      'stopped',
    ],
    { configuration: 'main dns_alt_names lb.example.com', service: 'stopped' },
  ],
  [
    'a setting without a section belongs to main',
    ['main:dns_alt_names=a,b', 'environmentpath=/etc/puppetlabs/puppet/environments'],
    { configuration: 'main dns_alt_names a,b main environmentpath /etc/puppetlabs/puppet/environments' },
  ],
  [
    'packages come from the server that is named',
    ['main:server=other.example.com', 'main:serverport=8141'],
    { repository: 'https://other.example.com:8141/packages/current' },
  ],
])('install.bash takes the arguments that users type: %s', async (_, words, wanted) => {
  const { body } = await client.send({ method: 'GET', url: `${primary.url}/current/install.bash` });
  const script = join(directory, 'install.bash');
  // All but the last line, which runs it.
  writeFileSync(script, body.toString('utf8').replace(/main "\$@"\n$/, ''));
  const report = 'printf "%s\\n" "${CONFIGURATION[*]}" "$SERVICE_ENSURE" "$REPOSITORY"';

  const run = spawnSync('bash', ['-c', `source "$0"; parse_arguments "$@"; ${report}`, script, ...words]);

  expect(run.stderr.toString()).toBe('');
  const [configuration, service, repository] = run.stdout.toString().split('\n');
  expect({ configuration, service, repository }).toMatchObject(wanted);
});

test('the line for new machines names the digest of the certificates, and quotes what it is given', () => {
  const line = renderOneLiner({
    server: 'puppet',
    port: 8140,
    caCertificates: authority.certificate,
    arguments: ['main:environment=test', "extension_requests:pp_role=it's $HOME"],
  });

  expect(line).toMatch(/[0-9a-f]{64} {2}\$ca/);
  expect(line).not.toMatch(/ -k|insecure/);
  expect(line).toContain(String.raw`main:environment=test 'extension_requests:pp_role=it'\''s $HOME'`);
  expect(spawnSync('sh', ['-n', '-c', line]).status).toBe(0);
});

test('the PXP agent is served as an archive that runs where it is unpacked', async () => {
  const { body, status } = await get(`${primary.url}/current/pxp-agent.tar.gz`);

  spawnSync('tar', ['-xz', '-C', directory], { input: body });
  const { stdout } = spawnSync('ruby', [join(directory, 'pxp-agent', 'bin', 'pxp-agent'), '--version']);

  expect(status).toBe(200);
  expect(stdout.toString()).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  ['a server with a broker', [], '8142', 'yes'],
  ['a server with a broker, and a machine that wants none', ['--pxp-agent', 'no'], '8142', 'no'],
  ['a server without a broker', [], '', ''],
])('machines get a PXP agent from %s', async (_what, words, port, expected) => {
  const { body } = await get(`${primary.url}/current/install.bash`);
  const script = join(directory, 'install.bash');
  const text = body
    .toString('utf8')
    .replace(/main "\$@"\n$/, '')
    .replace("BROKER_PORT='8142'", `BROKER_PORT='${port}'`);
  writeFileSync(script, text);

  const run = spawnSync('bash', [
    '-c',
    'source "$0"; parse_arguments "$@"; echo "$PXP_AGENT"',
    script,
    ...words,
  ]);

  expect(run.stdout.toString()).toBe(`${expected}\n`);
});
