import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../../lib/service-error.ts';
import { createHttpServer, TrustedProxies } from '../../../platform/http/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import type { NodeListRequest } from '../nodes/node-list.ts';
import { ExportDownloads } from './export-downloads.ts';
import type { ExportParts } from './export-lists.ts';
import { exportRoutes } from './export-routes.ts';

const count = 1200;

/** A list of many nodes, in pages as the real one gives them. */
function manyNodes(asked: NodeListRequest[] = []): ExportParts['lists'] {
  return {
    match: () => Promise.reject(new Error('not asked')),
    async find(request) {
      asked.push(request);
      const from = Number(request.after ?? 0);
      const to = Math.min(count, from + request.limit);
      const rows = Array.from({ length: to - from }, (_, index) => ({
        entry: {
          certname: `web${String(from + index).padStart(4, '0')}.test`,
          environment: index === 0 ? '=cmd()' : 'production',
          reportTimeMs: Date.UTC(2026, 0, 1),
          reportHash: undefined,
          reportStatus: 'unchanged' as const,
          isNoop: false,
          isNoopPending: false,
          isCorrective: false,
          cachedCatalogStatus: undefined,
          jobId: undefined,
        },
        status: 'unchanged' as const,
        facts: { 'os.name': 'Debian, the "stable" one' },
      }));
      const counts = {} as Awaited<ReturnType<ExportParts['lists']['find']>>['counts'];
      return { rows, total: count, counts, next: to < count ? String(to) : undefined, asOfMs: 0, pql: '' };
    },
  };
}

const known: ExportParts = {
  lists: manyNodes(),
  packages: {
    find: async () => ({
      rows: [{ name: 'bash', version: '5.2', provider: 'apt', nodes: 7 }],
      next: null,
      total: 1,
      is_collected: true,
      as_of: '2026-01-01T00:00:00.000Z',
    }),
  },
  fleet: {
    rows: async () => [
      { containing_class: '@SUM(1)', certname: 'a.test', count: 2, min: '2026-01-01', max: '2026-01-02' },
    ],
    rowsInParts: async () =>
      Readable.from(['[{"certname":"a.test","value":"=1+1"},{"certn', 'ame":"b.test","value":{"a":1}}]']),
  },
};

