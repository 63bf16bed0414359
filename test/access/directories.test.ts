/**
 * Directories of the size that sites have: Active Directory by Samba, and slapd, each with 5,000 people. It takes two minutes, so it
 * is a part of `npm run test:peers`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeMigrations } from '../../src/platform/changes/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../src/platform/storage/index.ts';
import { createRbac, type Rbac, RbacStore, rbacMigrations } from '../../src/services/rbac/index.ts';
import { directoryOptions, refreshSeconds } from '../support/directory-options.ts';
import {
  canRunSamba,
  type RunningSamba,
  sambaAdministrator,
  sambaBase,
  startSamba,
} from '../support/running-samba.ts';
import {
  isSlapdInstalled,
  type RunningSlapd,
  slapdManager,
  slapdSuffix,
  startSlapd,
} from '../support/running-slapd.ts';

const isWanted = process.env['BUNRAKU_PEERS'] === 'yes';
const people = 5000;
/** Each is a member of the next, and the first of the last. */
const levels = 10;
const teams = 200;

type Submitted = Parameters<Rbac['directories']['create']>[0];

class Installation {
  readonly rbac: Rbac;
  private readonly database: Database;
  private readonly directory: string;
  private readonly clock: { nowMs: number };

  static async open(trustFile?: string): Promise<Installation> {
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-directories-'));
    const database = await openSqliteDatabase({ path: join(directory, 'database.sqlite') });
    await migrate(database, [...changeMigrations, ...rbacMigrations]);
    return new Installation(directory, database, trustFile);
  }

  private constructor(directory: string, database: Database, trustFile: string | undefined) {
    this.directory = directory;
    this.database = database;
    const ids = { next: 0 };
    const clock = { nowMs: Date.now() };
    this.clock = clock;
    this.rbac = createRbac({
      store: new RbacStore(database),
      log: silentLogger,
      now: () => new Date(clock.nowMs),
      newId: () => `00000000-0000-4000-8000-${String((ids.next += 1)).padStart(12, '0')}`,
      tokenLifetimeSeconds: 24 * 3600,
      mostTokenLifetimeSeconds: 86_400,
      mostFailedLogins: 10,
      passwordCost: { N: 1024, r: 8, p: 1 },
      directories: { ...directoryOptions(database), trustFile },
    });
  }

  /** Time goes on until a directory is asked again. */
  refreshed(): void {
    this.clock.nowMs += refreshSeconds * 1000;
  }

  async operator() {
    const author = { kind: 'server', id: '', name: 'test' } as const;
    return { id: 'operator', login: 'operator', permits: () => true, author };
  }

  async connect(submitted: Submitted): Promise<void> {
    await this.rbac.directories.replaceOnly(submitted, await this.operator());
  }

  async import(login: string, roleIds: readonly number[] = []): Promise<void> {
    const wanted = { login, roleIds, displayName: undefined, directoryId: undefined, isValidated: true };
    await this.rbac.groups.import(wanted, await this.operator());
  }

  logIn(login: string, password: string): Promise<string> {
    return this.rbac.tokens.login({ login, password }, {}, '127.0.0.1');
  }

  /** Names of the imported groups that the user of a token is in. */
  async groupsOf(token: string): Promise<readonly string[]> {
    const { user } = await this.rbac.tokens.find(token, false);
    const known = await this.rbac.groups.all();
    return known.filter(({ id }) => user.remote?.groupIds.includes(id)).map(({ login }) => login);
  }

