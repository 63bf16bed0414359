/** The groups there are, changed one after the other, on disk before anybody is told; nodes are classified from memory. */

import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { serverItself } from '../../platform/changes/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { adoptPreconfiguredGroups } from './adopt-preconfigured-groups.ts';
import { checkRights, type GroupEditor, serverEditor } from './change-rights.ts';
import type { CheckInSink } from './check-ins/check-in.ts';
import { classify, type Steps } from './classify.ts';
import type { ClassifiedNode, Condition } from './condition.ts';
import { definitionOf, type Group, type GroupDefinition, rootGroup, rootId } from './group.ts';
import { groupChanges } from './group-changes.ts';
import { Hierarchy } from './hierarchy.ts';
import { withFacts } from './interpolation.ts';
import { mergeAndClean } from './merging.ts';
import { isPinned, pin, unpin } from './pinning.ts';
import { preconfiguredGroups } from './preconfigured-groups.ts';
import { isSame } from './same-value.ts';
import type { GroupStore } from './store.ts';
import { type GroupChange, type GroupChanges, type GroupDelta, renderGroup } from './wire.ts';

export interface ClassifierOptions {
  readonly store: GroupStore;
  readonly log: Logger;
  readonly now: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
  /** The certname of the primary, for the preconfigured groups; there are none when absent. */
  readonly primary?: string;
  /** Names of the groups whose members have the rights of servers; none when absent. */
  readonly serverGroups?: ReadonlySet<string>;
  /** Told of each node that a client of the API asks about. */
  readonly checkIns?: CheckInSink;
}

/** Which groups a node was pinned to, and is no more. */
export interface Unpinned {
  readonly name: string;
  readonly groups: readonly Group[];
}

export class Classifier {
  private readonly options: ClassifierOptions;
  private readonly queue = new SerialQueue();
  private readonly listeners = new Set<() => void>();
  private current: Hierarchy;

  private constructor(options: ClassifierOptions, groups: readonly Group[]) {
    this.options = options;
    this.current = new Hierarchy(groups);
  }

  /** Makes the first groups where there are none yet. */
  static async open(options: ClassifierOptions): Promise<Classifier> {
    const { newId, now, primary, store } = options;
    const known = await store.all();
    if (known.length > 0)
      return new Classifier(options, await adopted(options, await repaired(options, known)));
    const preconfigured = primary === undefined ? [] : preconfiguredGroups(primary, newId);
    const state = { serialNumber: 1, lastEdited: now() };
    const first = [rootGroup(now()), ...preconfigured.map((definition) => ({ ...definition, ...state }))];
    const classifier = new Classifier(options, first);
    await store.save(first, groupChanges([], first, { author: serverItself, time: now() }));
    return classifier;
  }

  get hierarchy(): Hierarchy {
    return this.current;
  }

  /** @returns what ends listening */
  onChange(listener: () => void): () => void {
    // Each has an entry of its own, also when one listens twice.
    const entry = () => listener();
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  }

  /** Classifies a node for a Puppet run or for a client, and notes it as a check-in. */
  checkIn(node: ClassifiedNode, transactionUuid: string | undefined): Steps {
    this.options.checkIns?.note(this.hierarchy, node, transactionUuid);
    return this.classify(node);
  }

  /** With the facts of the node in what the groups give. */
  classify(node: ClassifiedNode): Steps {
    return withFacts(classify(this.hierarchy, node), node);
  }

  /** Environments that somebody has told of, deployed or not. */
  environments(): Promise<readonly string[]> {
    return this.options.store.environments();
  }

  /** Remembers an environment that is not deployed yet. */
  declareEnvironment(name: string): Promise<void> {
    return this.options.store.addEnvironment(name);
  }

  /**
   * Looks whether a group would be accepted, which changes nothing.
   *
   * @param id - in the place of which group; a new one when absent
   * @returns all groups as they would be then, and the group
   * @throws ServiceError `unprocessable`
   */
  tryOut(
    id: string | undefined,
    definition: GroupDefinition,
  ): { readonly hierarchy: Hierarchy; readonly group: Group } {
    const { newId, now } = this.options;
    const before = id === undefined ? undefined : this.hierarchy.find(id);
    if (id === rootId && !isSame(before?.rule, definition.rule)) throw rootRule();
    const state = { serialNumber: before?.serialNumber ?? 0, lastEdited: now() };
    const group = { ...definition, id: id ?? newId(), ...state };
    const others = this.hierarchy.all().filter((each) => each.id !== group.id);
    return { hierarchy: new Hierarchy([...others, group]), group };
  }

