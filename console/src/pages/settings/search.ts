/** The part of the address that belongs to the settings. */

import { type RawSearch, textIn } from '../../lib/search-text.ts';

export interface SettingsSearch {
  readonly q?: string | undefined;
  /** `all` shows those that have their default, too. */
  readonly show?: 'all' | undefined;
}

export function settingsSearch(search: RawSearch): SettingsSearch {
  return { q: textIn(search, 'q'), show: search['show'] === 'all' ? 'all' : undefined };
}
