/** JSON objects of messages, with numbers as they were written. */

/** Integers that a double cannot hold, and as much as a search finds: strings of digits are read exactly, too. */
const longNumber = /\d{16}/;

/** @returns `undefined` for anything that is not an object */
export function parseJson(text: string | Buffer): Readonly<Record<string, unknown>> | undefined {
  const value = parseValue(text)?.value;
  return isObject(value) ? value : undefined;
}

/** @returns `undefined` for what is not JSON */
export function parseValue(text: string | Buffer): { readonly value: unknown } | undefined {
  const whole = typeof text === 'string' ? text : text.toString('utf8');
  try {
    return { value: JSON.parse(whole, ...(longNumber.test(whole) ? [keepLongNumbers] : [])) as unknown };
  } catch {
    // Not JSON, or nested deeper than the stack is.
    return undefined;
  }
}

/** What passes through the broker is not rounded. */
function keepLongNumbers(
  this: unknown,
  _name: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== 'number' || context?.source === undefined || !longNumber.test(context.source))
    return value;
  return rawJson(context.source);
}

/** The types of TypeScript do not know it yet. */
function rawJson(source: string): unknown {
  const { rawJSON } = JSON as unknown as { readonly rawJSON?: (text: string) => unknown };
  return rawJSON === undefined ? Number(source) : rawJSON(source);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
