/** The tables of users, roles and tokens. */

import { type Change, insertChange } from '../../platform/changes/index.ts';
import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  fixedSql,
  type Row,
  type Statement,
  sql,
} from '../../platform/storage/index.ts';
import { decodeBoolean, decodeJson, optional } from './columns.ts';
import type { Permission } from './permission.ts';
import type { Role } from './role.ts';
import type { OwnedToken, Token } from './token.ts';
import type { RemoteUser, User } from './user.ts';
import type { UserGroup } from './user-groups/user-group.ts';
import { changeGroupRoles } from './user-groups/user-group-store.ts';

/** The client of tokens that browsers show: these end with the user's password. */
export const sessionClient = 'browser session';

/** What proves who a user is; never leaves the service. */
export interface Secrets {
  /** As `Passwords` makes it; absent where none was set. */
  readonly password: string | undefined;
  readonly failedAttempts: number;
}

const userColumns = fixedSql(
  'u.id, u.login, u.display_name, u.email, u.role_ids, u.is_revoked, u.last_login, ' +
    'u.directory_id, u.directory_key, u.directory_state, u.group_ids, u.checked_at',
);
const tokenColumns = fixedSql(
  't.id as token_id, t.user_id, t.label, t.description, t.client, t.created_at, t.expires_at, t.last_active_at, ' +
    't.is_revoked as token_is_revoked',
);

