import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { createHttpServer, type HttpServer, json, route, TrustedProxies } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { runCommand } from '../run-command.testing.ts';
import { infrastructureDrainCommand } from './drain.ts';
import { infrastructureForgetCommand } from './forget.ts';
import { infrastructureStatusCommand } from './status.ts';
import { infrastructureTokenCommand } from './token.ts';

let directory: string;
let authority: OpensslAuthority;
let server: HttpServer;
let place: readonly string[];
let asked: string[];

const token = {
  id: 'x1',
  created_at: '2026-01-01T00:00:00Z',
  created_by: 'ada',
  expires_at: null,
  uses_left: 2,
  certnames: ['*'],
  alt_names: [],
};
const departure = { certname: 'compile1.test', drained: 'yes', revoked: true, deactivated: true };

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-infrastructure-cli-'));
  authority = new OpensslAuthority('CA');
  const certificate = authority.issue('localhost', ['subjectAltName=DNS:localhost']);
  const at = (method: 'GET' | 'POST' | 'DELETE', path: string, answer: object) =>
    route({
      method,
      path: `/infrastructure/v1${path}`,
      allow: { kind: 'permission' },
      handle({ headers, path: called, query }) {
        asked.push(`${method} ${called}?${query} ${String(headers['x-authentication'])}`);
        return json(answer);
      },
    });
  server = createHttpServer({
    routes: [
      at('GET', '/status', { servers: [], services: [] }),
      at('POST', '/tokens', { id: 'x1', token: 'secret' }),
      at('GET', '/tokens', [token]),
      at('DELETE', '/tokens/:id', {}),
      at('DELETE', '/servers/:certname', departure),
      at('POST', '/servers/:certname/drain', { certname: 'compile1.test', state: 'leaving' }),
    ],
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: async (login, address) => ({
      kind: 'user',
      id: login,
      login,
      address,
      permits: () => true,
    }),
    tls: { ...certificate, ca: authority.certificate, crl: authority.crl() },
    trustedProxies: new TrustedProxies([]),
    log: silentLogger,
  });
  const port = await server.listen(0, '127.0.0.1');
  const [tokenFile, caFile] = [join(directory, 'token'), join(directory, 'ca.pem')];
  writeFileSync(tokenFile, 'ada\n');
  writeFileSync(caFile, authority.certificate);
  place = [
    '--data',
    join(directory, 'data'),
    '--primary',
    `localhost:${port}`,
    '--token-file',
    tokenFile,
    '--cacert',
    caFile,
  ];
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await server.drain(0);
  authority.remove();
  rmSync(directory, { recursive: true });
});

test('a user with a token makes, lists and deletes tokens to join with, from any machine', async () => {
  const made = await runCommand(infrastructureTokenCommand, '--uses', '2', ...place);
  const listed = await runCommand(infrastructureTokenCommand, 'list', ...place);
  const deleted = await runCommand(infrastructureTokenCommand, 'delete', 'x1', ...place);

  expect([made.out, listed.out, deleted.out]).toEqual([
    'secret\n',
    'x1  2 uses left, no end, for *, by ada\n',
    'Deleted token x1\n',
  ]);
  expect(asked).toEqual([
    'POST /infrastructure/v1/tokens? ada',
    'GET /infrastructure/v1/tokens? ada',
    'DELETE /infrastructure/v1/tokens/x1? ada',
  ]);
});

test('and tells a server to drain, which is shown until it has left', async () => {
  const drained = await runCommand(infrastructureDrainCommand, 'compile1.test', ...place);
  const ordered = await runCommand(infrastructureDrainCommand, 'compile1.test', '--no-wait', ...place);

  expect(drained.out).toBe('compile1.test is told to leave\ncompile1.test has left the installation\n');
  expect(ordered.out).toBe('compile1.test is told to leave\n');
  expect(asked).toEqual([
    'POST /infrastructure/v1/servers/compile1.test/drain? ada',
    'GET /infrastructure/v1/status? ada',
    'POST /infrastructure/v1/servers/compile1.test/drain? ada',
  ]);
});

test('and sees servers, and lets them leave', async () => {
  const status = await runCommand(infrastructureStatusCommand, '--format', 'json', ...place);
  const forgotten = await runCommand(infrastructureForgetCommand, 'compile1.test', '--force', ...place);

  expect(JSON.parse(status.out)).toEqual([]);
  expect(forgotten.out).toBe(
    [
      'compile1.test has drained',
      'Certificate of compile1.test has been revoked and removed',
      'compile1.test is deactivated in PuppetDB',
      'compile1.test has left the installation',
      '',
    ].join('\n'),
  );
  expect(asked).toEqual([
    'GET /infrastructure/v1/status? ada',
    'DELETE /infrastructure/v1/servers/compile1.test?force=true ada',
  ]);
});
