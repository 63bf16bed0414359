/** A client of LDAP directories: a connection for each conversation, with binds and searches. */

export { type LdapConnection, withLdap } from './connection.ts';
export { LdapEntry } from './entry.ts';
export { allOf, anyOf, equals, inChain, type LdapFilter } from './filter.ts';
export { LdapError } from './ldap-error.ts';
export type { LdapServer } from './ldap-server.ts';
export { LdapTrust } from './trust.ts';