  /** @throws ServiceError `not-found` */
  get(id: string): Group {
    const found = this.hierarchy.find(id);
    if (found !== undefined) return found;
    throw new ServiceError('not-found', 'The resource could not be found.', {
      kind: 'not-found',
      details: { id },
    });
  }

  /** @throws ServiceError `unprocessable` */
  create(definition: GroupDefinition, editor = serverEditor): Promise<Group> {
    return this.queue.run(() => this.put(this.options.newId(), definition, editor));
  }

  /**
   * Makes a group with that id, in the place of the one that has it.
   *
   * @throws ServiceError `unprocessable`
   */
  replace(
    id: string,
    definition: GroupDefinition,
    editor = serverEditor,
  ): Promise<{ readonly group: Group; readonly isNew: boolean }> {
    return this.queue.run(async () => {
      const before = this.hierarchy.find(id);
      if (before !== undefined && isSame(definitionOf(before), definition))
        return { group: before, isNew: false };
      if (id === rootId && !isSame(before?.rule, definition.rule)) throw rootRule();
      return { group: await this.put(id, definition, editor), isNew: true };
    });
  }

  /** @throws ServiceError `not-found`, `conflict` when somebody else was faster, `unprocessable` */
  update(id: string, delta: GroupDelta, editor = serverEditor): Promise<Group> {
    return this.queue.run(() => {
      const before = this.get(id);
      const { serialNumber } = delta;
      if (serialNumber !== undefined && serialNumber !== before.serialNumber)
        throw stale(before, serialNumber);
      if (id === rootId && 'rule' in delta) throw rootRule();
      return this.put(id, changed(before, delta), editor);
    });
  }

  /** @throws ServiceError `not-found`, `unprocessable` for a group with children */
  remove(id: string, editor = serverEditor): Promise<void> {
    return this.queue.run(async () => {
      const group = this.get(id);
      const children = this.hierarchy.childrenOf(id);
      if (id === rootId) throw new ServiceError('unprocessable', 'The root group cannot be deleted.');
      if (children.length > 0) throw hasChildren(group, children);
      const next = new Hierarchy(this.hierarchy.all().filter((each) => each.id !== id));
      this.checkRights(next, editor);
      const by = { author: editor.author, time: this.options.now() };
      await this.options.store.remove(id, groupChanges([group], [], by));
      this.use(next);
      this.options.log.info({ group: group.name, groupId: id }, 'deleted a group of nodes');
    });
  }

  /**
   * Puts a whole hierarchy in the place of the one there is.
   *
   * @throws ServiceError `unprocessable` where it has no root, or does not fit together
   */
  replaceAll(
    definitions: readonly (GroupDefinition & { readonly id: string })[],
    editor = serverEditor,
  ): Promise<void> {
    return this.queue.run(async () => {
      const root = definitions.find(({ id }) => id === rootId);
      if (root === undefined) {
        throw new ServiceError('unprocessable', 'The hierarchy has no root group.', { kind: 'missing-root' });
      }
      const ids = new Set(definitions.map(({ id }) => id));
      if (ids.size < definitions.length) {
        throw sameIds();
      }
      const lastEdited = this.options.now();
      const groups = definitions.map((definition) => ({
        ...definition,
        serialNumber: (this.hierarchy.find(definition.id)?.serialNumber ?? 0) + 1,
        lastEdited,
      }));
      const next = new Hierarchy(groups);
      this.checkRights(next, editor);
      const by = { author: editor.author, time: lastEdited };
      await this.options.store.replaceAll(groups, groupChanges(this.hierarchy.all(), groups, by));
      this.use(next);
      this.options.log.info({ groups: groups.length }, 'imported a hierarchy of groups');
    });
  }

  /**
   * Changes, makes and deletes groups in one step; all others stay as they are.
   *
   * @returns the groups that are different now, without those that are deleted
   * @throws ServiceError `conflict` when somebody else was faster, `unprocessable`
   */
  changeAll(changes: GroupChanges, editor = serverEditor): Promise<readonly Group[]> {
    return this.queue.run(() =>
      this.save(this.differing(changes.groups), editor, this.deletable(changes.deleted)),
    );
  }

  /** All groups as they would be after `changeAll`. @throws as `changeAll` */
  tryOutAll(changes: GroupChanges): Hierarchy {
    return this.withGroups(this.differing(changes.groups), this.deletable(changes.deleted));
  }

