/** The part of the address that belongs to the page of a node. */

import { oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export const nodeTabs = [
  'summary',
  'facts',
  'catalog',
  'groups',
  'reports',
  'packages',
  'activity',
  'certificate',
] as const;
export type NodeTab = (typeof nodeTabs)[number];

export interface NodeSearch {
  /** The summary when absent. */
  readonly tab?: NodeTab | undefined;
  /** What facts or resources are searched for. */
  readonly find?: string | undefined;
  /** `File[/etc/motd]`: the resource that is shown. */
  readonly resource?: string | undefined;
  /** Whether it is shown why the resource is there: `1`. */
  readonly why?: string | undefined;
  /** The key or parameter whose value is looked up. */
  readonly lookup?: string | undefined;
}

export function nodeSearch(search: RawSearch): NodeSearch {
  const tab = oneIn(search, 'tab', nodeTabs);
  return {
    tab: tab === 'summary' ? undefined : tab,
    find: textIn(search, 'find'),
    resource: textIn(search, 'resource'),
    why: textIn(search, 'why'),
    lookup: textIn(search, 'lookup'),
  };
}
