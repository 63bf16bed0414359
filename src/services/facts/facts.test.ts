import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { decodeFactsField, decodeFactsText, type FactSink, factsRoutes, LargeFactsReader } from './index.ts';
import type { TrustedInformation } from './termini.ts';
import type { FactSet } from './wire.ts';

interface Saved {
  readonly facts: FactSet;
  readonly environment: string;
  readonly trusted: TrustedInformation;
}
let saved: Saved[] = [];
const sink: FactSink = {
  save: async (facts, environment, trusted) => {
    saved.push({ facts, environment, trusted });
  },
};

beforeEach(() => {
  saved = [];
});

async function put(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  environment = 'trace',
  identity: HttpRequest['identity'] = { kind: 'anonymous', address: '127.0.0.1' },
) {
  const request: HttpRequest = {
    method: 'PUT',
    path: '/puppet/v3/facts/a.example',
    params: { certname: 'a.example' },
    query: new URLSearchParams({ environment }),
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    identity,
    signal: new AbortController().signal,
    body: async () => Buffer.from(body),
    stream: () => {
      throw new Error('no stream');
    },
  };
  const routes = factsRoutes({
    sink,
    environments: { hasEnvironment: (name) => name !== 'nosuch' },
    trustedExternal: { find: async (certname) => ({ asked: certname }) },
    largeFacts: new LargeFactsReader({ ask: () => Promise.reject(new Error('these are small')) }),
    log: silentLogger,
  });
  const response = await routes[0]?.handle(request);
  if (response === undefined) throw new Error('no route');
  return response satisfies HttpResponse;
}

test('uploaded facts are handed over, with what is known of who sent them', async () => {
  const facts = JSON.stringify({
    name: 'a.example',
    values: { uptime: 1, os: { name: 'Debian' } },
    timestamp: '2026-11-21T09:34:30.123456789+01:00',
  });

  const reply = await put(facts);

  expect(reply).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json;charset=utf-8' },
    body: '0',
  });
  expect(saved).toEqual([
    {
      facts: {
        certname: 'a.example',
        values: { uptime: 1, os: { name: 'Debian' } },
        exactValues: '{"uptime":1,"os":{"name":"Debian"}}',
        producedAt: new Date('2026-11-21T08:34:30.123Z'),
        expiresAt: undefined,
      },
      environment: 'trace',
      trusted: {
        authenticated: false,
        certname: 'a.example',
        extensions: {},
        external: { asked: 'a.example' },
      },
    },
  ]);
});

test.each([
  [
    '{"name":"a.example"}',
    400,
    "Bad Request: The request body is invalid: Could not intern from json: undefined method `delete' for nil:NilClass",
  ],
  [
    '{"name":"b.example","values":{}}',
    500,
    'Server Error: Instance name \\"b.example\\" does not match requested key \\"a.example\\"',
  ],
  [
    '[]',
    400,
    'Bad Request: The request body is invalid: Could not intern from json: no implicit conversion of String into Integer',
  ],
  ['', 400, "Bad Request: The request body is invalid: Could not intern from json: unexpected token at ''"],
])('%s is refused', async (body, status, message) => {
  expect(await put(body)).toMatchObject({
    status,
    body: `{"message":"${message}","issue_kind":"RUNTIME_ERROR"}`,
  });
  expect(saved).toEqual([]);
});

test('bytes that are not UTF-8 are kept as escapes, in uploads and in catalog requests', async () => {
  const body = Buffer.from('{"name":"a.example","values":{"a":"caf\xe9 \xc3\xbc","b%":1.0}}', 'latin1');
  const escaped = '{"a":"caf\\udce9 \u00fc","b%":1.0}';

  await put(body, { 'content-type': 'text/pson' });
  const field = Array.from(body, (byte) => (byte === 0x25 ? '%' : `%${byte.toString(16)}`)).join('');
  const inForm = decodeFactsField(field, 'pson', 'a.example');

  expect(saved[0]?.facts.exactValues).toBe(escaped);
  expect(inForm.exactValues).toBe(escaped);
});

test('facts for an environment that is not there are refused', async () => {
  expect(await put('{"name":"a.example","values":{}}', {}, 'nosuch')).toMatchObject({ status: 404 });
});

test('the form field of a catalog request is refused in the words of the reference', () => {
  const field = encodeURIComponent('{"name":"other","values":{}}');

  expect(() => decodeFactsField(field, null, 'x')).toThrow('Facts but no fact format provided for x');
  expect(() => decodeFactsField(field, 'text/yaml', 'x')).toThrow('Unsupported facts format');
  expect(() => decodeFactsField('{', 'application/json', 'x')).toThrow(
    "Could not intern from json: unexpected token at '{'",
  );
  expect(() => decodeFactsField(field, 'application/json', 'x')).toThrow(
    'Catalog for "x" was requested with fact definition for the wrong node ("other").',
  );
});

test('characters survive both encodings of the form field', () => {
  const value = 'a+b %20 100% ü & = "quoted"';
  const field = encodeURIComponent(JSON.stringify({ name: 'x', values: { value } }));

  expect(decodeFactsField(field, 'application/json', 'x').values).toEqual({ value });
  expect(decodeFactsField(field, 'pson', 'x').values).toEqual({ value });
});

test('numbers keep their form', () => {
  const values = '{"mb":4096.0,"load":[0.0,1.50],"big":12345678901234567890,"n":5,"e":1e3,"s":"1.0"}';
  const facts = decodeFactsText(`{"name":"a.example","values":${values}}`);

  expect(facts.values).toMatchObject({ mb: 4096, n: 5, s: '1.0' });
  expect(facts.exactValues).toBe(values);
});

test('of members that are there twice the last counts, also for the form of numbers', () => {
  const facts = decodeFactsText('{"name":"a","values":{"a":1},"values":{"a":2.0,"b":3.50}}');

  expect(facts.values).toEqual({ a: 2, b: 3.5 });
  expect(facts.exactValues).toBe('{"a":2.0,"b":3.50}');
});

test('the time that agents of old put among the facts is none', () => {
  const text = '{"name":"a","values":{"a":1.0,"_timestamp":"2026-11-21T09:34:30Z","b":2}}';

  const facts = decodeFactsText(text);

  expect(facts.values).toEqual({ a: 1, b: 2 });
  expect(facts.exactValues).toBe('{"a":1.0,"b":2}');
  expect(facts.producedAt).toEqual(new Date('2026-11-21T09:34:30Z'));
});

const sample = new URL('../../../test/recorded/agent/run2-second.json', import.meta.url);

describe('facts of a real agent', () => {
  test('are decoded', () => {
    const run: { exchanges: readonly { target: string; requestBody: string }[] } = JSON.parse(
      readFileSync(sample, 'utf8'),
    );
    const form = new URLSearchParams(
      run.exchanges.find(({ target }) => target.includes('/catalog/'))?.requestBody,
    );

    const facts = decodeFactsField(form.get('facts') ?? '', form.get('facts_format'), 'agent1.bench.test');

    expect(facts.values).toMatchObject({ os: { family: 'Debian' }, clientcert: 'agent1.bench.test' });
    expect(facts.producedAt).toBeInstanceOf(Date);
  });
});
