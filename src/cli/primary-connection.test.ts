import { expect, test } from 'vitest';
import { UsageError } from './command.ts';
import { localAddresses, requestJson } from './primary-connection.ts';

test.each(['compile1.test/v1', 'http://primary.test:8140/v1', 'https://a b:8140/v1'])(
  'an invalid URL is a usage error: %s',
  async (url) => {
    await expect(requestJson({}, { method: 'GET', url })).rejects.toThrow(UsageError);
  },
);

test.each([
  ['', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1'],
  ['192.0.2.7', '192.0.2.7'],
  ['::1', '::1'],
])('a server of this machine that listens on %j is reached at %s', (listen, address) => {
  expect(localAddresses({ certname: 'p', listen, primary: '' })).toEqual({ p: address });
});

test('another primary is where DNS says, also when its own certificate is shown', () => {
  expect(localAddresses({ certname: 'p', listen: '', primary: 'p:8140' })).toEqual({});
});
