/**
 * Lists of which many pages have been read. A change of the fleet must not make a browser read all of them again: they stay as they
 * are, say so, and are begun anew when somebody wants it.
 */

import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

/** So many pages are read again by themselves. */
const mostPages = 3;

interface WithData {
  readonly state: { readonly data: unknown };
}

export function isLongList({ state: { data } }: WithData): boolean {
  if (typeof data !== 'object' || data === null || !('pages' in data)) return false;
  return Array.isArray(data.pages) && data.pages.length > mostPages;
}

export interface ListUpdates {
  /** Whether the list is long, and not any more as the server has it. */
  readonly hasUpdates: boolean;
  /** Begins the list anew, at its top. */
  readonly show: () => void;
}

export function useUpdates(queryKey: QueryKey): ListUpdates {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const hasUpdates = useSyncExternalStore(subscribe, () => {
    const query = cache.find({ queryKey, exact: true });
    return query !== undefined && query.state.isInvalidated && isLongList(query);
  });
  const show = () => {
    scrollTo(0, 0);
    void queries.resetQueries({ queryKey, exact: true });
  };
  return { hasUpdates, show };
}