export class RbacStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async users(): Promise<readonly User[]> {
    const rows = await this.database.read(sql`select ${userColumns} from rbac_users u order by u.login`);
    return rows.map(decodeUser);
  }

  async findUser(id: string): Promise<User | undefined> {
    const rows = await this.database.read(sql`select ${userColumns} from rbac_users u where u.id = ${id}`);
    return rows.map(decodeUser)[0];
  }

  async findUserByLogin(login: string): Promise<(User & Secrets) | undefined> {
    const [row] = await this.database.read(
      sql`select ${userColumns}, u.password, u.failed_attempts from rbac_users u where u.login = ${login}`,
    );
    return row && { ...decodeUser(row), ...decodeSecrets(row) };
  }

  /** The user of a directory's entry. @param key - the directory's own identifier of it */
  async findUserByKey(directoryId: string, key: string): Promise<User | undefined> {
    const rows = await this.database.read(
      sql`select ${userColumns} from rbac_users u
        where u.directory_id = ${directoryId} and u.directory_key = ${key}`,
    );
    return rows.map(decodeUser)[0];
  }

  /** @throws ServiceError `conflict` when the login is another user's */
  async addUser(user: User, password: string | undefined, changes: readonly Change[]): Promise<void> {
    const { displayName, email, id, isRevoked, login, roleIds } = user;
    await this.database.write([
      sql`insert into rbac_users
          (id, login, display_name, email, role_ids, is_revoked, last_login, password, failed_attempts)
        values (${id}, ${login}, ${displayName}, ${email}, ${JSON.stringify(roleIds)}, ${isRevoked}, ${null},
          ${password ?? null}, 0)`,
      ...noteDirectory(user),
      ...changes.map(insertChange),
    ]);
  }

  /** What a directory said about a user. Failed logins stay counted. */
  async updateRemote(user: User, changes: readonly Change[]): Promise<void> {
    const { displayName, email, id, login, roleIds } = user;
    await this.database.write([
      sql`update rbac_users set login = ${login}, display_name = ${displayName}, email = ${email},
          role_ids = ${JSON.stringify(roleIds)}
        where id = ${id}`,
      ...noteDirectory(user),
      ...changes.map(insertChange),
    ]);
  }

  /** All users or none. A user who is not revoked may fail again from the beginning. */
  async changeUsers(users: readonly User[], changes: readonly Change[]): Promise<void> {
    await this.database.write([...users.map(changeUser), ...changes.map(insertChange)]);
  }

  /** All of them or none. */
  async changeMembers(members: Members, changes: readonly Change[]): Promise<void> {
    await this.database.write([...changeMembers(members), ...changes.map(insertChange)]);
  }

  /** @param remembered - so many of the last passwords are kept, this one included */
  async setPassword(id: string, password: string, remembered: number, change: Change): Promise<void> {
    const setAt = encodeTimestamp(change.time);
    const kept =
      remembered === 0
        ? []
        : [
            sql`insert into rbac_passwords (user_id, set_at, password) values (${id}, ${setAt}, ${password})
              on conflict (user_id, set_at) do update set password = excluded.password`,
          ];
    await this.database.write([
      ...kept,
      sql`delete from rbac_passwords where user_id = ${id} and set_at not in
        (select set_at from rbac_passwords where user_id = ${id} order by set_at desc limit ${remembered})`,
      sql`update rbac_users set password = ${password}, failed_attempts = 0, is_revoked = ${false},
          reset_digest = ${null}, reset_expires_at = ${null}
        where id = ${id}`,
      sql`update rbac_tokens set is_revoked = ${true} where user_id = ${id} and client = ${sessionClient}`,
      insertChange(change),
    ]);
  }

  /** The last ones first; the one in use only where it was set while they were remembered. */
  async earlierPasswords(id: string): Promise<readonly string[]> {
    const rows = await this.database.read(
      sql`select password from rbac_passwords where user_id = ${id} order by set_at desc`,
    );
    return rows.map((row) => String(row['password']));
  }

  async setReset(
    id: string,
    reset: { readonly digest: string; readonly expiresAt: Date },
    change: Change,
  ): Promise<void> {
    const { digest } = reset;
    const end = encodeTimestamp(reset.expiresAt);
    await this.database.write([
      insertChange(change),
      sql`update rbac_users set reset_digest = ${digest}, reset_expires_at = ${end} where id = ${id}`,
    ]);
  }

  async findUserByReset(digest: string, now: Date): Promise<User | undefined> {
    const rows = await this.database.read(
      sql`select ${userColumns} from rbac_users u
        where u.reset_digest = ${digest} and u.reset_expires_at > ${encodeTimestamp(now)}`,
    );
    return rows.map(decodeUser)[0];
  }

  async noteLogin(id: string, now: Date, change: Change): Promise<void> {
    await this.database.write([
      insertChange(change),
      sql`update rbac_users set last_login = ${encodeTimestamp(now)}, failed_attempts = 0 where id = ${id}`,
    ]);
  }

  /** @returns whether the user is revoked by it */
  async noteFailedLogin(id: string, mostAttempts: number): Promise<boolean> {
    const [result] = await this.database.write([
      sql`update rbac_users set failed_attempts = failed_attempts + 1 where id = ${id} returning failed_attempts`,
      sql`update rbac_users set is_revoked = ${true} where id = ${id} and failed_attempts >= ${mostAttempts}`,
    ]);
    return Number(result?.rows[0]?.['failed_attempts'] ?? 0) >= mostAttempts;
  }

  async removeUser(id: string, changes: readonly Change[]): Promise<void> {
    await this.database.write([
      ...changes.map(insertChange),
      sql`delete from rbac_tokens where user_id = ${id}`,
      sql`delete from rbac_passwords where user_id = ${id}`,
      sql`delete from rbac_second_factors where user_id = ${id}`,
      sql`delete from rbac_users where id = ${id}`,
    ]);
  }

  async roles(): Promise<readonly Role[]> {
    const rows = await this.database.read(
      sql`select id, name, description, permissions from rbac_roles order by id`,
    );
    return rows.map(decodeRole);
  }

  /** Added or replaced, with the users and groups whose roles that changes. */
  async saveRole(role: Role, members: Members, changes: readonly Change[]): Promise<void> {
    const permissions = JSON.stringify(role.permissions);
    await this.database.write([
      sql`insert into rbac_roles (id, name, description, permissions)
        values (${role.id}, ${role.name}, ${role.description}, ${permissions})
        on conflict (id) do update set name = excluded.name, description = excluded.description,
          permissions = excluded.permissions`,
      ...changeMembers(members),
      ...changes.map(insertChange),
    ]);
  }

  async findText(name: TextName): Promise<string | undefined> {
    const [row] = await this.database.read(sql`select content from rbac_texts where name = ${name}`);
    return row && String(row['content']);
  }

  async setText(name: TextName, content: string, change: Change): Promise<void> {
    await this.database.write([
      insertChange(change),
      sql`insert into rbac_texts (name, content) values (${name}, ${content})
        on conflict (name) do update set content = excluded.content`,
    ]);
  }

  async removeText(name: TextName, change: Change): Promise<void> {
    await this.database.write([sql`delete from rbac_texts where name = ${name}`, insertChange(change)]);
  }

  async removeRole(id: number, members: Members, changes: readonly Change[]): Promise<void> {
    await this.database.write([
      sql`delete from rbac_roles where id = ${id}`,
      ...changeMembers(members),
      ...changes.map(insertChange),
    ]);
  }

  /** Forgets those that have ended long ago on the way. */
  async addToken(
    token: Token,
    digest: string,
    { change, forgottenBefore, providerSession }: TokenCircumstances,
  ): Promise<void> {
    const { client, createdAt, description, expiresAt, id, label, lastActiveAt, userId } = token;
    await this.database.write([
      insertChange(change),
      sql`delete from rbac_tokens where expires_at < ${encodeTimestamp(forgottenBefore)}`,
      sql`insert into rbac_tokens
          (id, digest, user_id, label, description, client, created_at, expires_at, last_active_at, is_revoked,
            provider_session)
        values (${id}, ${digest}, ${userId}, ${label ?? null}, ${description ?? null}, ${client ?? null},
          ${encodeTimestamp(createdAt)}, ${encodeTimestamp(expiresAt)}, ${encodeTimestamp(lastActiveAt)},
          ${token.isRevoked}, ${providerSession ?? null})`,
    ]);
  }

  async findToken(digest: string): Promise<{ readonly token: Token; readonly user: User } | undefined> {
    const [row] = await this.database.read(
      sql`select ${tokenColumns}, ${userColumns} from rbac_tokens t join rbac_users u on u.id = t.user_id
        where t.digest = ${digest}`,
    );
    return row && { token: decodeToken(row), user: decodeUser(row) };
  }

  /** Those that have neither ended nor been revoked, with their users. */
  async validTokens(now: Date): Promise<readonly OwnedToken[]> {
    const rows = await this.database.read(
      sql`select ${tokenColumns}, ${userColumns} from rbac_tokens t join rbac_users u on u.id = t.user_id
        where t.is_revoked = ${false} and t.expires_at > ${encodeTimestamp(now)}`,
    );
    return rows.map((row) => ({ token: decodeToken(row), user: decodeUser(row) }));
  }

  async findTokenById(id: string): Promise<Token | undefined> {
    const rows = await this.database.read(sql`select ${tokenColumns} from rbac_tokens t where t.id = ${id}`);
    return rows.map(decodeToken)[0];
  }

  /** The first to be made first, the revoked ones included. */
  async tokensOf(userId: string): Promise<readonly Token[]> {
    const rows = await this.database.read(
      sql`select ${tokenColumns} from rbac_tokens t where t.user_id = ${userId} order by t.created_at, t.id`,
    );
    return rows.map(decodeToken);
  }

  async noteActivity(tokenId: string, now: Date): Promise<void> {
    await this.database.write([
      sql`update rbac_tokens set last_active_at = ${encodeTimestamp(now)} where id = ${tokenId}`,
    ]);
  }

  async revokeTokens(ids: readonly string[], changes: readonly Change[]): Promise<void> {
    await this.database.write([
      ...ids.map((id) => sql`update rbac_tokens set is_revoked = ${true} where id = ${id}`),
      ...changes.map(insertChange),
    ]);
  }

  /** Sessions of browsers: those of one session at an identity provider, or all of a user's where none is named. */
  async endSessions(
    {
      providerSession,
      userId,
    }: { readonly providerSession?: string | undefined; readonly userId?: string | undefined },
    changes: readonly Change[],
  ): Promise<void> {
    const ended =
      providerSession === undefined
        ? sql`update rbac_tokens set is_revoked = ${true} where user_id = ${userId ?? ''} and client = ${sessionClient}`
        : sql`update rbac_tokens set is_revoked = ${true} where provider_session = ${providerSession}`;
    await this.database.write([ended, ...changes.map(insertChange)]);
  }

  async revokeTokensOf(userId: string, changes: readonly Change[]): Promise<void> {
    await this.database.write([
      sql`update rbac_tokens set is_revoked = ${true} where user_id = ${userId}`,
      ...changes.map(insertChange),
    ]);
  }
}

