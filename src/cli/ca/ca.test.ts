import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpServer, defaultRules } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  sslFiles,
} from '../../platform/x509/index.ts';
import {
  CertificateAuthority,
  caRoutes,
  defaultCaSettings,
  ensureServerCertificate,
} from '../../services/ca/index.ts';
import { runCommand } from '../run-command.testing.ts';
import { caCommand } from './ca.ts';

let base: string;
let caDir: string;
let sslDir: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-ca-cli-'));
  caDir = join(base, 'ca');
  sslDir = join(base, 'ssl');
  const outcome = await run('setup', '--certname', 'primary.example.net', '--keylength', '2048');
  expect(outcome).toEqual({
    exitCode: 0,
    out: `Generation succeeded. Find your files in ${caDir}\n`,
    err: '',
  });
});

afterAll(() => rm(base, { recursive: true }));

function run(action: string, ...args: readonly string[]) {
  const usesSsl = ['setup', 'generate'].includes(action);
  const where = ['--ca-dir', caDir, ...(usesSsl ? ['--ssl-dir', sslDir] : [])];
  return runCommand(caCommand, action, ...args, ...where);
}

function openAuthority(): Promise<CertificateAuthority> {
  const settings = { ...defaultCaSettings, caDir, caName: '' };
  return CertificateAuthority.open(settings, { log: silentLogger, now: () => new Date() });
}

async function submit(
  certname: string,
  altNames?: string,
  extensions: Readonly<Record<string, string>> = {},
): Promise<void> {
  const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  const content = { certname, extensions, ...(altNames === undefined ? {} : { altNames }) };
  const ca = await openAuthority();
  await ca.submitRequest(certname, encodeCertificateRequest(await createCertificateRequest(content, keys)));
  await ca.close();
}

