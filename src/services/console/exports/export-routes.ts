/** `POST /console-api/v1/exports`: whole lists as files, written as they are read. */

import { Readable } from 'node:stream';
import { type Access, type Route, route } from '../../../platform/http/index.ts';
import { consoleBodies } from '../console-bodies.ts';
import { ExportRequestWire } from '../wire.ts';
import { type ExportParts, exportedRows } from './export-lists.ts';
import { contentTypes, type ExportedRows, renderRows } from './export-rows.ts';

const allow: Access = { kind: 'permission', permission: { objectType: 'nodes', action: 'view_data' } };

export function exportRoutes(parts: ExportParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/console-api/v1/exports',
      allow,
      shapes: { body: ExportRequestWire },
      async handle({ body, signal }) {
        const request = consoleBodies.decode(ExportRequestWire, await body());
        const { format, list } = request;
        const rows = await begun(exportedRows(parts, request, signal));
        return {
          status: 200,
          headers: {
            'Content-Type': contentTypes[format],
            // A fixed name: no text of a node becomes part of a header.
            'Content-Disposition': `attachment; filename="${list}.${format === 'text' ? 'txt' : format}"`,
          },
          // It is read as fast as the client takes it: no more than some pages are in memory.
          body: Readable.from(renderRows(rows, format), { highWaterMark: 1 }),
        };
      },
    }),
  ];
}

/** The first page is read before the answer begins, so that a mistake is answered as one. */
async function begun({ columns, pages: given }: ExportedRows): Promise<ExportedRows> {
  const pages = given[Symbol.asyncIterator]();
  const first = await pages.next();
  const all = async function* () {
    if (first.done !== true) yield first.value;
    yield* { [Symbol.asyncIterator]: () => pages };
  };
  return { columns, pages: all() };
}
