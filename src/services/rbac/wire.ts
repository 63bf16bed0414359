/** Users, roles, tokens and permissions as they cross the network, under Puppet Enterprise's names. */

import { z } from 'zod';
import { parseSeconds } from '../../lib/duration.ts';
import { allMistakes, JsonBodies } from '../../lib/json-body.ts';
import type {
  ObjectTypeAnswer,
  OwnedTokenAnswer,
  RoleAnswer,
  TokenAnswer,
  UserAnswer,
} from './answers/wire.ts';
import { findAction, type ObjectType } from './object-types.ts';
import { anyInstance, type Permission } from './permission.ts';
import { rbacError } from './rbac-error.ts';
import type { RoleWithMembers } from './roles.ts';
import type { OwnedToken, Token } from './token.ts';
import { isSuperuser, type User } from './user.ts';
import { groupsOfUser, rolesOfGroups, type UserGroup } from './user-groups/user-group.ts';

export const maxLoginCharacters = 255;
/** No database keeps this character. */
export const withoutNul = /^[^\0]*$/;
const Login = z.string().trim().min(1).max(maxLoginCharacters).regex(withoutNul);

/** Whether a directory's name for a user can be a login. */
export function isLoginName(text: string): boolean {
  return (
    text.trim() === text && text !== '' && text.length <= maxLoginCharacters && !/[\0-\x1f\x7f]/.test(text)
  );
}

const Password = z.string().min(1);
const RoleIds = z.array(z.int());

const Lifetime = z.union([z.string(), z.number()]).transform((value, context) => {
  const seconds = parseSeconds(String(value).trim());
  if (seconds === undefined) context.addIssue(`'${value}' is no lifetime: 90s, 30m, 12h, 7d, 1y`);
  return seconds ?? 0;
});

const orderFields = {
  lifetime: Lifetime.optional(),
  label: z.string().nullish(),
  description: z.string().nullish(),
  client: z.string().nullish(),
};

export const TokenOrderWire = z.strictObject(orderFields).transform((wire) => orderOf(wire));

export const LoginWire = z
  .strictObject({ login: Login, password: Password, one_time_code: z.string().nullish(), ...orderFields })
  .transform(({ login, one_time_code: code, password, ...order }) => ({
    credentials: { login, password, code: code ?? undefined },
    order: orderOf(order),
  }));

export const CurrentPasswordWire = z.strictObject({ current_password: z.string() });

export const OneTimeCodeWire = z.strictObject({ one_time_code: z.string() });

/** Only the user has these; those who may remove the factor of others need none. */
export const FactorRemovalWire = z.strictObject({
  current_password: z.string().optional(),
  one_time_code: z.string().optional(),
});

export const NewUserWire = z
  .strictObject({
    login: Login,
    email: z.string().default(''),
    display_name: z.string().default(''),
    role_ids: RoleIds.default([]),
    password: Password.optional(),
  })
  .transform(({ display_name: displayName, password, role_ids: roleIds, ...rest }) => ({
    definition: { ...rest, displayName, roleIds },
    password,
  }));

/** With all that was answered before: what cannot be changed is passed over. */
export const UserWire = z
  .object({
    id: z.string().optional(),
    login: Login,
    email: z.string(),
    display_name: z.string(),
    role_ids: RoleIds,
    is_revoked: z.boolean(),
  })
  .transform(({ display_name: displayName, is_revoked: isRevoked, role_ids: roleIds, ...rest }) => ({
    ...rest,
    displayName,
    isRevoked,
    roleIds,
  }));

export const UserIdWire = z.strictObject({ user_id: z.string() });

export const UserRolesWire = z
  .strictObject({ user_id: z.string(), role_ids: RoleIds })
  .transform((wire) => ({ userId: wire.user_id, roleIds: wire.role_ids }));

export const ResetWire = z.strictObject({ token: z.string(), password: Password });

export const ChangePasswordWire = z
  .strictObject({ current_password: z.string(), password: Password })
  .transform(({ current_password: current, password }) => ({ current, password }));

const PermissionWire = z
  .strictObject({ object_type: z.string(), action: z.string(), instance: z.string() })
  .transform(
    (wire): Permission => ({
      objectType: wire.object_type,
      action: wire.action,
      instance: wire.instance,
    }),
  );

const GrantedWire = PermissionWire.superRefine(({ action, instance, objectType }, context) => {
  const known = findAction(objectType, action);
  if (known === undefined) context.addIssue(`there is no permission ${objectType}:${action}`);
  else if (!known.hasInstances && instance !== anyInstance)
    context.addIssue(`${objectType}:${action} is for all objects: the instance has to be *`);
});

const Role = z.object({
  id: z.int().optional(),
  display_name: z.string().trim().min(1),
  description: z.string().nullish(),
  permissions: z.array(PermissionWire),
  user_ids: z.array(z.string()).nullish(),
  group_ids: z.array(z.string()).nullish(),
});

export const RoleWire = Role.extend({ permissions: z.array(GrantedWire) }).transform(definitionOf);

/** As it was answered: it may have permissions that an earlier release knew. */
export const ShownRoleWire = Role.transform(definitionOf);

const roleId = { role_id: z.int() };

export const RoleUsersWire = z
  .strictObject({ ...roleId, user_ids: z.array(z.string()) })
  .transform((wire) => ({ roleId: wire.role_id, userIds: wire.user_ids }));

export const RoleGroupsWire = z
  .strictObject({ ...roleId, group_ids: z.array(z.string()) })
  .transform((wire) => ({ roleId: wire.role_id, groupIds: wire.group_ids }));

export const RolePermissionsWire = z
  .strictObject({ ...roleId, permissions: z.array(GrantedWire) })
  .transform((wire) => ({ roleId: wire.role_id, permissions: wire.permissions }));

