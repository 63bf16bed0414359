import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import type { ClientRequest, ClientResponse } from '../../platform/http-client/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { decodeFactRows } from './fact-rows.ts';
import { PuppetDbClient } from './puppetdb-client.ts';
import { parsePuppetDbConf } from './puppetdb-conf.ts';

/** What a server does with a request: a status and a body, or how the connection fails. */
type Behaviour = readonly [status: number, body: string] | 'away' | 'silent';

const signal = new AbortController().signal;
const command = {
  command: 'replace_facts',
  version: 5,
  certname: 'a.example.net',
  producerTimestamp: new Date('2026-11-21T11:00:00.000Z'),
  payload: Buffer.from('{"certname":"a.example.net"}'),
};

/** A network of servers by their origins; the first part of a host's name is enough. */
function network(conf: string, servers: Readonly<Record<string, Behaviour>>) {
  const requests: ClientRequest[] = [];
  const clock = { ms: 0 };
  const behaviours = new Map(Object.entries(servers));
  const send = (request: ClientRequest): Promise<ClientResponse> => {
    requests.push(request);
    const behaviour = behaviours.get(new URL(request.url).hostname) ?? 'away';
    if (behaviour === 'away') return Promise.reject(new ServiceError('unavailable', 'Failed to connect'));
    if (behaviour === 'silent') return Promise.reject(new ServiceError('timeout', 'No answer in time'));
    const [status, body] = behaviour;
    return Promise.resolve({ status, headers: {}, body: Buffer.from(body) });
  };
  const client = new PuppetDbClient({
    conf: parsePuppetDbConf(`[main]\n${conf}\n`, 'puppetdb.conf'),
    client: { send },
    log: silentLogger,
    nowMs: () => clock.ms,
  });
  return {
    client,
    clock,
    requests,
    set: (host: string, behaviour: Behaviour) => behaviours.set(host, behaviour),
    asked: () => requests.splice(0).map(({ url }) => new URL(url).hostname),
  };
}

const two = 'server_urls = https://one:8081, https://two:8081';

describe('Queries', () => {
  test('go to the first server that answers, in the order of the list', async () => {
    const { asked, client, set } = network(two, { one: [200, '[1]'], two: [200, '[2]'] });

    expect(await client.query('"nodes {}"', signal)).toBe('[1]');
    expect(asked()).toEqual(['one']);
    for (const behaviour of ['away', [503, 'starting'], [404, '<html>'], 'silent'] as const) {
      set('one', behaviour);
      expect(await client.query('"nodes {}"', signal)).toBe('[2]');
      expect(asked()).toEqual(['one', 'two']);
    }
  });

  test('stay with the server that answered last when reads are sticky', async () => {
    const { asked, client, set } = network(`${two}\nsticky_read_failover = true`, { two: [200, '[2]'] });

    await client.query('"nodes {}"', signal);
    set('one', [200, '[1]']);
    await client.query('"nodes {}"', signal);
    set('two', 'away');

    expect(await client.query('"nodes {}"', signal)).toBe('[1]');
    expect(asked()).toEqual(['one', 'two', 'two', 'two', 'one']);
  });

  test('never go to servers that are only sent commands', async () => {
    const conf = 'server_urls = https://one:8081\nsubmit_only_server_urls = https://other:8081';
    const { asked, client } = network(conf, { other: [200, '[]'] });

    await expect(client.query('"nodes {}"', signal)).rejects.toThrow(
      "Failed to execute '/pdb/query/v4' on at least 1 of the following 'server_urls': https://one:8081",
    );
    expect(asked()).toEqual(['one']);
  });

  test('take what PuppetDB says of a wrong query for its answer', async () => {
    const { asked, client } = network(two, { one: [400, 'PQL parse error'], two: [200, '[]'] });

    expect(await client.query('"nodes {"', signal)).toBe('PQL parse error');
    expect(asked()).toEqual(['one']);
  });

  test('of exported resources say which PuppetDB refused them, and why', async () => {
    const { client, requests } = network('server_urls = https://one', { one: [400, 'no\nsuch "field"\n'] });

    await expect(client.findResources('["=","title","a b*"]', signal)).rejects.toThrow(
      'Could not retrieve resources from the PuppetDB at https://one:443: [400 Bad Request] nosuch "field"',
    );
    expect(requests[0]?.url).toBe(
      'https://one/pdb/query/v4/resources?query=%5B%22%3D%22%2C%22title%22%2C%22a+b%2A%22%5D',
    );
  });

  test('leave a silent server alone for a while, then one of them looks whether it answers', async () => {
    const { asked, client, clock, set } = network(two, { one: 'silent', two: [200, '[2]'] });

    await client.query('"nodes {}"', signal);
    await client.query('"nodes {}"', signal);
    expect(asked()).toEqual(['one', 'two', 'two']);

    clock.ms += 10_000;
    await Promise.all([client.query('"nodes {}"', signal), client.query('"nodes {}"', signal)]);
    expect(asked().filter((host) => host === 'one')).toHaveLength(1);

    clock.ms += 10_000;
    set('one', [200, '[1]']);
    await client.query('"nodes {}"', signal);
    await client.query('"nodes {}"', signal);
    expect(asked()).toEqual(['one', 'one']);
  });

  test('are given up when their callers have gone', async () => {
    const { client, requests } = network(two, { one: [200, '[]'] });

    await client.query('"nodes {}"', signal);

    expect(requests[0]).toMatchObject({ signal, timeoutMs: 30_000 });
  });
});

