/** The groups of an inventory: who is in them, and what they say of their members. */

import { inventoryError } from '../plan-error.ts';
import {
  combine,
  type InventoryGroup,
  type InventoryTarget,
  NOTHING_SAID,
  type Said,
  saidBy,
  textsIn,
} from './group-data.ts';

interface DeclaredTarget {
  readonly uri: string | undefined;
  readonly aliases: readonly string[] | string;
  readonly said: Said;
}

class Group {
  readonly name: string;
  readonly said: Said;
  readonly own = new Set<string>();
  readonly children: readonly Group[];

  constructor(definition: InventoryGroup, declare: (target: string | InventoryTarget) => string) {
    this.name = definition.name;
    this.said = saidBy(definition);
    for (const target of definition.targets ?? []) this.own.add(declare(target));
    this.children = (definition.groups ?? []).map((child) => new Group(child, declare));
  }

  get members(): ReadonlySet<string> {
    return new Set([...this.own, ...this.children.flatMap((child) => [...child.members])]);
  }

  /** What this group and those within it say of a member; inner ones go first. */
  saidOf(target: string): Said {
    if (!this.members.has(target)) return NOTHING_SAID;
    return this.children.reduce((said, child) => combine(said, child.saidOf(target)), this.said);
  }

  *all(): Iterable<Group> {
    yield this;
    for (const child of this.children) yield* child.all();
  }
}

export class Groups {
  readonly aliases = new Map<string, string>();
  private readonly targets = new Map<string, DeclaredTarget>();
  private readonly root: Group;
  private readonly byName: ReadonlyMap<string, Group>;

  constructor(all: InventoryGroup) {
    this.root = new Group(all, (target) => this.register(target));
    this.byName = new Map(Array.from(this.root.all(), (group) => [group.name, group] as const));
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** @throws PlanError */
  assertKnown(name: string): void {
    if (!this.has(name)) throw inventoryError(`Group ${name} does not exist in inventory`);
  }

  /** `undefined` when there is no group of that name. */
  members(name: string): readonly string[] | undefined {
    const group = this.byName.get(name);
    return group === undefined ? undefined : [...group.members];
  }

  declared(target: string): DeclaredTarget | undefined {
    return this.targets.get(target);
  }

  said(target: string): Said {
    return this.root.saidOf(target);
  }

  /** @throws PlanError when there is no such group */
  add(name: string, target: string): void {
    this.assertKnown(name);
    this.byName.get(name)?.own.add(target);
  }

  remove(name: string, target: string): void {
    this.assertKnown(name);
    for (const group of this.byName.get(name)?.all() ?? []) group.own.delete(target);
  }

  addAlias(alias: string, target: string): void {
    this.aliases.set(alias, target);
  }

  /** Targets whose name or alias, or that of a group of theirs, matches a pattern. */
  matching(pattern: string): readonly string[] {
    const expression = globExpression(pattern);
    const found = new Set<string>();
    const add = (names: Iterable<string>): void => {
      for (const name of names) found.add(name);
    };
    for (const group of this.root.all()) if (expression.test(group.name)) add(group.members);
    add([...this.root.members].filter((name) => expression.test(name)));
    add([...this.aliases].filter(([alias]) => expression.test(alias)).map(([, name]) => name));
    return [...found];
  }

  private register(target: string | InventoryTarget): string {
    if (typeof target === 'string') {
      const real = this.aliases.get(target) ?? target;
      if (!this.targets.has(real)) this.targets.set(real, { uri: real, aliases: [], said: NOTHING_SAID });
      return real;
    }
    const name = target.name ?? target.uri ?? '';
    const aliases = target.alias ?? [];
    this.targets.set(name, { uri: target.uri, aliases, said: saidBy(target) });
    for (const alias of textsIn(aliases)) this.aliases.set(alias, name);
    return name;
  }
}

/** `*`, `?` and `[...]`, in any case. */
function globExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^$(){}|\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  try {
    return new RegExp(`^${source}$`, 'i');
  } catch {
    // An open bracket matches nothing.
    return /^(?!)/;
  }
}
