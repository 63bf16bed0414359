/** Conversations with a real slapd. */

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import {
  isSlapdInstalled,
  type RunningSlapd,
  slapdManager,
  slapdSuffix,
  startSlapd,
} from '../../../test/support/running-slapd.ts';
import {
  allOf,
  anyOf,
  equals,
  type LdapConnection,
  LdapError,
  type LdapFilter,
  type LdapServer,
  LdapTrust,
  withLdap,
} from './index.ts';

const people = `ou=people,${slapdSuffix}`;
const ldif = `dn: ${slapdSuffix}
objectClass: dcObject
objectClass: organization
o: example
dc: example

dn: ${people}
objectClass: organizationalUnit
ou: people

dn: uid=ada,${people}
objectClass: inetOrgPerson
uid: ada
cn: Ada
sn: Lovelace
mail: ada@example.com
userPassword: correct horse

dn: uid=odd\\2C name,${people}
objectClass: inetOrgPerson
uid: odd, name
cn: *)(uid=*
sn: Odd
userPassword: battery staple
`;

describe.skipIf(!isSlapdInstalled)(
  isSlapdInstalled ? 'A directory' : 'A directory (skipped: slapd or ldap-utils is not installed)',
  () => {
    let authority: OpensslAuthority;
    let slapd: RunningSlapd;
    let directory: string;
    let server: LdapServer;

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'bunraku-ldap-'));
      authority = new OpensslAuthority('Directory CA');
      writeFileSync(join(directory, 'ca.pem'), authority.certificate);
      const tls = authority.issue('localhost', ['subjectAltName=DNS:localhost,DNS:*.example.com']);
      slapd = await startSlapd({ ldif, tls });
      server = {
        host: 'localhost',
        port: slapd.port,
        security: 'none',
        trust: new LdapTrust(join(directory, 'ca.pem')),
        checksHostname: true,
        allowsWildcards: false,
        connectTimeoutMs: 20_000,
        timeoutMs: 30_000,
      };
    });

    afterAll(async () => {
      await slapd.remove();
      authority.remove();
      rmSync(directory, { recursive: true });
    });

    const asManager = (connection: LdapConnection) => connection.bind(slapdManager.dn, slapdManager.password);
    const find = (filter: LdapFilter, changes: Partial<LdapServer> = {}) =>
      withLdap({ ...server, ...changes }, async (connection) => {
        await asManager(connection);
        return await connection.search(people, { scope: 'sub', filter, attributes: ['UID', 'mail'] });
      });
    const logIn = (dn: string, password: string) =>
      withLdap(server, (connection) => connection.bind(dn, password)).then(
        () => 'in',
        (error: unknown) => (error as LdapError).failure,
      );

    test('finds entries, whose attributes have names in any case', async () => {
      const [entry, ...more] = await find(equals('uid', 'ada'));

      expect(more).toEqual([]);
      expect(entry?.dn).toBe(`uid=ada,${people}`);
      expect(entry?.values('Uid')).toEqual(['ada']);
      expect(entry?.first('MAIL')).toBe('ada@example.com');
      expect(entry?.first('cn')).toBeUndefined();
    });

    test.each(['*)(uid=*', 'ada)(|(uid=*', 'a\0da', 'ada\0', '*', '', '\\2a', '(', '\u{1f600}'])(
      'takes %j for a value, never for a part of the filter',
      async (value) => {
        expect(await find(allOf(equals('objectClass', 'person'), equals('uid', value)))).toEqual([]);
      },
    );

    test('finds what has such a value', async () => {
      const found = await find(anyOf([equals('cn', '*)(uid=*'), equals('cn', 'Ada')]));

      const logins = found.flatMap((entry) => entry.values('uid'));
      expect(new Set(logins)).toEqual(new Set(['ada', 'odd, name']));
    });

    test('lets in who knows the password, and nobody without a name or a password', async () => {
      expect(await logIn(`uid=ada,${people}`, 'correct horse')).toBe('in');
      expect(await logIn(`uid=odd\\2C name,${people}`, 'battery staple')).toBe('in');
      expect(await logIn(`uid=ada,${people}`, 'wrong')).toBe('invalid-credentials');
      expect(await logIn(`uid=nobody,${people}`, 'wrong')).toBe('invalid-credentials');
      // slapd would answer both with success.
      expect(await logIn(`uid=ada,${people}`, '')).toBe('invalid-credentials');
      expect(await logIn('', 'anything')).toBe('invalid-credentials');
    });

    test('tells what it refuses', async () => {
      const missing = withLdap(server, (connection) =>
        connection.search('ou=nowhere,dc=example,dc=com', { scope: 'sub', attributes: [] }),
      );

      await expect(missing).rejects.toMatchObject({
        failure: 'refused',
        message: expect.stringContaining(`localhost:${slapd.port}`),
      });
    });

    describe('by TLS', () => {
      const byTls = () => ({ port: slapd.tlsPort, security: 'tls' as const });
      const byStartTls = () => ({ port: slapd.port, security: 'start-tls' as const });
      const outcome = (changes: Partial<LdapServer>) =>
        find(equals('uid', 'ada'), changes).then(
          (entries) => entries.length,
          (error: unknown) => (error as LdapError).failure,
        );

      test('is reached from the first byte and after StartTLS', async () => {
        expect(await outcome(byTls())).toBe(1);
        expect(await outcome(byStartTls())).toBe(1);
      });

      test.each([
        ['the first byte', byTls],
        ['StartTLS', byStartTls],
      ])('must have a certificate of an authority that is trusted, from %s', async (_, how) => {
        expect(await outcome({ ...how(), trust: new LdapTrust() })).toBe('untrusted');
        writeFileSync(join(directory, 'none.pem'), 'nothing');
        expect(await outcome({ ...how(), trust: new LdapTrust(join(directory, 'none.pem')) })).toBe(
          'untrusted',
        );
        expect(await outcome({ ...how(), trust: new LdapTrust(join(directory, 'absent.pem')) })).toBe(
          'untrusted',
        );
      });

      test('must have a certificate for its name, unless names are not checked', async () => {
        const byAddress = { host: '127.0.0.1' };

        expect(await outcome({ ...byTls(), ...byAddress })).toBe('untrusted');
        expect(await outcome({ ...byTls(), ...byAddress, checksHostname: false })).toBe(1);
        expect(await outcome({ ...byStartTls(), ...byAddress })).toBe('untrusted');
        expect(await outcome({ ...byStartTls(), ...byAddress, checksHostname: false })).toBe(1);
        expect(
          await outcome({ ...byTls(), ...byAddress, checksHostname: false, trust: new LdapTrust() }),
        ).toBe('untrusted');
      });

      test('is refused by a server that has none', async () => {
        const plain = await startSlapd({ ldif });
        try {
          expect(await outcome({ port: plain.port, security: 'start-tls' })).toBe('refused');
          expect(await outcome({ port: plain.port, security: 'tls' })).toBe('unreachable');
        } finally {
          await plain.remove();
        }
      });
    });

    test('that has gone is told at once', async () => {
      const gone = await startSlapd({ ldif });
      await gone.remove();

      await expect(find(equals('uid', 'ada'), { port: gone.port })).rejects.toMatchObject({
        failure: 'unreachable',
      });
    });

    test('that ends in the middle of a conversation is told, too', async () => {
      const other = await startSlapd({ ldif });
      const talk = withLdap({ ...server, port: other.port }, async (connection) => {
        await asManager(connection);
        await other.remove();
        return await connection.search(people, { scope: 'sub', attributes: [] });
      });

      await expect(talk).rejects.toMatchObject({ failure: 'unreachable' });
    });

    describe('that accepts connections and says nothing', () => {
      let silent: Server;
      const sockets = new Set<Socket>();

      beforeAll(async () => {
        silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
        silent.listen(0, '127.0.0.1');
        await once(silent, 'listening');
      });

      afterAll(() => {
        for (const socket of sockets) socket.destroy();
        silent.close();
      });

      test.each(['none', 'start-tls', 'tls'] as const)('is given up in time (%s)', async (security) => {
        const { port } = silent.address() as AddressInfo;
        const limits = { connectTimeoutMs: 100, timeoutMs: 150 };

        const error = await find(equals('uid', 'ada'), { host: '127.0.0.1', port, security, ...limits }).then(
          () => undefined,
          (reason: unknown) => reason,
        );

        expect(error).toBeInstanceOf(LdapError);
        expect(error).toMatchObject({ failure: 'timeout' });
        expect((error as LdapError).message).toMatch(/within 0\.1/);
      });
    });
  },
);
