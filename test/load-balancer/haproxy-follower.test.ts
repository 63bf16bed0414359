/** The follower with the real HAProxy. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { Process } from '../../demo/process.ts';
import { haproxy, isPresent } from '../../scripts/debian-packages.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import {
  type FollowedServer,
  HaproxyFollower,
  HaproxySocket,
  renderHaproxyConfig,
} from '../../src/services/load-balancer/index.ts';

/** Two hosts of one machine: each says who it is, and whether it is well. */
const hosts = { 'a.test': '127.0.0.1', 'b.test': '127.0.0.2' } as const;
type Host = keyof typeof hosts;

/** Answers a request that was not to be answered yet. */
let finish: (() => void) | undefined;
const stopping = new Set<string>();
const unwell = new Set<Host>();
let directory = '';
let running: Process;
let servers: Server[] = [];
let ports = { balancer: 0, agents: 0 };

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-follower-'));
  ports = { balancer: await freePort(), agents: await freePort() };
  unwell.clear();
  stopping.clear();
  finish = undefined;
  servers = await Promise.all((Object.keys(hosts) as Host[]).map(serve));
  const config = renderHaproxyConfig({
    servers: [],
    bind: `127.0.0.1:${ports.balancer}`,
    maxConnections: 100,
    socket: join(directory, 'socket'),
    healthPort: ports.agents,
  });
  writeFileSync(join(directory, 'haproxy.cfg'), config);
  const args = ['-db', '-f', join(directory, 'haproxy.cfg')];
  running = new Process({ command: 'haproxy', args, logFile: join(directory, 'log') });
  await running.until('HAProxy takes commands', async () => {
    try {
      return (await socket().servers('puppet')).length === 0;
    } catch {
      return false; // not yet
    }
  });
});
afterEach(async () => {
  await running.stop();
  for (const server of servers) server.close().closeAllConnections();
  rmSync(directory, { recursive: true });
});

function serve(host: Host): Promise<Server> {
  const server = createServer((request, reply) => {
    if (request.url === '/slow') {
      finish = () => reply.end(host);
      return;
    }
    const isCheck = request.url === '/status/v1/simple?while_stopping=404';
    const health = unwell.has(host) ? 503 : stopping.has(host) ? 404 : 200;
    reply.writeHead(isCheck ? health : 200).end(host);
  });
  return new Promise((resolve) => server.listen(ports.agents, hosts[host], () => resolve(server)));
}

function socket(): HaproxySocket {
  return new HaproxySocket(join(directory, 'socket'));
}

function follower(rampSeconds = 30): HaproxyFollower {
  return new HaproxyFollower({
    socket: socket(),
    rampSeconds,
    log: silentLogger,
    resolve: (host) => Promise.resolve(hosts[host as Host] ?? host),
  });
}

function followed(certname: Host, isLeaving = false): FollowedServer {
  return { certname, host: certname, port: ports.agents, healthPort: ports.agents, isLeaving };
}

/** The server that answers, on a new connection when none is kept; `undefined` without an answer. */
function ask(agent?: Agent, path = '/who'): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port: ports.balancer, agent: agent ?? (false as const) };
    get({ ...options, path }, (answer) => {
      let text = '';
      answer.on('data', (piece: Buffer) => {
        text += piece.toString('utf8');
      });
      answer.on('end', () => resolve(text));
    }).on('error', () => resolve(undefined));
  });
}

/** Asks until these, and no others, answer. */
async function untilServedBy(...names: readonly Host[]): Promise<void> {
  await running.until(`${names.join(' and ')} serve`, async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    return new Set(answers).size === names.length && names.every((name) => answers.includes(name));
  });
}

describe.skipIf(!isPresent(haproxy))('A HAProxy that is followed (needs the Debian package haproxy)', () => {
  test('gets servers as they come, and loses them as they go', async () => {
    const following = follower();

    expect(await following.apply([followed('a.test')])).toBe(true);
    await untilServedBy('a.test');
    expect(await following.apply([followed('a.test'), followed('b.test')])).toBe(true);
    await untilServedBy('a.test', 'b.test');
    await running.until('no client is connected', () => following.apply([followed('b.test')]));
    await untilServedBy('b.test');

    expect((await socket().servers('puppet')).map(({ name }) => name)).toEqual(['b.test']);
  });

  test('sends nothing new to who will leave, and nothing to who is unwell', async () => {
    const following = follower();
    await following.apply([followed('a.test'), followed('b.test')]);
    await untilServedBy('a.test', 'b.test');

    await following.apply([followed('a.test', true), followed('b.test')]);
    await untilServedBy('b.test');
    await following.apply([followed('a.test'), followed('b.test')]);
    await untilServedBy('a.test', 'b.test');
    unwell.add('b.test');

    await untilServedBy('a.test');
  });

  test('sends nothing to a new server before it is well', async () => {
    const following = follower();
    await following.apply([followed('a.test')]);
    await untilServedBy('a.test');
    unwell.add('b.test');

    await following.apply([followed('a.test'), followed('b.test')]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    unwell.delete('b.test');

    expect(new Set(answers)).toEqual(new Set(['a.test']));
    await untilServedBy('a.test', 'b.test');
  });

  test('gives a new server few clients at first', async () => {
    await follower(0).apply([followed('a.test')]);
    await untilServedBy('a.test');
    await follower(3600).apply([followed('a.test'), followed('b.test')]);
    await untilServedBy('a.test', 'b.test');
    const keeping = Array.from({ length: 12 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));

    // One after the other: each finds the earlier ones connected.
    const answers: unknown[] = [];
    for (const each of keeping) answers.push(await ask(each));

    for (const each of keeping) each.destroy();
    expect(answers.filter((answer) => answer === 'b.test').length).toBeLessThanOrEqual(2);
  });

  test('lets a request finish at a server that stops in order, and ends it at one that breaks', async () => {
    const following = follower();
    await following.apply([followed('a.test')]);
    await untilServedBy('a.test');
    const begun = ask(undefined, '/slow');
    await running.until('it has begun', async () => finish !== undefined);
    await following.apply([followed('a.test'), followed('b.test')]);

    stopping.add('a.test');
    await untilServedBy('b.test');
    finish?.();

    expect(await begun).toBe('a.test');
    finish = undefined;
    const interrupted = ask(undefined, '/slow');
    await running.until('another one has begun', async () => finish !== undefined);
    unwell.add('b.test');
    expect(await interrupted).toBeUndefined();
  });

  test('lets connections that are open finish before a server is removed', async () => {
    const following = follower();
    const keeping = new Agent({ keepAlive: true, maxSockets: 1 });
    await following.apply([followed('a.test')]);
    await untilServedBy('a.test');
    expect(await ask(keeping)).toBe('a.test');

    const isDone = await following.apply([]);
    const answer = await ask(keeping);
    keeping.destroy();

    expect(isDone).toBe(false);
    expect(answer).toBe('a.test');
    await running.until('it is removed', () => following.apply([]));
    expect(await socket().servers('puppet')).toEqual([]);
  });

  test('says what HAProxy says when it can not be followed', async () => {
    await expect(socket().servers('nothing')).rejects.toThrow("HAProxy answered: Can't find backend.");
    await expect(new HaproxySocket('/nowhere').servers('puppet')).rejects.toThrow(
      'Could not reach HAProxy at /nowhere',
    );
  });
});
