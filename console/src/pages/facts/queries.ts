/** Queries of the page of facts. */

import type { UseQueryOptions } from '@tanstack/react-query';
import { countValues, type Facets } from '../../api/fleet.ts';
import { query, readFactNames } from '../../api/puppetdb.ts';
import { type FactPath, factPathRows, filterField } from '../../lib/fact-paths.ts';
import { quoted } from '../../lib/pql.ts';

export const shownValues = 500;

export function factNames(): UseQueryOptions<readonly string[]> {
  return {
    queryKey: ['pdb', 'fact-names'],
    queryFn: ({ signal }) => readFactNames(signal),
    staleTime: 60_000,
  };
}

/** The keys within a fact. */
export function factKeys(name: string): UseQueryOptions<readonly FactPath[]> {
  return {
    queryKey: ['pdb', 'fact-paths', name],
    async queryFn({ signal }) {
      const rows = await query<{ readonly path: readonly (string | number)[] }>(
        { entity: 'fact_paths', columns: ['path'], conditions: [`name = ${quoted(name)}`] },
        signal,
      );
      return factPathRows(rows);
    },
    staleTime: 60_000,
  };
}

export function factValues(path: string, q: string): UseQueryOptions<Facets> {
  return {
    queryKey: ['console', 'facets', path, q],
    queryFn: ({ signal }) => countValues({ field: filterField(path), q, limit: shownValues }, signal),
  };
}
