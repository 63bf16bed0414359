/** Answers about directories of `/rbac-api`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../../lib/read-only-answer.ts';

/** With the names of LDAP. The password of the lookup user is never shown. */
const settings = {
  display_name: z.string(),
  /** Shown to people who cannot log in. */
  help_link: z.string(),
  hostname: z.string(),
  port: z.int(),
  ssl: z.boolean(),
  start_tls: z.boolean(),
  ssl_hostname_validation: z.boolean(),
  ssl_wildcard_validation: z.boolean(),
  /** In seconds. */
  connect_timeout: z.number(),
  /** The DN of the lookup user; null for anonymous searches. */
  login: z.string().nullable(),
  base_dn: z.string(),
  user_rdn: z.string().nullable(),
  user_lookup_attr: z.string(),
  user_email_attr: z.string(),
  user_display_name_attr: z.string(),
  group_rdn: z.string().nullable(),
  group_object_class: z.string(),
  group_member_attr: z.string(),
  group_name_attr: z.string(),
  group_lookup_attr: z.string(),
  search_nested_groups: z.boolean(),
  disable_ldap_matching_rule_in_chain: z.boolean(),
};

const SettingsWire = z.strictObject(settings);
export const DirectoryAnswerWire = z.strictObject({ id: z.string(), ...settings });
export const DirectoriesWire = z.array(DirectoryAnswerWire);

/** Empty where no directory is connected. */
export const OnlyDirectoryWire = z.union([SettingsWire, z.strictObject({})]);

/** How long the directory took, in milliseconds. */
export const DirectoryTestWire = z.strictObject({ elapsed: z.int() });

export type DirectorySettingsAnswer = Answer<z.infer<typeof SettingsWire>>;
export type DirectoryAnswer = Answer<z.infer<typeof DirectoryAnswerWire>>;
export type DirectoryTest = Answer<z.infer<typeof DirectoryTestWire>>;
