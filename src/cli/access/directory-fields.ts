/** Settings of a directory from the command line. */

import { UsageError } from '../command.ts';
import { type CommandLine, lastOf } from '../own-options.ts';
import type { DirectoryFields, ListedDirectory } from './directory-client.ts';

/** What fits the two kinds of directories that are met most, as they are by default. */
const kinds: Readonly<Record<string, DirectoryFields>> = {
  openldap: {
    user_lookup_attr: 'uid',
    user_email_attr: 'mail',
    user_display_name_attr: 'displayName',
    group_object_class: 'groupOfNames',
    group_member_attr: 'member',
    group_name_attr: 'cn',
    group_lookup_attr: 'cn',
  },
  'active-directory': {
    user_lookup_attr: 'sAMAccountName',
    user_email_attr: 'mail',
    user_display_name_attr: 'displayName',
    group_object_class: 'group',
    group_member_attr: 'member',
    group_name_attr: 'name',
    group_lookup_attr: 'sAMAccountName',
    search_nested_groups: true,
  },
};

const numbers = ['port', 'connect_timeout'];
const flags = [
  'ssl',
  'start_tls',
  'ssl_hostname_validation',
  'ssl_wildcard_validation',
  'search_nested_groups',
  'disable_ldap_matching_rule_in_chain',
];

const usualPorts: Readonly<Record<string, number>> = { tls: 636, 'start-tls': 389, none: 389 };

/** @param before - the directory as it is; absent for a new one @throws UsageError */
export function fieldsOf(
  line: CommandLine,
  name: string,
  before: ListedDirectory | undefined,
): DirectoryFields {
  const given = givenFields(line);
  if (before === undefined && line.values.get('--kind') === undefined)
    throw new UsageError(
      `name the kind of the new directory: --kind ${Object.keys(kinds).join(' or --kind ')}`,
    );
  return { ...before, ...kindOf(line), ...securityOf(line, before), ...given, display_name: name };
}

function kindOf(line: CommandLine): DirectoryFields {
  const kind = lastOf(line, '--kind');
  if (kind === undefined) return {};
  const fields = kinds[kind];
  if (fields !== undefined) return fields;
  throw new UsageError(`--kind is ${Object.keys(kinds).join(' or ')}, not '${kind}'`);
}

function securityOf(line: CommandLine, before: ListedDirectory | undefined): DirectoryFields {
  const security = lastOf(line, '--security') ?? (before === undefined ? 'tls' : undefined);
  if (security === undefined) return {};
  const port = usualPorts[security];
  if (port === undefined) throw new UsageError(`--security is tls, start-tls or none, not '${security}'`);
  return { ssl: security === 'tls', start_tls: security === 'start-tls', port };
}

function givenFields(line: CommandLine): DirectoryFields {
  const [host, base, user] = ['--host', '--base-dn', '--lookup-user'].map((option) => lastOf(line, option));
  const settings = (line.values.get('--set') ?? []).map((text) => {
    const [, key, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    if (key === undefined || value === undefined)
      throw new UsageError(`--set takes NAME=VALUE, not '${text}'`);
    if (key === 'password')
      throw new UsageError('--lookup-user asks for the password; --set does not take it');
    return [key, valueOf(key, value)] as const;
  });
  return {
    ...(host === undefined ? {} : { hostname: host }),
    ...(base === undefined ? {} : { base_dn: base }),
    ...(user === undefined ? {} : { login: user }),
    ...Object.fromEntries(settings),
  };
}

function valueOf(key: string, value: string): unknown {
  if (value === '') return null;
  if (numbers.includes(key)) return Number(value);
  if (!flags.includes(key)) return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new UsageError(`${key} is true or false, not '${value}'`);
}
