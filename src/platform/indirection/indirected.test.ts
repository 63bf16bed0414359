import { expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpRequest } from '../http/index.ts';
import { silentLogger } from '../log/index.ts';
import {
  acceptedFormat,
  bodyFormat,
  environmentParameter,
  indirected,
  RequestFailed,
  requestKey,
} from './index.ts';

function request(path: string, rest: string): HttpRequest {
  return {
    method: 'GET',
    path,
    params: { '*': rest },
    query: new URLSearchParams(),
    headers: {},
    identity: { kind: 'anonymous', address: '127.0.0.1' },
    signal: new AbortController().signal,
    body: async () => Buffer.alloc(0),
    stream: () => {
      throw new Error('no stream');
    },
  };
}

async function answerTo(error: Error) {
  const handle = indirected(silentLogger, () => {
    throw error;
  });
  return await handle(request('/puppet/v3/node/x', 'x'));
}

test('errors are rendered with the title of their status', async () => {
  const missing = new ServiceError('not-found', 'Could not find node x', { kind: 'RESOURCE_NOT_FOUND' });

  expect(await answerTo(missing)).toMatchObject({
    status: 404,
    body: '{"message":"Not Found: Could not find node x","issue_kind":"RESOURCE_NOT_FOUND"}',
  });
  expect(await answerTo(new RequestFailed('Invalid checksum "0000"'))).toMatchObject({
    status: 500,
    body: '{"message":"Server Error: Invalid checksum \\"0000\\"","issue_kind":"RUNTIME_ERROR"}',
  });
});

test('bugs and what the HTTP server answers for pass through', async () => {
  await expect(answerTo(new TypeError('a bug'))).rejects.toThrow('a bug');
  await expect(answerTo(new ServiceError('too-large', 'much'))).rejects.toThrow('much');
});

test('relative paths are refused before the handler sees them', async () => {
  const handle = indirected(silentLogger, () => ({ status: 200 }));

  expect(await handle(request('/puppet/v3/file_content/a/%2e%2e/b', 'a/../b'))).toMatchObject({
    status: 400,
    body: 'Invalid relative path (.. or .) in: /puppet/v3/file_content/a/../b',
  });
});

test('the first accepted format that is supported is taken', () => {
  expect(acceptedFormat('application/json, text/pson', ['json', 'pson'])).toBe('json');
  expect(acceptedFormat('application/x-msgpack, text/pson;q=0.5', ['json', 'pson'])).toBe('pson');
  expect(acceptedFormat('*/*', ['json', 'pson'])).toBe('json');
  expect(() => acceptedFormat('application/xml', ['json'])).toThrow(
    'No supported formats are acceptable (Accept: application/xml)',
  );
  expect(() => acceptedFormat(undefined, ['json'])).toThrow('Missing required Accept header');
});

test('a body in a format that is not read is refused', () => {
  expect(bodyFormat('application/json; charset=utf-8', ['json'])).toBe('json');
  expect(() => bodyFormat('text/yaml', ['json'])).toThrow(
    "Client sent a mime-type (text/yaml) that doesn't correspond to a format we support",
  );
  expect(() => bodyFormat(undefined, ['json'])).toThrow('No Content-Type header was received');
});

test('environments are named by word characters', () => {
  expect(environmentParameter(new URLSearchParams('environment=a_1'))).toBe('a_1');
  expect(() => environmentParameter(new URLSearchParams('environment=bad-name!'))).toThrow(
    "The environment must be purely alphanumeric, not 'bad-name!'",
  );
  expect(() => environmentParameter(new URLSearchParams())).toThrow(
    'An environment parameter must be specified',
  );
});

test('a key is what follows the name, with single slashes', () => {
  expect(requestKey(request('/puppet/v3/x/a//b', 'a//b'))).toBe('a/b');
  expect(() => requestKey(request('/puppet/v3/x/', ''))).toThrow('No request key specified in /puppet/v3/x/');
});

// A header of blanks took half a minute of the main thread, sent by any client with a certificate.
test('headers with much white space are read at once', () => {
  const blanks = ' '.repeat(100_000);

  expect(acceptedFormat(`x${blanks}y ,${blanks}application/json`, ['json'])).toBe('json');
  expect(() => bodyFormat(`application/json${blanks}x`, ['json'])).toThrow('Client sent a mime-type');
  expect(bodyFormat(`application/json${blanks}; charset=utf-8`, ['json'])).toBe('json');
});
