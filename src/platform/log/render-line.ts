/** A JSON log line as a person at a terminal reads it. */

const labels: Readonly<Record<string, string>> = {
  error: 'Error',
  warn: 'Warning',
  info: 'Info',
  debug: 'Debug',
};
const colours: Readonly<Record<string, string>> = { error: '31', warn: '33', info: '32', debug: '90' };
const needsQuotes = /[\s"=]|^$/;

/** @returns `12:03:04.567 Info: compiled catalog certname=a.example.net`; a line that is no JSON as it is */
export function renderLine(line: string, hasColours: boolean): string {
  const entry = parseEntry(line);
  if (entry === undefined) return line;
  const { level, time, msg, err, ...fields } = entry;
  const name = String(level);
  const label = paint(labels[name] ?? name, colours[name], hasColours);
  const facts = Object.entries(fields).map(
    ([key, value]) => ` ${paint(key, '90', hasColours)}=${renderValue(value)}`,
  );
  return `${String(time).slice(11, 23)} ${label}: ${String(msg ?? '')}${facts.join('')}${renderError(err)}\n`;
}

function parseEntry(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    // Not one of our lines: shown as it came.
    return undefined;
  }
}

function paint(text: string, colour: string | undefined, hasColours: boolean): string {
  return hasColours && colour !== undefined ? `\u001b[${colour}m${text}\u001b[0m` : text;
}

function renderValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  return typeof value === 'string' && needsQuotes.test(text) ? JSON.stringify(text) : text;
}

function renderError(err: unknown): string {
  if (err === undefined) return '';
  if (err === null || typeof err !== 'object') return `\n  ${String(err)}`;
  const { message, stack } = err as { readonly message?: unknown; readonly stack?: unknown };
  return `\n  ${String(stack ?? message).replaceAll('\n', '\n  ')}`;
}
