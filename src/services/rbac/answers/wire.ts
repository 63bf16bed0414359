/** Answers of `/rbac-api`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

const Pagination = z.strictObject({
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  order: z.enum(['asc', 'desc']),
  order_by: z.string(),
  /** Absent without one. */
  filter: z.string().exactOptional(),
});

export const UserAnswerWire = z.strictObject({
  id: z.string(),
  login: z.string(),
  email: z.string(),
  display_name: z.string(),
  role_ids: z.array(z.int()),
  is_group: z.literal(false),
  is_remote: z.boolean(),
  is_superuser: z.boolean(),
  is_revoked: z.boolean(),
  last_login: z.iso.datetime().nullable(),
  /** Of users of directories. */
  identity_provider_id: z.string().exactOptional(),
  group_ids: z.array(z.string()).exactOptional(),
  /** By their groups. */
  inherited_role_ids: z.array(z.int()).exactOptional(),
});
export const UsersWire = z.array(UserAnswerWire);
export const UsersPageWire = z.strictObject({ users: z.array(UserAnswerWire), pagination: Pagination });

const PermissionWire = z.strictObject({
  object_type: z.string(),
  action: z.string(),
  instance: z.string(),
});

export const RoleAnswerWire = z.strictObject({
  id: z.int(),
  display_name: z.string(),
  description: z.string(),
  permissions: z.array(PermissionWire),
  user_ids: z.array(z.string()),
  group_ids: z.array(z.string()),
});
export const RolesWire = z.array(RoleAnswerWire);

export const UserGroupAnswerWire = z.strictObject({
  id: z.string(),
  login: z.string(),
  display_name: z.string().nullable(),
  identity_provider_id: z.string(),
  role_ids: z.array(z.int()),
  /** Members who have logged in. */
  user_ids: z.array(z.string()),
  is_group: z.literal(true),
  is_remote: z.literal(true),
  is_superuser: z.literal(false),
  is_revoked: z.literal(false),
});
export const UserGroupsWire = z.array(UserGroupAnswerWire);

const ObjectTypeWire = z.strictObject({
  object_type: z.string(),
  display_name: z.string(),
  description: z.string(),
  actions: z.array(
    z.strictObject({
      name: z.string(),
      display_name: z.string(),
      description: z.string(),
      has_instances: z.boolean(),
    }),
  ),
});
/** The permissions that there are. */
export const ObjectTypesWire = z.array(ObjectTypeWire);

const TokenWire = z.strictObject({
  id: z.string(),
  creation_date: z.iso.datetime(),
  expiration_date: z.iso.datetime(),
  last_active_date: z.iso.datetime(),
  client: z.string(),
  description: z.string(),
  session_timeout: z.null(),
  label: z.string(),
});
const OwnedTokenWire = TokenWire.extend({
  user: z.strictObject({ id: z.string(), login: z.string(), display_name: z.string() }),
});

/** Of one user. */
export const TokensPageWire = z.strictObject({ items: z.array(TokenWire), pagination: Pagination });
export const OwnedTokensPageWire = z.strictObject({ items: z.array(OwnedTokenWire), pagination: Pagination });

/** It is shown this once. */
export const NewTokenWire = z.strictObject({ token: z.string() });

/** Of what was made. */
export const NewIdWire = z.strictObject({ id: z.string() });

export type PaginationAnswer = Answer<z.infer<typeof Pagination>>;
export type UserAnswer = Answer<z.infer<typeof UserAnswerWire>>;
export type UsersPage = Answer<z.infer<typeof UsersPageWire>>;
export type RoleAnswer = Answer<z.infer<typeof RoleAnswerWire>>;
export type UserGroupAnswer = Answer<z.infer<typeof UserGroupAnswerWire>>;
export type ObjectTypeAnswer = Answer<z.infer<typeof ObjectTypeWire>>;
export type TokenAnswer = Answer<z.infer<typeof TokenWire>>;
export type OwnedTokenAnswer = Answer<z.infer<typeof OwnedTokenWire>>;
export type OwnedTokensPage = Answer<z.infer<typeof OwnedTokensPageWire>>;
export type NewToken = Answer<z.infer<typeof NewTokenWire>>;
export type NewId = Answer<z.infer<typeof NewIdWire>>;
