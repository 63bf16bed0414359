/** The part of the address that belongs to the groups. */

import { oneIn, type RawSearch } from '../../lib/search-text.ts';

export const groupTabs = ['rules', 'nodes', 'classes', 'configuration', 'variables'] as const;
export type GroupTab = (typeof groupTabs)[number];

export interface ClassificationSearch {
  /** The rules when absent. */
  readonly tab?: GroupTab | undefined;
}

export function classificationSearch(search: RawSearch): ClassificationSearch {
  const tab = oneIn(search, 'tab', groupTabs);
  return { tab: tab === 'rules' ? undefined : tab };
}
