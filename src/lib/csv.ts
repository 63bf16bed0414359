/** Rows as RFC 4180 has them, for spreadsheets. */

/**
 * @param rows - cells that are no text are written as JSON, absent ones and null are empty
 * @returns lines without their ends, the header first; empty without rows
 */
export function csvLines(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const columns = columnsOf(rows);
  if (columns.length === 0) return [];
  const cells = [columns, ...rows.map((row) => columns.map((column) => cellText(row[column])))];
  return cells.map((row) => row.map(quotedCell).join(','));
}

/** In the order in which they come first. */
export function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const columns = new Set<string>();
  for (const row of rows) for (const column of Object.keys(row)) columns.add(column);
  return [...columns];
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function quotedCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
