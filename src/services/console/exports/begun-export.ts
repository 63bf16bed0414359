/** An export whose first page is read: mistakes of the request are known, and the rest is read as fast as a client takes it. */

import { Readable } from 'node:stream';
import type { HttpResponse } from '../../../platform/http/index.ts';
import type { ExportFormat, ExportRequest } from '../wire.ts';
import { type ExportParts, exportedRows } from './export-lists.ts';
import { contentTypes, type ExportedRows, type ExportRow, renderRows } from './export-rows.ts';

export class BegunExport {
  private readonly list: string;
  private readonly format: ExportFormat;
  private readonly rows: ExportedRows;
  private readonly reading: AbortController;
  private readonly pages: AsyncIterator<readonly ExportRow[], void, undefined>;

  private constructor(
    { format, list }: ExportRequest,
    rows: ExportedRows,
    pages: AsyncIterator<readonly ExportRow[], void, undefined>,
    reading: AbortController,
  ) {
    this.list = list;
    this.format = format;
    this.rows = rows;
    this.pages = pages;
    this.reading = reading;
  }

  /**
   * Reads the first page.
   *
   * @param signal - of the request; ends the export while the first page is read
   * @throws ServiceError `bad-request` for a filter or a query that is wrong
   */
  static async begin(parts: ExportParts, request: ExportRequest, signal: AbortSignal): Promise<BegunExport> {
    const reading = new AbortController();
    const leave = endsWith(signal, reading);
    try {
      const { columns, pages: given } = exportedRows(parts, request, reading.signal);
      const pages = given[Symbol.asyncIterator]();
      const first = await pages.next();
      const all = async function* () {
        if (first.done !== true) yield first.value;
        yield* { [Symbol.asyncIterator]: () => pages };
      };
      return new BegunExport(request, { columns, pages: all() }, pages, reading);
    } finally {
      leave();
    }
  }

  /** The whole file, once. @param signal - of the request that takes it */
  answer(signal: AbortSignal): HttpResponse {
    const leave = endsWith(signal, this.reading);
    // No more than some pages are in memory.
    const body = Readable.from(renderRows(this.rows, this.format), { highWaterMark: 1 });
    body.once('close', () => {
      leave();
      this.end();
    });
    return {
      status: 200,
      headers: {
        'Content-Type': contentTypes[this.format],
        // A fixed name: no text of a node becomes part of a header.
        'Content-Disposition': `attachment; filename="${this.list}.${this.format === 'text' ? 'txt' : this.format}"`,
      },
      body,
    };
  }

  /** Lets go of what is read for it; also of an export that nobody takes. */
  end(): void {
    this.reading.abort();
    this.pages.return?.().catch(() => {
      // It was ended while a page was read: that page failed.
    });
  }
}

/** @returns undoes it */
function endsWith(signal: AbortSignal, controller: AbortController): () => void {
  const end = () => controller.abort(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  return () => signal.removeEventListener('abort', end);
}
