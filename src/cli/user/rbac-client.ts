/** What commands ask the RBAC service for, by the names that people know. */

import { z } from 'zod';
import { UsageError } from '../command.ts';
import type { CommandLine } from '../own-options.ts';
import {
  apiUrl,
  askService,
  consoleServices,
  type ServiceRequest,
  serviceOptions,
  tokenUsage,
} from '../service-connection.ts';

export const rbacOptions = serviceOptions;

export const rbacUsage = `  --service-url URL    The API of users (default: on the primary, https://PRIMARY:4433/rbac-api)
${tokenUsage}`;

/** What commands about one user are given. @throws UsageError */
export function loginOf({ positional: [login, ...more] }: CommandLine): string {
  if (login === undefined || more.length > 0) throw new UsageError('name one login');
  return login;
}

const UserWire = z.object({
  id: z.string(),
  login: z.string(),
  display_name: z.string(),
  email: z.string(),
  role_ids: z.array(z.number()),
  // Users of directories have more roles by the groups that they are in; older primaries have no such users.
  inherited_role_ids: z.array(z.number()).default([]),
  is_remote: z.boolean().default(false),
  is_revoked: z.boolean(),
  last_login: z.string().nullable(),
});

const RoleWire = z.object({ id: z.number(), display_name: z.string() });
const TokenWire = z.object({ token: z.string() });
const TokensWire = z.object({
  items: z.array(
    z.object({
      label: z.string(),
      description: z.string(),
      expiration_date: z.string(),
      last_active_date: z.string(),
    }),
  ),
});

export type ListedUser = z.infer<typeof UserWire>;
export type ListedRole = z.infer<typeof RoleWire>;

export class RbacClient {
  private readonly line: CommandLine;

  constructor(line: CommandLine) {
    this.line = line;
  }

  async users(): Promise<readonly ListedUser[]> {
    return z.array(UserWire).parse(await this.ask({ method: 'GET', path: '/v1/users' }));
  }

  /** @throws Error when there is none */
  async user(login: string): Promise<ListedUser> {
    const user = await this.findUser(login);
    if (user === undefined) throw new Error(`There is no user ${login}`);
    return user;
  }

  async findUser(login: string): Promise<ListedUser | undefined> {
    return (await this.users()).find((each) => each.login === login);
  }

  async roles(): Promise<readonly ListedRole[]> {
    return z.array(RoleWire).parse(await this.ask({ method: 'GET', path: '/v1/roles' }));
  }

  /** @param names - as people write them: `operators`, `code-deployers` @throws Error for a name of none */
  async roleIds(names: readonly string[]): Promise<readonly number[]> {
    if (names.length === 0) return [];
    const roles = await this.roles();
    return names.map((name) => {
      const role = roles.find((each) => plain(each.display_name) === plain(name));
      if (role !== undefined) return role.id;
      const known = roles.map((each) => each.display_name).join(', ');
      throw new Error(`There is no role ${name}; there are ${known}`);
    });
  }

  async createUser(user: {
    readonly login: string;
    readonly display_name?: string | undefined;
    readonly email?: string | undefined;
    readonly role_ids: readonly number[];
    readonly password?: string | undefined;
  }): Promise<void> {
    await this.ask({ method: 'POST', path: '/v1/users', body: user });
  }

  /** @param command - `revoke`, `add-roles` */
  async command(command: string, body: object): Promise<void> {
    await this.ask({ method: 'POST', path: `/v1/command/users/${command}`, body });
  }

  async remove({ id }: ListedUser): Promise<void> {
    await this.ask({ method: 'DELETE', path: `/v1/users/${id}` });
  }

  async setPassword({ id }: ListedUser, password: string): Promise<void> {
    const token = await this.ask({ method: 'POST', path: `/v1/users/${id}/password/reset` });
    await this.ask({ method: 'POST', path: '/v1/auth/reset', body: { token, password } });
  }

  async createToken({ id }: ListedUser, order: object): Promise<string> {
    return TokenWire.parse(await this.ask({ method: 'POST', path: `/v1/users/${id}/tokens`, body: order }))
      .token;
  }

  async tokens({ id }: ListedUser): Promise<z.infer<typeof TokensWire>['items']> {
    return TokensWire.parse(await this.ask({ method: 'GET', path: `/v1/users/${id}/tokens` })).items;
  }

  async revokeTokens({ login }: ListedUser): Promise<void> {
    const body = { revoke_tokens_by_usernames: [login] };
    await this.ask({ method: 'DELETE', path: '/v2/tokens', body });
  }

  private ask(request: ServiceRequest): Promise<unknown> {
    return askService(this.line, apiUrl(this.line, consoleServices, '/rbac-api'), request);
  }
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, ' ');
}
