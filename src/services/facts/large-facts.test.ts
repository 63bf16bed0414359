import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestFailed } from '../../platform/indirection/index.ts';
import { type LargeFactsQuestion, LargeFactsReader, readLargeFacts } from './large-facts.ts';
import { decodeFactsField, type FactSet } from './wire.ts';

const stored = { values: '{"stored":1}', packages: undefined, hadBytes: false };
/** Reads in this thread, and clones what it reads as a thread would. */
const reader = new LargeFactsReader({
  ask: async (question: LargeFactsQuestion) => structuredClone(readLargeFacts(question, () => stored)),
});

const formOf = (facts: string, others: Readonly<Record<string, string>> = {}): Uint8Array => {
  const form = new URLSearchParams({ facts: encodeURIComponent(facts), facts_format: 'application/json' });
  for (const [name, value] of Object.entries(others)) form.set(name, value);
  return Buffer.from(form.toString());
};

function utf8Of(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function read(facts: string): Promise<FactSet> {
  const { facts: found } = await reader.read(formOf(facts), 'a');
  if (found === undefined) throw new Error('no facts');
  return found();
}

test('are the same facts that small ones would be, whatever they hold', async () => {
  const values = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
  const sets = fc.record({ name: fc.constant('a'), values, timestamp: fc.constant('2026-11-25T10:00:00Z') });

  await fc.assert(
    fc.asyncProperty(sets, async (set) => {
      const text = JSON.stringify(set);
      const small = decodeFactsField(encodeURIComponent(text), 'application/json', 'a');

      const large = await read(text);

      expect({ ...large }).toEqual({ ...small, stored: { ...stored, utf8: utf8Of(stored.values) } });
      expect(JSON.stringify(large.values)).toBe(JSON.stringify(small.values));
    }),
  );
});

test('that are stored as they are sent cross once, and are stored whole', async () => {
  const values = '{"size":4096.0}';
  const question = { bytes: formOf(`{"name":"a","values":${values}}`), certname: 'a' };

  const answer = readLargeFacts(question, () => ({ values, packages: undefined, hadBytes: false }));
  const asking = new LargeFactsReader({ ask: async () => structuredClone(answer) });
  const { facts } = await asking.read(question.bytes, 'a');

  const sent = { packages: undefined, hadBytes: false, utf8: utf8Of(values) };
  expect(answer.facts).toMatchObject({ text: values, stored: sent });
  expect(answer.facts).not.toHaveProperty('stored.values');
  expect(facts?.().stored).toEqual({ values, ...sent });
  // The bytes are not copied.
  expect(answer.facts).toHaveProperty('stored.utf8.buffer', expect.any(SharedArrayBuffer));
});

test('keep the form of numbers, and the last of two facts with one name', async () => {
  const facts = await read('{"name":"a","values":{"size":4096.0,"twice":1,"twice":"é2"}}');

  expect(facts.exactValues).toBe('{"size":4096.0,"twice":1,"twice":"é2"}');
  expect(facts.values).toEqual({ size: 4096, twice: 'é2' });
});

test('come with the other fields of the form', async () => {
  const others = { environment: 'e', transaction_uuid: 't', check_environment: 'true', unknown: 'x' };

  const { fields } = await reader.read(formOf('{"name":"a","values":{}}', others), 'a');

  expect(Object.fromEntries(fields)).toEqual({
    environment: 'e',
    transaction_uuid: 't',
    check_environment: 'true',
  });
});

test('of another node are refused when they are looked at', async () => {
  const { facts } = await reader.read(formOf('{"name":"b","values":{}}'), 'a');

  expect(facts).toThrow(
    new RequestFailed('Catalog for "a" was requested with fact definition for the wrong node ("b").'),
  );
});

test('may be absent', async () => {
  expect((await reader.read(Buffer.from('environment=e'), 'a')).facts).toBeUndefined();
});

test('that are uploaded are refused in the words for all uploads', async () => {
  await expect(reader.readUpload(Buffer.from('{"name":"a"}'), 'json', 'a')).rejects.toMatchObject({
    reason: 'bad-request',
    message:
      "The request body is invalid: Could not intern from json: undefined method `delete' for nil:NilClass",
  });
});

test('have a limited number of names', async () => {
  const values = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`fact${index}`, 1]));

  await expect(read(JSON.stringify({ name: 'a', values }))).rejects.toThrow(
    'The facts of a have 10001 names, and those of a node with more than 256 kB may have 10000',
  );
});

test('are not parsed for a rule where one of them is very large', async () => {
  const facts = await read(JSON.stringify({ name: 'a', values: { huge: 'x'.repeat(2 ** 20), small: 1 } }));

  expect(facts.values['small']).toBe(1);
  expect(() => facts.values['huge']).toThrow('The fact huge of a is too large to be read by a rule');
});
