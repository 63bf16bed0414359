/**
 * JSON whose numbers keep their text: `4096.0` is a Float to Puppet and 4096 to JavaScript, and integers beyond 2^53
 * lose digits there. `JSON.stringify` writes such a number as the text that it was made of.
 */

export interface RawNumber {
  readonly rawJSON: string;
}

// TypeScript does not know these functions of ECMAScript 2025 yet.
interface RawJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): boolean;
}

/** @throws SyntaxError for what is no number, string, boolean or null in JSON */
export function rawNumber(text: string): RawNumber {
  return (JSON as unknown as RawJson).rawJSON(text);
}

export function isRawNumber(value: unknown): value is RawNumber {
  return (JSON as unknown as RawJson).isRawJSON(value);
}

/** Numbers that may be written differently: trailing zeros, exponents, many digits. Text in quotes rarely looks so. */
const fragileNumber = /[:,[]\s*-?(?:\d+\.\d*0(?!\d)|\d[\d.]*[eE]|[\d.]{16})/;

/** Whether a list or an object in JSON may hold numbers that JavaScript would not keep: mostly none do, and parsing is fast. */
export function hasFragileNumbers(text: string): boolean {
  return fragileNumber.test(text);
}

/** For `JSON.parse`: makes every number a `RawNumber`. */
export function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? rawNumber(context.source) : value;
}

/**
 * Parses a list or an object in JSON, keeping as `RawNumber` each number whose form would be lost.
 *
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  return hasFragileNumbers(text) ? JSON.parse(text, keepChangingNumber) : JSON.parse(text);
}

function keepChangingNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return String(value) === context.source ? value : rawNumber(context.source);
}
