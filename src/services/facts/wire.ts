/** Facts as agents send them. */

import type { Json } from '../../lib/json.ts';
import { jsonText } from '../../lib/json-bytes.ts';
import { InternError, intern, RequestFailed } from '../../platform/indirection/index.ts';
import { exactMember, withoutMember } from './exact-values.ts';

export interface FactSet {
  readonly certname: string;
  readonly values: Readonly<Record<string, Json>>;
  /** The values as JSON text, whose numbers have the form that `values` has lost (`4096.0`); absent where there was none. */
  readonly exactValues?: string;
  /** The same facts as PuppetDB stores them, in JSON; only for large facts, made by the thread that reads them. */
  readonly stored?: {
    readonly values: string;
    readonly packages: string | undefined;
    /** Whether bytes that are not UTF-8 were replaced. */
    readonly hadBytes: boolean;
    /** `values` as UTF-8, in memory that threads share. */
    readonly utf8?: Uint8Array;
  };
  /** When the agent collected them. */
  readonly producedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
}

/** Agents before Puppet 3 put the time among the facts. */
const oldTimestampName = '_timestamp';

/**
 * Decodes JSON, keeping the form of numbers.
 *
 * @throws InternError in the reference's words
 */
export function decodeFactsText(text: string, format: 'json' | 'pson' = 'json'): FactSet {
  return intern(format, text, (value) => decodeFacts(value, text));
}

/**
 * Decodes parsed JSON: `{"name":...,"values":{...},"timestamp":...,"expiration":...}`.
 *
 * @param text - what was parsed; without it the form of numbers is lost
 * @throws Error in the reference's words, without its frame ("Could not intern from json: ")
 */
export function decodeFacts(value: unknown, text?: string): FactSet {
  if (!isRecord(value)) throw new Error('no implicit conversion of String into Integer');
  const { name, values, timestamp, expiration } = value;
  if (!isRecord(values)) throw new Error("undefined method `delete' for nil:NilClass");
  const exactValues = text === undefined ? undefined : exactMember(text, 'values');
  const oldTimestamp = values[oldTimestampName];
  const facts = {
    certname: typeof name === 'string' ? name : '',
    values,
    ...(exactValues === undefined ? {} : { exactValues }),
    producedAt: decodeTime(oldTimestamp ?? timestamp),
    expiresAt: decodeTime(expiration),
  };
  return oldTimestamp === undefined ? facts : withoutOldTimestamp(facts);
}

function withoutOldTimestamp({ exactValues, values, ...facts }: FactSet): FactSet {
  const { [oldTimestampName]: _time, ...others } = values;
  if (exactValues === undefined) return { ...facts, values: others };
  return { ...facts, values: others, exactValues: withoutMember(exactValues, oldTimestampName) };
}

/**
 * Decodes the form field `facts` of a catalog request, which is percent-encoded once more inside the form.
 *
 * @param field - the value after the form's own decoding
 * @param format - the form field `facts_format`
 * @param certname - the node that the catalog is for
 * @throws RequestFailed in the reference's words
 */
export function decodeFactsField(field: string, format: string | null, certname: string): FactSet {
  if (format === null || format === '') {
    throw new RequestFailed(`Facts but no fact format provided for ${certname}`);
  }
  if (format !== 'application/json' && format !== 'pson') throw new RequestFailed('Unsupported facts format');
  const facts = internField(format === 'pson' ? 'pson' : 'json', field);
  if (facts.certname !== certname) {
    const [asked, given] = [JSON.stringify(certname), JSON.stringify(facts.certname)];
    throw new RequestFailed(
      `Catalog for ${asked} was requested with fact definition for the wrong node (${given}).`,
    );
  }
  return facts;
}

function internField(format: 'json' | 'pson', field: string): FactSet {
  try {
    return decodeFactsText(unescapeField(field), format);
  } catch (error) {
    if (error instanceof InternError) throw new RequestFailed(error.message);
    throw error;
  }
}

/** As Ruby's CGI does it: `+` is a space, invalid escapes stay. The bytes need not be UTF-8. */
function unescapeField(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    const bytes = Buffer.from(spaced).toString('latin1');
    const unescaped = bytes.replace(/%([0-9a-fA-F]{2})/g, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return jsonText(Buffer.from(unescaped, 'latin1'));
  }
}

function decodeTime(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) throw new Error(`no time information in ${JSON.stringify(value)}`);
  return time;
}

/** Parsed JSON holds nothing but JSON. */
function isRecord(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
