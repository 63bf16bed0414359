/** Queries of the page of queries. */

import type { QueryClient, UseQueryOptions } from '@tanstack/react-query';
import { type PqlAnswer, query, queryPql, readFactNames } from '../../api/puppetdb.ts';
import { factPathRows } from '../../lib/fact-paths.ts';
import { quoted } from '../../lib/pql.ts';
import { pqlEntities, pqlFunctions, pqlKeywords, pqlPlace } from '../../lib/pql-words.ts';

export const shownRows = 1000;

export interface TimedAnswer extends PqlAnswer {
  readonly ms: number;
}

/** A query is run when somebody says so, and not by itself. */
export function pqlAnswer(pql: string | undefined): UseQueryOptions<TimedAnswer> {
  return {
    queryKey: ['pdb', 'pql', pql],
    async queryFn({ signal }) {
      const startedMs = performance.now();
      const answer = await queryPql(pql ?? '', shownRows, signal);
      return { ...answer, ms: performance.now() - startedMs };
    },
    enabled: pql !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  };
}

/** What the editor offers at the end of a text: entities, their fields, the facts of this fleet. */
export async function completions(queries: QueryClient, before: string) {
  const place = pqlPlace(before);
  if (place === undefined) return undefined;
  const { factPrefix, fields, from, kind } = place;
  if (kind === 'entity') return { from, words: Object.keys(pqlEntities) };
  if (kind === 'field') return { from, words: [...fields, ...pqlKeywords, ...pqlFunctions] };
  return { from, words: await factWords(queries, factPrefix) };
}

/** The keys that come next. @param prefix - `os.release.`, or empty for the names of facts */
async function factWords(queries: QueryClient, prefix: string): Promise<readonly string[]> {
  if (prefix === '')
    return await queries.fetchQuery({
      queryKey: ['pdb', 'fact-names'],
      queryFn: ({ signal }) => readFactNames(signal),
      staleTime: 60_000,
    });
  const [name = ''] = prefix.split('.');
  const paths = await queries.fetchQuery({
    queryKey: ['pdb', 'fact-paths', name],
    async queryFn({ signal }) {
      const rows = await query<{ readonly path: readonly (string | number)[] }>(
        { entity: 'fact_paths', columns: ['path'], conditions: [`name = ${quoted(name)}`] },
        signal,
      );
      return factPathRows(rows);
    },
    staleTime: 60_000,
  });
  const below = paths.filter(({ path }) => path.startsWith(prefix));
  return Array.from(new Set(below.map(({ path }) => path.slice(prefix.length).split('.')[0] ?? '')));
}