  async close(): Promise<void> {
    await this.database.close();
    rmSync(this.directory, { recursive: true });
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
/** Members of a team, and of how many. */
const membersOf = (team: number) => numbers(25).map((index) => (team * 25 + index) % people);

/** How long something takes, and for how long at most nothing else ran meanwhile. */
async function measured(work: () => Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const [start, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { system, user } = process.cpuUsage(used);
  delay.disable();
  return {
    ms: Math.round(performance.now() - start),
    processorMs: Math.round((user + system) / 1000),
    longestMs: Math.round(delay.max / 1e6),
  };
}

describe.skipIf(!isWanted || !canRunSamba)(
  'Active Directory (npm run test:peers, as root, with samba)',
  () => {
    let samba: RunningSamba;
    let installation: Installation;
    const staff = `OU=Staff,${sambaBase}`;
    const user = (name: string) => `CN=${name},${staff}`;
    const group = (name: string) => `CN=${name},OU=Groups,${sambaBase}`;

    const submitted = (changes: Partial<Submitted['settings']> = {}): Submitted => ({
      password: sambaAdministrator.password,
      settings: {
        displayName: 'Office',
        helpLink: '',
        hostname: samba.host,
        port: 636,
        security: 'tls',
        checksHostname: true,
        allowsWildcards: false,
        connectTimeoutSeconds: 10,
        lookupUser: sambaAdministrator.login,
        baseDn: sambaBase,
        userRdn: undefined,
        userLookupAttribute: 'sAMAccountName',
        userEmailAttribute: 'mail',
        userDisplayNameAttribute: 'displayName',
        groupRdn: undefined,
        groupObjectClass: 'group',
        groupMemberAttribute: 'member',
        groupNameAttribute: 'name',
        groupLookupAttribute: 'sAMAccountName',
        searchesNestedGroups: true,
        usesMatchingRuleInChain: true,
        ...changes,
      },
    });

    const setPassword = (name: string, password: string) => {
      const encoded = Buffer.from(`"${password}"`, 'utf16le').toString('base64');
      samba.modify(
        `dn: ${user(name)}\nchangetype: modify\nreplace: unicodePwd\nunicodePwd:: ${encoded}\n-\n` +
          'replace: userAccountControl\nuserAccountControl: 512\n',
      );
    };
    const replace = (dn: string, attribute: string, value: string) =>
      samba.modify(`dn: ${dn}\nchangetype: modify\nreplace: ${attribute}\n${attribute}: ${value}\n`);
    const logIn = (name: string) => installation.logIn(name, `Password-of-${name}`);
    const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
      await work.then(
        () => undefined,
        (error: unknown) => (error as { readonly kind?: string }).kind,
      );

    beforeAll(async () => {
      const entries = [
        ...['Staff', 'Groups'].map(
          (ou) => `dn: OU=${ou},${sambaBase}\nobjectClass: organizationalUnit\nou: ${ou}\n`,
        ),
        ...numbers(people).map(
          (number) =>
            `dn: ${user(`user${number}`)}\nobjectClass: user\nsAMAccountName: user${number}\n` +
            `displayName: User ${number}\nmail: user${number}@example.com\nuserAccountControl: 514\n`,
        ),
        ...numbers(teams).map(
          (team) =>
            `dn: ${group(`team${team}`)}\nobjectClass: group\nsAMAccountName: team${team}\n` +
            membersOf(team)
              .map((number) => `member: ${user(`user${number}`)}\n`)
              .join(''),
        ),
        ...numbers(levels).map(
          (level) =>
            `dn: ${group(`level${level}`)}\nobjectClass: group\nsAMAccountName: level${level}\n` +
            `member: ${level === 0 ? user('user0') : group(`level${level - 1}`)}\n`,
        ),
        `dn: ${group('everyone')}\nobjectClass: group\nsAMAccountName: everyone\n${numbers(people)
          .map((number) => `member: ${user(`user${number}`)}\n`)
          .join('')}`,
        `dn: ${group('primary')}\nobjectClass: group\nsAMAccountName: primary\nmember: ${user('user1')}\n`,
        `dn: ${group('above')}\nobjectClass: group\nsAMAccountName: above\nmember: ${group('primary')}\n`,
      ];
      samba = await startSamba(entries.join('\n'));
      for (const name of ['user0', 'user1', 'user2', 'user3']) setPassword(name, `Password-of-${name}`);
      samba.modify(
        `dn: ${group('level0')}\nchangetype: modify\nadd: member\nmember: ${group(`level${levels - 1}`)}\n`,
      );
      const [, token = ''] =
        /primaryGroupToken: (\d+)/.exec(samba.read(group('primary'), 'primaryGroupToken')) ?? [];
      replace(user('user1'), 'primaryGroupID', token);
      installation = await Installation.open(samba.caFile);
      await installation.connect(submitted());
      const imported = ['level0', `level${levels - 1}`, 'everyone', 'primary', 'above', 'team0', 'team199'];
      for (const name of imported) await installation.import(name, name === 'everyone' ? [3] : []);
    }, 300_000);

    afterAll(async () => {
      await installation.close();
      await samba.remove();
    });

    test('wants TLS for passwords', async () => {
      const operator = await installation.operator();
      const outcome = async (changes: Partial<Submitted['settings']>) =>
        (await installation.rbac.directories.test(submitted(changes), undefined, operator)).error;

      expect(await outcome({})).toBeUndefined();
      expect(await outcome({ security: 'start-tls', port: 389 })).toBeUndefined();
      expect(await outcome({ security: 'none', port: 389 })).toMatch(/encryption required/);
    });

    test.each([
      [
        'by the matching rule in chain',
        { usesMatchingRuleInChain: true },
        ['above', 'everyone', 'level0', 'level9', 'team0'],
      ],
      ['one by one', { usesMatchingRuleInChain: false }, ['above', 'everyone', 'level0', 'level9', 'team0']],
      ['not', { searchesNestedGroups: false }, ['everyone', 'level0', 'team0']],
    ])('follows nested groups, the primary one and circles: %s', async (_, changes, expected) => {
      await installation.connect(submitted(changes));
      try {
        const isNested = expected.includes('above');
        expect(await installation.groupsOf(await logIn('user0'))).toEqual(
          expected.filter((name) => name !== 'above'),
        );
        // A primary group does not list its members, and has groups above it.
        expect(await installation.groupsOf(await logIn('user1'))).toEqual([
          ...(isNested ? ['above'] : []),
          'everyone',
          'primary',
          'team0',
        ]);
      } finally {
        await installation.connect(submitted());
      }
    });

    test('follows changes of groups', async () => {
      const token = await logIn('user2');

      expect(await installation.groupsOf(token)).toEqual(['everyone', 'team0']);
      samba.modify(`dn: ${group('team0')}\nchangetype: modify\ndelete: member\nmember: ${user('user2')}\n`);
      installation.refreshed();
      expect(await installation.groupsOf(token)).toEqual(['everyone']);
    });

    test('lets in nobody who is disabled or expired, or who must change the password', async () => {
      const token = await logIn('user3');
      const outcome = async () => {
        installation.refreshed();
        return [await failureOf(installation.groupsOf(token)), await failureOf(logIn('user3'))];
      };

      replace(user('user3'), 'userAccountControl', '514');
      const [byToken, byPassword] = await outcome();
      expect(byToken).toBe('puppetlabs.rbac/user-revoked');
      expect(byPassword).toMatch(/user-(revoked|unauthenticated)$/);
      replace(user('user3'), 'userAccountControl', '512');
      expect(await outcome()).toEqual([undefined, undefined]);

      replace(user('user3'), 'accountExpires', '133000000000000000');
      expect((await outcome())[0]).toBe('puppetlabs.rbac/user-revoked');
      replace(user('user3'), 'accountExpires', '0');
      expect(await outcome()).toEqual([undefined, undefined]);

      replace(user('user3'), 'pwdLastSet', '0');
      expect(await outcome()).toEqual([undefined, 'puppetlabs.rbac/user-unauthenticated']);
    });

    test('answers in time', async () => {
      const token = await logIn('user0');
      const chain = await measured(() => logIn('user0'));
      installation.refreshed();
      const refresh = await measured(() => installation.groupsOf(token));
      await installation.connect(submitted({ usesMatchingRuleInChain: false }));
      const climbed = await measured(() => logIn('user0'));

      console.log('Active Directory, 5,000 people:', JSON.stringify({ chain, climbed, refresh }));
      expect(Math.max(chain.ms, climbed.ms, refresh.ms)).toBeLessThan(5000);
    });
  },
);

describe.skipIf(!isWanted || !isSlapdInstalled)('OpenLDAP (npm run test:peers, with slapd)', () => {
  let slapd: RunningSlapd;
  let installation: Installation;
  const user = (number: number) => `uid=user${number},ou=people,${slapdSuffix}`;
  const group = (name: string) => `cn=${name},ou=groups,${slapdSuffix}`;
  const groupEntry = (name: string, members: readonly string[]) =>
    `dn: ${group(name)}\nobjectClass: groupOfNames\ncn: ${name}\n${members.map((dn) => `member: ${dn}\n`).join('')}`;

  beforeAll(async () => {
    const entries = [
      `dn: ${slapdSuffix}\nobjectClass: dcObject\nobjectClass: organization\no: example\ndc: example\n`,
      ...['people', 'groups'].map(
        (ou) => `dn: ou=${ou},${slapdSuffix}\nobjectClass: organizationalUnit\nou: ${ou}\n`,
      ),
      ...numbers(people).map(
        (number) =>
          `dn: ${user(number)}\nobjectClass: inetOrgPerson\nuid: user${number}\ncn: User ${number}\nsn: ${number}\n` +
          `userPassword: password of ${number}\n`,
      ),
      ...numbers(teams).map((team) => groupEntry(`team${team}`, membersOf(team).map(user))),
      ...numbers(levels).map((level) =>
        groupEntry(`level${level}`, [
          ...(level === 0 ? numbers(people).map(user) : []),
          group(`level${(level + levels - 1) % levels}`),
        ]),
      ),
    ];
    slapd = await startSlapd({ ldif: entries.join('\n'), database: ['index member eq'] });
    installation = await Installation.open();
    await installation.connect({
      password: slapdManager.password,
      settings: {
        displayName: 'Company',
        helpLink: '',
        hostname: '127.0.0.1',
        port: slapd.port,
        security: 'none',
        checksHostname: true,
        allowsWildcards: false,
        connectTimeoutSeconds: 10,
        lookupUser: slapdManager.dn,
        baseDn: slapdSuffix,
        userRdn: 'ou=people',
        userLookupAttribute: 'uid',
        userEmailAttribute: 'mail',
        userDisplayNameAttribute: 'cn',
        groupRdn: 'ou=groups',
        groupObjectClass: 'groupOfNames',
        groupMemberAttribute: 'member',
        groupNameAttribute: 'cn',
        groupLookupAttribute: 'cn',
        searchesNestedGroups: true,
        usesMatchingRuleInChain: true,
      },
    });
    for (const name of ['level0', 'level9', 'team0', 'team1']) await installation.import(name, [3]);
  }, 120_000);

  afterAll(async () => {
    await installation.close();
    await slapd.remove();
  });

  test('follows nested groups and circles for each of many people', async () => {
    for (const number of [0, 24, 25, 49, 50, 4999]) {
      const team = number < 25 ? ['team0'] : number < 50 ? ['team1'] : [];
      const token = await installation.logIn(`user${number}`, `password of ${number}`);
      expect(await installation.groupsOf(token)).toEqual(['level0', 'level9', ...team]);
    }
  });

  test('lets in a hundred people at a time, and answers a thousand tokens', async () => {
    const all = numbers(100);
    const tokens: string[] = [];
    const one = await measured(() => installation.logIn('user1', 'password of 1'));
    const logins = await measured(async () => {
      tokens.push(
        ...(await Promise.all(
          all.map((number) => installation.logIn(`user${number}`, `password of ${number}`)),
        )),
      );
    });
    const shown = () =>
      Promise.all(numbers(1000).map((index) => installation.groupsOf(tokens[index % 100] ?? '')));
    const known = await measured(shown);
    installation.refreshed();
    const refresh = await measured(shown);

    console.log('OpenLDAP, 5,000 people:', JSON.stringify({ one, logins, known, refresh }));
    expect(tokens).toHaveLength(100);
    expect(logins.ms).toBeLessThan(30_000);
  }, 60_000);
});