describe('bunraku ca', () => {
  test('setup refuses to replace what is there', async () => {
    const { exitCode, err } = await run('setup');

    expect(exitCode).toBe(1);
    expect(err).toContain(`Error:\nExisting file at '${caDir}/ca_crt.pem'\n`);
    expect(err).toContain(
      'If you would really like to replace your CA, please delete the existing files first.',
    );
  });

  test('a node is listed, signed, listed again, revoked and cleaned', async () => {
    await submit('agent.example.net');

    const requested = await run('list');
    const signed = await run('sign', '--certname', 'agent.example.net', '--ttl', '30d');
    const all = await run('list', '--all');
    const revoked = await run('revoke', '--certname', 'agent.example.net,nobody');
    const cleaned = await run('clean', '--certname', 'agent.example.net');

    expect(requested.out).toMatch(
      /^Requested Certificates:\n {4}agent\.example\.net {7}\(SHA256\) {2}([0-9A-F]{2}:){31}[0-9A-F]{2}\n$/,
    );
    expect(signed.out).toBe('Successfully signed certificate request for agent.example.net\n');
    expect(all.out).toContain('Signed Certificates:\n    agent.example.net         (SHA256)  ');
    expect(all.out).toContain('\talt names: ["DNS:agent.example.net"]\n');
    expect(all.out).toContain(
      '\talt names: ["DNS:puppet", "DNS:primary.example.net"]\tauthorization extensions: [pp_cli_auth: true]\n',
    );
    expect(revoked).toEqual({
      exitCode: 1,
      out: 'Certificate for agent.example.net has been revoked\n',
      err: 'Error:\n    Could not find certificate for nobody\n',
    });
    expect(cleaned).toEqual({
      exitCode: 0,
      out: 'Certificate for agent.example.net has been revoked\nCleaned files related to agent.example.net\n',
      err: '',
    });
  });

  test('sign says what it may not sign, and does when told that it may', async () => {
    await submit('names.example.net', 'puppet');

    const listed = await run('list');
    const refused = await run('sign', '--all');
    const allowed = await run('sign', '--all', '--allow-subject-alt-names');
    const nothing = await run('sign', '--all');

    expect(listed.err).toBe(
      "CSR 'names.example.net' contains extra subject alternative names (DNS:puppet), which are disallowed. " +
        'To sign it: bunraku ca sign --certname names.example.net --allow-dns-alt-names; ' +
        'or: alt_names in a rule of signing_policy; or: allow_subject_alt_names = true\n',
    );

    expect(refused.exitCode).toBe(1);
    expect(refused.err).toContain(
      "Error:\n    When attempting to sign certificate request 'names.example.net', received\n      code: 409\n      body: CSR 'names.example.net' contains extra subject alternative names (DNS:puppet), which are disallowed.",
    );
    expect(refused.err).toMatch(
      / {4}To sign this one: bunraku ca sign --certname names\S+ --allow-dns-alt-names\n$/,
    );
    expect(allowed.out).toBe('Successfully signed certificate request for names.example.net\n');
    expect(nothing).toEqual({
      exitCode: 24,
      out: '',
      err: 'Error:\n    No waiting certificate requests to sign\n',
    });
  });

  test('list shows the role that a request asks for, and sign which flag allows a right', async () => {
    await submit('role.example.net', undefined, { pp_role: 'db', pp_auth_role: 'pe_compiler' });

    const requested = await run('list');
    const refused = await run('sign', '--certname', 'role.example.net');
    const signed = await run('sign', '--certname', 'role.example.net', '--allow-authorization-extensions');

    expect(requested.out).toContain(
      '\tauthorization extensions: [pp_auth_role: pe_compiler]\textensions: [pp_role: db]\n',
    );
    expect(refused.err).toContain(
      'To sign this one: bunraku ca sign --certname role.example.net --allow-authorization-extensions\n',
    );
    expect(signed.exitCode).toBe(0);
  });

  test('a superfluous comma names no node', async () => {
    await submit('comma.example.net');

    const signed = await run('sign', '--certname', 'comma.example.net,');
    const cleaned = await run('clean', '--certname', ',comma.example.net,,');

    expect(signed).toEqual({
      exitCode: 0,
      out: 'Successfully signed certificate request for comma.example.net\n',
      err: '',
    });
    expect([cleaned.exitCode, cleaned.err]).toEqual([0, '']);
    expect((await run('revoke', '--certname', ',')).err).toContain('At least one certname is required');
  });

  test('cleaning a request that was never signed exits with 24', async () => {
    await submit('pending.example.net');

    expect(await run('clean', '--certname', 'pending.example.net')).toEqual({
      exitCode: 24,
      out: 'Cleaned files related to pending.example.net\n',
      err: '',
    });
  });

  test('list names what is missing, in text and in JSON', async () => {
    const text = await run('list', '--certname', 'nobody');
    const json = await run('list', '--certname', 'nobody', '--format', 'json');

    expect(text).toEqual({ exitCode: 1, out: 'Missing Certificates:\n    nobody\n', err: '' });
    expect(JSON.parse(json.out)).toEqual({ missing: ['nobody'] });
    expect((await run('list', '--format', 'json')).out).toBe('{"requested":[]}\n');
    expect((await run('list')).out).toBe('No certificates to list\n');
  });

  test('generate writes keys and a certificate that openssl accepts', async () => {
    const { exitCode, out } = await run('generate', '--certname', 'made.example.net');

    const certificate = join(sslDir, 'certs', 'made.example.net.pem');
    const files = ['-CAfile', join(caDir, 'ca_crt.pem'), '-CRLfile', join(caDir, 'ca_crl.pem')];
    const verified = execFileSync('openssl', [
      'verify',
      '-x509_strict',
      '-crl_check_all',
      ...files,
      certificate,
    ]);
    expect(exitCode).toBe(0);
    expect(out.split('\n')).toEqual([
      `Successfully saved private key for made.example.net to ${sslDir}/private_keys/made.example.net.pem`,
      `Successfully saved public key for made.example.net to ${sslDir}/public_keys/made.example.net.pem`,
      'Successfully submitted certificate request for made.example.net',
      'Successfully signed certificate request for made.example.net',
      `Successfully saved certificate for made.example.net to ${certificate}`,
      '',
    ]);
    expect(verified.toString()).toContain(': OK');
    expect((await readdir(join(sslDir, 'certs'))).sort()).toContain('primary.example.net.pem');
    expect((await run('generate', '--certname', 'made.example.net')).err).toContain('Existing file at');
  });

  test('while a server runs, reads but does not write', async () => {
    const server = await openAuthority();

    const listed = await run('list', '--all');
    const signing = run('sign', '--all');

    await expect(signing).rejects.toThrow('in use by another process');
    expect(listed.exitCode).toBe(0);
    await server.close();
  });

  test('through a running server says and does the same', async () => {
    const ca = await openAuthority();
    const files = sslFiles(sslDir, 'primary.example.net');
    const key = { kind: 'rsa', bits: 2048 } as const;
    await ensureServerCertificate(
      ca,
      { sslDir, certname: 'primary.example.net', altNames: 'localhost', key },
      new Date(),
    );
    const certificate = await readFile(files.certificate, 'utf8');
    const privateKey = await readFile(files.privateKey, 'utf8');
    const server = createHttpServer({
      routes: caRoutes(ca),
      authorization: { rules: defaultRules, allowHeaderCertInfo: false },
      tls: { certificate, privateKey, ca: ca.bundle, crl: ca.crl.pem },
      log: silentLogger,
      authenticate: async (login, address) => ({
        kind: 'user',
        id: login,
        login,
        address,
        permits: ({ objectType }) => objectType === 'cert_requests' || login === 'officer',
      }),
    });
    const port = await server.listen(0, '127.0.0.1');
    const online = ['--server', `localhost:${port}`, '--ssl-dir', sslDir];
    const client = ['--client-certname', 'primary.example.net'];

    const generated = await run('generate', '--certname', 'online.example.net', ...online, ...client);
    const revoked = await run('revoke', '--certname', 'online.example.net', ...online, ...client);
    const listed = await run('list', '--certname', 'online.example.net', ...online, ...client);
    const agent = ['--client-certname', 'made.example.net'];
    const forbidden = await run('list', ...online, ...agent);
    const content = { certname: 'web.example.net', altNames: 'DNS:www' };
    const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
    const request = encodeCertificateRequest(await createCertificateRequest(content, keys));
    await ca.submitRequest('web.example.net', request);
    const as = async (login: string, ...args: readonly string[]) => {
      await writeFile(join(base, login), `${login}\n`);
      const token = ['--token-file', join(base, login), '--cacert', files.ca];
      return runCommand(caCommand, ...args, '--server', `localhost:${port}`, '--ssl-dir', '/none', ...token);
    };
    const sign = ['sign', 'web.example.net', '--allow-dns-alt-names', '--fingerprint'];
    const seen = await as('clerk', 'list');
    const digest = /\(SHA256\) +([0-9A-F:]{95})/.exec(seen.out)?.[1] ?? '';
    const byClerk = await as('clerk', ...sign, digest);
    const another = await as('officer', ...sign, '0'.repeat(64));
    const byOfficer = await as('officer', ...sign, digest);

    expect(generated.out).toContain('Successfully signed certificate request for online.example.net\n');
    expect(revoked.out).toBe('Certificate for online.example.net has been revoked\n');
    expect(listed.out).toContain('Revoked Certificates:\n    online.example.net ');
    expect(forbidden.exitCode).toBe(1);
    expect(forbidden.err).toContain('code: 403');
    expect(byClerk.err).toContain('clerk does not have permission to do this');
    expect(another.err).toContain('has been replaced');
    expect(byOfficer).toMatchObject({
      exitCode: 0,
      out: 'Successfully signed certificate request for web.example.net\n',
    });
    await server.drain(1000);
    await ca.close();
  });

  test.each([
    [['sign'], 'No arguments given'],
    [['sign', '--all', '--certname', 'a'], '--all and --certname cannot be used together'],
    [['sign', 'a', 'b', '--fingerprint', '00'], '--fingerprint goes with one certname'],
    [['revoke'], '  At least one certname is required to revoke'],
    [['revoke', '--certname'], '    Missing argument to flag `--certname`'],
    [['clean', '--bogus', 'x'], '    Unknown flag or argument `--bogus`'],
    [['setup', 'x'], '    Unknown input `x`'],
    [['list', '--format', 'xml'], "Unknown format flag 'xml'. Valid formats are 'text', 'json'."],
    [['generate', '--certname', 'Upper'], '    Certificate names must be lower case'],
    [['sign', '--all', '--ttl', 'soon'], " 'soon' is an invalid ttl value"],
  ])('%j is refused in words', async ([action = '', ...args], message) => {
    const { err, exitCode, out } = await runCommand(caCommand, action, ...args);

    expect(exitCode).toBe(1);
    expect(out).toBe('');
    expect(err.split('\n')).toEqual(expect.arrayContaining(['Error:', message]));
  });

  test.each(['setup', 'list', 'sign', 'revoke', 'clean', 'generate'])(
    '%s --help explains it',
    async (action) => {
      const { exitCode, out } = await run(action, '--help');

      expect(exitCode).toBe(0);
      expect(out).toContain(`Usage:\n  bunraku ca ${action} [--help]`);
    },
  );
});
