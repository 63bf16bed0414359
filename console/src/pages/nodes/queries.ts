/** What the list of nodes asks for: pages of rows in the order of the server. */

import { infiniteQueryOptions } from '@tanstack/react-query';
import { type NodePage, type NodeQuery, queryNodes } from '../../api/nodes.ts';
import { withinEnvironment } from '../../lib/filter-terms.ts';
import { factColumns, type NodesSearch, sortField } from './search.ts';

/** The whole list, without its pages. */
export function nodeQuery(search: NodesSearch): Pick<NodeQuery, 'columns' | 'order_by' | 'q'> {
  const { environment, q = '', sort = 'certname' } = search;
  return {
    q: withinEnvironment(q, environment),
    columns: factColumns(search).map((path) => `fact.${path}`),
    order_by: { field: sortField(sort), order: sort.startsWith('-') ? 'desc' : 'asc' },
  };
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function nodePages(search: NodesSearch) {
  const asked = nodeQuery(search);
  return infiniteQueryOptions({
    queryKey: ['console', 'nodes', asked],
    queryFn: ({ pageParam, signal }) =>
      queryNodes({ ...asked, ...(pageParam === undefined ? {} : { after: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: NodePage) => next ?? undefined,
    placeholderData: (previous) => previous,
  });
}
