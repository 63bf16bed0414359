import { expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../../lib/service-error.ts';
import { createHttpServer, type Identity } from '../../../platform/http/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import type { CatalogToCompare } from '../inspect/catalog-diff.ts';
import { type GroupCatalogsSource, groupCatalogsRoute } from './group-catalogs.ts';
import { GroupCatalogsWire } from './wire.ts';

function catalog(resources: Readonly<Record<string, Readonly<Record<string, unknown>>>>): CatalogToCompare {
  return {
    catalog: {
      name: 'a.test',
      environment: 'production',
      classes: [],
      resources: new Map(
        Object.entries(resources).map(([reference, parameters]) => [
          reference,
          { parameters, origin: {}, isExported: false },
        ]),
      ),
      edges: new Set(),
    },
    version: '1',
    codeId: null,
    time: new Date(0),
  };
}

const source: GroupCatalogsSource = {
  tryOut: () => async (certname) => {
    if (certname === 'broken.test') throw new ServiceError('compile-failed', 'Duplicate declaration');
    return {
      before: catalog({ 'File[/a]': { mode: '0644' }, 'File[/b]': {} }),
      after: catalog({ 'File[/a]': { mode: '0600' }, 'File[/c]': {} }),
    };
  },
};

async function ask(permits: Extract<Identity, { readonly kind: 'user' }>['permits'], body: object) {
  const http = createHttpServer({
    routes: [groupCatalogsRoute(source)],
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: async () =>
      ({ kind: 'user', id: 'u', login: 'u', permits }) as unknown as Identity & { readonly kind: 'user' },
    log: silentLogger,
  });
  const port = await http.listen(0, '127.0.0.1');
  onTestFinished(() => http.drain(0));
  const response = await fetch(`http://127.0.0.1:${port}/console-api/v1/classification/catalogs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-authentication': 'token' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

test('catalogs before and after a change of groups, and why one does not compile', async () => {
  const answer = await ask(() => true, { certnames: ['a.test', 'broken.test'] });

  expect(GroupCatalogsWire.parse(answer.body)).toEqual({
    samples: [
      {
        certname: 'a.test',
        error: null,
        added: ['File[/c]'],
        removed: ['File[/b]'],
        changed: [{ reference: 'File[/a]', changes: [{ name: 'mode', before: '0644', after: '0600' }] }],
      },
      { certname: 'broken.test', error: 'Duplicate declaration', added: [], removed: [], changed: [] },
    ],
  });
});

test('takes the permission to compile, and five nodes at most', async () => {
  const noCompiles = await ask(({ action }) => action !== 'compile_catalogs', { certnames: ['a.test'] });
  const many = await ask(() => true, { certnames: Array.from({ length: 6 }, (_, index) => `n${index}`) });

  expect(noCompiles).toMatchObject({
    status: 403,
    body: { msg: expect.stringContaining('compile_catalogs') },
  });
  expect(many.status).toBe(400);
});
