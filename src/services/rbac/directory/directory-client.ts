/** Asks one directory about people and groups. */

import {
  allOf,
  equals,
  type LdapConnection,
  type LdapEntry,
  LdapError,
  type LdapFilter,
  type LdapServer,
  type LdapTrust,
  withLdap,
} from '../../../platform/ldap/index.ts';
import { rbacError } from '../rbac-error.ts';
import { accountAttributes, isDisabled } from './account-state.ts';
import { type DirectorySettings, groupBase, userBase } from './directory.ts';
import { groupsOf } from './membership.ts';
import { isSameName } from './names.ts';

export interface DirectoryClientOptions {
  readonly settings: DirectorySettings;
  /** Of the lookup user. */
  readonly password: string | undefined;
  readonly trust: LdapTrust;
  readonly now: () => Date;
}

/** A user as the directory has it. */
export interface Person {
  /** As the directory spells it. */
  readonly login: string;
  /** Other values of the same attribute, by which the person logs in, too. */
  readonly otherLogins: readonly string[];
  /** The directory's own identifier of the entry. */
  readonly key: string | undefined;
  readonly email: string;
  readonly displayName: string;
  readonly isDisabled: boolean;
  /** Of the groups that were asked about. */
  readonly groups: readonly string[];
}

export interface DirectoryGroup {
  readonly login: string;
  readonly displayName: string;
}

export type Attempt =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'wrong'; readonly key: string | undefined; readonly reason: string }
  | { readonly kind: 'right'; readonly person: Person };

/** After the connection, so much time is left for all searches of a login. */
const searchMs = 10_000;
const keyAttributes = ['entryUUID', 'objectGUID', 'nsUniqueId'] as const;

/** All methods throw LdapError, and ServiceError `unprocessable` when a name is not unique. */
export class DirectoryClient {
  private readonly options: DirectoryClientOptions;
  private readonly server: LdapServer;

  constructor(options: DirectoryClientOptions) {
    this.options = options;
    const { settings, trust } = options;
    const connectTimeoutMs = settings.connectTimeoutSeconds * 1000;
    this.server = {
      host: settings.hostname,
      port: settings.port,
      security: settings.security,
      trust,
      checksHostname: settings.checksHostname,
      allowsWildcards: settings.allowsWildcards,
      connectTimeoutMs,
      timeoutMs: connectTimeoutMs + searchMs,
    };
  }

  /** Connects, binds as the lookup user, and looks at the base. */
  async test(): Promise<void> {
    const { settings } = this.options;
    await this.talk((connection) =>
      connection.search(settings.baseDn, { scope: 'base', attributes: ['objectClass'] }),
    );
  }

  /** @param groups - names of the groups that matter */
  async authenticate(login: string, password: string, groups: readonly string[]): Promise<Attempt> {
    return await this.talk(async (connection): Promise<Attempt> => {
      const entry = await this.findEntry(connection, login);
      if (entry === undefined) return { kind: 'unknown' };
      const reason = await this.refusalOf(entry, password);
      if (reason !== undefined) return { kind: 'wrong', key: keyOf(entry), reason };
      return { kind: 'right', person: await this.personOf(connection, entry, { login, groups }) };
    });
  }

  /**
   * The person with a login, or the one that had it when the directory knows the key under another login by now.
   *
   * @param groups - names of the groups that matter
   */
  async find(login: string, key: string | undefined, groups: readonly string[]): Promise<Person | undefined> {
    return await this.talk(async (connection) => {
      const byLogin = await this.findEntry(connection, login);
      const isSame = byLogin !== undefined && (key === undefined || (keyOf(byLogin) ?? key) === key);
      const entry = isSame || key === undefined ? byLogin : await this.findByKey(connection, key);
      return entry && (await this.personOf(connection, entry, { login, groups }));
    });
  }

  async findGroup(login: string): Promise<DirectoryGroup | undefined> {
    const { settings } = this.options;
    const { groupLookupAttribute: lookup, groupNameAttribute, groupObjectClass } = settings;
    return await this.talk(async (connection) => {
      const found = await connection.search(groupBase(settings), {
        scope: 'sub',
        filter: allOf(equals('objectClass', groupObjectClass), equals(lookup, login)),
        attributes: [lookup, groupNameAttribute],
        limit: 2,
      });
      if (found.length > 1) throw notUnique(login, 'group_lookup_attr', lookup);
      const [entry] = found;
      if (entry === undefined) return undefined;
      const spelling = entry.values(lookup).find((value) => isSameName(value, login)) ?? login;
      return { login: spelling, displayName: shown(entry.first(groupNameAttribute)) ?? spelling };
    });
  }

