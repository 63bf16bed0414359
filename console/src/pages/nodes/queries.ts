/** What the list of nodes asks for: pages of rows in the order of the server. */

import { infiniteQueryOptions } from '@tanstack/react-query';
import { type NodePage, queryNodes } from '../../api/nodes.ts';
import { factColumns, type NodesSearch, sortField } from './search.ts';

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function nodePages(search: NodesSearch) {
  const { q = '', sort = 'certname' } = search;
  const columns = factColumns(search).map((path) => `fact.${path}`);
  return infiniteQueryOptions({
    queryKey: ['console', 'nodes', q, sort, columns],
    queryFn: ({ pageParam, signal }) =>
      queryNodes(
        {
          q,
          columns,
          order_by: { field: sortField(sort), order: sort.startsWith('-') ? 'desc' : 'asc' },
          ...(pageParam === undefined ? {} : { after: pageParam }),
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: NodePage) => next ?? undefined,
    placeholderData: (previous) => previous,
  });
}
