/** Updates that wait, as the facts of patching modules tell them: `pe_patch` of Puppet Enterprise, `os_patching` of albatrossflavour. */

import { ofNodesIn, type PqlQuery, quoted } from './pql.ts';

const facts = ['pe_patch', 'os_patching'];
const lists = { updates: 'package_updates', security: 'security_package_updates' } as const;

export type UpdateKind = keyof typeof lists;

/** How many nodes, of an environment or of all, wait for which package. */
export function updatesQuery(kind: UpdateKind, environment: string | undefined): PqlQuery {
  return {
    entity: 'fact_contents',
    columns: ['value', 'count()'],
    conditions: [`(${pathConditions(kind).join(' or ')})`, ...ofNodesIn(environment)],
    groupBy: ['value'],
  };
}

/** The nodes that wait for a package. */
export function waitingQuery(kind: UpdateKind, name: string, environment: string | undefined): PqlQuery {
  return {
    entity: 'fact_contents',
    columns: ['certname'],
    conditions: [
      `(${pathConditions(kind).join(' or ')})`,
      `value = ${quoted(name)}`,
      ...ofNodesIn(environment),
    ],
  };
}

function pathConditions(kind: UpdateKind): readonly string[] {
  return facts.map((fact) => `path ~> ["${fact}", "${lists[kind]}", ".*"]`);
}
