/** The part of the address that belongs to the settings. */

import { type RawSearch, textIn } from '../../lib/search-text.ts';

export interface SettingsSearch {
  readonly q?: string | undefined;
  /** `all` shows those that have their default, too. When absent, a search looks through all. */
  readonly show?: 'all' | 'set' | undefined;
}

export function settingsSearch(search: RawSearch): SettingsSearch {
  const { show } = search;
  return { q: textIn(search, 'q'), show: show === 'all' || show === 'set' ? show : undefined };
}
