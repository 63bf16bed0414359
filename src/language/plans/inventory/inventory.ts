/** The targets that a plan knows, with what is known of them. It changes while the plan runs. */

import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { inventoryError, PlanError } from '../plan-error.ts';
import type { ResourceInstanceValue } from '../values/resource-instance-value.ts';
import { type TargetData, TargetValue } from '../values/target-value.ts';
import { combine, deepMerge, type InventoryGroup, type Said, textsIn, withValueAt } from './group-data.ts';
import { Groups } from './groups.ts';
import { parseTargetUri } from './target-uri.ts';

interface KnownTarget {
  readonly name: string;
  readonly uri: string | undefined;
  readonly aliases: Value;
  own: Said;
  readonly resources: Map<string, ResourceInstanceValue>;
}

export interface InventoryOptions {
  /** The group `all`: subgroups, and the data of every target. */
  readonly all?: Omit<InventoryGroup, 'name'>;
  /** How targets are reached that do not say it: `pcp` for those that have an agent. */
  readonly transport: string;
}

const GLOB = /[*?[\]{}]/;

export class Inventory implements TargetData {
  private readonly groups: Groups;
  private readonly transport: string;
  private readonly data: TargetData;
  private readonly known = new Map<string, KnownTarget>();

  /** @param data - what targets are asked for their data; the inventory itself when absent */
  constructor({ all = {}, transport }: InventoryOptions, data?: TargetData) {
    this.data = data ?? this;
    this.groups = new Groups({ ...all, name: 'all' });
    this.transport = transport;
  }

  /** The targets that names, groups and patterns stand for, each once. @throws PlanError for a pattern without any */
  find(wanted: Value): readonly TargetValue[] {
    const found = new Map<string, TargetValue>();
    for (const target of this.expand(wanted)) if (!found.has(target.name)) found.set(target.name, target);
    return [...found.values()];
  }

  /** @throws PlanError unless it is just one */
  findOne(wanted: Value): TargetValue | undefined {
    const targets = this.find(wanted);
    if (targets.length > 1) throw inventoryError(`'${String(wanted)}' refers to ${targets.length} targets`);
    return targets[0];
  }

  read(target: string, what: string): Value | undefined {
    const known = this.knownTarget(target);
    const said = (): Said => combine(this.groups.said(target), known.own);
    const uri = parseTargetUri(known.uri ?? known.name);
    switch (what) {
      case 'uri':
        return known.uri ?? null;
      case 'safe_name':
        return known.uri === known.name ? uri.shown : known.name;
      case 'target_alias':
        return known.aliases;
      case 'features':
        return [...said().features];
      case 'vars':
      case 'facts':
      case 'config':
        return said()[what];
      case 'plugin_hooks':
        return new PuppetHash();
      case 'resources':
        return new PuppetHash(known.resources);
      case 'transport_config':
        return this.transportConfig(known, said());
      default:
        return this.address(what, known, said());
    }
  }

  setVariable(target: string, name: string, value: Value): void {
    const known = this.knownTarget(target);
    known.own = { ...known.own, vars: new PuppetHash(known.own.vars).set(name, value) };
  }

  addFacts(target: string, facts: PuppetHash): void {
    const known = this.knownTarget(target);
    known.own = { ...known.own, facts: deepMerge(known.own.facts, facts) };
  }

  setFeature(target: string, feature: string, isThere: boolean): void {
    const known = this.knownTarget(target);
    const features = new Set(known.own.features);
    if (isThere) features.add(feature);
    else features.delete(feature);
    known.own = { ...known.own, features };
  }

  setConfig(target: string, path: readonly Value[], value: Value): void {
    const known = this.knownTarget(target);
    const whole = value instanceof PuppetHash ? value : new PuppetHash();
    const config = path.length === 0 ? whole : withValueAt(known.own.config, path, value);
    known.own = { ...known.own, config };
  }

  /** @throws PlanError when there is no such group */
  addToGroup(targets: readonly TargetValue[], group: string): void {
    for (const { name } of targets) this.groups.add(group, name);
    if (targets.length === 0) this.groups.assertKnown(group);
  }

  /** @throws PlanError unless it is one target and a group that has it */
  removeFromGroup(targets: readonly TargetValue[], group: string): void {
    const [target] = targets;
    if (target === undefined || targets.length !== 1)
      throw inventoryError(`'remove_from_group' expects a single Target, got ${targets.length}`);
    if (group === 'all') throw inventoryError("Cannot remove Target from Group 'all'");
    this.groups.remove(group, target.name);
  }

