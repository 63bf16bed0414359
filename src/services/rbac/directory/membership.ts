/** Which of the imported groups a person is a member of. */

import {
  allOf,
  anyOf,
  equals,
  inChain,
  type LdapConnection,
  type LdapEntry,
  type LdapFilter,
} from '../../../platform/ldap/index.ts';
import { type DirectorySettings, groupBase } from './directory.ts';
import { isSameName } from './names.ts';

/** Filters name so many at a time. */
const namedAtATime = 50;
/** More groups than anybody is in: a directory with more is not asked on and on. */
const mostGroups = 10_000;
/** Says that a directory is Active Directory, which follows chains of members itself. */
const activeDirectory = '1.2.840.113556.1.4.800';

export interface Membership {
  readonly settings: DirectorySettings;
  /** The user's entry. */
  readonly person: LdapEntry;
  /** As groups with `memberUid` name the user. */
  readonly login: string;
  /** Names of the groups that matter. */
  readonly wanted: readonly string[];
}

/** @returns those of the wanted groups that the person is in @throws LdapError */
export async function groupsOf(
  connection: LdapConnection,
  membership: Membership,
): Promise<readonly string[]> {
  const { settings, wanted } = membership;
  if (wanted.length === 0) return [];
  const found = await entriesOf(connection, membership);
  const names = found.flatMap((entry) => entry.values(settings.groupLookupAttribute));
  return wanted.filter((name) => names.some((other) => isSameName(name, other)));
}

async function entriesOf(connection: LdapConnection, membership: Membership): Promise<readonly LdapEntry[]> {
  const { person, settings } = membership;
  const primary = await findPrimaryGroup(connection, membership);
  const starts = [memberReference(membership), ...primary.map(({ dn }) => dn)];
  if (!settings.searchesNestedGroups) {
    const [reference = ''] = starts;
    return [...primary, ...(await searchWanted(connection, membership, equalsMember(settings, [reference])))];
  }
  if (!(await followsChains(connection, settings)))
    return [...primary, ...(await climb(connection, membership, starts))];
  const chains = [person.dn, ...starts.slice(1)].map((dn) => inChain(settings.groupMemberAttribute, dn));
  return [...primary, ...(await searchWanted(connection, membership, anyOf(chains)))];
}

/** Group by group from the members up. A group that was seen is not looked at again, so circles end. */
async function climb(
  connection: LdapConnection,
  membership: Membership,
  starts: readonly string[],
): Promise<readonly LdapEntry[]> {
  const found = new Map<string, LdapEntry>();
  let members = starts;
  while (members.length > 0 && found.size < mostGroups) {
    const entries = await inParts(members, (part) =>
      searchGroups(connection, membership, [equalsMember(membership.settings, part)]),
    );
    const fresh = entries.filter(({ dn }) => !found.has(dn.toLowerCase()));
    for (const entry of fresh) found.set(entry.dn.toLowerCase(), entry);
    members = [...new Set(fresh.map(({ dn }) => dn))];
  }
  return [...found.values()];
}

async function searchWanted(
  connection: LdapConnection,
  membership: Membership,
  isMember: LdapFilter,
): Promise<readonly LdapEntry[]> {
  const { settings, wanted } = membership;
  return await inParts(wanted, (part) => {
    const isWanted = anyOf(part.map((name) => equals(settings.groupLookupAttribute, name)));
    return searchGroups(connection, membership, [isWanted, isMember]);
  });
}

/** Active Directory does not list users as members of their primary group, but names its last number in the user's entry. */
async function findPrimaryGroup(
  connection: LdapConnection,
  membership: Membership,
): Promise<readonly LdapEntry[]> {
  const { person } = membership;
  const number = Number(person.first('primaryGroupID'));
  const sid = person.bytes('objectSid');
  if (sid === undefined || sid.length < 12 || !Number.isInteger(number)) return [];
  const groupSid = Buffer.from(sid);
  groupSid.writeUInt32LE(number, groupSid.length - 4);
  return await searchGroups(connection, membership, [equals('objectSid', groupSid)]);
}

function searchGroups(
  connection: LdapConnection,
  { settings }: Membership,
  filters: readonly LdapFilter[],
): Promise<readonly LdapEntry[]> {
  return connection.search(groupBase(settings), {
    scope: 'sub',
    filter: allOf(equals('objectClass', settings.groupObjectClass), ...filters),
    attributes: [settings.groupLookupAttribute],
  });
}

function equalsMember(
  { groupMemberAttribute }: DirectorySettings,
  references: readonly string[],
): LdapFilter {
  return anyOf(references.map((reference) => equals(groupMemberAttribute, reference)));
}

/** Groups of the POSIX schema name the logins of their members; all others their DNs. */
function memberReference({ login, person, settings }: Membership): string {
  return settings.groupMemberAttribute.toLowerCase() === 'memberuid' ? login : person.dn;
}

async function followsChains(connection: LdapConnection, settings: DirectorySettings): Promise<boolean> {
  if (!settings.usesMatchingRuleInChain) return false;
  const [root] = await connection.search('', { scope: 'base', attributes: ['supportedCapabilities'] });
  return root?.values('supportedCapabilities').includes(activeDirectory) === true;
}

async function inParts<T>(
  all: readonly T[],
  work: (part: readonly T[]) => Promise<readonly LdapEntry[]>,
): Promise<readonly LdapEntry[]> {
  const results: LdapEntry[] = [];
  for (let start = 0; start < all.length; start += namedAtATime)
    results.push(...(await work(all.slice(start, start + namedAtATime))));
  return results;
}
