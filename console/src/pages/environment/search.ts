/** The part of the address that belongs to an environment. */

import { oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export const environmentTabs = ['versions', 'files', 'preview', 'lookup'] as const;
export type EnvironmentTab = (typeof environmentTabs)[number];

export interface EnvironmentSearch {
  /** Versions when absent. */
  readonly tab?: EnvironmentTab | undefined;
  /** Of a version that is not served now. */
  readonly commit?: string | undefined;
  /** Below the environment's directory. */
  readonly path?: string | undefined;
  /** The line to begin at. */
  readonly line?: string | undefined;
  /** The node whose catalog is previewed, or for which data is looked up. */
  readonly node?: string | undefined;
  /** The key that is looked up. */
  readonly key?: string | undefined;
}

export function environmentSearch(search: RawSearch): EnvironmentSearch {
  const tab = oneIn(search, 'tab', environmentTabs);
  return {
    tab: tab === 'versions' ? undefined : tab,
    commit: textIn(search, 'commit'),
    path: textIn(search, 'path'),
    line: textIn(search, 'line'),
    node: textIn(search, 'node'),
    key: textIn(search, 'key'),
  };
}
