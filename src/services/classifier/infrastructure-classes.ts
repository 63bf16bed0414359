/**
 * Classes about the installation itself. Groups name them as groups of Puppet Enterprise do; their values are read by the servers, or
 * reach agents by the few classes that manage something.
 */

import type { Json, JsonObject } from '../../lib/json.ts';
import { classify } from './classify.ts';
import { compileServerClass } from './compile-server-class.ts';
import type { ClassifiedNode } from './condition.ts';
import type { Hierarchy } from './hierarchy.ts';
import { withFacts } from './interpolation.ts';

/** Class -> the parameters that make it manage something on a node. */
const managing: Readonly<Record<string, readonly string[]>> = {
  'puppet_enterprise::profile::agent': [
    'pcp_broker_list',
    'master_uris',
    'primary_uris',
    'manage_pxp_agent',
    'config_file',
    'ssl_dir',
  ],
  [compileServerClass]: [
    'ensure',
    'problem',
    'manage_server',
    'primary',
    'program_path',
    'program_sha256',
    'program_platform',
    'shared_settings',
    'settings',
    'ssl_dir',
    'service_options',
  ],
};

/** Whether a class is one of these, known or not: hierarchies of older installations name many that mean nothing here. */
export function isInfrastructureClass(name: string): boolean {
  return /^(?:puppet_enterprise|pe_repo)(?:::|$)/.test(name);
}

type Classes = Readonly<Record<string, JsonObject>>;

/**
 * What a catalog declares of a node's classes: without those that would manage nothing, and without parameters that have no effect,
 * so that a node without values of its own gets the catalog of the main manifest.
 *
 * @param configData - a value there makes a class manage something, too
 */
export function effectiveClasses(classes: Classes, configData: Classes = {}): Classes {
  const kept = Object.entries(classes).flatMap(([name, values]) => {
    if (!isInfrastructureClass(name)) return [[name, values] as const];
    const known = managing[name] ?? [];
    const isSet = (among: JsonObject | undefined) => (parameter: string) =>
      (among?.[parameter] ?? null) !== null;
    const given = known.filter(isSet(values));
    if (given.length === 0 && !known.some(isSet(configData[name]))) return [];
    return [
      [name, Object.fromEntries(given.map((parameter) => [parameter, values[parameter] ?? null]))] as const,
    ];
  });
  return Object.fromEntries(kept);
}

/** What the groups of a server say of its own settings. */
export class InfrastructureValues {
  private readonly groups: () => Hierarchy | undefined;
  private readonly server: Pick<ClassifiedNode, 'name' | 'trusted'>;
  private last:
    | { readonly hierarchy: Hierarchy; readonly classes: Classes; readonly data: Classes }
    | undefined;

  /**
   * @param groups - as they are now; `undefined` where there are none
   * @param server - what its certificate proves: facts of servers are not looked at
   */
  constructor(groups: () => Hierarchy | undefined, server: Pick<ClassifiedNode, 'name' | 'trusted'>) {
    this.groups = groups;
    this.server = server;
  }

  /** A parameter of a class, or the configuration data for it; `undefined` where no group says it, or groups contradict. */
  find(className: string, parameter: string): Json | undefined {
    const hierarchy = this.groups();
    if (hierarchy === undefined) return undefined;
    if (this.last?.hierarchy !== hierarchy) {
      const node = { ...this.server, fact: {} };
      const { final } = withFacts(classify(hierarchy, node), node);
      this.last = { hierarchy, classes: final?.classes ?? {}, data: final?.configData ?? {} };
    }
    const { classes, data } = this.last;
    return classes[className]?.[parameter] ?? data[className]?.[parameter];
  }

  /** The same where it is a text; empty where it is none. */
  text(className: string, parameter: string): string {
    const value = this.find(className, parameter);
    return typeof value === 'string' ? value : '';
  }

  /** Whether a text is in a list. */
  lists(className: string, parameter: string, wanted: string): boolean {
    const value = this.find(className, parameter);
    return [value].flat().some((each) => typeof each === 'string' && each.toLowerCase() === wanted);
  }
}
