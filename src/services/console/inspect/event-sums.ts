/** What happened to resources, summed up by class, node, resource or message. */

import type { Condition } from '../nodes/node-condition.ts';
import type { EventQuery, EventSums } from '../wire.ts';
import type { FleetSource } from './fleet-source.ts';

export interface EventRequest {
  readonly by: NonNullable<EventQuery['by']>;
  readonly status: EventQuery['status'];
  /** ISO 8601 */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly isLatest: boolean;
  readonly environment: string | undefined;
  /** A part of the subject. */
  readonly search: string;
  readonly limit: number;
}

/** Each node with each subject is a row: so many are read at most. */
export const mostRows = 50_000;

const subjectColumns: Readonly<Record<EventRequest['by'], readonly string[]>> = {
  class: ['containing_class'],
  node: ['certname'],
  resource: ['resource_type', 'resource_title'],
  message: ['message'],
};

/**
 * What PuppetDB's query language can't do is count nodes by something else at the same time: the rows tell nodes apart, and are
 * summed up here.
 */
export async function sumEvents(
  source: Pick<FleetSource, 'rows'>,
  request: EventRequest,
  signal: AbortSignal,
): Promise<EventSums> {
  const columns = subjectColumns[request.by];
  const keys = columns.includes('certname') ? columns : [...columns, 'certname'];
  const times = [
    ['function', 'min', 'timestamp'],
    ['function', 'max', 'timestamp'],
  ];
  const query = [
    'from',
    'events',
    ['extract', [['function', 'count'], ...times, ...keys], ...conditionsOf(request), ['group_by', ...keys]],
    ['limit', mostRows],
  ];
  const rows = await source.rows(query, signal);
  const sums = new Map<string | null, MutableSum>();
  for (const row of rows) add(sums, subjectOf(row, columns), row);
  const sorted = Array.from(sums.values()).toSorted((a, b) => b.nodes - a.nodes || b.events - a.events);
  return {
    rows: sorted.slice(0, request.limit),
    total: sorted.length,
    is_partial: rows.length >= mostRows,
  };
}

interface MutableSum {
  readonly subject: string | null;
  events: number;
  nodes: number;
  first: string;
  last: string;
}

type Row = Readonly<Record<string, unknown>>;

function add(sums: Map<string | null, MutableSum>, subject: string | null, row: Row): void {
  const [first, last] = [String(row['min']), String(row['max'])];
  const events = Number(row['count']);
  const known = sums.get(subject);
  if (known === undefined) {
    sums.set(subject, { subject, events, nodes: 1, first, last });
    return;
  }
  known.events += events;
  known.nodes += 1;
  if (first < known.first) known.first = first;
  if (last > known.last) known.last = last;
}

function subjectOf(row: Row, [first = '', second]: readonly string[]): string | null {
  const value = row[first];
  if (typeof value !== 'string') return null;
  return second === undefined ? value : `${value}[${String(row[second])}]`;
}

/** @returns at most one: PuppetDB takes none that is empty */
function conditionsOf(request: EventRequest): readonly Condition[] {
  const { by, environment, from, isLatest, search, status, to } = request;
  const column = subjectColumns[by].at(-1) ?? '';
  const conditions: readonly Condition[] = [
    ...(isLatest ? [['=', 'latest_report?', true] as const] : []),
    ...(from === undefined ? [] : [['>=', 'timestamp', from] as const]),
    ...(to === undefined ? [] : [['<', 'timestamp', to] as const]),
    ...(environment === undefined ? [] : [['=', 'environment', environment] as const]),
    ...(status === undefined ? [] : outcomes[status]),
    ...(search === '' ? [] : [['~', column, escaped(search)] as const]),
  ];
  return conditions.length < 2 ? conditions : [['and', ...conditions]];
}

/** PuppetDB stores no value where no drift was corrected. */
const corrective: Condition = ['=', 'corrective_change', true];
const notCorrective: Condition = [
  'or',
  ['null?', 'corrective_change', true],
  ['=', 'corrective_change', false],
];
const changed: Condition = ['=', 'status', 'success'];

const outcomes: Readonly<Record<NonNullable<EventRequest['status']>, readonly Condition[]>> = {
  failed: [['=', 'status', 'failure']],
  corrective: [changed, corrective],
  intentional: [changed, notCorrective],
  noop: [['=', 'status', 'noop']],
  skipped: [['=', 'status', 'skipped']],
};

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
