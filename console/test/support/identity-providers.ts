/** An OpenID provider and a SAML provider, at which a person is logged in. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Site } from '../../../test/e2e/support/site.ts';
import { openIdClient, RunningOpenIdProvider } from '../../../test/support/running-openid-provider.ts';
import { SamlProvider } from '../../../test/support/saml-provider.ts';
import { askAsOperator, origin, usersApi } from './console-site.ts';

export interface IdentityProviders {
  /** What the login page offers, with who comes back. */
  readonly logins: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function connectProviders(site: Site): Promise<IdentityProviders> {
  const [openId, saml] = [await connectOpenId(site), await connectSaml(site)];
  for (const name of ['company', 'saml'])
    await askAsOperator(site, 'POST', `${usersApi}/v1/command/groups/create`, {
      login: 'ops',
      role_ids: [3],
      identity_provider_id: name,
    });
  return {
    logins: { 'Log in with OpenID': 'oda', 'Log in with SAML': 'sam' },
    stop: async () => {
      const listed = (await askAsOperator(site, 'GET', `${usersApi}/v1/oidc`)) as readonly {
        readonly id: string;
      }[];
      for (const { id } of listed)
        await askAsOperator(site, 'POST', `${usersApi}/v1/command/oidc/delete`, { id });
      await askAsOperator(site, 'DELETE', `${usersApi}/v1/saml`);
      await Promise.all([openId.stop(), saml.stop()]);
    },
  };
}

async function connectOpenId(site: Site) {
  const provider = await RunningOpenIdProvider.start();
  provider.client = {
    callback: `${origin}/auth/oidc/company/callback`,
    logout: `${origin}/auth/oidc/company/logout`,
  };
  provider.person = { subject: 'oda', claims: { preferred_username: 'oda', groups: ['ops'] } };
  provider.renew();
  await askAsOperator(site, 'POST', `${usersApi}/v1/command/oidc/create`, {
    name: 'company',
    display_name: 'OpenID',
    issuer: provider.issuer,
    client_id: openIdClient.id,
    client_secret: openIdClient.secret,
  });
  return provider;
}

async function connectSaml(site: Site) {
  const provider = await SamlProvider.create();
  const meta = (await askAsOperator(site, 'GET', `${usersApi}/v1/saml/meta`)) as Record<string, string>;
  const us = {
    entityId: meta['meta'] ?? '',
    acsUrl: meta['acs'] ?? '',
    certificate: meta['cert'] ?? '',
  };
  const server = createServer((request, response) => {
    const { id } = provider.read(`http://provider${request.url ?? ''}`, us);
    const attributes = [
      ['uid', ['sam']],
      ['groups', ['ops']],
    ] as const;
    void provider.answer(us, { inResponseTo: id, attributes }).then((xml) => {
      const value = Buffer.from(xml).toString('base64');
      response.setHeader('content-type', 'text/html');
      response.end(
        `<form method="post" action="${us.acsUrl}"><input type="hidden" name="SAMLResponse" value="${value}"></form>` +
          '<script>document.forms[0].submit()</script>',
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await askAsOperator(site, 'PUT', `${usersApi}/v1/saml`, {
    display_name: 'SAML',
    idp_entity_id: provider.entityId,
    idp_sso_url: `http://127.0.0.1:${port}/sso`,
    idp_certificate: provider.certificate,
    user_lookup_attr: 'uid',
    group_lookup_attr: 'groups',
  });
  return {
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
