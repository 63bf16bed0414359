/** Directories as they cross the network, under Puppet Enterprise's names. */

import { z } from 'zod';
import { withoutNul } from '../wire.ts';
import type { DirectoryAnswer, DirectorySettingsAnswer } from './answers/wire.ts';
import type { Directory, DirectorySettings, SubmittedDirectory } from './directory.ts';

const usualTimeoutSeconds = 10;
const mostTimeoutSeconds = 300;

const Text = z.string().trim().min(1).regex(withoutNul);
const OptionalText = z.string().trim().regex(withoutNul).nullish();
const Flag = z.boolean().nullish();
const attributeName = /^(?:[A-Za-z][A-Za-z\d-]*|\d+(?:\.\d+)+)$/;
const Attribute = z.string().regex(attributeName, 'the name of an attribute');
/** Nothing is looked for by these, so a value that names no attribute does no harm. */
const ShownAttribute = z.union([Attribute, z.literal('*')]);

const fields = {
  display_name: Text,
  help_link: OptionalText,
  hostname: z.string().regex(/^[\w.:-]+$/, 'a host name or an IP address'),
  port: z.int().min(1).max(65_535),
  login: OptionalText,
  password: z.string().nullish(),
  connect_timeout: z.number().positive().max(mostTimeoutSeconds).nullish(),
  ssl: Flag,
  start_tls: Flag,
  ssl_hostname_validation: Flag,
  ssl_wildcard_validation: Flag,
  base_dn: Text,
  user_rdn: OptionalText,
  user_lookup_attr: Attribute,
  user_email_attr: ShownAttribute,
  user_display_name_attr: ShownAttribute,
  group_rdn: OptionalText,
  group_object_class: Attribute,
  group_member_attr: Attribute,
  group_name_attr: ShownAttribute,
  group_lookup_attr: Attribute,
  search_nested_groups: Flag,
  disable_ldap_matching_rule_in_chain: Flag,
};

const Fields = z.strictObject({ id: z.string().nullish(), ...fields });

export const DirectoryWire = Fields.superRefine(({ ssl, start_tls }, context) => {
  if (ssl === true && start_tls === true) context.addIssue('only one of ssl and start_tls can be true');
}).transform((wire) => ({ id: wire.id ?? undefined, submitted: submittedOf(wire) }));

export const DirectoryIdWire = z.strictObject({ id: z.string() });

/** Disconnects: an object without settings, or with nothing but null. */
const DisconnectWire = z.record(z.string(), z.null());

export const OnlyDirectoryBodyWire = z.union([DirectoryWire, DisconnectWire]);

export function asksToDisconnect(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return DisconnectWire.safeParse(value).success;
  } catch {
    return false; // what is wrong with it is told when it is decoded
  }
}

function submittedOf(wire: z.infer<typeof Fields>): SubmittedDirectory {
  return {
    password: filled(wire.password),
    settings: {
      displayName: wire.display_name,
      helpLink: wire.help_link ?? '',
      hostname: wire.hostname,
      port: wire.port,
      security: wire.ssl === true ? 'tls' : wire.start_tls === true ? 'start-tls' : 'none',
      checksHostname: wire.ssl_hostname_validation ?? true,
      allowsWildcards: wire.ssl_wildcard_validation ?? false,
      connectTimeoutSeconds: wire.connect_timeout ?? usualTimeoutSeconds,
      lookupUser: filled(wire.login),
      baseDn: wire.base_dn,
      userRdn: filled(wire.user_rdn),
      userLookupAttribute: wire.user_lookup_attr,
      userEmailAttribute: wire.user_email_attr,
      userDisplayNameAttribute: wire.user_display_name_attr,
      groupRdn: filled(wire.group_rdn),
      groupObjectClass: wire.group_object_class,
      groupMemberAttribute: wire.group_member_attr,
      groupNameAttribute: wire.group_name_attr,
      groupLookupAttribute: wire.group_lookup_attr,
      searchesNestedGroups: wire.search_nested_groups ?? false,
      usesMatchingRuleInChain: !(wire.disable_ldap_matching_rule_in_chain ?? false),
    },
  };
}

/** Without the password, which is never shown. */
export function renderSettings(settings: DirectorySettings): DirectorySettingsAnswer {
  return {
    display_name: settings.displayName,
    help_link: settings.helpLink,
    hostname: settings.hostname,
    port: settings.port,
    ssl: settings.security === 'tls',
    start_tls: settings.security === 'start-tls',
    ssl_hostname_validation: settings.checksHostname,
    ssl_wildcard_validation: settings.allowsWildcards,
    connect_timeout: settings.connectTimeoutSeconds,
    login: settings.lookupUser ?? null,
    base_dn: settings.baseDn,
    user_rdn: settings.userRdn ?? null,
    user_lookup_attr: settings.userLookupAttribute,
    user_email_attr: settings.userEmailAttribute,
    user_display_name_attr: settings.userDisplayNameAttribute,
    group_rdn: settings.groupRdn ?? null,
    group_object_class: settings.groupObjectClass,
    group_member_attr: settings.groupMemberAttribute,
    group_name_attr: settings.groupNameAttribute,
    group_lookup_attr: settings.groupLookupAttribute,
    search_nested_groups: settings.searchesNestedGroups,
    disable_ldap_matching_rule_in_chain: !settings.usesMatchingRuleInChain,
  };
}

export function renderDirectory({ id, settings }: Directory): DirectoryAnswer {
  return { id, ...renderSettings(settings) };
}

function filled(text: string | null | undefined): string | undefined {
  return text === null || text === '' ? undefined : text;
}
