/** A directory with two people, one of them in a group. */

import {
  type RunningSlapd,
  slapdManager,
  slapdSuffix,
  startSlapd,
} from '../../../test/support/running-slapd.ts';
import { password } from './console-site.ts';

const people = `ou=people,${slapdSuffix}`;
const groups = `ou=groups,${slapdSuffix}`;

export const directory = {
  baseDn: slapdSuffix,
  manager: slapdManager,
  group: 'ops',
  member: 'olga',
} as const;

export async function startDirectory(): Promise<RunningSlapd> {
  return await startSlapd({
    ldif: [root, branch(people), branch(groups), person('olga'), person('piet'), group].join('\n'),
  });
}

const root = `dn: ${slapdSuffix}
objectClass: dcObject
objectClass: organization
o: Example
dc: example
`;

function branch(dn: string): string {
  return `dn: ${dn}
objectClass: organizationalUnit
ou: ${dn.split(',')[0]?.slice('ou='.length) ?? ''}
`;
}

function person(login: string): string {
  return `dn: uid=${login},${people}
objectClass: inetOrgPerson
uid: ${login}
cn: ${login}
sn: ${login}
mail: ${login}@example.com
userPassword: ${password}
`;
}

const group = `dn: cn=ops,${groups}
objectClass: groupOfNames
cn: ops
member: uid=olga,${people}
`;
