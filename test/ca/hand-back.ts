/**
 * `node test/ca/hand-back.ts`: a CA directory of Debian's `puppetserver` with some hundred certificates is taken over,
 * used, and handed back; the real server must accept all that happened in between. Prints what it did; ends with 1 when
 * something is not as it must be.
 */

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isReady } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import { Process } from '../../demo/process.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
} from '../../src/platform/x509/index.ts';
import { CertificateAuthority, defaultCaSettings, verifyDirectory } from '../../src/services/ca/index.ts';
import { type CommandResult, hasPuppetserver, RealPuppetserver, run } from './real-puppetserver.ts';

const nodes = 300;
const revokedByThem = 30;
const pending = 20;
const agentName = 'agent.example.net';
const project = join(import.meta.dirname, '..', '..');

if (!hasPuppetserver) {
  console.error('SKIPPED: puppetserver is not installed');
  process.exit(process.env['CI'] === 'true' ? 1 : 0);
}

const base = mkdtempSync(join(tmpdir(), 'bunraku-hand-back-'));
const real = new RealPuppetserver({ base, certname: 'localhost', port: await freePort() });
const keys = await createKeyPair({ kind: 'rsa', bits: 2048 });
const failures: string[] = [];

try {
  await real.ca('setup', '--subject-alt-names', 'localhost');
  await theirTurn();
  await ourTurn();
  await theirTurnAgain();
} finally {
  await real.stop();
  rmSync(base, { recursive: true, force: true });
}
console.log(failures.length === 0 ? 'handed over and back: all accepted' : failures.join('\n'));
process.exitCode = failures.length === 0 ? 0 : 1;

function check(what: string, isTrue: boolean): void {
  console.log(`${isTrue ? 'ok' : 'NOT OK'}: ${what}`);
  if (!isTrue) failures.push(`NOT OK: ${what}`);
}

async function request(certname: string): Promise<string> {
  return encodeCertificateRequest(await createCertificateRequest({ certname }, keys));
}

function client(): HttpClient {
  const read = (path: string) => readFileSync(join(real.sslDir, path), 'utf8');
  return new HttpClient({
    ca: read('certs/ca.pem'),
    certificate: read('certs/localhost.pem'),
    privateKey: read('private_keys/localhost.pem'),
  });
}