  /** @returns the resource as it is known from now on */
  setResource(target: string, resource: ResourceInstanceValue): ResourceInstanceValue {
    const { resources } = this.knownTarget(target);
    const known = resources.get(resource.reference);
    if (known === undefined) resources.set(resource.reference, resource);
    else known.merge(resource);
    return known ?? resource;
  }

  resource(target: string, reference: string): ResourceInstanceValue | undefined {
    return this.knownTarget(target).resources.get(reference);
  }

  /** `Target.new`. @throws PlanError for one without a name, or whose name is a group's */
  create(data: PuppetHash): TargetValue {
    const text = (name: string): string | undefined => {
      const value = data.get(name);
      return typeof value === 'string' ? value : undefined;
    };
    const uri = text('uri');
    const name = text('name') ?? uri;
    if (name === undefined) throw inventoryError('Target must have either a name or uri');
    if (/[\s,]/.test(name))
      throw inventoryError(`Illegal character '${/[\s,]/.exec(name)?.[0] ?? ''}' in target name '${name}'`);
    if (this.groups.has(name))
      throw inventoryError(`Target name ${name} conflicts with group of the same name`);
    const hash = (key: string): PuppetHash => {
      const value = data.get(key);
      return value instanceof PuppetHash ? value : new PuppetHash();
    };
    const aliases = data.get('target_alias') ?? data.get('alias') ?? [];
    const own: Said = {
      vars: hash('vars'),
      facts: hash('facts'),
      config: hash('config'),
      features: new Set(textsIn(data.get('features') ?? [])),
    };
    if (!this.known.has(name)) this.groups.add('all', name);
    this.known.set(name, { name, uri, aliases, own, resources: new Map() });
    for (const alias of textsIn(aliases)) this.groups.addAlias(alias, name);
    return new TargetValue(name, this.data);
  }

  private expand(wanted: Value): readonly TargetValue[] {
    if (wanted instanceof TargetValue) return [wanted];
    if (isArray(wanted)) return wanted.flatMap((each) => this.expand(each));
    if (typeof wanted !== 'string') return [];
    return wanted
      .split(/[\s,]+/)
      .filter((name) => name !== '')
      .flatMap((name) => this.resolve(name))
      .map((name) => {
        this.knownTarget(name);
        return new TargetValue(name, this.data);
      });
  }

  private resolve(name: string): readonly string[] {
    const members = this.groups.members(name);
    if (members !== undefined) return members;
    if (this.known.has(name)) return [name];
    const real = this.groups.aliases.get(name);
    if (real !== undefined) return [real];
    if (!GLOB.test(name) || name.includes('://')) return [name];
    const found = this.groups.matching(name);
    if (found.length === 0)
      throw PlanError.of(
        'bolt.inventory/wildcard-error',
        `Found 0 targets matching wildcard pattern ${name}`,
      );
    return found;
  }

  private knownTarget(name: string): KnownTarget {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const declared = this.groups.declared(name);
    const target: KnownTarget = {
      name,
      uri: declared === undefined ? name : declared.uri,
      aliases: declared?.aliases ?? [],
      own: declared?.said ?? emptySaid(),
      resources: new Map(),
    };
    this.known.set(name, target);
    this.groups.add('all', name);
    return target;
  }

  private transportConfig(known: KnownTarget, said: Said): PuppetHash {
    const config = said.config.get(this.transportOf(known, said));
    return config instanceof PuppetHash ? config : new PuppetHash();
  }

  private transportOf({ uri, name }: KnownTarget, said: Said): string {
    const configured = said.config.get('transport');
    const other = typeof configured === 'string' ? configured : this.transport;
    return (
      parseTargetUri(uri ?? name).scheme ??
      (name === 'localhost' && configured === undefined ? 'local' : other)
    );
  }

  /** What an address says, or else the configuration of the transport. */
  private address(what: string, known: KnownTarget, said: Said): Value | undefined {
    const uri = parseTargetUri(known.uri ?? known.name);
    const transport = this.transportOf(known, said);
    if (what === 'transport') return transport;
    if (what === 'protocol') return transport === 'remote' ? (uri.scheme ?? transport) : transport;
    if (what !== 'host' && what !== 'port' && what !== 'user' && what !== 'password') return undefined;
    const own = known.uri === undefined && what === 'host' ? undefined : uri[what];
    return own ?? this.transportConfig(known, said).get(what) ?? null;
  }
}

function emptySaid(): Said {
  return { vars: new PuppetHash(), facts: new PuppetHash(), features: new Set(), config: new PuppetHash() };
}
