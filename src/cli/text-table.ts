/** Rows in columns, for people. */

import { cellText, columnsOf } from '../lib/csv.ts';

/** @returns lines, the header first; empty without rows */
export function tableLines(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const columns = columnsOf(rows);
  const cells = [
    columns,
    ...rows.map((row) => columns.map((column) => cellText(row[column]).replaceAll(/\s*\n\s*/g, ' '))),
  ];
  const widths = columns.map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  if (columns.length === 0) return [];
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
