/** One page of a list of nodes: those after a place in an order, without putting all others in order. */

import { ServiceError } from '../../../lib/service-error.ts';
import { type NodeStatus, nodeStatuses } from '../wire.ts';
import { type NodeEntry, statusOf } from './node-entry.ts';
import { placeOf } from './sorted-nodes.ts';

export type SortField = 'certname' | 'environment' | 'report_time' | 'status';

export interface NodeOrder {
  readonly field: SortField;
  readonly isDescending: boolean;
}

/** A position in a list: the sort value, then the certname for equal values. */
export type PlaceInList = readonly [value: string | number, certname: string];

export interface PageRequest {
  readonly orderBy: NodeOrder;
  readonly limit: number;
  readonly after: PlaceInList | undefined;
  /** A node whose last report is older is unresponsive. */
  readonly cutoffMs: number;
}

export interface NodesOfPage {
  readonly entries: readonly NodeEntry[];
  /** For the page after it, as text; `undefined` on the last one. */
  readonly next: string | undefined;
}

/** @param entries - by certname */
export function pageOf(entries: readonly NodeEntry[], request: PageRequest): NodesOfPage {
  const { limit, orderBy } = request;
  // One more tells whether there is a page after it.
  const found = orderBy.field === 'certname' ? cutByName(entries, request) : firstByValue(entries, request);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const valueOf = valueReader(orderBy.field, request.cutoffMs);
  return {
    entries: page,
    next:
      found.length > limit && last !== undefined ? renderPlace([valueOf(last), last.certname]) : undefined,
  };
}

/** They are in this order already. */
function cutByName(
  entries: readonly NodeEntry[],
  { after, limit, orderBy }: PageRequest,
): readonly NodeEntry[] {
  const [, name] = after ?? [];
  if (orderBy.isDescending) {
    const end = name === undefined ? entries.length : placeOf(entries, name);
    return entries.slice(Math.max(0, end - limit - 1), end).reverse();
  }
  const place = name === undefined ? 0 : placeOf(entries, name);
  const start = entries[place]?.certname === name ? place + 1 : place;
  return entries.slice(start, start + limit + 1);
}

/** Selects the first nodes of the order without sorting all. */
function firstByValue(
  entries: readonly NodeEntry[],
  { after, cutoffMs, limit, orderBy }: PageRequest,
): readonly NodeEntry[] {
  const valueOf = valueReader(orderBy.field, cutoffMs);
  const direction = orderBy.isDescending ? -1 : 1;
  const order = (a: NodeEntry, b: NodeEntry) =>
    direction * compare(valueOf(a), a.certname, valueOf(b), b.certname);
  const wanted = limit + 1;
  const kept: NodeEntry[] = [];
  let last: NodeEntry | undefined;
  for (const entry of entries) {
    if (after !== undefined && direction * compare(valueOf(entry), entry.certname, ...after) <= 0) continue;
    if (last !== undefined && order(entry, last) > 0) continue;
    kept.push(entry);
    if (kept.length < 2 * wanted) continue;
    kept.sort(order).length = wanted;
    last = kept.at(-1);
  }
  return kept.sort(order).slice(0, wanted);
}

const rankOf = Object.fromEntries(nodeStatuses.map((status, rank) => [status, rank])) as Readonly<
  Record<NodeStatus, number>
>;

/** Nodes without a report are the oldest. */
function valueReader(field: SortField, cutoffMs: number): (entry: NodeEntry) => string | number {
  switch (field) {
    case 'certname':
      return () => 0;
    case 'environment':
      return ({ environment }) => environment ?? '';
    case 'report_time':
      return ({ reportTimeMs }) => reportTimeMs ?? 0;
    case 'status':
      return (entry) => rankOf[statusOf(entry, cutoffMs)];
    default:
      return field satisfies never;
  }
}

function compare(a: string | number, aName: string, b: string | number, bName: string): number {
  if (a !== b) return a < b ? -1 : 1;
  if (aName === bName) return 0;
  return aName < bName ? -1 : 1;
}

function renderPlace(place: PlaceInList): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @throws ServiceError `bad-request` for a text that is not from here */
export function readPlace(text: string): PlaceInList {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (isPlace(place)) return place;
  } catch {
    // The error below covers it.
  }
  throw new ServiceError('bad-request', 'after has to be the value of next in an answer before', {
    kind: 'bunraku.console/bad-page',
  });
}

function isPlace(value: unknown): value is PlaceInList {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, name] = value as readonly unknown[];
  return (typeof first === 'string' || typeof first === 'number') && typeof name === 'string';
}