  /** @throws ServiceError `not-found`, `unprocessable` for the root */
  pin(id: string, names: readonly string[], editor = serverEditor): Promise<void> {
    return this.rewriteRule(id, editor, (rule) => pin(rule, names));
  }

  /** Those who are not pinned don't matter. @throws ServiceError `not-found`, `unprocessable` for the root */
  unpin(id: string, names: readonly string[], editor = serverEditor): Promise<void> {
    return this.rewriteRule(id, editor, (rule) => unpin(rule, names));
  }

  /** @returns those who were pinned somewhere */
  unpinFromAll(names: readonly string[], editor = serverEditor): Promise<readonly Unpinned[]> {
    return this.queue.run(async () => {
      const groups = this.hierarchy.all().filter(({ id }) => id !== rootId);
      const result = [...new Set(names)].map((name) => ({
        name,
        groups: groups.filter(({ rule }) => isPinned(rule, name)),
      }));
      const touched = new Set(result.flatMap((each) => each.groups));
      const unpinned = Array.from(touched, (group) => withRule(group, unpin(group.rule, names)));
      await this.save(unpinned, editor);
      return result.filter((each) => each.groups.length > 0);
    });
  }

  private rewriteRule(
    id: string,
    editor: GroupEditor,
    rewrite: (rule: Condition | undefined) => Condition | undefined,
  ): Promise<void> {
    return this.queue.run(async () => {
      const group = this.get(id);
      if (id === rootId) throw rootRule();
      const rule = rewrite(group.rule);
      if (rule !== group.rule) await this.save([withRule(group, rule)], editor);
    });
  }

  private async put(id: string, definition: GroupDefinition, editor: GroupEditor): Promise<Group> {
    const serialNumber = this.hierarchy.find(id)?.serialNumber ?? 0;
    const group = { ...definition, id, serialNumber, lastEdited: this.options.now() };
    const [saved] = await this.save([group], editor);
    if (saved === undefined) throw new Error('unreachable: one group was saved');
    return saved;
  }

  private differing(changes: readonly GroupChange[]): readonly Group[] {
    if (new Set(changes.map(({ id }) => id)).size < changes.length) throw sameIds();
    return changes.flatMap(({ serialNumber, ...definition }) => {
      const { id } = definition;
      const before = this.hierarchy.find(id);
      if (serialNumber !== undefined && serialNumber !== before?.serialNumber)
        throw before === undefined ? gone(definition) : stale(before, serialNumber);
      const group = {
        ...definition,
        serialNumber: before?.serialNumber ?? 0,
        lastEdited: this.options.now(),
      };
      if (before !== undefined && isSame(definitionOf(before), definitionOf(group))) return [];
      if (id === rootId && !isSame(before?.rule, group.rule)) throw rootRule();
      return [group];
    });
  }

  /** Groups that are already deleted are ignored. */
  private deletable(deleted: GroupChanges['deleted']): readonly Group[] {
    return deleted.flatMap(({ id, serialNumber }) => {
      const group = this.hierarchy.find(id);
      if (id === rootId) throw new ServiceError('unprocessable', 'The root group cannot be deleted.');
      if (group === undefined) return [];
      if (serialNumber !== undefined && serialNumber !== group.serialNumber) throw stale(group, serialNumber);
      return [group];
    });
  }

  /** @throws ServiceError `unprocessable` for groups below those that are removed */
  private withGroups(groups: readonly Group[], removed: readonly Group[] = []): Hierarchy {
    const ids = new Set([...groups, ...removed].map(({ id }) => id));
    for (const group of removed) {
      const children = this.hierarchy.childrenOf(group.id).filter(({ id }) => !ids.has(id));
      const moved = groups.filter(({ parent }) => parent === group.id);
      if (children.length + moved.length > 0) throw hasChildren(group, [...children, ...moved]);
    }
    return new Hierarchy([...this.hierarchy.all().filter(({ id }) => !ids.has(id)), ...groups]);
  }

  private use(hierarchy: Hierarchy): void {
    this.current = hierarchy;
    for (const listener of this.listeners) listener();
  }

  /** @throws ServiceError `forbidden` when that editor may not make these groups of those there are */
  checkRights(next: Hierarchy, editor: GroupEditor): void {
    checkRights(this.hierarchy, next, this.options.serverGroups ?? new Set(), editor);
  }