describe('Facts', () => {
  test('keep the form of their numbers', async () => {
    const rows =
      '[{"certname":"a","name":"memory","value":4096.0},{"certname":"a","name":"big","value":12345678901234567890}]';
    const { client } = network(two, { one: [200, rows] });

    const found = decodeFactRows('a', (await client.findFacts('a', signal)) ?? '');

    expect(found?.exactValues).toBe('{"memory":4096.0,"big":12345678901234567890}');
    expect(found?.values['memory']).toBe(4096);
  });

  test('of an unknown node are none, on whichever server', async () => {
    const unknown = [404, '{"error":"No information is known about node x"}'] as const;
    const { asked, client } = network(two, { one: unknown, two: unknown });

    expect(await client.findFacts('x', signal)).toBeUndefined();
    expect(asked()).toEqual(['one', 'two']);
  });

  test('that cannot be had are an error', async () => {
    const { client } = network(two, {});

    await expect(client.findFacts('x', signal)).rejects.toThrow(
      "Failed to find facts from PuppetDB at  Failed to execute '/pdb/query/v4/nodes/x/facts' on at least 1 of the " +
        "following 'server_urls': https://one:8081, https://two:8081",
    );
  });
});

describe('Commands', () => {
  test('are sent compressed, with what identifies them in the address', async () => {
    const { client, requests } = network(two, { one: [200, '{"uuid":"x"}'] });

    await client.submit(command);

    const [request] = requests;
    expect(request?.url).toBe(
      'https://one:8081/pdb/cmd/v1?checksum=175c2cf0cbea978c00fd1c3a96186feca791f7c3&version=5&certname=a.example.net' +
        '&command=replace_facts&producer-timestamp=2026-11-21T11%3A00%3A00.000Z',
    );
    expect(request?.headers).toMatchObject({ 'content-encoding': 'gzip', 'x-uncompressed-length': '28' });
    expect(gunzipSync(request?.body as Buffer).toString()).toBe('{"certname":"a.example.net"}');
  });

  test('go to all servers where they are broadcast, and fail when too few take them', async () => {
    const conf = `${two}\nsubmit_only_server_urls = https://other\ncommand_broadcast = true\nmin_successful_submissions = 2`;
    const { asked, client, set } = network(conf, { one: [200, '{}'], two: [200, '{}'] });

    await client.submit(command);
    expect(asked()).toEqual(['one', 'two', 'other']);

    set('two', 'away');
    await expect(client.submit(command)).rejects.toThrow(
      /^Failed to execute '\/pdb\/cmd\/v1\?.* on at least 2 of/,
    );
  });

  test('leave out a server that only gets commands once it was silent twice', async () => {
    const conf = `${two}\nsubmit_only_server_urls = https://other\ncommand_broadcast = true`;
    const { asked, client, clock } = network(conf, { one: [200, '{}'], two: [200, '{}'], other: 'silent' });

    for (let time = 0; time < 3; time++) {
      await client.submit(command);
      clock.ms += 60_000;
    }

    expect(asked().filter((host) => host === 'other')).toHaveLength(2);
  });

  test('that are wrong will never be taken; with other refusals they are to be sent again', async () => {
    const { client, set } = network(`${two}\nsoft_write_failure = true`, { one: [413, 'too large'] });

    await expect(client.submit(command)).rejects.toMatchObject({
      reason: 'bad-request',
      message: '[413 Payload Too Large] too large',
    });
    set('one', [403, 'Permission denied']);
    await expect(client.submit(command)).rejects.toMatchObject({ reason: 'unavailable' });
  });
});
