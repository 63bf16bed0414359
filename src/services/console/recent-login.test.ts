import { expect, test } from 'vitest';
import { guarded, requireRecentLogin } from './recent-login.ts';

const nowMs = Date.UTC(2026, 0, 1, 12);
const old = { begunAt: new Date(nowMs - 16 * 60_000), nowMs };
const recent = { begunAt: new Date(nowMs - 14 * 60_000), nowMs };

test.each([
  ['POST', '/rbac-api/v1/users'],
  ['PUT', '/rbac-api/v1/roles/5'],
  ['DELETE', '/rbac-api/v2/tokens/abc'],
  ['POST', '/rbac-api/v1/command/ldap/create'],
  ['POST', '/rbac-api/v1/command/oidc/update'],
  ['PUT', '/rbac-api/v1/saml'],
])('%s %s needs a recent login', (method, path) => {
  expect(() => requireRecentLogin(method, path, old)).toThrow('log in again');
  expect(() => requireRecentLogin(method, path, { begunAt: undefined, nowMs })).toThrow('log in again');
  expect(() => requireRecentLogin(method, path, recent)).not.toThrow();
});

test.each([
  ['GET', '/rbac-api/v1/users'],
  ['PUT', '/rbac-api/v1/users/current/password'],
  ['POST', '/rbac-api/v1/command/config/set-disclaimer'],
  ['POST', '/orchestrator/v1/command/deploy'],
])('%s %s does not', (method, path) => {
  expect(() => requireRecentLogin(method, path, old)).not.toThrow();
});

test('certificates with further rights are signed after a recent login only', () => {
  const user = {
    kind: 'user' as const,
    id: '1',
    login: 'ann',
    address: '',
    permits: ({ action }: { readonly action: string }) => action !== 'revoke',
  };
  const special = { objectType: 'certificates', action: 'sign_special' };

  expect(() => guarded(user, old).permits(special)).toThrow('log in again');
  expect(guarded(user, recent).permits(special)).toBe(true);
  expect(guarded(user, old).permits({ objectType: 'certificates', action: 'revoke' })).toBe(false);
  expect(guarded(user, old).permits({ objectType: 'cert_requests', action: 'accept_reject' })).toBe(true);
});