  /** Checks them together with the others, then writes them, then uses them. */
  private async save(
    groups: readonly Group[],
    editor: GroupEditor,
    removed: readonly Group[] = [],
  ): Promise<readonly Group[]> {
    if (groups.length + removed.length === 0) return [];
    const lastEdited = this.options.now();
    const next = groups.map((group) => ({ ...group, serialNumber: group.serialNumber + 1, lastEdited }));
    const removedIds = removed.map(({ id }) => id);
    const ids = new Set([...next.map(({ id }) => id), ...removedIds]);
    const hierarchy = this.withGroups(next, removed);
    this.checkRights(hierarchy, editor);
    const before = this.hierarchy.all().filter(({ id }) => ids.has(id));
    const by = { author: editor.author, time: lastEdited };
    await this.options.store.save(next, groupChanges(before, next, by), removedIds);
    this.use(hierarchy);
    for (const { id, name, serialNumber } of next)
      this.options.log.info({ group: name, groupId: id, serialNumber }, 'changed a group of nodes');
    for (const { id, name } of removed)
      this.options.log.info({ group: name, groupId: id }, 'deleted a group of nodes');
    return next;
  }
}

/** An earlier version let the root have another parent, with which no hierarchy can be built. */
async function repaired(
  { log, now, store }: ClassifierOptions,
  groups: readonly Group[],
): Promise<readonly Group[]> {
  const root = groups.find(({ id }) => id === rootId);
  if (root === undefined || root.parent === rootId) return groups;
  const mended = { ...root, parent: rootId };
  const by = { author: serverItself, time: now() };
  await store.save([mended], groupChanges([root], [mended], by));
  log.warn(
    { group: root.name, parent: root.parent },
    'repaired the root group, whose parent was another group',
  );
  return groups.map((group) => (group === root ? mended : group));
}

/** An earlier version had one group of the installation, `Compile servers`. */
async function adopted(
  { log, newId, now, primary, store }: ClassifierOptions,
  groups: readonly Group[],
): Promise<readonly Group[]> {
  if (primary === undefined) return groups;
  const byId = new Map(groups.map((group) => [group.id, group]));
  const added = adoptPreconfiguredGroups(groups, primary, newId).map((definition) => {
    const serialNumber = (byId.get(definition.id)?.serialNumber ?? 0) + 1;
    return { ...definition, serialNumber, lastEdited: now() };
  });
  if (added.length === 0) return groups;
  const ids = new Set(added.map(({ id }) => id));
  const before = groups.filter(({ id }) => ids.has(id));
  await store.save(added, groupChanges(before, added, { author: serverItself, time: now() }));
  log.info({ groups: added.map(({ name }) => name) }, 'added the preconfigured groups');
  return [...groups.filter(({ id }) => !ids.has(id)), ...added];
}

function changed(
  before: Group,
  { classes, configData, fields, rule, variables }: GroupDelta,
): GroupDefinition {
  const merged = mergeAndClean(
    { classes: before.classes, configData: before.configData, variables: before.variables },
    { classes, configData, variables },
  ) as unknown as Pick<GroupDefinition, 'classes' | 'configData' | 'variables'>;
  const definition = { ...definitionOf(before), ...fields, ...merged };
  return rule === undefined ? definition : withRule(definition, rule ?? undefined);
}

function withRule<T extends GroupDefinition>(group: T, rule: Condition | undefined): T {
  const { rule: _before, ...rest } = group;
  return (rule === undefined ? rest : { ...rest, rule }) as T;
}

function rootRule(): ServiceError {
  const message = "Changing the root group's rule is not permitted.";
  return new ServiceError('unprocessable', message, { kind: 'root-rule-edit' });
}

function stale({ name, serialNumber }: Group, submitted: number): ServiceError {
  const message = `Group "${name}" has changed: its serial number is ${serialNumber}, not ${submitted}.`;
  return new ServiceError('conflict', message, { kind: 'serial-number-conflict' });
}

function sameIds(): ServiceError {
  return new ServiceError('unprocessable', 'The hierarchy has two groups with the same id.', {
    kind: 'uniqueness-violation',
  });
}

function gone({ name }: GroupDefinition): ServiceError {
  const message = `Group "${name}" has been deleted.`;
  return new ServiceError('conflict', message, { kind: 'serial-number-conflict' });
}

function hasChildren(group: Group, children: readonly Group[]): ServiceError {
  const names = children.map(({ name }) => JSON.stringify(name)).join(' ');
  return new ServiceError(
    'unprocessable',
    `The group cannot be deleted because it has children: [${names}]`,
    {
      kind: 'children-present',
      details: { group: renderGroup(group), children: children.map(renderGroup) },
    },
  );
}
