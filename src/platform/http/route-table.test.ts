import { expect, test } from 'vitest';
import { json, type Route, route } from './index.ts';
import { RouteTable } from './route-table.ts';

function routeOf(method: Route['method'], path: string): Route {
  return route({ method, path, allow: { kind: 'anyone' }, handle: () => json({}) });
}

test.each([
  ['the same', '/status/v1/simple'],
  ['the same but for the name of a parameter', '/status/v1/services/:service'],
])('two routes with %s path are refused at once', (_, path) => {
  const routes = [
    routeOf('GET', '/status/v1/simple'),
    routeOf('GET', '/status/v1/services/:name'),
    routeOf('GET', path),
  ];
  expect(() => new RouteTable(routes)).toThrow(`there are two routes GET ${path}`);
});

test('one path may have several methods', () => {
  const table = new RouteTable([routeOf('GET', '/groups/:id'), routeOf('DELETE', '/groups/:id')]);
  expect(table.find('DELETE', '/groups/a%20b')).toMatchObject({
    kind: 'route',
    route: { method: 'DELETE' },
    params: { id: 'a b' },
  });
  expect(table.find('PUT', '/groups/1')).toEqual({ kind: 'wrong-method' });
  expect(table.find('GET', '/group')).toEqual({ kind: 'unknown' });
});
