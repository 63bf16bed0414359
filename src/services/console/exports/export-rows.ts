/** Rows as files for other programs: written page by page, so that neither side holds them all. */

import { cellText } from '../../../lib/csv.ts';
import type { ExportFormat } from '../wire.ts';

export type ExportRow = Readonly<Record<string, unknown>>;

export interface ExportedRows {
  /** The columns of CSV, in order; the first is what `text` has alone. A function where the first page tells. */
  readonly columns: readonly string[] | ((first: readonly ExportRow[]) => readonly string[]);
  /** Page by page. */
  readonly pages: AsyncIterable<readonly ExportRow[], void, undefined>;
}

export const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  ndjson: 'application/x-ndjson',
  text: 'text/plain;charset=utf-8',
};

/** Spreadsheets take texts that begin with these for formulas. */
const formula = /^[=+\-@\t\r]/;

/** The text of a file, in parts. */
export async function* renderRows(
  { columns, pages }: ExportedRows,
  format: ExportFormat,
): AsyncIterable<string> {
  let names: readonly string[] | undefined;
  for await (const rows of pages) {
    if (names === undefined) {
      names = typeof columns === 'function' ? columns(rows) : columns;
      if (format === 'csv') yield line(names.map((name) => quoted(harmless(name))));
    }
    const shown = names;
    yield rows.map((row) => renderers[format](row, shown)).join('');
  }
}

const renderers: Readonly<Record<ExportFormat, (row: ExportRow, columns: readonly string[]) => string>> = {
  csv: (row, columns) => line(columns.map((column) => quoted(harmless(row[column])))),
  ndjson: (row) => `${JSON.stringify(row)}\n`,
  text: (row, [first = '']) => `${cellText(row[first])}\n`,
};

function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

/** Names and facts come from nodes: a quote before them keeps spreadsheets from computing them. Numbers stay numbers. */
function harmless(value: unknown): string {
  const text = cellText(value);
  return typeof value === 'string' && formula.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