interface TokenCircumstances {
  /** Tokens that ended before are removed. */
  readonly forgottenBefore: Date;
  readonly change: Change;
  /** The session at an identity provider that it ends with. */
  readonly providerSession?: string | undefined;
}

/** Who has roles. */
export interface Members {
  readonly users: readonly User[];
  readonly groups: readonly UserGroup[];
}

/** A text that clients show before anybody logs in. */
type TextName = 'disclaimer';

function changeMembers({ groups, users }: Members): readonly Statement[] {
  return [...users.map(changeUser), ...groups.map(changeGroupRoles)];
}

function changeUser({ displayName, email, id, isRevoked, login, roleIds }: User): Statement {
  return sql`update rbac_users set login = ${login}, display_name = ${displayName}, email = ${email},
      role_ids = ${JSON.stringify(roleIds)}, is_revoked = ${isRevoked}, failed_attempts = 0
    where id = ${id}`;
}

function noteDirectory({ id, remote }: User): readonly Statement[] {
  if (remote === undefined) return [];
  const { checkedAt, directoryId, groupIds, key, state } = remote;
  return [
    sql`update rbac_users set directory_id = ${directoryId}, directory_key = ${key ?? null},
        directory_state = ${state}, group_ids = ${JSON.stringify(groupIds)}, checked_at = ${encodeTimestamp(checkedAt)}
      where id = ${id}`,
  ];
}