export const LoginNameWire = z.strictObject({ login: z.string() });

export const PasswordWire = z.strictObject({ password: z.string(), reset_token: z.string().nullish() });

export const DisclaimerWire = z.strictObject({ disclaimer: z.string().min(1).max(10_000) });

export const PermittedWire = z.strictObject({ token: z.string(), permissions: z.array(PermissionWire) });

export const AuthenticateWire = z
  .object({ token: z.string(), 'update_last_activity?': z.boolean().default(true) })
  .transform((wire) => ({ token: wire.token, isActivity: wire['update_last_activity?'] }));

const Texts = z.array(z.string()).default([]);
/** What else there is in it is told of. */
export const RevocationWire = z.looseObject({
  revoke_tokens: Texts,
  revoke_tokens_by_usernames: Texts,
  revoke_tokens_by_labels: Texts,
  revoke_tokens_by_ids: Texts,
});

const bodies = new JsonBodies({
  takesEmpty: true,
  notJson: () => rbacError('bad-request', 'malformed-request', 'The submitted data is not valid JSON'),
  misshapen(problem) {
    const error = allMistakes(problem);
    return rbacError(
      'bad-request',
      'schema-violation',
      `The submitted data does not have the expected structure: ${error}`,
      {
        error,
        submitted: withoutSecrets(problem.submitted),
        schema: z.toJSONSchema(problem.shape, { io: 'input' }),
      },
    );
  },
});

/** @throws ServiceError `bad-request` naming what is wrong; it leaves out what may be a password or a token */
export function decodeBody<T extends z.ZodType>(shape: T, body: Buffer): z.infer<T> {
  return bodies.decode(shape, body);
}

/**
 * What is to be deleted, as the client has seen it. This is ours: clients of Puppet Enterprise send no body, or an empty object.
 *
 * @throws ServiceError `bad-request`
 */
export function decodeShown<T extends z.ZodType>(shape: T, body: Buffer): z.infer<T> | undefined {
  const submitted = bodies.parse(body);
  const isEmpty = JSON.stringify(submitted) === '{}';
  return isEmpty ? undefined : bodies.check(shape, submitted);
}

function definitionOf(wire: z.output<typeof Role>) {
  return {
    name: wire.display_name,
    description: wire.description ?? '',
    permissions: wire.permissions,
    userIds: wire.user_ids ?? [],
    groupIds: wire.group_ids ?? [],
  };
}

/** Nothing that proves who somebody is goes back to where it came from, or into what a client logs. */
function withoutSecrets(submitted: unknown): unknown {
  if (typeof submitted !== 'object' || submitted === null || Array.isArray(submitted)) return null;
  const entries = Object.entries(submitted);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, /password|token|code|secret/i.test(name) ? '[hidden]' : value]),
  );
}

/** @param groups - all user groups; users of directories have roles by them */
export function renderUser(user: User, groups: readonly UserGroup[] = []): UserAnswer {
  return {
    id: user.id,
    login: user.login,
    email: user.email,
    display_name: user.displayName,
    role_ids: user.roleIds,
    is_group: false,
    is_remote: user.remote !== undefined,
    is_superuser: isSuperuser(user),
    is_revoked: user.isRevoked,
    last_login: user.lastLogin?.toISOString() ?? null,
    ...(user.remote === undefined
      ? {}
      : {
          identity_provider_id: user.remote.directoryId,
          group_ids: groupsOfUser(user, groups).map(({ id }) => id),
          inherited_role_ids: rolesOfGroups(user, groups),
        }),
  };
}

export function renderRole(role: RoleWithMembers): RoleAnswer {
  return {
    id: role.id,
    permissions: role.permissions.map(({ action, instance, objectType }) => ({
      object_type: objectType,
      action,
      instance,
    })),
    user_ids: role.userIds,
    group_ids: role.groupIds,
    display_name: role.name,
    description: role.description,
  };
}

export function renderToken(token: Token): TokenAnswer {
  return {
    id: token.id,
    creation_date: token.createdAt.toISOString(),
    expiration_date: token.expiresAt.toISOString(),
    last_active_date: token.lastActiveAt.toISOString(),
    client: token.client ?? '',
    description: token.description ?? '',
    session_timeout: null,
    label: token.label ?? '',
  };
}

export function renderOwnedToken({ token, user }: OwnedToken): OwnedTokenAnswer {
  const { displayName, id, login } = user;
  return { ...renderToken(token), user: { id, login, display_name: displayName } };
}

/** What a token stands for. */
export function renderAuthenticated(token: Token, user: User, groups: readonly UserGroup[]) {
  return {
    ...renderUser(user, groups),
    user_id: user.id,
    creation: token.createdAt.toISOString(),
    expiration: token.expiresAt.toISOString(),
    last_active: token.lastActiveAt.toISOString(),
    client: token.client ?? null,
    description: token.description ?? null,
    label: token.label ?? null,
    timeout: null,
  };
}

export function renderObjectType({ actions, description, displayName, name }: ObjectType): ObjectTypeAnswer {
  return {
    object_type: name,
    display_name: displayName,
    description,
    actions: actions.map((action) => ({
      name: action.name,
      display_name: action.displayName,
      description: action.description,
      has_instances: action.hasInstances,
    })),
  };
}

interface OrderFields {
  readonly lifetime?: number | undefined;
  readonly label?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly client?: string | null | undefined;
}

function orderOf({ client, description, label, lifetime }: OrderFields) {
  return {
    ...(lifetime === undefined ? {} : { lifetimeSeconds: lifetime }),
    ...(typeof label === 'string' ? { label } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof client === 'string' ? { client } : {}),
  };
}
