/**
 * The groups of a fresh installation. Names and parents are those of Puppet Enterprise, whose guides and clients look for them.
 *
 * Two rules differ. Agents choose their environment until an operator decides otherwise, so that nodes without groups of their own get
 * what the main manifest says, and `Production environment` is below `Agent-specified environment`, so that it wins when it matches.
 */

import type { Condition } from './condition.ts';
import { agentSpecified, defaultEnvironment, type GroupDefinition, rootId } from './group.ts';

export type IdentifiedDefinition = GroupDefinition & { readonly id: string };

export const mastersName = 'PE Master';
export const compilersName = 'PE Compiler';
/** This group and all groups below it describe the installation itself. */
export const infrastructureName = 'PE Infrastructure';
/** What `PE Compiler` was called before there were other groups of the installation. */
export const formerCompilersName = 'Compile servers';

export const everyNode: Condition = ['and', ['~', 'name', '.*']];
const isCompiler: Condition = ['=', ['trusted', 'extensions', 'pp_auth_role'], 'pe_compiler'];

interface Preconfigured {
  readonly name: string;
  readonly description: string;
  /** By name; the root when absent. Parents come first. */
  readonly parent?: string;
  readonly rule?: Condition;
  /** Without parameters. */
  readonly classes?: readonly string[];
  /** That of production, which does not trump, when absent. */
  readonly environment?: string;
}

const environmentGroups: readonly Preconfigured[] = [
  {
    name: 'Agent-specified environment',
    description: 'Nodes whose agents choose their environment: all, until other environment groups decide.',
    environment: agentSpecified,
    rule: everyNode,
  },
  {
    name: 'Production environment',
    description: 'Nodes that are always in production, whatever their agents ask for.',
    parent: 'Agent-specified environment',
    environment: defaultEnvironment,
  },
];

/** @param primary - the certname of the primary, which is pinned where its services are */
function serverGroups(primary: string): readonly Preconfigured[] {
  const isPrimary: Condition = ['=', 'name', primary];
  const servers: Condition = ['or', isCompiler, isPrimary];
  const onPrimary = (name: string, profile: string, description: string): Preconfigured => ({
    name,
    description,
    parent: infrastructureName,
    rule: ['or', isPrimary],
    classes: [`puppet_enterprise::profile::${profile}`],
  });
  return [
    {
      name: infrastructureName,
      description: 'What the servers of this installation have in common. Nodes are in the groups below it.',
      classes: ['puppet_enterprise'],
    },
    {
      name: mastersName,
      description:
        'The primary and the compile servers. Nodes that belong here by a pin or by a trusted fact have the rights of compile servers.',
      parent: infrastructureName,
      rule: servers,
      classes: ['pe_repo', 'puppet_enterprise::profile::master'],
    },
    {
      name: compilersName,
      description: 'Compile servers, by the role that their certificates prove.',
      parent: mastersName,
      rule: ['or', isCompiler],
      classes: ['puppet_enterprise::profile::master'],
    },
    onPrimary('PE Certificate Authority', 'certificate_authority', 'Where the certificate authority is.'),
    onPrimary('PE PuppetDB', 'puppetdb', 'Where PuppetDB is.'),
    onPrimary('PE Console', 'console', 'Where the APIs of groups and users are.'),
    onPrimary('PE Orchestrator', 'orchestrator', 'Where the orchestrator is.'),
    {
      name: 'PE Agent',
      description: 'Every node with an agent.',
      parent: infrastructureName,
      rule: everyNode,
      classes: ['puppet_enterprise::profile::agent'],
    },
    {
      name: 'PE Infrastructure Agent',
      description: 'Agents of the servers of this installation, and of its load balancers.',
      parent: 'PE Agent',
      rule: servers,
      classes: ['puppet_enterprise::profile::agent'],
    },
  ];
}

/** @param primary - the certname of the primary */
export function preconfiguredGroups(primary: string, newId: () => string): readonly IdentifiedDefinition[] {
  const ids = new Map<string | undefined, string>([[undefined, rootId]]);
  return [...environmentGroups, ...serverGroups(primary)].map(
    ({ classes = [], description, environment, name, parent, rule }) => {
      const id = newId();
      ids.set(name, id);
      return {
        id,
        name,
        description,
        parent: ids.get(parent) ?? rootId,
        ...(rule === undefined ? {} : { rule }),
        environment: environment ?? defaultEnvironment,
        environmentTrumps: environment !== undefined,
        classes: Object.fromEntries(classes.map((each) => [each, {}])),
        variables: {},
        configData: {},
      };
    },
  );
}
