/**
 * Search filters. They are built from values, never from text: what is in a value cannot change the filter.
 *
 * @see RFC 4511, section 4.5.1.7
 */

import { AndFilter, EqualityFilter, ExtensibleFilter, type Filter, OrFilter } from 'ldapts';

export type LdapFilter = Filter;

export function equals(attribute: string, value: string | Buffer): LdapFilter {
  return new EqualityFilter({ attribute, value });
}

export function allOf(...filters: readonly LdapFilter[]): LdapFilter {
  return new AndFilter({ filters: [...filters] });
}

export function anyOf(filters: readonly LdapFilter[]): LdapFilter {
  return new OrFilter({ filters: [...filters] });
}

/** Entries that reach `dn` by following the attribute any number of times. Active Directory and Samba know this rule. */
export function inChain(attribute: string, dn: string): LdapFilter {
  return new ExtensibleFilter({ matchType: attribute, rule: '1.2.840.113556.1.4.1941', value: dn });
}
