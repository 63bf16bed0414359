/** Logins by pysaml2, an identity provider that shares nothing with what we verify with: a part of `npm run test:peers`. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends, type RunningBackend } from '../support/backends.ts';
import { RunningConsole, sessionOf } from '../support/running-console.ts';
import { SamlProvider } from '../support/saml-provider.ts';

const isWanted = process.env['BUNRAKU_PEERS'] === 'yes' && existsSync('/usr/lib/python3/dist-packages/saml2');
const entityId = 'https://pysaml2.test/metadata';
const ssoUrl = 'https://pysaml2.test/sso';
const uid = 'urn:oid:0.9.2342.19200300.100.1.1';
const displayName = 'urn:oid:2.16.840.1.113730.3.1.241';
const memberOf = 'urn:oid:1.3.6.1.4.1.5923.1.5.1.1';

describe.skipIf(!isWanted)('Logins by pysaml2 (npm run test:peers)', () => {
  let running: RunningBackend;
  let server: RunningConsole;
  let directory: string;
  let certificate: string;

  beforeAll(async () => {
    const [sqlite] = backends;
    if (sqlite === undefined) throw new Error('there is no database');
    running = await sqlite.start();
    server = await RunningConsole.start(running);
    directory = mkdtempSync(join(tmpdir(), 'bunraku-saml-'));
    const keys = await SamlProvider.create();
    ({ certificate } = keys);
    writeFileSync(join(directory, 'cert.pem'), certificate);
    writeFileSync(join(directory, 'key.pem'), keys.privateKey);
  });

  afterAll(async () => {
    await server.stop();
    await running.stop();
    rmSync(directory, { recursive: true });
  });

  beforeEach(async () => {
    await server.reset();
    await server.ask('DELETE', '/v1/saml');
  });

  async function logIn(settings: object, encrypts: boolean) {
    const answer = await server.ask('PUT', '/v1/saml', {
      display_name: 'pysaml2',
      idp_entity_id: entityId,
      idp_sso_url: ssoUrl,
      idp_certificate: certificate,
      user_lookup_attr: uid,
      user_display_name_attr: displayName,
      group_lookup_attr: memberOf,
      ...settings,
    });
    expect(answer).toMatchObject({ status: 201 });
    await server.ask('POST', '/v1/command/groups/create', { login: 'ops', role_ids: [3] });
    const { cookie, location } = await server.begin('saml', '/nodes');
    const job = {
      key: join(directory, 'key.pem'),
      cert: join(directory, 'cert.pem'),
      entity_id: entityId,
      sso_url: ssoUrl,
      receiver_id: 'https://console.test/saml/v1/meta',
      receiver: await (await fetch(`${server.url}/saml/v1/meta`)).text(),
      query: new URL(location).search.slice(1),
      encrypts,
      identity: { uid: ['ann'], displayName: ['Ann'], isMemberOf: ['ops', 'others'] },
      name_id: 'a1b2',
    };
    const script = join(import.meta.dirname, 'saml-provider.py');
    const { status, stderr, stdout } = spawnSync('/usr/bin/python3', [script], {
      input: JSON.stringify(job),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    const { response } = JSON.parse(stdout) as { readonly response: string };
    const got = await fetch(`${server.url}/saml/v1/acs`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams({ SAMLResponse: Buffer.from(response).toString('base64') }),
    });
    return { got, response };
  }

  test.each([
    ['signed', {}, false],
    ['signed and encrypted', { want_assertions_encrypted: true }, true],
  ])('are %s', async (_, settings, encrypts) => {
    const { got, response } = await logIn(settings, encrypts);

    expect(response.includes('EncryptedAssertion')).toBe(encrypts);
    expect(got.status).toBe(303);
    expect(await server.session(sessionOf(got))).toMatchObject({
      user: { login: 'ann', display_name: 'Ann' },
    });
    expect(await server.userOf('ann')).toMatchObject({ inherited_role_ids: [3] });
  });
});
