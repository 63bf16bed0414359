/** Reading values from the wire ("intern" in the reference's words), with its complaints. */

import { jsonText } from '../../lib/json-bytes.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Format } from './formats.ts';

/** What cannot be read. The message begins "Could not intern from json: ". */
export class InternError extends Error {
  constructor(format: Format, detail: string) {
    super(`Could not intern from ${format}: ${detail}`);
    this.name = 'InternError';
  }
}

/** As deep as the reference reads: deeper values could only be meant to do harm. */
const maxNesting = 100;
/** How much of a text that is no JSON is quoted, in characters. */
const quotedLength = 1000;

/**
 * Reads JSON (or PSON, which agents of old call it).
 *
 * @param decode - makes a value of the parsed JSON; throws Error with what is wrong
 * @throws InternError
 */
export function intern<T>(format: Format, text: string, decode: (value: unknown) => T): T {
  const value = parse(format, text);
  if (isContainer(value) && isDeeper(value, maxNesting))
    throw new InternError(format, `nesting of ${maxNesting + 1} is too deep`);
  try {
    return decode(value);
  } catch (error) {
    throw new InternError(format, error instanceof Error ? error.message : String(error));
  }
}

/**
 * Reads the body of a request. Bytes that are not UTF-8 are escapes in its text, see `jsonText`.
 *
 * @throws ServiceError `bad-request`
 */
export function internBytes<T>(
  format: Format,
  bytes: Uint8Array,
  decode: (value: unknown, text: string) => T,
): T {
  const text = jsonText(bytes);
  try {
    return intern(format, text, (value) => decode(value, text));
  } catch (error) {
    if (!(error instanceof InternError)) throw error;
    throw new ServiceError('bad-request', `The request body is invalid: ${error.message}`, { cause: error });
  }
}

function parse(format: Format, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // V8's own words do not help people who know Puppet's.
    throw new InternError(format, `unexpected token at '${text.slice(0, quotedLength)}'`);
  }
}

/** Whether arrays and objects lie deeper in each other. Their parts are not collected in a list: reports have tens of thousands. */
function isDeeper(value: object, depth: number): boolean {
  if (depth === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isContainer(item) && isDeeper(item, depth - 1));
  for (const key in value) {
    const item: unknown = value[key as keyof typeof value];
    if (isContainer(item) && isDeeper(item, depth - 1)) return true;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