function decodeUser(row: Row): User {
  return {
    id: String(row['id']),
    login: String(row['login']),
    displayName: String(row['display_name']),
    email: String(row['email']),
    roleIds: decodeJson<readonly number[]>(row['role_ids']),
    isRevoked: decodeBoolean(row['is_revoked']),
    lastLogin: optional(row['last_login'], decodeTimestamp),
    remote: optional(row['directory_id'], (directoryId) => ({
      directoryId: String(directoryId),
      key: optional(row['directory_key'], String),
      state: String(row['directory_state']) as RemoteUser['state'],
      groupIds: decodeJson<readonly string[]>(row['group_ids']),
      checkedAt: decodeTimestamp(row['checked_at']),
    })),
  };
}

function decodeSecrets(row: Row): Secrets {
  return { password: optional(row['password'], String), failedAttempts: Number(row['failed_attempts']) };
}

function decodeRole(row: Row): Role {
  return {
    id: Number(row['id']),
    name: String(row['name']),
    description: String(row['description']),
    permissions: decodeJson<readonly Permission[]>(row['permissions']),
  };
}

function decodeToken(row: Row): Token {
  return {
    id: String(row['token_id']),
    userId: String(row['user_id']),
    label: optional(row['label'], String),
    description: optional(row['description'], String),
    client: optional(row['client'], String),
    createdAt: decodeTimestamp(row['created_at']),
    expiresAt: decodeTimestamp(row['expires_at']),
    lastActiveAt: decodeTimestamp(row['last_active_at']),
    isRevoked: decodeBoolean(row['token_is_revoked']),
  };
}
