/** Requests that no client should send: the same ones each time, drawn from a seed. */

import fc from 'fast-check';
import type { Request } from './callers.ts';

/** For each route. */
const requestsPerRoute = 50;
const firstSeed = 20_261_124;

/** Names that bodies of the API have, so that odd values stand where something is read. */
const names =
  'environments environment wait certnames certname name id rule rules classes parent variables login role_ids permissions ' +
  'password email display_name command version payload desired_state query limit offset order_by summarize_by ' +
  'counts_filter type mbean attribute path message author producer_timestamp values facts trusted_facts persistence ' +
  'transaction_uuid resources edges code_id deploy-all dry-run token lifetime description user_ids action object_type ' +
  'instance users nodes fact condition config_data environment_trumps fingerprint certificate';

const leaf = fc.constantFrom<unknown>(
  null,
  0,
  -1,
  1.5,
  1e308,
  true,
  false,
  '',
  'x',
  'production',
  ' ',
  '\u0000',
  '\ud800',
  'ä',
  '*',
  '(',
  '%',
  "'; drop table nodes; --",
  'x'.repeat(3000),
  '2026-01-01T00:00:00Z',
  '00000000-0000-4000-8000-000000000000',
  [],
  {},
  [null],
  [[]],
  ['and'],
  ['=', 'name', 'x'],
  ['or', ['=', 'name', 'x']],
  ['~', 'name', '('],
);

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names.split(' ')), tie('json'), { maxKeys: 6 }),
  ),
}));

const body = fc.oneof(
  { weight: 8, arbitrary: json.map((value) => Buffer.from(JSON.stringify(value))) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        '',
        '{',
        '{"a":',
        '[[',
        'NaN',
        '[1e400]',
        '\ufeff{}',
        '---\n- a',
        'a=b&c=d',
        '{"__proto__":{"a":1}}',
      )
      .map((text) => Buffer.from(text)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      Buffer.from([0xff, 0xfe, 0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
      Buffer.from(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
      Buffer.from(`${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`),
      Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'),
    ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
);

const contentType = fc.constantFrom(
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'text/pson',
  '',
  'application/octet-stream',
  'application/x-msgpack',
  'application/vnd.puppet.rich+json',
  'x/y;;=',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
);
const accept = fc.constantFrom(
  '*/*',
  'application/json',
  'text/pson',
  'application/vnd.puppet.rich+json',
  'text/plain',
  'x/y',
  ';',
);
const segment = fc.constantFrom(
  'x',
  'production',
  'odd.e2e.test',
  'modules',
  'plugins',
  'a%00b',
  '%F0%28',
  'x'.repeat(2000),
  'UPPER',
  'a%2Fb',
  '*',
  "'",
  '%27%20or%201',
  '-1',
  '00000000-0000-4000-8000-000000000000',
  '%E2%80%AE',
  '__proto__',
  'constructor',
  'd41d8cd98f00b204e9800998ecf8427e',
  'md5/d41d8cd98f00b204e9800998ecf8427e',
  'all',
  'nodes',
  'facts',
  'ca',
);
const parameter = fc.tuple(
  fc.constantFrom(
    'environment',
    'query',
    'limit',
    'offset',
    'order_by',
    'pretty',
    'summarize_by',
    'recurse',
    'links',
    'ignore',
    'checksum_type',
    'source_permissions',
    'code_id',
    'facts',
    'facts_format',
    'level',
    'timeout',
    'service',
    'bucket_path',
    'diff_with',
    'certname',
    'token',
    'type',
    'distinct_resources',
    'include_total',
    'explain',
  ),
  fc.constantFrom(
    'production',
    '',
    'x',
    '5',
    '-1',
    '[]',
    '["=","certname","x"]',
    '{}',
    'true',
    '\u0000',
    'x'.repeat(500),
    'nodes{}',
    'nodes{ certname ~ "(" }',
    'odd.e2e.test',
    '{"name":"a"}',
  ),
);

const hasBody = (method: string): boolean => method === 'PUT' || method === 'POST';

/** @param route - method and path with its parameters, as the server names it */
export function oddRequests(route: string): readonly Request[] {
  const [method = '', pattern = ''] = route.split(' ');
  const places = pattern.split(/:\w+|\*/);
  const odd = fc.record({
    segments: fc.array(segment, { minLength: places.length - 1, maxLength: places.length - 1 }),
    query: fc.array(parameter, { maxLength: 3 }),
    headers: fc.record({ accept, 'content-type': contentType }),
    body,
  });
  const seed = firstSeed + Buffer.from(route).reduce((sum, byte) => sum + byte, 0);
  return fc.sample(odd, { numRuns: requestsPerRoute, seed }).map((drawn) => ({
    method,
    path: `${places.map((part, index) => part + (drawn.segments[index] ?? '')).join('')}?${String(new URLSearchParams(drawn.query))}`,
    headers: drawn.headers,
    ...(hasBody(method) ? { body: drawn.body } : {}),
  }));
}
