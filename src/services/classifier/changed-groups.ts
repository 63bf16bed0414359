/** The groups as a change would leave them, before it is stored. */

import { ServiceError } from '../../lib/service-error.ts';
import type { Condition } from './condition.ts';
import { definitionOf, type Group, type GroupDefinition, rootId } from './group.ts';
import type { GroupChange, GroupChanges, GroupDelta } from './group-wire.ts';
import { Hierarchy } from './hierarchy.ts';
import { mergeAndClean } from './merging.ts';
import { gone, hasChildren, rootRule, sameIds, stale } from './refusals.ts';
import { isSame } from './same-value.ts';

/** Drops changes without effect. @throws ServiceError `conflict` when somebody else was faster, `unprocessable` */
export function differing(
  hierarchy: Hierarchy,
  changes: readonly GroupChange[],
  lastEdited: Date,
): readonly Group[] {
  if (new Set(changes.map(({ id }) => id)).size < changes.length) throw sameIds();
  return changes.flatMap(({ serialNumber, ...definition }) => {
    const { id } = definition;
    const before = hierarchy.find(id);
    if (serialNumber !== undefined && serialNumber !== before?.serialNumber)
      throw before === undefined ? gone(definition) : stale(before, serialNumber);
    const group = {
      ...definition,
      serialNumber: before?.serialNumber ?? 0,
      lastEdited,
    };
    if (before !== undefined && isSame(definitionOf(before), definitionOf(group))) return [];
    if (id === rootId && !isSame(before?.rule, group.rule)) throw rootRule();
    return [group];
  });
}

/** Groups that are already deleted are ignored. */
export function deletable(hierarchy: Hierarchy, deleted: GroupChanges['deleted']): readonly Group[] {
  return deleted.flatMap(({ id, serialNumber }) => {
    const group = hierarchy.find(id);
    if (id === rootId) throw new ServiceError('unprocessable', 'The root group cannot be deleted.');
    if (group === undefined) return [];
    if (serialNumber !== undefined && serialNumber !== group.serialNumber) throw stale(group, serialNumber);
    return [group];
  });
}

/** @throws ServiceError `unprocessable` for groups below those that are removed */
export function withGroups(
  hierarchy: Hierarchy,
  groups: readonly Group[],
  removed: readonly Group[] = [],
): Hierarchy {
  const ids = new Set([...groups, ...removed].map(({ id }) => id));
  for (const group of removed) {
    const children = hierarchy.childrenOf(group.id).filter(({ id }) => !ids.has(id));
    const moved = groups.filter(({ parent }) => parent === group.id);
    if (children.length + moved.length > 0) throw hasChildren(group, [...children, ...moved]);
  }
  return new Hierarchy([...hierarchy.all().filter(({ id }) => !ids.has(id)), ...groups]);
}

export function changed(
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

export function withRule<T extends GroupDefinition>(group: T, rule: Condition | undefined): T {
  const { rule: _before, ...rest } = group;
  return (rule === undefined ? rest : { ...rest, rule }) as T;
}
