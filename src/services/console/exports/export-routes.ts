/** `GET /console-api/v1/exports/...`: whole lists as files. Browsers write them to disk as they come. */

import { Readable } from 'node:stream';
import { ServiceError } from '../../../lib/service-error.ts';
import {
  type Access,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../../platform/http/index.ts';
import { consoleBodies } from '../console-bodies.ts';
import type { PackageCounts } from '../inspect/package-counts.ts';
import type { NodeLists } from '../nodes/node-list.ts';
import { renderRow } from '../nodes/node-routes.ts';
import type { SortField } from '../nodes/page-of-nodes.ts';
import { NodeQueryWire } from '../wire.ts';
import {
  contentTypes,
  type ExportedRows,
  type ExportFormat,
  type ExportRow,
  exportFormats,
  renderRows,
} from './export-rows.ts';

export interface ExportParts {
  readonly lists: Pick<NodeLists, 'find'>;
  readonly packages: Pick<PackageCounts, 'find'>;
}

const allow: Access = { kind: 'permission', permission: { objectType: 'nodes', action: 'view_data' } };
const rowsOfPage = 500;

export function exportRoutes({ lists, packages }: ExportParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/console-api/v1/exports/nodes',
      allow,
      handle: async (request) => await file('nodes', request, await nodeRows(lists, request)),
    }),
    route({
      method: 'GET',
      path: '/console-api/v1/exports/packages',
      allow,
      handle: async (request) => await file('packages', request, packageRows(packages, request)),
    }),
  ];
}

/** The first page is read before the answer begins, so that a mistake is answered as one. */
async function file(name: string, { query }: HttpRequest, rows: ExportedRows): Promise<HttpResponse> {
  const format = formatOf(query);
  const pages = rows.pages[Symbol.asyncIterator]();
  const first = await pages.next();
  const all = async function* () {
    if (first.done !== true) yield first.value;
    yield* { [Symbol.asyncIterator]: () => pages };
  };
  const ending = format === 'text' ? 'txt' : format;
  return {
    status: 200,
    headers: {
      'Content-Type': contentTypes[format],
      // A fixed name: no text of a node becomes part of a header.
      'Content-Disposition': `attachment; filename="${name}.${ending}"`,
    },
    body: Readable.from(renderRows({ columns: rows.columns, pages: all() }, format)),
  };
}

function formatOf(query: URLSearchParams): ExportFormat {
  const wanted = query.get('format') ?? 'csv';
  const found = exportFormats.find((each) => each === wanted);
  if (found !== undefined) return found;
  throw new ServiceError(
    'bad-request',
    `format has to be one of ${exportFormats.join(', ')}, not ${wanted}`,
    {
      kind: 'bunraku.console/bad-format',
    },
  );
}

const nodeColumns = ['certname', 'status', 'environment', 'report_time', 'report_hash', 'noop'];

async function nodeRows(lists: ExportParts['lists'], request: HttpRequest): Promise<ExportedRows> {
  const { query, signal } = request;
  const columns = (query.get('columns') ?? '').split(',').filter((column) => column !== '');
  const sort = query.get('sort') ?? 'certname';
  const asked = {
    q: query.get('q') ?? '',
    columns,
    order_by: { field: sort.replace(/^-/, ''), order: sort.startsWith('-') ? 'desc' : 'asc' },
    limit: rowsOfPage,
  };
  const wire = consoleBodies.decode(NodeQueryWire, Buffer.from(JSON.stringify(asked)));
  const orderBy = { field: wire.order_by.field as SortField, isDescending: wire.order_by.order === 'desc' };
  const factPaths = columns.map((column) => column.slice('fact.'.length));
  const pages = pagesOf(async (after) => {
    const found = await lists.find({ search: wire.q, orderBy, limit: rowsOfPage, after, factPaths }, signal);
    const rows = found.rows.map((row): ExportRow => {
      const { facts, ...rest } = renderRow(row);
      return { ...rest, ...facts };
    });
    return { rows, next: found.next };
  });
  return { columns: [...nodeColumns, ...columns], pages };
}

function packageRows(packages: ExportParts['packages'], { query }: HttpRequest): ExportedRows {
  const search = query.get('q') ?? '';
  const orderBy = query.get('sort') === 'nodes' ? 'nodes' : 'name';
  const pages = pagesOf(async (after) => {
    const { next, rows } = await packages.find({ search, orderBy, limit: rowsOfPage, after });
    return { rows, next: next ?? undefined };
  });
  return { columns: ['name', 'version', 'provider', 'nodes'], pages };
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
