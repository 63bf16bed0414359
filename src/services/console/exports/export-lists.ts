/** What can be exported: lists of pages, and the rows of any query. */

import { columnsOf } from '../../../lib/csv.ts';
import { type EventRequest, sumEvents } from '../inspect/event-sums.ts';
import { countFacet } from '../inspect/facets.ts';
import type { FleetSource } from '../inspect/fleet-source.ts';
import type { PackageCounts } from '../inspect/package-counts.ts';
import type { NodeLists } from '../nodes/node-list.ts';
import { renderRow } from '../nodes/node-routes.ts';
import type { ExportRequest } from '../wire.ts';
import type { ExportedRows, ExportRow } from './export-rows.ts';
import { jsonRows } from './json-rows.ts';

export interface ExportParts {
  readonly lists: Pick<NodeLists, 'find' | 'match'>;
  readonly packages: Pick<PackageCounts, 'find'>;
  readonly fleet: Pick<FleetSource, 'rows' | 'rowsInParts'>;
}

const rowsOfPage = 500;
const everything = Number.MAX_SAFE_INTEGER;

type Asked<List extends ExportRequest['list']> = Extract<ExportRequest, { readonly list: List }>;

/** @throws ServiceError `bad-request` when the rows are read, for a filter or query that says nothing */
export function exportedRows(parts: ExportParts, request: ExportRequest, signal: AbortSignal): ExportedRows {
  switch (request.list) {
    case 'nodes':
      return nodeRows(parts, request, signal);
    case 'packages':
      return packageRows(parts, request);
    case 'facts':
      return { columns: ['value', 'count'], pages: factRows(parts, request, signal) };
    case 'events':
      return {
        columns: ['subject', 'nodes', 'events', 'first', 'last'],
        pages: eventRows(parts, request, signal),
      };
    case 'query':
      return { columns: columnsOf, pages: queryRows(parts, request, signal) };
    default:
      return request satisfies never;
  }
}

const nodeColumns = ['certname', 'status', 'environment', 'report_time', 'report_hash', 'noop'];

function nodeRows({ lists }: ExportParts, request: Asked<'nodes'>, signal: AbortSignal): ExportedRows {
  const { columns, order_by: order, q: search } = request;
  const orderBy = { field: order.field, isDescending: order.order === 'desc' };
  const factPaths = columns.map((column) => column.slice('fact.'.length));
  const pages = pagesOf(async (after) => {
    const found = await lists.find({ search, orderBy, limit: rowsOfPage, after, factPaths }, signal);
    const rows = found.rows.map((row): ExportRow => {
      const { facts, ...rest } = renderRow(row);
      return { ...rest, ...facts };
    });
    return { rows, next: found.next };
  });
  return { columns: [...nodeColumns, ...columns], pages };
}

function packageRows({ packages }: ExportParts, request: Asked<'packages'>): ExportedRows {
  const { environment, name, order_by: orderBy, q: search } = request;
  const pages = pagesOf(async (after) => {
    const asked = { search, name, environment, orderBy, limit: rowsOfPage, after };
    const { next, rows } = await packages.find(asked);
    return { rows, next: next ?? undefined };
  });
  return { columns: ['name', 'version', 'provider', 'nodes'], pages };
}

async function* factRows(
  { fleet, lists }: ExportParts,
  { field, q }: Asked<'facts'>,
  signal: AbortSignal,
): AsyncGenerator<readonly ExportRow[], void, undefined> {
  const { values } = await countFacet(lists, fleet, { field, search: q, limit: everything }, signal);
  yield values.map(({ count, value }) => ({ value, count }));
}

async function* eventRows(
  { fleet }: ExportParts,
  request: Asked<'events'>,
  signal: AbortSignal,
): AsyncGenerator<readonly ExportRow[], void, undefined> {
  const { by, environment, from, latest, q, status, to } = request;
  const asked: EventRequest = {
    by,
    status,
    from,
    to,
    isLatest: latest,
    environment,
    search: q,
    limit: everything,
  };
  const { rows } = await sumEvents(fleet, asked, signal);
  yield rows;
}

async function* queryRows(
  { fleet }: ExportParts,
  { pql }: Asked<'query'>,
  signal: AbortSignal,
): AsyncGenerator<readonly ExportRow[], void, undefined> {
  for await (const texts of jsonRows(await fleet.rowsInParts(pql, signal)))
    yield texts.map((text) => JSON.parse(text) as ExportRow);
}

interface Page {
  readonly rows: readonly ExportRow[];
  /** What the next page begins after; undefined on the last. */
  readonly next: string | undefined;
}

async function* pagesOf(
  read: (after: string | undefined) => Promise<Page>,
): AsyncGenerator<readonly ExportRow[], void, undefined> {
  let after: string | undefined;
  do {
    const { next, rows } = await read(after);
    yield rows;
    after = next;
  } while (after !== undefined);
}
