import { expect, test } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from './openapi.ts';
import { type Route, route } from './route.ts';

const info = { title: 'Groups', version: '1', description: 'Groups of nodes.' };
const handle = () => ({ status: 204 });

function described(...routes: readonly Route[]) {
  return openApiDocument(routes, info) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  };
}

test('paths list their parameters and permissions', () => {
  const { paths } = described(
    route({ method: 'GET', path: '/status/v1/simple', allow: { kind: 'anyone' }, handle }),
    route({
      method: 'DELETE',
      path: '/groups/v1/:id/pins/*',
      allow: {
        kind: 'any-of',
        of: [
          { kind: 'certname', allows: () => true },
          { kind: 'permission', permission: { objectType: 'node_groups', action: 'modify_children' } },
        ],
      },
      handle,
    }),
  );

  expect(Object.keys(paths)).toEqual(['/groups/v1/{id}/pins/{rest}', '/status/v1/simple']);
  expect(paths['/status/v1/simple']?.['get']).toMatchObject({ security: [], tags: ['status'] });
  const removal = paths['/groups/v1/{id}/pins/{rest}']?.['delete'];
  expect(removal).toMatchObject({
    description: 'Needs `node_groups:modify_children`.',
    security: [{ token: [] }, { session: [] }],
    parameters: [
      { name: 'id', in: 'path', required: true },
      { name: 'rest', in: 'path', required: true },
    ],
  });
  expect(removal).not.toHaveProperty('requestBody');
});

test('bodies and answers have the schemas of the route', () => {
  const { paths } = described(
    route({
      method: 'POST',
      path: '/groups/v1',
      allow: { kind: 'permission' },
      shapes: {
        body: z.strictObject({ name: z.string().default('Web'), value: z.json() }),
        answer: z.object({ id: z.uuid() }),
      },
      handle,
    }),
    route({ method: 'PUT', path: '/groups/v1', allow: { kind: 'permission' }, handle }),
  );

  const { post, put } = paths['/groups/v1'] ?? {};
  expect(post).toMatchObject({
    requestBody: {
      content: {
        'application/json': {
          schema: { type: 'object', properties: { name: { type: 'string', default: 'Web' }, value: {} } },
        },
      },
    },
    responses: { '2XX': { content: { 'application/json': { schema: { required: ['id'] } } } } },
  });
  expect(put).toMatchObject({ requestBody: { content: { 'application/json': { schema: {} } } } });
});
