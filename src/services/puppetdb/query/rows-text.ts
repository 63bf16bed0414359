/** The rows of an answer as the text of a JSON array, in parts where there are many. */

/** Whole when all rows came in one part, which is what most answers are. */
export async function rowsText(
  rows: AsyncIterable<readonly string[]>,
  isPretty: boolean,
): Promise<string | AsyncIterable<string>> {
  const parts = rows[Symbol.asyncIterator]();
  const first = await parts.next();
  const shown = isPretty ? pretty : plain;
  if (first.done === true) return '[]';
  const second = await parts.next();
  if (second.done === true)
    return shown(first.value, '[') + (isPretty && first.value.length > 0 ? '\n]' : ']');
  return inParts([first.value, second.value], parts, shown, isPretty ? '\n]' : ']');
}

type Shown = (rows: readonly string[], before: string) => string;

async function* inParts(
  read: readonly (readonly string[])[],
  parts: AsyncIterator<readonly string[]>,
  shown: Shown,
  end: string,
): AsyncIterable<string> {
  try {
    let before = '[';
    for (const rows of read) {
      yield shown(rows, before);
      before = ',';
    }
    for (let part = await parts.next(); part.done !== true; part = await parts.next()) {
      yield shown(part.value, ',');
    }
    yield end;
  } finally {
    await parts.return?.();
  }
}

function plain(rows: readonly string[], before: string): string {
  return before + rows.join(',');
}

function pretty(rows: readonly string[], before: string): string {
  const lines = rows.map((row) => `\n${JSON.stringify(JSON.parse(row), null, 2)}`.replaceAll('\n', '\n  '));
  return before + lines.join(',');
}
