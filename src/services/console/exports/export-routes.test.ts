import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer, TrustedProxies } from '../../../platform/http/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import type { NodeListRequest } from '../nodes/node-list.ts';
import { type ExportParts, exportRoutes } from './export-routes.ts';

const count = 1200;

/** A list of many nodes, in pages as the real one gives them. */
function manyNodes(asked: NodeListRequest[] = []): ExportParts['lists'] {
  return {
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

async function started(parts: Partial<ExportParts> = {}) {
  const http = createHttpServer({
    routes: exportRoutes({
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
      ...parts,
    }),
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: async (login, address) => ({
      kind: 'user',
      id: login,
      login,
      address,
      permits: () => true,
    }),
    trustedProxies: new TrustedProxies([]),
    log: silentLogger,
  });
  onTestFinished(() => http.drain(0));
  const url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
  return (path: string) =>
    fetch(`${url}/console-api/v1/exports/${path}`, { headers: { 'x-authentication': 'ann' } });
}

test('all nodes of a filter as CSV, page after page, without formulas', async () => {
  const asked: NodeListRequest[] = [];
  const ask = await started({ lists: manyNodes(asked) });

  const answer = await ask('nodes?q=web&sort=-report_time&columns=fact.os.name');
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

  const rows = (await (await ask('nodes?format=ndjson')).text()).trimEnd().split('\n');
  const names = (await (await ask('nodes?format=text')).text()).trimEnd().split('\n');

  expect([rows.length, names.length]).toEqual([count, count]);
  expect(JSON.parse(rows[1] ?? '')).toMatchObject({ certname: 'web0001.test', status: 'unchanged' });
  expect(names[1199]).toBe('web1199.test');
});

test('packages with their counts', async () => {
  const ask = await started();

  expect(await (await ask('packages')).text()).toBe('name,version,provider,nodes\r\nbash,5.2,apt,7\r\n');
});

test.each(['nodes?format=xml', 'nodes?columns=os.name', 'nodes?sort=colour'])(
  '%s is refused',
  async (path) => {
    const ask = await started();

    expect((await ask(path)).status).toBe(400);
  },
);
