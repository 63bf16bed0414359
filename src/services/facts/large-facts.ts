/**
 * Reads large facts in a thread: parsing takes some 50 ms per megabyte, which would block the main thread for all other requests.
 * The thread returns the facts as text, which is cheap to pass between threads. The main thread parses a fact when it is read.
 */

import type { Json } from '../../lib/json.ts';
import { parseExact } from '../../lib/raw-json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { topLevelMembers } from '../../lib/top-level-members.ts';
import { type Format, internBytes, RequestFailed } from '../../platform/indirection/index.ts';
import type { BodyThread } from '../../platform/threads/index.ts';
import { decodeFacts, decodeFactsField, type FactSet } from './wire.ts';

/** In bytes. Longer bodies go to the thread. */
export const largeBody = 256 * 1024;

/** Limit of top-level facts in a large body. Puppet's agents warn above 2,048. */
const maxNames = 10_000;

/** The largest fact that a rule of a group can read, in characters of JSON. */
const maxReadLength = 1024 * 1024;

/** The form of a catalog request, or the body of an upload. Its bytes belong to the thread. */
export interface LargeFactsQuestion {
  readonly bytes: Uint8Array;
  /** Whose catalog is asked for; absent for an upload. */
  readonly certname?: string;
  /** Of an upload. */
  readonly format?: Format;
}

export interface LargeFactsAnswer {
  /** The other fields of the form. */
  readonly fields: ReadonlyMap<string, string>;
  /** Absent when the form has no facts. `failed`: the error, in the reference's words. */
  readonly facts: TextOfFacts | { readonly failed: string } | undefined;
}

type StoredText = NonNullable<FactSet['stored']>;

/** Facts as text, with the position of each value. */
export interface TextOfFacts extends Pick<FactSet, 'certname' | 'producedAt' | 'expiresAt'> {
  /** Without `values` where they are `text`: a string that a message holds twice is copied twice. */
  readonly stored: Partial<StoredText> & Omit<StoredText, 'values'>;
  /** A JSON object. */
  readonly text: string;
  readonly names: readonly string[];
  /** The string that `spans` refer to; `text` when absent. */
  readonly source?: string;
  /** Start and end of each value, in characters. */
  readonly spans: Uint32Array;
}

/** A thread that calls `readLargeFacts`. */
export type LargeFactsThread = Pick<BodyThread<LargeFactsQuestion, LargeFactsAnswer>, 'ask'>;

/** Makes `FactSet.stored`. */
export type MakeStored = (facts: FactSet) => StoredText;

const fieldNames = [
  'environment',
  'transaction_uuid',
  'job_id',
  'check_environment',
  'static_catalog',
  'checksum_type',
];

/**
 * The thread's part.
 *
 * @throws ServiceError `bad-request` for an invalid upload
 */
