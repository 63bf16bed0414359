/** How many nodes have which value: of a fact, or of a field in the index of nodes. */

import { among, type Condition, pqlOf } from '../nodes/node-condition.ts';
import { statusOf } from '../nodes/node-entry.ts';
import type { MatchingNodes, NodeLists } from '../nodes/node-list.ts';
import type { FleetSource } from './fleet-source.ts';

export interface FacetRequest {
  /** `status`, `environment`, `fact.os.name`, `trusted.extensions.pp_role` */
  readonly field: string;
  /** A filter of nodes. */
  readonly search: string;
  readonly limit: number;
}

export interface FacetCounts {
  /** The most frequent first. */
  readonly values: readonly Counted[];
  readonly distinct: number;
  /** Nodes that match the filter. */
  readonly total: number;
  readonly without: number;
  readonly pql: string;
  readonly asOfMs: number;
}

interface Counted {
  readonly value: unknown;
  readonly count: number;
}

type Lists = Pick<NodeLists, 'match'>;

/** @throws ServiceError `bad-request` naming a term of the filter */
export async function countFacet(
  lists: Lists,
  source: Pick<FleetSource, 'rows'>,
  { field, limit, search }: FacetRequest,
  signal: AbortSignal,
): Promise<FacetCounts> {
  const nodes = await lists.match(search, signal);
  const counted = isIndexed(field)
    ? countInIndex(nodes, field)
    : await countFacts(source, field, nodes.condition, signal);
  const sorted = counted.toSorted((a, b) => b.count - a.count || byText(a.value, b.value));
  const have = counted.reduce((sum, { count }) => sum + count, 0);
  return {
    values: sorted.slice(0, limit),
    distinct: sorted.length,
    total: nodes.entries.length,
    without: Math.max(0, nodes.entries.length - have),
    pql: isIndexed(field) ? pqlOf(nodes.condition) : factPql(field, nodes.condition),
    asOfMs: nodes.asOfMs,
  };
}

function isIndexed(field: string): field is 'status' | 'environment' {
  return field === 'status' || field === 'environment';
}

function columnOf(field: string): string {
  return field.replace(/^fact\./, 'facts.');
}

function factPql(field: string, condition: Condition | undefined): string {
  const column = columnOf(field);
  const among = condition === undefined ? '' : `certname in ${pqlOf(condition)} `;
  return `inventory[${column}, count()] { ${among}group by ${column} }`;
}

function countInIndex(
  { cutoffMs, entries }: MatchingNodes,
  field: 'status' | 'environment',
): readonly Counted[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const value = field === 'status' ? statusOf(entry, cutoffMs) : entry.environment;
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return Array.from(counts, ([value, count]) => ({ value, count }));
}

async function countFacts(
  source: Pick<FleetSource, 'rows'>,
  field: string,
  condition: Condition | undefined,
  signal: AbortSignal,
): Promise<readonly Counted[]> {
  const column = columnOf(field);
  const query = [
    'from',
    'inventory',
    [
      'extract',
      [['function', 'count'], column],
      ...(condition === undefined ? [] : [among('nodes', condition)]),
      ['group_by', column],
    ],
  ];
  const rows = await source.rows(query, signal);
  return rows.flatMap((row) => {
    const value = row[column];
    return value === null || value === undefined ? [] : [{ value, count: Number(row['count']) }];
  });
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
