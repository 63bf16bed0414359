import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { HttpClient } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { RemoteClassifiedNodes } from './classified-nodes.ts';
import { decodeNode } from './node-wire.ts';

test('facts that came as text are sent as text, and none of them is parsed', async () => {
  const asked: unknown[] = [];
  const authority = new OpensslAuthority('Test CA');
  onTestFinished(() => authority.remove());
  const { certificate: cert, privateKey: key } = authority.issue('localhost');
  const primary = createServer({ cert, key }, (request, response) => {
    void buffer(request).then((body) => {
      asked.push(decodeNode('a', body));
      response.end(JSON.stringify({ name: 'a', environment: 'e', classes: {}, parameters: {}, groups: [] }));
    });
  }).listen(0, 'localhost');
  await once(primary, 'listening');
  const client = new HttpClient({ ca: authority.certificate });
  onTestFinished(() => {
    client.close();
    primary.close();
  });
  const { port } = primary.address() as AddressInfo;
  const nodes = new RemoteClassifiedNodes({
    client,
    primaryUrl: `https://localhost:${port}`,
    log: silentLogger,
  });
  const values = Object.defineProperty({}, 'size', {
    enumerable: true,
    get: () => {
      throw new Error('parsed');
    },
  });

  const answer = await nodes.find(
    { certname: 'a', facts: { values, exactValues: '{"size":4096.0}' } },
    new AbortController().signal,
  );

  expect(answer.environment).toBe('e');
  expect(asked).toEqual([{ name: 'a', fact: { size: 4096 }, trusted: {} }]);
});