export function readLargeFacts(question: LargeFactsQuestion, stored: MakeStored): LargeFactsAnswer {
  const { bytes, certname, format } = question;
  if (certname === undefined) {
    const facts = internBytes(format ?? 'json', bytes, (value, text) =>
      textOf(decodeFacts(value, text), stored),
    );
    return { fields: new Map(), facts };
  }
  const form = new URLSearchParams(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'),
  );
  const fields = fieldNames.flatMap((name) => {
    const value = form.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { fields: new Map(fields), facts: fieldOf(form, certname, stored) };
}

function fieldOf(form: URLSearchParams, certname: string, stored: MakeStored): LargeFactsAnswer['facts'] {
  const field = form.get('facts');
  if (field === null) return undefined;
  try {
    return textOf(decodeFactsField(field, form.get('facts_format'), certname), stored);
  } catch (error) {
    if (error instanceof RequestFailed) return { failed: error.message };
    throw error;
  }
}

function textOf(facts: FactSet, stored: MakeStored): TextOfFacts {
  const { certname, exactValues, expiresAt, producedAt, values } = facts;
  const text = exactValues ?? JSON.stringify(values);
  const places = placesIn(text) ?? written(parseExact(text) as Readonly<Record<string, unknown>>);
  const { length } = places.names;
  if (length > maxNames)
    throw new RequestFailed(
      `The facts of ${certname} have ${length} names, and those of a node with more than ` +
        `${largeBody / 1024} kB may have ${maxNames}`,
    );
  const { values: valuesToStore, ...toStore } = stored(facts);
  const withUtf8 = { ...toStore, utf8: inSharedMemory(valuesToStore) };
  return {
    certname,
    producedAt,
    expiresAt,
    stored: valuesToStore === text ? withUtf8 : { ...withUtf8, values: valuesToStore },
    text,
    ...places,
  };
}

function inSharedMemory(text: string): Uint8Array {
  const memory = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(memory).write(text);
  return new Uint8Array(memory);
}

type Places = Pick<TextOfFacts, 'names' | 'spans' | 'source'>;

/** @returns `undefined` when names have escapes, or come twice */
function placesIn(text: string): Places | undefined {
  const bytes = Buffer.from(text);
  const members = topLevelMembers(bytes);
  if (members === undefined) return undefined;
  const spans = Uint32Array.from(Array.from(members.values(), ({ end, start }) => [start, end]).flat());
  if (bytes.length > text.length) toCharacters(bytes, spans);
  return { names: Array.from(members.keys()), spans };
}

function written(values: Readonly<Record<string, unknown>>): Places {
  const texts = Object.values(values).map((value) => JSON.stringify(value));
  const spans = new Uint32Array(2 * texts.length);
  let at = 0;
  for (const [index, { length }] of texts.entries()) {
    spans.set([at, at + length], 2 * index);
    at += length;
  }
  return { names: Object.keys(values), spans, source: texts.join('') };
}

/** @param offsets - ascending, in bytes; in characters afterwards */
function toCharacters(bytes: Buffer, offsets: Uint32Array): void {
  let [at, characters] = [0, 0];
  for (const [index, offset] of offsets.entries()) {
    characters += bytes.toString('utf8', at, offset).length;
    at = offset;
    offsets[index] = characters;
  }
}

/** The main thread's part. */
export class LargeFactsReader {
  readonly maxSmallBytes = largeBody;
  private readonly thread: LargeFactsThread;

  constructor(thread: LargeFactsThread) {
    this.thread = thread;
  }

  /** Reads the form of a catalog request: `facts` throws RequestFailed as `decodeFactsField`. */
  async read(
    bytes: Uint8Array,
    certname: string,
  ): Promise<{ readonly fields: ReadonlyMap<string, string>; readonly facts: (() => FactSet) | undefined }> {
    const { facts, fields } = await this.thread.ask({ bytes, certname }, certname);
    return { fields, facts: facts && (() => factsOf(facts)) };
  }

  /** @throws ServiceError as `internBytes` */
  async readUpload(bytes: Uint8Array, format: Format, certname: string): Promise<FactSet> {
    const { facts } = await this.thread.ask({ bytes, format }, certname);
    if (facts === undefined) throw new Error('the thread has read no facts');
    return factsOf(facts);
  }
}

function factsOf(facts: NonNullable<LargeFactsAnswer['facts']>): FactSet {
  if ('failed' in facts) throw new RequestFailed(facts.failed);
  return factsOfText(facts);
}

/** The same interface as small facts; each value is parsed on its first use. */
function factsOfText(sent: TextOfFacts): FactSet {
  const { certname, expiresAt, names, producedAt, source, spans, stored, text } = sent;
  const values: Record<string, Json> = {};
  for (const [index, name] of names.entries()) {
    const [start = 0, end = 0] = spans.subarray(2 * index);
    Object.defineProperty(values, name, {
      enumerable: true,
      configurable: true,
      get: () => readFact(certname, name, (source ?? text).slice(start, end)),
    });
  }
  return {
    certname,
    values,
    exactValues: text,
    producedAt,
    expiresAt,
    stored: { values: text, ...stored },
  };
}

function readFact(certname: string, name: string, text: string): Json {
  if (text.length > maxReadLength)
    throw new ServiceError(
      'unprocessable',
      `The fact ${name} of ${certname} is too large to be read by a rule of a node group: ` +
        `${text.length} characters of JSON, at most ${maxReadLength}`,
    );
  return JSON.parse(text) as Json;
}
