/** The tables of users, roles, tokens, directories and user groups. */

import type { Migration } from '../../platform/storage/index.ts';
import { adminId } from './user.ts';

export const rbacMigrations: readonly Migration[] = [
  {
    component: 'rbac',
    number: 1,
    name: 'users, roles, tokens',
    statements: ({ types }) => [
      `create table rbac_users (
        id ${types.text} not null primary key,
        login ${types.text} not null unique,
        display_name ${types.text} not null,
        email ${types.text} not null,
        role_ids ${types.document} not null,
        is_revoked ${types.boolean} not null,
        last_login ${types.timestamp},
        password ${types.text},
        failed_attempts ${types.integer} not null,
        reset_digest ${types.text},
        reset_expires_at ${types.timestamp}
      )`,
      `create table rbac_roles (
        id ${types.integer} not null primary key,
        name ${types.text} not null unique,
        description ${types.text} not null,
        permissions ${types.document} not null
      )`,
      `create table rbac_tokens (
        id ${types.text} not null primary key,
        digest ${types.text} not null unique,
        user_id ${types.text} not null references rbac_users (id),
        label ${types.text},
        description ${types.text},
        client ${types.text},
        created_at ${types.timestamp} not null,
        expires_at ${types.timestamp} not null,
        last_active_at ${types.timestamp} not null,
        is_revoked ${types.boolean} not null
      )`,
      'create index rbac_tokens_by_user on rbac_tokens (user_id)',
    ],
  },
  {
    component: 'rbac',
    number: 2,
    name: 'the user admin, and texts for the login page',
    statements: ({ types }) => [
      // Not where an operator has a user of this name already.
      `insert into rbac_users (id, login, display_name, email, role_ids, is_revoked, failed_attempts)
        select '${adminId}', 'admin', 'Administrator', '', cast('[1]' as ${types.document}),
          cast('0' as ${types.boolean}), 0
        where not exists (select 1 from rbac_users where login = 'admin')`,
      `create table rbac_texts (name ${types.text} not null primary key, content ${types.text} not null)`,
    ],
  },
  {
    component: 'rbac',
    number: 3,
    name: 'directories, user groups, and what is known of users of directories',
    statements: ({ types }) => [
      `create table rbac_directories (
        id ${types.text} not null primary key,
        created_at ${types.timestamp} not null,
        is_connected ${types.boolean} not null,
        settings ${types.document} not null,
        password ${types.text}
      )`,
      `create table rbac_groups (
        id ${types.text} not null primary key,
        login ${types.text} not null,
        display_name ${types.text} not null,
        role_ids ${types.document} not null,
        directory_id ${types.text} not null references rbac_directories (id),
        unique (directory_id, login)
      )`,
      `alter table rbac_users add column directory_id ${types.text}`,
      `alter table rbac_users add column directory_key ${types.text}`,
      `alter table rbac_users add column directory_state ${types.text}`,
      `alter table rbac_users add column group_ids ${types.document}`,
      `alter table rbac_users add column checked_at ${types.timestamp}`,
      'create index rbac_users_by_directory on rbac_users (directory_id, directory_key)',
    ],
  },
  {
    component: 'rbac',
    number: 4,
    name: 'earlier passwords',
    statements: ({ types }) => [
      `create table rbac_passwords (
        user_id ${types.text} not null,
        set_at ${types.timestamp} not null,
        password ${types.text} not null,
        primary key (user_id, set_at)
      )`,
    ],
  },
  {
    component: 'rbac',
    number: 5,
    name: 'second factors',
    statements: ({ types }) => [
      `create table rbac_second_factors (
        user_id ${types.text} not null primary key,
        secret ${types.text} not null,
        is_confirmed ${types.boolean} not null,
        last_step ${types.integer} not null,
        recovery_digests ${types.document} not null
      )`,
    ],
  },
  {
    component: 'rbac',
    number: 6,
    name: 'identity providers, with user groups and sessions of theirs',
    statements: ({ types }) => [
      `create table rbac_identity_providers (
        id ${types.text} not null primary key,
        created_at ${types.timestamp} not null,
        name ${types.text} not null unique,
        display_name ${types.text} not null,
        settings ${types.document} not null,
        secret ${types.text}
      )`,
      `create table rbac_taken_answers (
        id ${types.text} not null primary key,
        expires_at ${types.timestamp} not null
      )`,
      // Groups are those of a directory or of an identity provider.
      'alter table rbac_groups rename to rbac_groups_of_directories',
      `create table rbac_groups (
        id ${types.text} not null primary key,
        login ${types.text} not null,
        display_name ${types.text} not null,
        role_ids ${types.document} not null,
        directory_id ${types.text} not null,
        unique (directory_id, login)
      )`,
      `insert into rbac_groups (id, login, display_name, role_ids, directory_id)
        select id, login, display_name, role_ids, directory_id from rbac_groups_of_directories`,
      'drop table rbac_groups_of_directories',
      `alter table rbac_tokens add column provider_session ${types.text}`,
      'create index rbac_tokens_by_provider_session on rbac_tokens (provider_session)',
    ],
  },
  {
    component: 'rbac',
    number: 7,
    name: 'keys by which identity providers know us',
    statements: ({ types }) => [
      `create table rbac_service_keys (
        name ${types.text} not null primary key,
        certificate ${types.text} not null,
        private_key ${types.text} not null
      )`,
    ],
  },
];
