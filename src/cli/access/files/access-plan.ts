/** The steps after which everything is as files have it. What the files leave out stays. */

import type { ServiceRequest } from '../../service-connection.ts';
import { type AccessFile, permissionText } from './access-file.ts';
import type { AccessState, StateUser } from './access-state.ts';
import {
  nameOfSource,
  type SourceKind,
  type SourceSettings,
  saveSource,
  sourceDifferences,
  sourceKinds,
} from './identity-sources.ts';

export interface PlannedStep {
  /** `role Web team` */
  readonly what: string;
  readonly isNew: boolean;
  /** A line for each difference: `+ permission tasks:run`. */
  readonly differences: readonly string[];
  /** @param known - with what earlier steps made */
  readonly request: (known: KnownIds) => ServiceRequest;
}

/** By name. */
export interface KnownIds {
  readonly roles: ReadonlyMap<string, number>;
  /** Of directories and identity providers, for imports of groups. */
  readonly sources: ReadonlyMap<string, string>;
}

/** @throws Error for names of nothing, and for what can't be changed */
export function planAccess(state: AccessState, file: AccessFile): readonly PlannedStep[] {
  refuseTwice(
    'role',
    file.roles.map(({ name }) => name),
  );
  refuseTwice(
    'user',
    file.users.map(({ login }) => login),
  );
  refuseTwice(
    'user group',
    file.user_groups.map(({ login }) => login),
  );
  const renamed = new Map(
    file.roles.flatMap(({ formerly, name }) => (formerly === undefined ? [] : [[formerly, name]])),
  );
  const names = new Map(state.roles.map(({ display_name: name, id }) => [id, renamed.get(name) ?? name]));
  const known = new Set([...names.values(), ...file.roles.map(({ name }) => name)]);
  const checked = (owner: string, roles: readonly string[] | undefined) => {
    const unknown = roles?.find((role) => !known.has(role));
    if (unknown === undefined) return roles;
    throw new Error(`${owner}: there is no role ${unknown}; there are ${[...known].join(', ')}`);
  };
  return [
    ...file.roles.flatMap((role) => planRole(state, role)),
    ...Object.entries(sourceKinds).flatMap(([member, kind]) =>
      planSources(state, kind, file[member as keyof typeof sourceKinds]),
    ),
    ...file.users.flatMap((user) => {
      const roles = checked(`user ${user.login}`, user.roles);
      return planUser(state, { ...user, roles }, names);
    }),
    ...file.user_groups.flatMap((group) => {
      const roles = checked(`user group ${group.login}`, group.roles);
      return planGroup(state, { ...group, roles }, names);
    }),
  ];
}

type FileRole = AccessFile['roles'][number];
type FileUser = WithRoles<AccessFile['users'][number]>;
type FileGroup = WithRoles<AccessFile['user_groups'][number]>;
/** With names of roles that exist. */
type WithRoles<T> = Omit<T, 'roles'> & { readonly roles: readonly string[] | undefined };
type RoleNames = ReadonlyMap<number, string>;

function planRole({ roles }: AccessState, wanted: FileRole): readonly PlannedStep[] {
  const { description, formerly, name, permissions } = wanted;
  const before =
    roles.find(({ display_name: each }) => each === name) ??
    roles.find(({ display_name: each }) => each === formerly);
  if (before?.isBuiltIn === true) throw new Error(`role ${name}: it is always there and can't be changed`);
  const after = {
    display_name: name,
    description: description ?? before?.description ?? '',
    permissions: permissions ?? before?.permissions ?? [],
    user_ids: before?.user_ids ?? [],
    group_ids: before?.group_ids ?? [],
  };
  const differences = [
    ...changed('name', before?.display_name, after.display_name),
    ...changed('description', before?.description ?? '', after.description),
    ...added(
      'permission',
      before?.permissions.map(permissionText) ?? [],
      after.permissions.map(permissionText),
    ),
  ];
  return step(`role ${name}`, before, differences, () =>
    before === undefined
      ? { method: 'POST', path: '/v1/roles', body: after }
      : { method: 'PUT', path: `/v1/roles/${before.id}`, body: { ...after, id: before.id } },
  );
}

