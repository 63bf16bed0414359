/** What the PuppetDB of a server's own process gives code while it is compiled. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../src/platform/log/index.ts';
import { ownPuppetDb } from '../../src/server/node-data/own-termini.ts';
import type { UsedPuppetDb } from '../../src/server/node-data/used-puppetdb.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

const { signal } = new AbortController();
const settings = {
  certname: 'primary.example',
  confDir: '/nonexistent',
  puppetDbPort: 9081,
  serverPort: 8140,
  storeConfigs: true,
  storeConfigsBackend: 'puppetdb',
};
const everything = "on at least 1 of the following 'server_urls': https://primary.example:9081";

let running: RunningPuppetDb;
let own: UsedPuppetDb;

beforeAll(async () => {
  running = await startPuppetDb();
  own = ownPuppetDb(settings, running.puppetDb, silentLogger);
  const facts = { certname: 'a', environment: 'p', producer_timestamp: '2026-11-21T11:00:00.000Z' };
  const payload = `${JSON.stringify({ ...facts, producer: 'm' }).slice(0, -1)},"values":{"memory":4096.0}}`;
  await running.puppetDb.submit({
    command: 'replace_facts',
    version: 5,
    certname: 'a',
    payload: Buffer.from(payload),
  });
});

afterAll(() => running.stop());

test.each([
  ['"nodes[certname] {}"', '[{"certname":"a"}]'],
  ['["from","nodes",["extract","certname"]]', '[{"certname":"a"}]'],
  [JSON.stringify('["from", "nodes", ["extract", "certname"]]'), '[{"certname":"a"}]'],
  ['"nodes {"', expect.stringContaining('PQL parse error')],
  ['{"a":1}', 'The query must be a JSON array'],
  ['null', expect.stringContaining('Your initial query must be of the form')],
  [`"[\\"from\\"] []"`, expect.stringContaining('Only one query may be sent in a request')],
  [JSON.stringify(nested(600)), 'The query is nested too deeply'],
])('the query %.40s gives rows, or what is wrong with it', async (query, expected) => {
  expect(await own.compiler.query(query, signal)).toEqual(expected);
});

test('facts keep the form of their numbers, and those of an unknown node are undefined', async () => {
  expect((await own.findFacts('a', signal))?.exactValues).toBe('{"memory":4096.0}');
  expect(await own.findFacts('b', signal)).toBeUndefined();
});

test('a wrong query of resources fails in the words of the reference', async () => {
  expect(await own.compiler.findResources?.('["=","type","File"]', signal)).toBe('[]');
  await expect(own.compiler.findResources?.('["=","colour","red"]', signal)).rejects.toThrow(
    "Could not retrieve resources from the PuppetDB at https://primary.example:9081: [400 Bad Request] 'colour' is not",
  );
});

test('a database that does not answer fails in the words of the reference', async () => {
  const closed = await startPuppetDb();
  await closed.stop();
  const { compiler, findFacts } = ownPuppetDb(settings, closed.puppetDb, silentLogger);

  await expect(compiler.query('"nodes {}"', signal)).rejects.toThrow(
    `Failed to execute '/pdb/query/v4' ${everything}`,
  );
  await expect(compiler.findResources?.('["=","type","File"]', signal)).rejects.toThrow(
    'Could not retrieve resources from the PuppetDB at https://primary.example:9081: Failed to execute ' +
      `'/pdb/query/v4/resources?query=%5B%22%3D%22%2C%22type%22%2C%22File%22%5D' ${everything}`,
  );
  await expect(findFacts('a', signal)).rejects.toThrow(
    `Failed to find facts from PuppetDB at  Failed to execute '/pdb/query/v4/nodes/a/facts' ${everything}`,
  );
});

function nested(levels: number): unknown {
  return levels === 0 ? 'a' : ['not', nested(levels - 1)];
}
