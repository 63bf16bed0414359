/** Rows as CSV, as spreadsheets read it. */

/** The first characters of formulas in spreadsheets. */
const formula = /^[=+\-@\t\r]/;

export function csvText(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => cellText(row[column])))];
  return lines.map((cells) => cells.map(quotedCell).join(',')).join('\r\n');
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return formula.test(value) ? `'${value}` : value;
}

function quotedCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
