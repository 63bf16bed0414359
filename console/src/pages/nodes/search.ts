/** The part of the address that belongs to the list of nodes. */

import { oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export interface NodesSearch {
  /** The filter: `status:failed web`. */
  readonly q?: string | undefined;
  /** A column; with `-` before it the last comes first. By certname when absent. */
  readonly sort?: NodeSort | undefined;
  /** The filter of all pages. */
  readonly environment?: string | undefined;
  /** Paths of facts that are columns: `os.name,memory.system.total`. */
  readonly facts?: string | undefined;
}

const sortable = ['certname', 'status', 'environment', 'report_time'] as const;
export type NodeSort = (typeof sortable)[number] | `-${(typeof sortable)[number]}`;
const sorts: readonly NodeSort[] = sortable.flatMap((name): NodeSort[] => [name, `-${name}`]);

export function nodesSearch(search: RawSearch): NodesSearch {
  const sort = oneIn(search, 'sort', sorts);
  return {
    q: textIn(search, 'q'),
    sort: sort === 'certname' ? undefined : sort,
    facts: textIn(search, 'facts'),
  };
}

/** The column that a list is sorted by, in either direction. */
export function sortField(sort: NodeSort): (typeof sortable)[number] {
  return sortable.find((name) => sort.endsWith(name)) ?? 'certname';
}

/** The paths of the facts that are columns. */
export function factColumns({ facts = '' }: NodesSearch): readonly string[] {
  return facts.split(',').filter((path) => /^[\w.]+$/.test(path));
}

/** The list as a view keeps it: `q=status%3Afailed&sort=-report_time`. */
export function viewText(search: NodesSearch): string {
  const parameters = new URLSearchParams();
  const { facts, q, sort } = search;
  for (const [name, value] of Object.entries({ q, sort, facts }))
    if (typeof value === 'string' && value !== '') parameters.set(name, value);
  return parameters.toString();
}

export function viewSearch(text: string): NodesSearch {
  return nodesSearch(Object.fromEntries(new URLSearchParams(text)));
}