/** The real server signs, revokes, and leaves requests waiting. */
async function theirTurn(): Promise<void> {
  await real.start();
  const admin = client();
  const url = `https://localhost:${real.port}/puppet-ca/v1`;
  const put = async (path: string, body: string, contentType: string) => {
    const answer = await admin.send({
      method: 'PUT',
      url: `${url}/${path}`,
      headers: { 'content-type': contentType },
      body,
      timeoutMs: 120_000,
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body.toString()}`);
  };
  for (let index = 0; index < nodes + pending; index++) {
    const certname = `node${index}.example.net`;
    await put(`certificate_request/${certname}`, await request(certname), 'text/plain');
    if (index >= nodes) continue;
    await put(`certificate_status/${certname}`, '{"desired_state":"signed"}', 'application/json');
    if (index < revokedByThem)
      await put(`certificate_status/${certname}`, '{"desired_state":"revoked"}', 'application/json');
  }
  // An agent of theirs that is to notice nothing: it asks, they sign, it fetches.
  await puppet('ssl', 'submit_request', real.port);
  await put(`certificate_status/${agentName}`, '{"desired_state":"signed"}', 'application/json');
  const fetched = await puppet('ssl', 'download_cert', real.port);
  check('the real agent has a certificate from their server', fetched.exitCode === 0);
  admin.close();
  await real.stop();
  cpSync(real.caDir, join(base, 'ca-before'), { recursive: true });
}

/** Everything that they left is there; we sign, revoke, renew the list and prune. */
async function ourTurn(): Promise<void> {
  const before = await verifyDirectory(real.caDir, false, new Date());
  check(
    `their directory verifies: ${before.certificates} signed, ${before.requests} requests, ${before.revoked} revoked, ` +
      `${before.findings.map(({ message }) => message).join('; ') || 'no findings'}`,
    before.findings.length === 0 && before.certificates === nodes + 2 && before.requests === pending,
  );
  await serveTheirAgent();
  const ca = await CertificateAuthority.open(
    { ...defaultCaSettings, caDir: real.caDir, caName: '', autosign: true },
    { log: silentLogger, now: () => new Date() },
  );
  for (let index = 0; index < nodes; index++) {
    const status = await ca.findStatus(`node${index}.example.net`);
    const expected = index < revokedByThem ? 'revoked' : 'signed';
    if (status?.state !== expected) check(`node${index} is ${expected}`, false);
  }
  const bulk = await ca.signAll();
  check(`signed what they left waiting: ${bulk.signed.length}`, bulk.signed.length === pending);
  for (let index = 0; index < 50; index++) {
    const certname = `ours${index}.example.net`;
    await ca.submitRequest(certname, await request(certname));
  }
  await ca.revoke(['ours0.example.net', 'node100.example.net']);
  await ca.maintain(true);
  await ca.close();
}

/** A primary of ours on their directories; the agent that they signed runs against it as if nothing had happened. */
async function serveTheirAgent(): Promise<void> {
  const data = join(base, 'ours');
  const port = await freePort();
  cpSync(
    join(project, 'examples', 'control-repo'),
    join(data, 'code-staging', 'environments', 'production'),
    {
      recursive: true,
    },
  );
  const names = ['--certname', 'localhost', '--listen', '127.0.0.1', '--serverport', String(port)];
  const places = ['--data', data, '--cadir', real.caDir, '--ssldir', real.sslDir];
  const primary = new Process({
    command: process.execPath,
    args: [join(project, 'src', 'main.ts'), 'primary', ...names, ...places],
    logFile: join(base, 'primary.log'),
  });
  try {
    await primary.until('our primary is ready', () => isReady(`https://localhost:${port}`));
    // Where the example keeps what it manages: an earlier run must not leave this one nothing to do.
    rmSync(join('/tmp/bunraku-demo', agentName), { recursive: true, force: true });
    const first = await puppet('agent', '--test', port);
    check(`their agent runs against our primary: exit code ${first.exitCode}`, first.exitCode === 2);
    const second = await puppet('agent', '--test', port);
    check(`its second run changes nothing: exit code ${second.exitCode}`, second.exitCode === 0);
    const verified = await puppet('ssl', 'verify', port);
    check('`puppet ssl verify` finds its certificate good', verified.exitCode === 0);
  } finally {
    await primary.stop();
  }
}

/** Runs the real agent's command with directories of its own. */
function puppet(face: string, action: string, port: number): Promise<CommandResult> {
  const home = join(base, 'agent');
  const places = ['confdir', 'vardir', 'ssldir', 'publicdir', 'logdir', 'rundir'];
  const directories = places.flatMap((name) => [`--${name}`, join(home, name)]);
  const server = ['--server', 'localhost', '--serverport', String(port), '--certname', agentName];
  return run('puppet', [face, action, ...directories, ...server, '--color', 'false']);
}

/** The real server, the real command line and OpenSSL accept it. */
async function theirTurnAgain(): Promise<void> {
  await real.start();
  const listed = await real.ca('list', '--all');
  check(
    'their command line lists ours',
    listed.exitCode === 0 && listed.output.includes('ours49.example.net'),
  );
  const [, revokedList = ''] = listed.output.split('Revoked Certificates:');
  check(
    'their server knows our revocations',
    /ours0\.example\.net/.test(revokedList) && /node100\.example\.net/.test(revokedList),
  );
  const generated = await real.ca('generate', '--certname', 'theirs.example.net');
  check('their server signs on', generated.exitCode === 0);
  const revoked = await real.ca('revoke', '--certname', 'ours1.example.net');
  check('their server revokes what we signed', revoked.exitCode === 0);
  await real.stop();
  const inventory = readFileSync(join(real.caDir, 'inventory.txt'), 'utf8').trimEnd().split('\n');
  const serials = inventory.map((line) => line.split(' ')[0]);
  check(`no serial number twice among ${serials.length}`, new Set(serials).size === serials.length);
  const after = await verifyDirectory(real.caDir, false, new Date());
  check(`the directory verifies again: ${JSON.stringify(after.findings)}`, after.findings.length === 0);
  await checkWithOpenssl();
}

async function checkWithOpenssl(): Promise<void> {
  const verify = (certname: string) =>
    run('openssl', [
      'verify',
      '-crl_check_all',
      '-CAfile',
      join(real.caDir, 'ca_crt.pem'),
      '-CRLfile',
      join(real.caDir, 'ca_crl.pem'),
      join(real.caDir, 'signed', `${certname}.pem`),
    ]);
  for (const certname of ['node200.example.net', 'ours2.example.net', 'theirs.example.net'])
    check(`openssl accepts ${certname}`, (await verify(certname)).exitCode === 0);
  for (const certname of ['node5.example.net', 'ours0.example.net', 'ours1.example.net'])
    check(`openssl refuses ${certname}`, /certificate revoked/.test((await verify(certname)).output));
}
