/** What commands ask about user groups, by the names that people know. */

import { z } from 'zod';
import type { CommandLine } from '../own-options.ts';
import { apiUrl, askService, consoleServices, type ServiceRequest } from '../service-connection.ts';

const UserGroupWire = z.object({
  id: z.string(),
  login: z.string(),
  display_name: z.string(),
  role_ids: z.array(z.number()),
  user_ids: z.array(z.string()),
});

type ListedUserGroup = z.infer<typeof UserGroupWire>;

export class UserGroupClient {
  private readonly line: CommandLine;

  constructor(line: CommandLine) {
    this.line = line;
  }

  async all(): Promise<readonly ListedUserGroup[]> {
    return z.array(UserGroupWire).parse(await this.ask({ method: 'GET', path: '/v1/groups' }));
  }

  /** @throws Error when there is none */
  async get(login: string): Promise<ListedUserGroup> {
    const found = (await this.all()).find((each) => each.login.toLowerCase() === login.toLowerCase());
    if (found === undefined) throw new Error(`There is no user group ${login}: import it first`);
    return found;
  }

  /** @param source - the ID of a directory, or the name of an identity provider; the only one when absent */
  async import(login: string, roleIds: readonly number[], source: string | undefined): Promise<void> {
    const body = {
      login,
      role_ids: roleIds,
      ...(source === undefined ? {} : { identity_provider_id: source }),
    };
    await this.ask({ method: 'POST', path: '/v1/command/groups/create', body });
  }

  async setRoles({ id }: ListedUserGroup, roleIds: readonly number[]): Promise<void> {
    await this.ask({ method: 'PUT', path: `/v1/groups/${id}`, body: { role_ids: roleIds } });
  }

  async delete({ id }: ListedUserGroup): Promise<void> {
    await this.ask({ method: 'DELETE', path: `/v1/groups/${id}` });
  }

  private ask(request: ServiceRequest): Promise<unknown> {
    return askService(this.line, apiUrl(this.line, consoleServices, '/rbac-api'), request);
  }
}
