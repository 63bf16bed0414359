import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { HttpClient } from './http-client.ts';

let authority: OpensslAuthority;
let server: Server;
let client: HttpClient;
let url: string;

beforeEach(async () => {
  authority = new OpensslAuthority('Test CA');
  const { certificate, privateKey } = authority.issue('localhost');
  server = createServer({ cert: certificate, key: privateKey }).listen(0, 'localhost');
  await once(server, 'listening');
  url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  client = new HttpClient({ ca: authority.certificate });
});
afterEach(() => {
  client.close();
  server.close();
  authority.remove();
});

test('requests that are under way are answered when there are new credentials', async () => {
  const answer = client.send({ method: 'GET', url });
  const [, reply] = await once(server, 'request');
  client.setCredentials({ ca: authority.certificate });
  reply.end('answered');

  expect((await answer).body.toString()).toBe('answered');
});

test('requests that come after new credentials use a connection of their own', async () => {
  server.on('request', ({ socket }, reply) => reply.end(String(socket.remotePort)));
  const ask = async () => (await client.send({ method: 'GET', url })).body.toString();

  const before = [await ask(), await ask()];
  client.setCredentials({ ca: authority.certificate });
  const after = await ask();

  expect(before[1]).toBe(before[0]);
  expect(after).not.toBe(before[0]);
});

test('hosts whose address is given need no DNS, and have to show their own certificate', async () => {
  const { certificate, privateKey } = authority.issue('primary.example.test');
  const local = createServer({ cert: certificate, key: privateKey }, (_, reply) => reply.end('here'));
  await once(local.listen(0, '127.0.0.1'), 'listening');
  const { port } = local.address() as AddressInfo;
  const addresses = { 'primary.example.test': '127.0.0.1', 'other.example.test': '127.0.0.1' };
  const asking = new HttpClient({ ca: authority.certificate, addresses });
  const ask = (host: string) => asking.send({ method: 'GET', url: `https://${host}:${port}/` });

  const answer = await ask('primary.example.test');
  const other = ask('other.example.test');

  await expect(other).rejects.toThrow('does not match');
  expect(answer.body.toString()).toBe('here');
  asking.close();
  local.close();
});
