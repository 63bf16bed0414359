/** All groups as a tree: a group matches only those whom its ancestors match. */

import { ServiceError } from '../../lib/service-error.ts';
import { TimeLimit } from '../../lib/time-limit.ts';
import {
  areQuick,
  type ClassifiedNode,
  type Condition,
  compileCondition,
  type Matcher,
  type Patterns,
} from './condition.ts';
import { type Classification, type Group, rootId } from './group.ts';
import { mergeAndClean } from './merging.ts';
import { renderGroup } from './render.ts';

interface Member {
  readonly group: Group;
  /** `undefined`: the group itself matches no node. */
  readonly matches: Matcher | undefined;
  /** Of its rule. */
  readonly patterns: Patterns;
  readonly children: Member[];
}

/** Rules take microseconds. One with look-around in its regular expression, which has no linear engine, may take years. */
const defaultLimitMs = 250;

export class Hierarchy {
  private readonly members: ReadonlyMap<string, Member>;
  private readonly limit: TimeLimit;
  private isQuick: boolean | undefined;
  /** What nodes get from a group, for each that a node was in. */
  private readonly known = new WeakMap<Group, Classification>();

  /** @throws ServiceError `unprocessable` for a name twice in an environment, a parent that is not there, a cycle */
  constructor(groups: readonly Group[], limitMs = defaultLimitMs) {
    const members = new Map(groups.toSorted(byName).map((group) => [group.id, memberOf(group)]));
    for (const { group } of members.values()) checkCycle(group, members);
    for (const member of members.values())
      if (member.group.id !== rootId) members.get(member.group.parent)?.children.push(member);
    checkNames(groups);
    this.members = members;
    this.limit = new TimeLimit(limitMs);
  }

  /** By name. */
  all(): readonly Group[] {
    return Array.from(this.members.values(), ({ group }) => group);
  }

  find(id: string): Group | undefined {
    return this.members.get(id)?.group;
  }

  childrenOf(id: string): readonly Group[] {
    return this.members.get(id)?.children.map(({ group }) => group) ?? [];
  }

  /** From the parent up to the root. */
  ancestorsOf({ id, parent }: Group): readonly Group[] {
    const found = id === rootId ? undefined : this.find(parent);
    return found === undefined ? [] : [found, ...this.ancestorsOf(found)];
  }

  /** What its nodes get from a group: its own, and what it does not replace of its ancestors'. */
  inherited(group: Group): Classification {
    const known = this.known.get(group);
    if (known !== undefined) return known;
    const chain = [group, ...this.ancestorsOf(group)].toReversed().map(contribution);
    const merged = chain.reduce((earlier, later) => mergeAndClean(earlier, later), {});
    const inherited = merged as unknown as Classification;
    this.known.set(group, inherited);
    return inherited;
  }

  /** The group's rule and those of its ancestors; `undefined` where it has none. */
  fullRule(group: Group): Condition | undefined {
    if (group.rule === undefined) return undefined;
    const [rule, ...rest] = [group, ...this.ancestorsOf(group)].flatMap(({ rule: each }) =>
      each === undefined ? [] : [each],
    );
    if (rule === undefined) return undefined;
    return rest.length === 0 ? rule : ['and', rule, ...rest];
  }

  /**
   * The groups that a node belongs to, parents first. A node that does not match a group does not match the groups below.
   *
   * @throws ServiceError `compile-failed` naming the group whose rule does not come to an end
   */
  matching(node: ClassifiedNode): readonly Group[] {
    return this.matchingEach([node])[0] ?? [];
  }

  /** As `matching`, for several nodes within the time of one: to watch the time costs more than most rules. */
  matchingEach(nodes: readonly ClassifiedNode[]): readonly (readonly Group[])[] {
    const root = this.members.get(rootId);
    if (root === undefined) return nodes.map(() => []);
    let [looksAt, name] = ['', ''];
    const look = (node: ClassifiedNode, found: Group[], { children, group, matches }: Member): void => {
      looksAt = group.name;
      const doesMatch = matches?.(node);
      if (doesMatch === false) return;
      if (doesMatch === true) found.push(group);
      for (const child of children) look(node, found, child);
    };
    const lookAll = () =>
      nodes.map((node) => {
        const found: Group[] = [];
        name = node.name;
        look(node, found, root);
        return found;
      });
    return this.limited(
      lookAll,
      () => `Classifying ${name} took too long: gave up in the rule of the group '${looksAt}'`,
    );
  }

  /** Work that looks at rules of these groups. @throws ServiceError `compile-failed` when it takes too long */
  withinLimit<T>(certname: string, work: () => T): T {
    return this.limited(work, () => `Classifying ${certname} took too long`);
  }

  private limited<T>(work: () => T, lateMessage: () => string): T {
    this.isQuick ??= [...this.members.values()].every(({ patterns }) => areQuick(patterns));
    // To watch the time takes a quarter of a millisecond, as long as hundreds of rules.
    if (this.isQuick) return work();
    return this.limit.run(work, () => new ServiceError('compile-failed', lateMessage()));
  }
}

function byName(a: Group, b: Group): number {
  if (a.name === b.name) return a.id < b.id ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function memberOf(group: Group): Member {
  const patterns: Patterns = new Map();
  return { group, matches: group.rule && compileCondition(group.rule, patterns), patterns, children: [] };
}

function contribution({ classes, configData, environment, environmentTrumps, variables }: Group) {
  return { environment, environmentTrumps, classes, configData, variables };
}

function checkCycle(group: Group, members: ReadonlyMap<string, Member>): void {
  const passed = new Map<string, Group>();
  let current = group;
  while (current.id !== rootId || current.parent !== rootId) {
    if (passed.has(current.id)) throw cycle([...passed.values()], current);
    passed.set(current.id, current);
    const parent = members.get(current.parent)?.group;
    if (parent === undefined) {
      throw new ServiceError('unprocessable', `The parent group ${current.parent} does not exist.`, {
        kind: 'missing-parent',
        details: renderGroup(current),
      });
    }
    current = parent;
  }
}

function cycle(passed: readonly Group[], again: Group): ServiceError {
  const groups = passed.slice(passed.indexOf(again));
  const names = [...groups, again].map(({ name }) => name).join(' -> ');
  const message = `Detected group inheritance cycle: ${names}. See the \`details\` key for the full groups of the cycle.`;
  return new ServiceError('unprocessable', message, {
    kind: 'inheritance-cycle',
    details: { groups: groups.map(renderGroup) },
  });
}

function checkNames(groups: readonly Group[]): void {
  const seen = new Set<string>();
  for (const { environment, name } of groups) {
    const key = JSON.stringify([environment, name]);
    if (seen.has(key)) {
      const message =
        'Could not complete the request because it violates a group uniqueness constraint. ' +
        `A group with environment = ${environment}, name = ${name} already exists.`;
      const conflict = { environment, name };
      const details = { constraintName: 'groups_environment_name_unique', conflict };
      throw new ServiceError('unprocessable', message, { kind: 'uniqueness-violation', details });
    }
    seen.add(key);
  }
}
