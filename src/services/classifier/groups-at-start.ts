/** The groups that a classifier begins with: those on disk, mended and completed where an earlier version left them so, or the first ones. */

import { serverItself } from '../../platform/changes/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { adoptPreconfiguredGroups } from './adopt-preconfigured-groups.ts';
import { type Group, rootGroup, rootId } from './group.ts';
import { groupChanges } from './group-changes.ts';
import { preconfiguredGroups } from './preconfigured-groups.ts';
import type { GroupStore } from './store.ts';

export interface StartOptions {
  readonly store: GroupStore;
  readonly log: Logger;
  readonly now: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
  /** The certname of the primary, for the preconfigured groups; there are none when absent. */
  readonly primary?: string;
}

/** Makes the first groups where there are none yet. */
export async function groupsAtStart(options: StartOptions): Promise<readonly Group[]> {
  const { newId, now, primary, store } = options;
  const known = await store.all();
  if (known.length > 0) return adopted(options, await repaired(options, known));
  const preconfigured = primary === undefined ? [] : preconfiguredGroups(primary, newId);
  const state = { serialNumber: 1, lastEdited: now() };
  const first = [rootGroup(now()), ...preconfigured.map((definition) => ({ ...definition, ...state }))];
  await store.save(first, groupChanges([], first, { author: serverItself, time: now() }));
  return first;
}

/** An earlier version let the root have another parent, with which no hierarchy can be built. */
async function repaired(
  { log, now, store }: StartOptions,
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
  { log, newId, now, primary, store }: StartOptions,
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
