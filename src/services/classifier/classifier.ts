/** The groups there are, changed one after the other, on disk before anybody is told; nodes are classified from memory. */

import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { checkRights, type GroupEditor, serverEditor } from './change-rights.ts';
import { changed, deletable, differing, withGroups, withRule } from './changed-groups.ts';
import type { CheckInSink } from './check-ins/check-in.ts';
import { classify, type Steps } from './classify.ts';
import type { ClassifiedNode, Condition } from './condition.ts';
import { definitionOf, type Group, type GroupDefinition, rootId } from './group.ts';
import { groupChanges } from './group-changes.ts';
import type { GroupChanges, GroupDelta } from './group-wire.ts';
import { groupsAtStart, type StartOptions } from './groups-at-start.ts';
import { Hierarchy } from './hierarchy.ts';
import { withFacts } from './interpolation.ts';
import { isPinned, pin, unpin } from './pinning.ts';
import { hasChildren, rootRule, sameIds, stale } from './refusals.ts';
import { isSame } from './same-value.ts';

export interface ClassifierOptions extends StartOptions {
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
    return new Classifier(options, await groupsAtStart(options));
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
      this.save(
        differing(this.hierarchy, changes.groups, this.options.now()),
        editor,
        deletable(this.hierarchy, changes.deleted),
      ),
    );
  }

  /** All groups as they would be after `changeAll`. @throws as `changeAll` */
  tryOutAll(changes: GroupChanges): Hierarchy {
    const groups = differing(this.hierarchy, changes.groups, this.options.now());
    return withGroups(this.hierarchy, groups, deletable(this.hierarchy, changes.deleted));
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
    const hierarchy = withGroups(this.hierarchy, next, removed);
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
