import { expect, test } from 'vitest';
import type { Identity } from '../../platform/http/index.ts';
import { infrastructurePredicate, mayBecomeServer } from './infrastructure-identity.ts';

function client(extensions: Record<string, string>, dnsAltNames: readonly string[] = ['a.test']): Identity {
  const raw = Buffer.alloc(0);
  return { kind: 'certificate', certname: 'a.test', dnsAltNames, extensions, serial: '1', raw, address: '' };
}

test('servers are known by their role, by name, or by pp_role together with alternative names', () => {
  const isServer = infrastructurePredicate({ compileServers: [], compileServerRoles: ['compile_master'] });
  const isNamed = infrastructurePredicate({ compileServers: ['A.test'], compileServerRoles: [] });
  const role = { pp_role: 'compile_master' };

  expect(isServer(client({ pp_auth_role: 'pe_compiler' }))).toBe(true);
  expect(isServer(client(role, ['a.test', 'puppet']))).toBe(true);
  expect(isNamed(client({}))).toBe(true);
});

test('what any agent may ask for makes no server of it', () => {
  const isServer = infrastructurePredicate({ compileServers: [], compileServerRoles: ['compile_master'] });

  expect(isServer(client({ pp_role: 'compile_master' }))).toBe(false);
  expect(isServer(client({ pp_role: 'web' }, ['puppet']))).toBe(false);
  expect(isServer(client({}, ['puppet']))).toBe(false);
  expect(isServer({ kind: 'anonymous', address: '' })).toBe(false);
});

test('a group of the classifier names servers by what their certificates prove', () => {
  const groups = { entitles: ({ certname }: { readonly certname: string }) => certname === 'a.test' };
  const isServer = infrastructurePredicate({ compileServers: [], compileServerRoles: [] }, groups);
  const noServer = infrastructurePredicate(
    { compileServers: [], compileServerRoles: [] },
    { entitles: () => false },
  );

  expect(isServer(client({}))).toBe(true);
  expect(isServer({ kind: 'anonymous', address: '' })).toBe(false);
  expect(noServer(client({ pp_role: 'compile_master' }, ['puppet']))).toBe(false);
});

test('what is installed is decided by the certificate as well, and by nothing that a node says', () => {
  const settings = { compileServers: ['A.test'], compileServerRoles: ['compile_master'] };
  const none = { compileServers: [], compileServerRoles: [] };
  const pinned = { proves: ({ certname }: { readonly certname: string }) => certname === 'a.test' };
  const node = (extensions: Record<string, string>, certname = 'a.test') => ({ certname, extensions });

  expect(mayBecomeServer(none, undefined, node({ pp_auth_role: 'pe_compiler' }))).toBe(true);
  expect(mayBecomeServer(none, pinned, node({}))).toBe(true);
  expect(mayBecomeServer(settings, undefined, node({}))).toBe(true);
  expect(mayBecomeServer(settings, undefined, node({ pp_role: 'compile_master' }, 'b.test'))).toBe(true);
  expect(mayBecomeServer(none, pinned, node({ pp_role: 'compile_master' }, 'b.test'))).toBe(false);
  expect(mayBecomeServer(settings, undefined, node({ pp_role: 'web' }, 'b.test'))).toBe(false);
});
