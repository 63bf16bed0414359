/** The part of the address that belongs to users, roles, groups, tokens and directories. */

import { type RawSearch, textIn } from '../../lib/search-text.ts';

export const accessTabs = ['users', 'roles', 'groups', 'tokens', 'directories'] as const;
export type AccessTab = (typeof accessTabs)[number];

export interface AccessSearch {
  /** What is searched for. */
  readonly q?: string | undefined;
  /** The one that is open; `new` for one that is being added. */
  readonly id?: string | undefined;
}

export function accessSearch(search: RawSearch): AccessSearch {
  return { q: textIn(search, 'q'), id: textIn(search, 'id') };
}
