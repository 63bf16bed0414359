/** Node groups to choose from. */

import type { UseQueryOptions } from '@tanstack/react-query';
import { type GroupRow, readGroups } from '../api/classifier.ts';
import { visibleText } from '../lib/visible-text.ts';

/** Puppet Enterprise's All Nodes, which every node is in. */
const rootId = '00000000-0000-4000-8000-000000000000';

export function groupRows(): UseQueryOptions<readonly GroupRow[]> {
  return { queryKey: ['classifier', 'group-rows'], queryFn: ({ signal }) => readGroups(signal) };
}

/** Groups by name, for a list to choose from; the first is none. All Nodes is not among them: its rule never changes. */
export function groupOptions(groups: readonly GroupRow[]): readonly (readonly [id: string, name: string])[] {
  const sorted = groups
    .filter((each) => each.id !== rootId)
    .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  return [['', 'Choose a group'], ...sorted.map(({ id, name }) => [id, visibleText(name)] as const)];
}
