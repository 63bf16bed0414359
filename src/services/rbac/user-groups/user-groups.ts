/** User groups: imported from directories and identity providers, so that their members have roles. */

import type { SerialQueue } from '../../../lib/serial-queue.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { by } from '../changes.ts';
import type { Directories } from '../directory/directories.ts';
import type { Directory } from '../directory/directory.ts';
import type { DirectoryGroup } from '../directory/directory-client.ts';
import { directoryUnavailable } from '../directory/directory-unavailable.ts';
import { isSameName } from '../directory/names.ts';
import type { IdentityProviders } from '../identity-providers/identity-providers.ts';
import { anyInstance } from '../permission.ts';
import { demand, rbacError } from '../rbac-error.ts';
import { demandMembership, type Roles } from '../roles.ts';
import type { Actor } from '../user.ts';
import type { UserGroup } from './user-group.ts';
import { userGroupChange } from './user-group-changes.ts';
import type { UserGroupStore } from './user-group-store.ts';

export interface UserGroupsOptions {
  readonly store: UserGroupStore;
  readonly directories: Directories;
  readonly providers: IdentityProviders;
  readonly roles: Roles;
  /** Shared with all that changes users and groups. */
  readonly queue: SerialQueue;
  readonly log: Logger;
  readonly now: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
}

export interface GroupImport {
  readonly login: string;
  readonly roleIds: readonly number[];
  /** What the directory says when absent. */
  readonly displayName: string | undefined;
  /** Of a directory or an identity provider, or the provider's name; the only directory when absent. */
  readonly directoryId: string | undefined;
  /** Whether the directory must have the group. */
  readonly isValidated: boolean;
}

export class UserGroups {
  private readonly options: UserGroupsOptions;

  constructor(options: UserGroupsOptions) {
    this.options = options;
  }

  all(): Promise<readonly UserGroup[]> {
    return this.options.store.all();
  }

  /** @throws ServiceError `not-found` */
  async get(id: string): Promise<UserGroup> {
    const group = (await this.all()).find((each) => each.id === id);
    if (group === undefined)
      throw rbacError('not-found', 'not-found', `There is no user group with the ID ${id}`);
    return group;
  }

  /**
   * @throws ServiceError `unprocessable` when the directory has no such group, `conflict` when it is imported already,
   *   `unavailable` when the directory does not answer
   */
  async import(wanted: GroupImport, actor: Actor): Promise<UserGroup> {
    demand(actor, { objectType: 'user_groups', action: 'import', instance: anyInstance });
    demandMembership(actor, wanted.roleIds);
    const source = await this.sourceOf(wanted.directoryId);
    const found =
      source.directory !== undefined && wanted.isValidated
        ? await this.look(source.directory, wanted.login)
        : undefined;
    const login = found?.login ?? wanted.login;
    const displayName = wanted.displayName ?? found?.displayName ?? login;
    const { log, newId, now, queue, roles, store } = this.options;
    return await queue.run(async () => {
      await roles.checkIds(wanted.roleIds);
      // It may have been deleted while it was asked.
      await this.sourceOf(source.id);
      const others = (await store.all()).filter(({ directoryId }) => directoryId === source.id);
      if (others.some((other) => isSameName(other.login, login)))
        throw rbacError('conflict', 'conflict', `There is a user group with the login ${login} already`);
      const roleIds = [...new Set(wanted.roleIds)];
      const group = { id: newId(), directoryId: source.id, login, displayName, roleIds };
      const changes = userGroupChange(undefined, group, await roles.names());
      await store.add(group, changes.map(by(actor, now())));
      log.info({ group: login, by: actor.login }, 'imported user group');
      return group;
    });
  }

  /** Nothing else of a group can be changed here. */
  changeRoles(id: string, roleIds: readonly number[], actor: Actor): Promise<UserGroup> {
    return this.options.queue.run(async () => {
      const { log, now, roles, store } = this.options;
      const before = await this.get(id);
      const after = { ...before, roleIds: [...new Set(roleIds)] };
      demandMembership(actor, [
        ...after.roleIds.filter((each) => !before.roleIds.includes(each)),
        ...before.roleIds.filter((each) => !after.roleIds.includes(each)),
      ]);
      await roles.checkIds(after.roleIds);
      const changes = userGroupChange(before, after, await roles.names());
      await store.changeRoles([after], changes.map(by(actor, now())));
      log.info({ group: after.login, by: actor.login }, 'changed user group');
      return after;
    });
  }

  /** The directory keeps it. */
  remove(id: string, actor: Actor): Promise<void> {
    return this.options.queue.run(async () => {
      const { log, now, roles, store } = this.options;
      demand(actor, { objectType: 'user_groups', action: 'delete', instance: anyInstance });
      const group = await this.get(id);
      const changes = userGroupChange(group, undefined, await roles.names());
      await store.remove(id, changes.map(by(actor, now())));
      log.info({ group: group.login, by: actor.login }, 'deleted user group');
    });
  }

  /** The only one where none is named, a directory first. Providers cannot be asked which groups they have. */
  private async sourceOf(
    id: string | undefined,
  ): Promise<{ readonly id: string; readonly directory?: Directory | undefined }> {
    const { directories, providers } = this.options;
    const directory = id === undefined ? await directories.only() : await directories.findConnected(id);
    if (directory !== undefined) return { id: directory.id, directory };
    if (id !== undefined) {
      const provider = (await providers.find(id)) ?? (await providers.findByName(id));
      if (provider !== undefined) return { id: provider.id };
      const message = `There is no directory and no identity provider with the ID ${id}`;
      throw rbacError('unprocessable', 'invalid-associated-id', message, { ids: [id] });
    }
    const [provider, ...others] = await providers.all();
    if (provider !== undefined && others.length === 0) return { id: provider.id };
    const message =
      provider === undefined
        ? 'User groups are imported from a directory or an identity provider, and none is connected'
        : 'Several identity providers are connected: name the one that has the group';
    throw rbacError('bad-request', 'directory-not-configured', message);
  }

  private async look(directory: Directory, login: string): Promise<DirectoryGroup> {
    const found = await this.options.directories
      .client(directory)
      .findGroup(login)
      .catch((error: unknown) => {
        throw directoryUnavailable(error, directory, this.options.log);
      });
    if (found !== undefined) return found;
    const message = `The directory ${directory.settings.displayName} has no group ${login}`;
    throw rbacError('unprocessable', 'no-such-group-LDAP', message);
  }
}
