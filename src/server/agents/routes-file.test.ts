import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readRoutes } from './routes-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'bunraku-routes-'));
const routeFile = join(directory, 'routes.yaml');
afterAll(() => rmSync(directory, { recursive: true }));

function routesOf(text: string, settings: { nodeTerminus?: string; storeConfigs?: boolean } = {}) {
  writeFileSync(routeFile, text);
  return readRoutes({ routeFile, nodeTerminus: 'plain', storeConfigs: true, ...settings });
}

test('what installations with PuppetDB have is done, with facts as files where they are asked for', () => {
  const documented = '---\nmaster:\n  facts:\n    terminus: puppetdb\n    cache: yaml\n';

  expect(routesOf(documented)).toEqual({ cachesFactsAsYaml: true, warnings: [] });
  expect(routesOf('server:\n  facts:\n    terminus: puppetdb\n')).toEqual({
    cachesFactsAsYaml: false,
    warnings: [],
  });
  expect(
    routesOf('master: {facts: {terminus: puppetdb}, catalog: {terminus: compiler, cache: puppetdb}}')
      .warnings,
  ).toEqual([]);
  expect(routesOf('').warnings).toEqual([]);
  expect(routesOf('apply: {catalog: {terminus: compiler}, facts: {terminus: facter}}').warnings).toEqual([]);
  rmSync(routeFile);
  expect(readRoutes({ routeFile, nodeTerminus: 'plain', storeConfigs: true })).toEqual({
    cachesFactsAsYaml: false,
    warnings: [],
  });
});

test('what has no effect is told', () => {
  const { cachesFactsAsYaml, warnings } = routesOf(
    'server: {facts: {terminus: yaml, cache: json}, node: {terminus: exec}, catalog: {cache: json}, report: {terminus: rest}}\n' +
      'master: {facts: {cache: yaml}}',
  );

  expect(cachesFactsAsYaml).toBe(false);
  expect(warnings).toEqual([
    'contains both server and master route settings; those of server count',
    'facts: terminus: yaml: facts are kept in PuppetDB',
    'facts: cache: json: it is not kept there',
    'node: terminus: exec: the setting node_terminus says it',
    'catalog: cache: json: it is not kept there',
    'report: terminus: rest: that is fixed',
  ]);
  expect(routesOf('master: {node: {terminus: exec}}', { nodeTerminus: 'exec' }).warnings).toEqual([]);
  expect(routesOf('master: {catalog: {cache: puppetdb}}', { storeConfigs: false }).warnings).toHaveLength(1);
});

test.each(['master: [facts', 'master: facts', 'just text'])('a server does not start with %s', (text) => {
  expect(() => routesOf(text)).toThrow(`Could not configure routes from ${routeFile}: `);
});