  private talk<T>(use: (connection: LdapConnection) => Promise<T>): Promise<T> {
    const { password, settings } = this.options;
    return withLdap(this.server, async (connection) => {
      if (settings.lookupUser !== undefined)
        await this.bindLookupUser(connection, settings.lookupUser, password);
      return await use(connection);
    });
  }

  private async bindLookupUser(
    connection: LdapConnection,
    dn: string,
    password: string | undefined,
  ): Promise<void> {
    try {
      await connection.bind(dn, password ?? '');
    } catch (error) {
      if (!(error instanceof LdapError) || error.failure !== 'invalid-credentials') throw error;
      throw new LdapError('refused', `the lookup user ${dn} was refused: ${error.message}`, error);
    }
  }

  /** By a connection of its own, so that searches are still made by the lookup user. @returns why it was refused */
  private async refusalOf({ dn }: LdapEntry, password: string): Promise<string | undefined> {
    try {
      await withLdap(this.server, (connection) => connection.bind(dn, password));
      return undefined;
    } catch (error) {
      if (!(error instanceof LdapError)) throw error;
      if (error.failure === 'invalid-credentials' || error.failure === 'refused') return error.message;
      throw error;
    }
  }

  private async findEntry(connection: LdapConnection, login: string): Promise<LdapEntry | undefined> {
    const { userLookupAttribute: lookup } = this.options.settings;
    const found = await this.searchPeople(connection, equals(lookup, login));
    if (found.length > 1) throw notUnique(login, 'user_lookup_attr', lookup);
    return found[0];
  }

  private async findByKey(connection: LdapConnection, key: string): Promise<LdapEntry | undefined> {
    const [attribute = '', text = ''] = key.split(':', 2);
    const value = attribute === 'objectGUID' ? Buffer.from(text, 'hex') : text;
    return (await this.searchPeople(connection, equals(attribute, value)))[0];
  }

  private searchPeople(connection: LdapConnection, filter: LdapFilter): Promise<readonly LdapEntry[]> {
    const { settings } = this.options;
    return connection.search(userBase(settings), {
      scope: 'sub',
      filter,
      attributes: [
        settings.userLookupAttribute,
        settings.userEmailAttribute,
        settings.userDisplayNameAttribute,
        'objectSid',
        'primaryGroupID',
        ...keyAttributes,
        ...accountAttributes,
      ],
      limit: 2,
    });
  }

  private async personOf(
    connection: LdapConnection,
    entry: LdapEntry,
    { groups, login }: { readonly login: string; readonly groups: readonly string[] },
  ): Promise<Person> {
    const { now, settings } = this.options;
    const logins = entry.values(settings.userLookupAttribute);
    const spelling = logins.find((value) => isSameName(value, login)) ?? logins[0] ?? login;
    const membership = { settings, person: entry, login: spelling, wanted: groups };
    return {
      login: spelling,
      otherLogins: logins.filter((value) => value !== spelling),
      key: keyOf(entry),
      email: shown(entry.first(settings.userEmailAttribute)) ?? '',
      displayName: shown(entry.first(settings.userDisplayNameAttribute)) ?? spelling,
      isDisabled: isDisabled(entry, now()),
      groups: await groupsOf(connection, membership),
    };
  }
}

/** `entryUUID:...`, `objectGUID:...` in hexadecimal, or `nsUniqueId:...` */
function keyOf(entry: LdapEntry): string | undefined {
  const guid = entry.bytes('objectGUID');
  if (guid !== undefined) return `objectGUID:${guid.toString('hex')}`;
  const attribute = keyAttributes.find((name) => entry.first(name) !== undefined);
  return attribute && `${attribute}:${entry.first(attribute)}`;
}

/** No database keeps this character. */
function shown(text: string | undefined): string | undefined {
  return text?.replaceAll('\0', '');
}

function notUnique(login: string, setting: string, attribute: string) {
  return rbacError(
    'unprocessable',
    'non-unique-lookup-attr',
    `The directory has several entries with ${attribute}=${login}; ${setting} must be an attribute that is unique`,
  );
}
