/** Odd queries, with the answers of the reference 7.12.1, unless that fails itself. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../support/backends.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

const certname = 'odd.test';
const mount = { 'C:\\': { size: 1 }, 'a"b': 2, 'x\\ny': 3, 'x\ny': 4, list: [10, 20] };

describe.each(backends.map((backend) => [backend.name, backend] as const))('%s', (_name, backend) => {
  let puppetDb: RunningPuppetDb;
  let stopDatabase: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    if (!backend.isInstalled) return;
    const { location, stop } = await backend.start();
    stopDatabase = stop;
    puppetDb = await startPuppetDb(location);
    const facts = {
      certname,
      environment: 'e',
      producer_timestamp: '2026-11-21T12:00:00.000Z',
      producer: 'p',
      values: { mount },
      package_inventory: [
        ['b', '1.0', 'apt'],
        ['a', '2.0', 'apt'],
        ['b', '3.0', 'apt'],
      ],
    };
    const payload = Buffer.from(JSON.stringify(facts));
    await puppetDb.puppetDb.submit({ command: 'replace_facts', version: 5, certname, payload });
  });

  afterAll(async () => {
    if (!backend.isInstalled) return;
    await puppetDb.stop();
    await stopDatabase?.();
  });

  const ask = async (path: string, parameters: Readonly<Record<string, unknown>>) => {
    const body = JSON.stringify(parameters);
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${puppetDb.url}/pdb/query/v4${path}`, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    });
    const text = await reply.text();
    return { status: reply.status, answer: reply.status === 200 ? JSON.parse(text) : text };
  };
  const answerOf = async (query: unknown) => (await ask('', { query })).answer;
  const having = (path: string, value: number) =>
    answerOf(['from', 'inventory', ['extract', ['certname'], ['=', `facts.mount.${path}`, value]]]);

  test.runIf(backend.isInstalled)('keys may have quotes, backslashes and line ends', async () => {
    const node = [{ certname }];

    expect(await having('"C:\\".size', 1)).toEqual(node);
    expect(await having('"a"b"', 2)).toEqual(node);
    expect(await having('"x\\ny"', 3)).toEqual(node);
    expect(await having('"x\ny"', 4)).toEqual(node);
    expect(await having('"x\\ny"', 4)).toEqual([]);
    expect(await having('list[1]', 20)).toEqual(node);
  });

  test.runIf(backend.isInstalled)('of many mistakes the first hundred are told', async () => {
    const clause = ['or', ...Array.from({ length: 5000 }, (_, index) => ['=', `x${index}`, 1])];

    const { answer, status } = await ask('/nodes', { query: clause });

    expect(status).toBe(400);
    expect(String(answer).trimEnd().split('\n')).toHaveLength(100);
  });

  test.runIf(backend.isInstalled)('numbers that are too large for anything are refused', async () => {
    const index = '99999999999999999999';

    expect(await having(`list[${index}]`, 1)).toBe(`For input string: "${index}"`);
    expect(await having('list[3000000000]', 1)).toBe('For input string: "3000000000"');
    expect(await ask('/nodes', { limit: '99999999999999999999999' })).toEqual({
      status: 400,
      answer: "Illegal value '99999999999999999999999' for :limit; expected a positive non-zero integer.",
    });
    expect(await ask('', { query: ['from', 'nodes', ['limit', 1e21]] })).toEqual({
      status: 500,
      answer: 'ERROR: bigint out of range',
    });
  });

  test.runIf(backend.isInstalled)('names that every object of JavaScript has are no names here', async () => {
    const query = ['=', 'certname', 'x'];
    const unsupported = "Unsupported value for 'summarize_by': 'constructor'";

    for (const path of ['/event-counts', '/aggregate-event-counts'])
      expect(await ask(path, { query, summarize_by: 'constructor' })).toEqual({
        status: 400,
        answer: unsupported,
      });
    expect((await ask('/nodes', { query: ['=', ['constructor', 'x'], 'y'] })).status).toBe(400);
    expect(await ask('/nodes', { query: ['~', 'certname', '[[:constructor:]]'] })).toEqual({
      status: 400,
      answer: 'ERROR: invalid regular expression: invalid character class',
    });
  });

  test.runIf(backend.isInstalled)('what is distinct may be sorted by what is not answered', async () => {
    const versions = ['order_by', ['version']];

    expect(await answerOf(['from', 'packages', ['extract', ['package_name']], versions])).toEqual([
      { package_name: 'b' },
      { package_name: 'a' },
      { package_name: 'b' },
    ]);
    expect(
      await answerOf(['from', 'fact_paths', ['extract', 'type'], ['order_by', ['path']], ['limit', 2]]),
    ).toEqual([{ type: 'integer' }, { type: 'integer' }]);
  });

  test.runIf(backend.isInstalled)(
    'hashes and lists contain what is asked for, and values of all kinds compare',
    async () => {
      const node = [{ certname }];
      const having = (condition: unknown) =>
        answerOf(['from', 'inventory', ['extract', ['certname'], condition]]);

      expect(await having(['=', 'facts.mount', { list: [20] }])).toEqual(node);
      expect(await having(['=', 'facts.mount', { list: [30] }])).toEqual([]);
      expect(await having(['>', 'facts.mount.list', 1_000_000])).toEqual(node);
      expect(await having(['<', 'facts.mount.list[0]', 'a'])).toEqual([]);
      expect(await having(['not', ['>', 'facts.nosuch', 1]])).toEqual([]);
      expect(await having(['not', ['=', 'facts.nosuch', 1]])).toEqual(node);
      expect(await having(['not', ['null?', 'facts.mount.list', true]])).toEqual(node);
    },
  );

  test.runIf(backend.isInstalled)(
    'all fields that are not there are told at once, sorting first',
    async () => {
      const clauses = ['and', ['=', 'nosuch', 1], ['>', 'certname', 1], ['=', 'none', 1]];
      const known = "Known queryable objects are 'certname', 'package_name', 'provider', and 'version'";

      expect(await ask('/package-inventory', { query: clauses })).toEqual({
        status: 400,
        answer: ['nosuch', 'none']
          .map((name) => `'${name}' is not a queryable object for package_inventory. ${known}`)
          .join('\n'),
      });
      expect(await ask('/package-inventory', { query: clauses, order_by: [{ field: 'x' }] })).toEqual({
        status: 400,
        answer:
          "Unrecognized column 'x' specified in :order_by; Supported columns are " +
          "'certname', 'package_name', 'version', 'provider'",
      });
      expect(await ask('/package-inventory', { query: ['AND', ['>', 'certname', 1]] })).toEqual({
        status: 400,
        answer: 'Query operators >,>=,<,<= are not allowed on field certname',
      });
    },
  );

  test.runIf(backend.isInstalled)(
    'what is below a path is asked in the words of the path below',
    async () => {
      const names = async (path: string) =>
        ((await ask(path, {})).answer as { name: string }[]).map(({ name }) => name);

      expect(await names('/environments/e/facts/mount')).toEqual(['mount']);
      expect(await ask('/environments/nosuch/facts', {})).toMatchObject({ status: 404 });
      expect(await ask('/producers/p/factsets/odd.test', {})).toMatchObject({ answer: { certname } });
      expect((await ask('/producers/p/facts', {})).status).toBe(302);
      expect((await ask('/nodes/odd.test', { nosuch: 1 })).answer).toBe(
        "Unsupported query parameter 'nosuch'",
      );
    },
  );

  test.runIf(backend.isInstalled)('more columns are given on request', async () => {
    const [node] = (await ask('/nodes', { include_facts_expiration: true })).answer;
    const [factset] = (await ask('/factsets', { include_package_inventory: true })).answer;

    expect(node).toMatchObject({ expires_facts: true, expires_facts_updated: null });
    expect(factset.package_inventory).toEqual(
      expect.arrayContaining([
        ['b', '1.0', 'apt'],
        ['a', '2.0', 'apt'],
        ['b', '3.0', 'apt'],
      ]),
    );
  });

  test.runIf(backend.isInstalled)('a list of any length is looked up', async () => {
    const others = Array.from({ length: 70_000 }, (_, index) => ['=', 'certname', `n${index}`]);

    const { answer, status } = await ask('/nodes', { query: ['or', ...others, ['=', 'certname', certname]] });

    expect(status).toBe(200);
    expect(answer).toMatchObject([{ certname }]);
  });

  const tooDeep = { status: 400, answer: 'The query is nested too deeply' };
  const nestedLists = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;

  test.runIf(backend.isInstalled)('what is nested too deeply is refused, wherever it stands', async () => {
    const nots = (depth: number) =>
      Array.from({ length: depth }).reduce<unknown>((inner) => ['not', inner], ['=', 'certname', certname]);

    expect((await ask('/nodes', { query: nots(100) })).status).toBe(200);
    for (const depth of [1200, 4000]) {
      const lists = nestedLists(depth);
      expect(await ask('/nodes', { query: `nodes { ${'!'.repeat(depth)} certname = "a" }` })).toMatchObject({
        status: 400,
      });
      expect(await ask('', { query: `nodes { ${'!'.repeat(depth)} certname = "a" }` })).toEqual(tooDeep);
      expect(await ask('', { query: `["from","nodes",["=","certname",${lists}]]` })).toEqual(tooDeep);
      expect(await ask('/nodes', { query: `["=","certname",${lists}]` })).toEqual(tooDeep);
      expect(await ask('/facts', { order_by: JSON.parse(lists) as unknown })).toEqual(tooDeep);
      expect(
        await ask('/event-counts', { summarize_by: 'certname', counts_filter: JSON.parse(lists) as unknown }),
      ).toEqual(tooDeep);
    }
    expect(await ask('/nodes', { query: nots(1200) })).toEqual(tooDeep);
    expect(await ask('/nodes', { query: nestedLists(100_000) })).toEqual(tooDeep);
    expect(await ask('', { query: `nodes { ${'('.repeat(100_000)} }` })).toEqual(tooDeep);
  });

  // Each level was compiled twice: these 400 characters kept a thread busy until its limit of a minute ended it.
  test.runIf(backend.isInstalled)('nested subqueries take no more than their sum', async () => {
    const nested = (depth: number) =>
      `nodes { ${'facts { '.repeat(depth)} certname = "${certname}" ${'}'.repeat(depth)} }`;

    expect(await ask('', { query: nested(29), ast_only: true })).toMatchObject({ status: 200 });
    // PostgreSQL plans a hundred for a minute.
    expect(await ask('', { query: nested(100) })).toEqual(tooDeep);
  });

  // The limit is SQLite's own.
  if (backend.name === 'SQLite')
    test('what the database cannot hold at once is the mistake of its client', async () => {
      const names = Array.from({ length: 33_000 }, (_, index) => ['=', 'certname', String(index)]);

      expect(await ask('/nodes', { query: ['and', ...names] })).toEqual({
        status: 400,
        answer: expect.stringMatching(/^ERROR: (?:Expression tree is too large|too many SQL variables)/),
      });
    });
});
