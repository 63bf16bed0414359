import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { checkedRoutes } from '../../../../test/support/checked-routes.ts';
import { directoryOptions } from '../../../../test/support/directory-options.ts';
import { changeMigrations } from '../../../platform/changes/index.ts';
import { createHttpServer } from '../../../platform/http/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { migrate, openDirectDatabase } from '../../../platform/storage/index.ts';
import { createRbac, RbacStore, rbacMigrations } from '../index.ts';
import type { OidcProviderSettings, SubmittedProvider } from './identity-provider.ts';
import { providerRoutes } from './provider-routes.ts';

const operator = {
  id: 'operator',
  login: 'operator',
  permits: () => true,
  author: { kind: 'certificate', id: 'operator', name: 'operator' },
} as const;

const settings: OidcProviderSettings = {
  kind: 'oidc',
  issuer: 'https://login.example.com',
  clientId: 'console',
  authentication: 'basic',
  scopes: 'openid',
  loginClaim: 'preferred_username',
  displayNameClaim: 'name',
  emailClaim: 'email',
  groupsClaim: 'groups',
};
const company: SubmittedProvider = {
  name: 'company',
  displayName: 'Company',
  settings,
  secret: 'first secret',
};

async function openProviders() {
  const database = await openDirectDatabase({ kind: 'sqlite', path: ':memory:' }, 'writer');
  onTestFinished(() => database.close());
  await migrate(database, [...changeMigrations, ...rbacMigrations]);
  return createRbac({
    store: new RbacStore(database),
    log: silentLogger,
    now: () => new Date(),
    newId: randomUUID,
    tokenLifetimeSeconds: 3600,
    mostTokenLifetimeSeconds: 3600,
    mostFailedLogins: 10,
    passwordCost: { N: 1024, r: 8, p: 1 },
    directories: directoryOptions(database),
  }).providers;
}

test('what is remembered of a provider is kept between logins, and belongs to its present settings', async () => {
  const providers = await openProviders();
  const { id } = await providers.create(company, operator);
  const before = await providers.getOidc(id);
  const first = providers.oidcClient(before);
  expect(providers.oidcClient(await providers.getOidc(id))).toBe(first);

  await providers.updateOidc(id, { ...company, settings: { ...settings, scopes: 'openid email' } }, operator);
  // A login that began before the change asks for it afterwards.
  providers.oidcClient(before);

  const after = providers.oidcClient(await providers.getOidc(id));
  expect(after).not.toBe(first);
  expect(after).not.toBe(providers.oidcClient(before));
});

test('all providers are listed by their kind, without settings', async () => {
  const providers = await openProviders();
  const { id } = await providers.create(company, operator);
  const http = createHttpServer({
    routes: checkedRoutes(providerRoutes(providers, { kind: 'permission' })),
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: async (login, address) => ({
      kind: 'user',
      id: login,
      login,
      address,
      permits: () => login === 'admin',
    }),
    log: silentLogger,
  });
  onTestFinished(() => http.drain(0));
  const url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}/rbac-api/v2/identity-providers`;
  const ask = (login: string) => fetch(url, { headers: { 'x-authentication': login } });

  expect(await (await ask('admin')).json()).toEqual([
    { id, kind: 'oidc', name: 'company', display_name: 'Company' },
  ]);
  expect((await ask('viewer')).status).toBe(403);
});