async function started(parts: Partial<ExportParts> = {}, waitMs?: number) {
  const downloads = new ExportDownloads(waitMs);
  onTestFinished(() => downloads.close());
  const http = createHttpServer({
    routes: exportRoutes({ ...known, ...parts }, downloads),
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: async (login, address) => ({
      kind: 'user',
      id: login,
      login,
      address,
      permits: ({ action, objectType }) =>
        login !== 'bob' && objectType === 'nodes' && action === 'view_data',
    }),
    trustedProxies: new TrustedProxies([]),
    log: silentLogger,
  });
  onTestFinished(() => http.drain(0));
  const url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
  const post = (path: string, body: object, login: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'x-authentication': login, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const ask = (body: object, login = 'ann') => post('/console-api/v1/exports', body, login);
  /** As a browser does first. */
  const prepare = (body: object, login = 'ann') => post('/console-api/v1/exports/downloads', body, login);
  const pathOf = async (body: object) =>
    ((await (await prepare(body)).json()) as { readonly path: string }).path;
  const fetchFile = (path: string, login = 'ann') =>
    fetch(url + path, { headers: { 'x-authentication': login } });
  return Object.assign(ask, { prepare, pathOf, fetchFile });
}

/** Pages without end. */
function endless(noteRead: () => void, noteEnd: () => void): ExportParts['fleet'] {
  return {
    rows: async () => [],
    rowsInParts: async () => {
      async function* parts() {
        try {
          yield '[';
          for (;;) {
            noteRead();
            yield `{"certname":"${'x'.repeat(10_000)}"},`;
          }
        } finally {
          noteEnd();
        }
      }
      return parts();
    },
  };
}

test('all nodes of a filter as CSV, page after page, without formulas', async () => {
  const asked: NodeListRequest[] = [];
  const ask = await started({ lists: manyNodes(asked) });

  const answer = await ask({
    list: 'nodes',
    q: 'web',
    order_by: { field: 'report_time', order: 'desc' },
    columns: ['fact.os.name'],
  });
  const lines = (await answer.text()).trimEnd().split('\r\n');

  expect(answer.headers.get('content-type')).toBe('text/csv;charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="nodes.csv"');
  expect(lines.length).toBe(1 + count);
  expect(lines[0]).toBe('certname,status,environment,report_time,report_hash,noop,fact.os.name');
  expect(lines[1]).toBe(
    `web0000.test,unchanged,'=cmd(),2026-01-01T00:00:00.000Z,,false,"Debian, the ""stable"" one"`,
  );
  expect(asked.map(({ after, limit }) => [after, limit])).toEqual([
    [undefined, 500],
    ['500', 500],
    ['1000', 500],
  ]);
  expect(asked[0]).toMatchObject({
    search: 'web',
    orderBy: { field: 'report_time', isDescending: true },
    factPaths: ['os.name'],
  });
});

test('the same as lines of JSON, and as names alone', async () => {
  const ask = await started();

  const rows = (await (await ask({ list: 'nodes', format: 'ndjson' })).text()).trimEnd().split('\n');
  const names = (await (await ask({ list: 'nodes', format: 'text' })).text()).trimEnd().split('\n');

  expect([rows.length, names.length]).toEqual([count, count]);
  expect(JSON.parse(rows[1] ?? '')).toMatchObject({ certname: 'web0001.test', status: 'unchanged' });
  expect(names[1199]).toBe('web1199.test');
});

test('packages, sums of events, and the rows of a query that come in parts', async () => {
  const ask = await started();
  const text = async (body: object) => await (await ask(body)).text();

  expect(await text({ list: 'packages' })).toBe('name,version,provider,nodes\r\nbash,5.2,apt,7\r\n');
  expect(await text({ list: 'events' })).toBe(
    "subject,nodes,events,first,last\r\n'@SUM(1),1,2,2026-01-01,2026-01-02\r\n",
  );
  expect(await text({ list: 'query', pql: 'facts {}' })).toBe(
    `certname,value\r\na.test,'=1+1\r\nb.test,"{""a"":1}"\r\n`,
  );
  expect(await text({ list: 'query', pql: 'facts {}', format: 'text' })).toBe('a.test\nb.test\n');
});

test('reads only as fast as the client', async () => {
  let pages = 0;
  const endlessly = async () => {
    pages++;
    const rows = [{ name: 'x'.repeat(100_000), version: '1', provider: 'apt', nodes: 1 }];
    return { rows, next: String(pages), total: 1, is_collected: true, as_of: '2026-01-01T00:00:00.000Z' };
  };
  const [route] = exportRoutes({ ...known, packages: { find: endlessly } }, new ExportDownloads());
  const body = () => Promise.resolve(Buffer.from('{"list":"packages"}'));
  if (route === undefined) throw new Error('there is no route');
  const answer = await route.handle({ body, signal: new AbortController().signal } as never);
  const file = (answer.body as Readable)[Symbol.asyncIterator]();

  await file.next();
  await file.next();
  await new Promise((resolve) => setTimeout(resolve, 50));

  expect(pages).toBeLessThan(6);
  await file.return?.();
});

test('a browser gets an address, from which its user takes the file once', async () => {
  const { fetchFile, pathOf } = await started();
  const path = await pathOf({ list: 'nodes', format: 'text' });
  const foreign = await fetchFile(path, 'eve');
  const forbidden = await fetchFile(path, 'bob');
  const file = await fetchFile(path);
  const names = (await file.text()).trimEnd().split('\n');

  expect([foreign.status, forbidden.status]).toEqual([404, 403]);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="nodes.txt"');
  expect(names).toHaveLength(count);
  expect((await fetchFile(path)).status).toBe(404);
});

test('what is wrong is said before a download begins', async () => {
  const refuse = () => Promise.reject(new ServiceError('bad-request', 'colour: is not known'));
  const { prepare } = await started({ lists: { ...known.lists, find: refuse } });
  const wrong = await prepare({ list: 'nodes', q: 'colour:red' });

  expect([wrong.status, await wrong.json()]).toMatchObject([400, { msg: 'colour: is not known' }]);
  expect((await prepare({ list: 'users' })).status).toBe(400);
  expect((await prepare({ list: 'nodes' }, 'bob')).status).toBe(403);
});

test('a download that nobody fetches is given up, and what is read for it is let go', async () => {
  let ended = 0;
  const fleet = endless(
    () => {},
    () => ended++,
  );
  const { fetchFile, pathOf } = await started({ fleet }, 1);
  const path = await pathOf({ list: 'query', pql: 'nodes {}' });

  await expect.poll(() => ended).toBe(1);
  expect((await fetchFile(path)).status).toBe(404);
});

test('of many downloads that a user begins the latest are kept', async () => {
  let ended = 0;
  const fleet = endless(
    () => {},
    () => ended++,
  );
  const { pathOf } = await started({ fleet });
  const paths: string[] = [];
  for (let number = 0; number < 7; number++) paths.push(await pathOf({ list: 'query', pql: 'nodes {}' }));

  expect(new Set(paths).size).toBe(7);
  await expect.poll(() => ended).toBe(2);
});

test('what is read for a file is let go when its client leaves', async () => {
  let [ended, reads] = [0, 0];
  const fleet = endless(
    () => reads++,
    () => ended++,
  );
  const { fetchFile, pathOf } = await started({ fleet });
  const file = await fetchFile(await pathOf({ list: 'query', pql: 'nodes {}' }));
  const reader = file.body?.getReader();
  await reader?.read();
  await reader?.cancel();

  await expect.poll(() => ended).toBe(1);
  const before = reads;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reads).toBe(before);
});

test.each([
  {},
  { list: 'users' },
  { list: 'nodes', format: 'xml' },
  { list: 'nodes', columns: ['os.name'] },
  { list: 'nodes', order_by: { field: 'colour' } },
  { list: 'query' },
])('%j is refused', async (body) => {
  const ask = await started();

  expect((await ask(body)).status).toBe(400);
});

test('needs the permission to see nodes', async () => {
  const ask = await started();

  expect((await ask({ list: 'nodes' }, 'bob')).status).toBe(403);
});
