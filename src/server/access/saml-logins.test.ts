/** Logins by a SAML provider, through the routes that browsers and administrators use, and the attacks on them. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends, type RunningBackend } from '../../../test/support/backends.ts';
import { consoleUrl, RunningConsole, sessionOf } from '../../../test/support/running-console.ts';
import { type SamlAnswer, SamlProvider, type SamlReceiver } from '../../../test/support/saml-provider.ts';

const consoleUser = 3;
const path = '/v1/saml';
const installed = backends.filter(({ isInstalled }) => isInstalled);

describe.each(installed)('Logins by a SAML provider, on $name', (backend) => {
  /** What no database decides is tried on one of them. */
  const isFirst = backend === installed[0];

  let running: RunningBackend;
  let provider: SamlProvider;
  let stranger: SamlProvider;
  let server: RunningConsole;
  let us: SamlReceiver;

  beforeAll(async () => {
    running = await backend.start();
    [provider, stranger] = await Promise.all([SamlProvider.create(), SamlProvider.create()]);
    server = await RunningConsole.start(running);
    const { body } = await server.ask('GET', `${path}/meta`);
    const meta = body as Record<'meta' | 'acs' | 'cert', string>;
    us = { entityId: meta.meta, acsUrl: meta.acs, certificate: meta.cert };
  });

  afterAll(async () => {
    await server.stop();
    await running.stop();
  });

  beforeEach(async () => {
    await server.reset();
    await server.ask('DELETE', path);
    expect((await server.ask('PUT', path, settings())).status).toBe(201);
    const group = { login: 'ops', role_ids: [consoleUser], identity_provider_id: 'saml' };
    await server.ask('POST', '/v1/command/groups/create', group);
  });

  const settings = (changes: object = {}) => ({
    display_name: 'The <Company>',
    idp_entity_id: provider.entityId,
    idp_sso_url: provider.ssoUrl,
    idp_certificate: [provider.certificate],
    user_lookup_attr: 'uid',
    user_display_name_attr: 'displayName',
    user_email_attr: 'mail',
    group_lookup_attr: 'groups',
    ...changes,
  });

  const attributesOf = (
    login: string,
    groups: readonly string[] = ['ops'],
  ): NonNullable<SamlAnswer['attributes']> => [
    ['uid', [login]],
    ['displayName', [`${login} of the company`]],
    ['mail', [`${login}@example.com`]],
    ['groups', groups],
  ];

  async function begin(next = '/nodes?a=b') {
    const begun = await server.begin('saml', next);
    return { ...begun, ...provider.read(begun.location, us) };
  }

  const post = (xml: string, cookie: string) =>
    fetch(`${server.url}/saml/v1/acs`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: 'https://idp.test', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }),
    });

  async function logIn(answer: SamlAnswer = {}, by = provider) {
    const { cookie, id } = await begin();
    const said = { inResponseTo: id, attributes: attributesOf('ann'), ...answer };
    const got = await post(await by.answer(us, said), cookie);
    return { answer: got, session: sessionOf(got) };
  }

  const refusal = async (got: Response) => {
    expect(sessionOf(got)).toBe('');
    expect(await got.text()).toMatch(/did not succeed|begin again/);
    return got.status;
  };

  test('a signed answer makes a person a user with the roles of the groups', async () => {
    const { answer, session } = await logIn();

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/nodes?a=b');
    expect(await server.session(session)).toMatchObject({
      user: { login: 'ann', display_name: 'ann of the company' },
    });
    expect(await server.userOf('ann')).toMatchObject({
      is_remote: true,
      email: 'ann@example.com',
      inherited_role_ids: [consoleUser],
    });
    expect(await server.recorded()).toContain('The user ann logged in by The <Company>');
  });

  if (isFirst)
    test('an answer may be encrypted, and be signed in one place where that is enough', async () => {
      for (const [wanted, signs] of [
        [{ want_messages_signed: false }, ['assertion']],
        [{ want_assertions_signed: false }, ['response']],
        [{ want_assertions_encrypted: true }, ['assertion', 'response']],
        [{ want_assertions_encrypted: true, want_messages_signed: false }, ['assertion']],
      ] as const) {
        expect((await server.ask('PUT', path, settings(wanted))).status).toBe(200);
        const encrypts = 'want_assertions_encrypted' in wanted;

        expect((await logIn({ signs, encrypts })).answer.status).toBe(303);
      }
    });

  test('roles follow the groups at each login', async () => {
    await logIn();

    expect((await logIn({ attributes: attributesOf('ann', []) })).answer.status).toBe(403);
    expect(await server.userOf('ann')).toMatchObject({ inherited_role_ids: [] });
  });

  if (isFirst)
    test('a request is signed, names us, and comes with a cookie that other sites may send back', async () => {
      const answer = await fetch(`${server.url}/auth/sso/saml`, { redirect: 'manual' });
      expect(answer.headers.getSetCookie()[0]).toMatch(
        /^__Host-bunraku-login=[\w+/=]+; Path=\/; Secure; HttpOnly; SameSite=None; Max-Age=600$/,
      );

      const { xml } = provider.read(answer.headers.get('location') ?? '', us);

      expect(xml).toContain(`AssertionConsumerServiceURL="${consoleUrl}/saml/v1/acs"`);
      expect(xml).toContain(`>${consoleUrl}/saml/v1/meta</saml:Issuer>`);
      expect(xml).not.toContain('RequestedAuthnContext');
    });

  if (isFirst)
    describe('An answer is refused', () => {
      test.each<[string, SamlAnswer]>([
        ['that is not signed', { signs: [] }],
        ['in which only the response is signed', { signs: ['response'] }],
        ['in which only the assertion is signed', { signs: ['assertion'] }],
        ['that has expired', { from: -20, to: -10 }],
        ['that is not valid yet', { from: 10, to: 20 }],
        ['for another audience', { audience: 'https://elsewhere.test' }],
        ['for any audience', { audience: undefined }],
        ['for another recipient', { recipient: 'https://elsewhere.test/acs' }],
        ['of another issuer', { issuer: 'https://elsewhere.test' }],
        ['to no request', { inResponseTo: undefined }],
        ['to another request', { inResponseTo: '_another' }],
        [
          'that the holder of a key would have to show',
          { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' },
        ],
        ['by an old algorithm', { algorithm: 'sha1' }],
        ['without attributes', { attributes: [] }],
        ['without the attribute that is the login', { attributes: [['cn', ['ann']]] }],
        ['with two logins', { attributes: [['uid', ['ann', 'admin']]] }],
      ])('%s', async (_, answer) => {
        expect(await refusal((await logIn(answer)).answer)).toBe(401);
      });

      test('that another key has signed', async () => {
        expect(await refusal((await logIn({}, stranger)).answer)).toBe(401);
        expect(await refusal((await logIn({ encrypts: true }, stranger)).answer)).toBe(401);
      });

      test('that comes twice, in another browser, or too late', async () => {
        const { cookie, id } = await begin();
        const other = await begin();
        const xml = await provider.answer(us, { inResponseTo: id, attributes: attributesOf('ann') });
        expect(await refusal(await post(xml, ''))).toBe(401);
        expect(await refusal(await post(xml, other.cookie))).toBe(401);
        expect((await post(xml, cookie)).status).toBe(303);

        expect(await refusal(await post(xml, cookie))).toBe(401);

        const late = await begin();
        server.nowMs += 10 * 60_000;
        const said = { inResponseTo: late.id, attributes: attributesOf('ann') };
        expect(await refusal(await post(await provider.answer(us, said), late.cookie))).toBe(401);
      });

      test('that was changed after it was signed', async () => {
        const changesAssertion = (xml: string) => xml.replace('>ann<', '>admin<');
        for (const encrypts of [false, true])
          for (const signs of [['assertion'], ['assertion', 'response']] as const) {
            await server.ask('PUT', path, settings({ want_messages_signed: signs.length === 2 }));

            expect(await refusal((await logIn({ changesAssertion, encrypts, signs })).answer)).toBe(401);
          }
      });

      test.each([undefined, '_another'])('with a stolen assertion that answers %s', async (confirms) => {
        await server.ask('PUT', path, settings({ want_messages_signed: false }));

        expect(await refusal((await logIn({ confirms, signs: ['assertion'] })).answer)).toBe(401);
      });

      const assertionOf = (xml: string) => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
      const signatureOf = (xml: string) => /<(\w+:)?Signature .*?<\/(\w+:)?Signature>/s.exec(xml)?.[0] ?? '';
      /** What an attacker would like to be read. */
      const forged = (xml: string) =>
        assertionOf(xml)
          .replace(signatureOf(xml), '')
          .replaceAll('>ann<', '>eve<')
          .replace(/ ID="[^"]+"/, ' ID="_forged"');
      const inObject = (xml: string, content: string) =>
        xml.replace(
          /<\/(\w+:)?Signature>/,
          (end) => `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${content}</ds:Object>${end}`,
        );

      test.each<[string, (xml: string) => string]>([
        ['before the signed one', (xml) => xml.replace(assertionOf(xml), forged(xml) + assertionOf(xml))],
        ['behind the signed one', (xml) => xml.replace(assertionOf(xml), assertionOf(xml) + forged(xml))],
        [
          'around the signed one',
          (xml) =>
            xml.replace(
              assertionOf(xml),
              forged(xml).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`),
            ),
        ],
        [
          'with the signature of the one that it holds',
          (xml) => {
            const whole = assertionOf(xml);
            const inner = whole.replace(signatureOf(xml), '');
            return xml.replace(
              whole,
              forged(xml).replace('</saml:Issuer>', `</saml:Issuer>${inObject(signatureOf(xml), inner)}`),
            );
          },
        ],
        [
          'with the ID of the signed one',
          (xml) => {
            const id = / ID="[^"]+"/.exec(assertionOf(xml))?.[0] ?? '';
            const twin = forged(xml).replace(/ ID="[^"]+"/, id);
            return xml.replace(
              assertionOf(xml),
              twin.replace('</saml:Issuer>', `</saml:Issuer>${inObject(signatureOf(xml), assertionOf(xml))}`),
            );
          },
        ],
        [
          'in place of the signed one, which is elsewhere in the message',
          (xml) =>
            xml.replace(
              assertionOf(xml),
              `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${forged(xml).replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(xml)}`)}`,
            ),
        ],
        ['without a signature, beside none', (xml) => xml.replace(assertionOf(xml), forged(xml))],
        [
          'named by an entity',
          (xml) => `<!DOCTYPE r [<!ENTITY who "eve">]>${xml.replace('>ann<', '>&who;<')}`,
        ],
        ['with a document type alone', (xml) => `<!DOCTYPE r>${xml}`],
        ['that is no XML', () => '<samlp:Response'],
        ['that is nothing', () => ''],
      ])('with a forged assertion %s', async (_, change) => {
        await server.ask('PUT', path, settings({ want_messages_signed: false }));
        const { cookie, id } = await begin();
        const said = { inResponseTo: id, attributes: attributesOf('ann'), signs: ['assertion'] } as const;

        const got = await post(change(await provider.answer(us, said)), cookie);

        expect(await refusal(got)).toBe(401);
        expect(await server.userOf('eve')).toBeUndefined();
      });

      test('around the whole response that was signed', async () => {
        const { cookie, id } = await begin();
        const said = { inResponseTo: id, attributes: attributesOf('ann') };
        const xml = await provider.answer(us, said);
        const outer = xml
          .replace(signatureOf(xml), inObject(signatureOf(xml), xml))
          .replace(assertionOf(xml), forged(xml))
          .replace(/ ID="[^"]+"/, ' ID="_outer"');

        expect(await refusal(await post(outer, cookie))).toBe(401);
      });

      test('with a comment that hides the end of a name', async () => {
        const attributes = [['uid', ['ann<!-- -->.other']]] as const;

        await logIn({ attributes });

        expect(await server.userOf('ann')).toBeUndefined();
        expect(await server.userOf('ann.other')).toBeDefined();
      });

      test('that is not encrypted where it has to be', async () => {
        await server.ask('PUT', path, settings({ want_assertions_encrypted: true }));

        expect(await refusal((await logIn()).answer)).toBe(401);
      });

      test('that is encrypted as attackers can open it', async () => {
        expect(await refusal((await logIn({ encrypts: true, keyEncryption: 'rsa-1_5' })).answer)).toBe(401);
      });

      test('with an attribute twice where that is not allowed', async () => {
        const attributes = [...attributesOf('ann'), ['groups', ['others']]] as const;
        expect((await logIn({ attributes })).answer.status).toBe(303);
        await server.ask('PUT', path, settings({ allow_duplicated_attribute_name: false }));

        expect(await refusal((await logIn({ attributes })).answer)).toBe(401);
      });
    });

  if (isFirst)
    test.each(['admin', 'ann', 'ANN'])('the local user %s is never taken over', async (login) => {
      await server.ask('POST', '/v1/users', { login: 'ann', password: 'correct horse', role_ids: [1] });

      const { answer, session } = await logIn({ attributes: attributesOf(login) });

      expect(answer.status).toBe(401);
      expect(session).toBe('');
      expect(await answer.text()).toContain(`There is a user ${login} already`);
      expect(await server.userOf('ann')).toMatchObject({ is_remote: false, role_ids: [1] });
    });

  if (isFirst)
    test('a person may be known by the name of the assertion', async () => {
      await server.ask('PUT', path, settings({ user_lookup_attr: 'NameID' }));

      expect((await logIn({ nameId: 'bob' })).answer.status).toBe(303);
      expect(await server.userOf('bob')).toMatchObject({ display_name: 'ann of the company' });
    });

  describe('The settings', () => {
    test('are those of Puppet Enterprise, and each change is recorded', async () => {
      const { body } = await server.ask('GET', path);

      expect(body).toEqual({
        ...settings(),
        idp_certificate: [provider.certificate.replaceAll(/-----[A-Z ]+-----|\n/g, '')],
        allow_duplicated_attribute_name: true,
        want_messages_signed: true,
        want_assertions_signed: true,
        want_assertions_encrypted: false,
        want_name_id_encrypted: false,
        want_xml_validation: true,
        sign_metadata: true,
        signature_algorithm: 'rsa-sha256',
        requested_authn_context_comparison: 'exact',
      });
      expect(
        await server.ask('PUT', path, { ...(body as object), requested_auth_context: 'urn:x' }),
      ).toMatchObject({
        status: 200,
        body: { requested_auth_context: 'urn:x' },
      });
      expect(await server.recorded()).toContain(
        'Changed requested_auth_context of the identity provider "The <Company>" from nothing to "urn:x"',
      );
    });

    test('are gone with the users, their sessions and the groups when they are deleted', async () => {
      const { session } = await logIn();

      expect(await server.ask('DELETE', path)).toEqual({ status: 200, body: {} });

      expect((await server.ask('GET', path)).status).toBe(404);
      expect((await server.ask('DELETE', path)).status).toBe(404);
      expect(await server.userOf('ann')).toBeUndefined();
      expect((await server.ask('GET', '/v1/groups')).body).toEqual([]);
      expect(await server.session(session)).toMatchObject({
        kind: expect.stringContaining('unauthenticated'),
      });
      expect((await fetch(`${server.url}/auth/sso/saml`)).status).toBe(404);
    });

    if (isFirst)
      test.each([
        ['idp_certificate', 'none'],
        ['idp_certificate', []],
        ['idp_sso_url', 'http://idp.example.com/'],
        ['idp_sso_url', 'javascript:alert(1)'],
        ['want_name_id_encrypted', true],
        ['signature_algorithm', 'dsa-sha1'],
        ['user_lookup_attr', ''],
        ['want_assertion_signed', true],
      ])('are refused with the %s %j', async (field, value) => {
        expect(await server.ask('PUT', path, settings({ [field]: value }))).toMatchObject({
          status: 400,
          body: { kind: 'puppetlabs.rbac/schema-violation' },
        });
      });

    test('have metadata that anyone may read, signed, with a certificate that stays', async () => {
      const read = async () => await (await fetch(`${server.url}/saml/v1/meta`)).text();
      const metadata = await read();

      expect(metadata).toContain(`entityID="${consoleUrl}/saml/v1/meta"`);
      expect(metadata).toContain(`Location="${consoleUrl}/saml/v1/acs"`);
      expect(metadata).toContain('use="encryption"');
      expect(metadata).toContain('<SignatureValue>');
      expect(metadata).not.toContain('PRIVATE');
      await server.ask('DELETE', path);
      const certificate = /<ds:X509Certificate>([^<]+)/.exec(metadata)?.[1];
      expect(certificate?.replaceAll(/\s/g, '')).toBe(us.certificate.replaceAll(/-----[A-Z ]+-----|\s/g, ''));
      expect(await read()).toContain(certificate ?? 'none');
    });
  });
});