function planUser({ users }: AccessState, wanted: FileUser, names: RoleNames): readonly PlannedStep[] {
  const { email, login, name, revoked, roles } = wanted;
  const before = users.find((user) => user.login === login);
  if (before?.is_superuser === true)
    throw new Error(`user ${login}: it is always there and can't be changed`);
  const had = rolesOf(before, names);
  const after = {
    login,
    email: email ?? before?.email ?? '',
    display_name: name ?? before?.display_name ?? '',
    is_revoked: revoked ?? before?.is_revoked ?? false,
  };
  const differences = [
    ...changed('name', before?.display_name ?? '', after.display_name),
    ...changed('email', before?.email ?? '', after.email),
    ...added('role', had, roles ?? had),
    ...changed('revoked', before?.is_revoked ?? false, after.is_revoked),
  ];
  const { is_revoked: isRevoked, ...definition } = after;
  if (before === undefined && isRevoked)
    throw new Error(`user ${login}: a new user can't be revoked at once; leave the user out, or 'revoked'`);
  return step(`user ${login}`, before, differences, (known) => {
    const roleIds = idsOf(roles ?? had, known);
    return before === undefined
      ? { method: 'POST', path: '/v1/users', body: { ...definition, role_ids: roleIds } }
      : { method: 'PUT', path: `/v1/users/${before.id}`, body: { ...before, ...after, role_ids: roleIds } };
  });
}

function planSources(
  { sources }: AccessState,
  kind: SourceKind,
  wanted: readonly SourceSettings[],
): readonly PlannedStep[] {
  const named = wanted.map((settings) => ({ name: nameOfSource(kind, settings), settings }));
  refuseTwice(
    kind,
    named.map(({ name }) => name),
  );
  return named.flatMap(({ name, settings }) => {
    const before = sources.find((each) => each.kind === kind && isNamed(each.name, name));
    return step(`${kind} ${name}`, before, sourceDifferences(before, settings), () =>
      saveSource(kind, before, settings),
    );
  });
}

/** The API compares names of directories so, too. */
function isNamed(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function planGroup({ groups }: AccessState, wanted: FileGroup, names: RoleNames): readonly PlannedStep[] {
  const { directory, login, roles } = wanted;
  const before = groups.find((group) => group.login.toLowerCase() === login.toLowerCase());
  const had = rolesOf(before, names);
  return step(`user group ${login}`, before, added('role', had, roles ?? had), (known) => {
    const roleIds = idsOf(roles ?? had, known);
    if (before !== undefined)
      return { method: 'PUT', path: `/v1/groups/${before.id}`, body: { role_ids: roleIds } };
    const source = directory === undefined ? undefined : (known.sources.get(directory) ?? directory);
    const place = source === undefined ? {} : { identity_provider_id: source };
    return {
      method: 'POST',
      path: '/v1/command/groups/create',
      body: { login, role_ids: roleIds, ...place },
    };
  });
}

function step(
  what: string,
  before: unknown,
  differences: readonly string[],
  request: PlannedStep['request'],
): readonly PlannedStep[] {
  const isNew = before === undefined;
  return isNew || differences.length > 0 ? [{ what, isNew, differences, request }] : [];
}

function rolesOf(owner: Pick<StateUser, 'role_ids'> | undefined, names: RoleNames): readonly string[] {
  return owner?.role_ids.map((id) => names.get(id) ?? String(id)) ?? [];
}

function idsOf(names: readonly string[], { roles }: KnownIds): readonly number[] {
  return names.map((name) => {
    const id = roles.get(name);
    if (id === undefined) throw new Error(`There is no role ${name}`);
    return id;
  });
}

function changed<T extends string | boolean>(
  what: string,
  before: T | undefined,
  after: T,
): readonly string[] {
  if (before === after) return [];
  return [before === undefined || before === '' ? `+ ${what}: ${after}` : `~ ${what}: ${before} -> ${after}`];
}

function added(what: string, before: readonly string[], after: readonly string[]): readonly string[] {
  return [
    ...after.filter((each) => !before.includes(each)).map((each) => `+ ${what} ${each}`),
    ...before.filter((each) => !after.includes(each)).map((each) => `- ${what} ${each}`),
  ];
}

function refuseTwice(kind: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new Error(`The files name the ${kind} ${twice} twice`);
}

export function knownIdsOf({ roles, sources }: AccessState): KnownIds {
  return {
    roles: new Map(roles.map(({ display_name: name, id }) => [name, id])),
    sources: new Map(sources.map(({ id, name }) => [name, id])),
  };
}
