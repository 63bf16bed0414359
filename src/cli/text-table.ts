/** Rows in columns, for people and for spreadsheets. */

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

/** Lines as RFC 4180 has them, the header first. */
export function csvLines(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const columns = columnsOf(rows);
  if (columns.length === 0) return [];
  const cells = [columns, ...rows.map((row) => columns.map((column) => cellText(row[column])))];
  return cells.map((row) => row.map(quotedCell).join(','));
}

/** In the order in which they come first. */
function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const columns = new Set<string>();
  for (const row of rows) for (const column of Object.keys(row)) columns.add(column);
  return [...columns];
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function quotedCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
