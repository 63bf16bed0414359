import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { ConnectionLimits } from './connection-limits.ts';
import type { Identity } from './route.ts';

const address = '192.0.2.1';
const stranger: Identity = { kind: 'anonymous', address };
const agent = (certname: string): Identity => ({
  kind: 'certificate',
  certname,
  dnsAltNames: [],
  extensions: {},
  serial: '1',
  raw: Buffer.alloc(0),
  address,
});

let closed: string[];
let limits: ConnectionLimits;

beforeEach(() => {
  closed = [];
  limits = new ConnectionLimits({ maxPerIdentity: 2, maxPerAddress: 3, maxTotal: 8 });
});

function open(name: string, identity: Identity | 'proxy'): Socket {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy() {
      socket.destroyed = true;
      closed.push(name);
      socket.emit('close');
    },
  });
  limits.add(socket as unknown as Socket, identity);
  return socket as unknown as Socket;
}

test('what was idle longest makes room for new connections of the same client', () => {
  const first = open('first', agent('a'));
  open('second', agent('a'));
  limits.begin(first);
  limits.end(first);

  open('third', agent('a'));

  expect(closed).toEqual(['second']);
});

test('connections at work are kept, and a new one is refused', () => {
  for (const name of ['first', 'second']) limits.begin(open(name, agent('a')));

  open('third', agent('a'));

  expect(closed).toEqual(['third']);
  expect(limits.count).toBe(2);
});

test('clients count by certificate first, by address only without one', () => {
  for (const name of ['a', 'b', 'c', 'd']) open(name, agent(name));
  for (const name of ['1', '2', '3']) open(name, stranger);

  open('4', stranger);

  expect(closed).toEqual(['1']);
});

test('a user counts by itself as soon as it has shown its token', () => {
  const user: Identity = {
    kind: 'user',
    id: 'u',
    login: 'u',
    address,
    permissions: [],
  } as unknown as Identity;
  for (const name of ['1', '2', '3']) limits.rename(open(name, stranger), user);

  open('4', stranger);

  expect(closed).toEqual(['1']);
});

test('proxies bring everybody: no limit of a client applies to them', () => {
  for (let index = 0; index < 8; index += 1) open(`${index}`, 'proxy');

  expect(closed).toEqual([]);
});

test('the client with most connections makes room when all together are too many', () => {
  for (const name of ['1', '2', '3']) open(name, stranger);
  for (const name of ['a', 'b', 'c', 'd', 'e']) open(name, agent(name));

  open('f', agent('f'));

  expect(closed).toEqual(['1']);
  expect(limits.count).toBe(8);
});
