import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { isPresent, puppetAgent } from '../../../../scripts/debian-packages.ts';
import { createHttpServer } from '../../../platform/http/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { ClassList, classRoutes, readClasses, type ServedManifests } from '../index.ts';

const root = mkdtempSync(join(tmpdir(), 'bunraku-classes-'));
afterAll(() => rmSync(root, { recursive: true }));
const workerUrl = new URL('./class-worker.ts', import.meta.url);
const hasPuppet = isPresent(puppetAgent);

function write(name: string, content: string): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const manifest = `
class shapes(
  $required,
  Optional[String] $absent = undef,
  String[1] $text = 'it\\'s',
  $quoted = "plain \\"text\\"",
  $interpolated = "on \${facts['kernel']}",
  $word = running,
  $type = File,
  Integer $number = 0x1F,
  $negative = -3,
  $float = 1.50,
  Boolean $flag = true,
  $fallback = default,
  $pattern = /^a\\/b$/,
  Array $list = [1, ['two', three], undef],
  Array $mixed = [1, $shapes::number],
  Hash $hash = { 'a' => 1, b => { 'c' => [true] } },
  Hash $keyed = { 1 => 'a' },
  $sum = $shapes::number  +  2 * 3,
  $called = lookup('a', { 'default_value' => [1, 2] }),
  $method = $text.upcase,
  $chosen = $facts['os']['family'] ? { 'Debian' => 1, default => 2 },
  $piece = $shapes::list[0][1],
  $negated = !$flag,
) inherits shapes::params { class inner { } }
class shapes::params { }
define not_a_class { }
`;

describe('Classes of manifests', () => {
  test.runIf(hasPuppet)('are those that the real Puppet finds, with the same defaults', async () => {
    const file = write('real/shapes.pp', manifest);
    const script = `
      require 'puppet'; require 'puppet/info_service'; require 'json'
      Puppet.initialize_settings
      found = Puppet::InfoService.classes_per_environment('production' => [ARGV[0]])
      puts found['production'][ARGV[0]].to_json
    `;
    const real = JSON.parse(execFileSync('ruby', ['-e', script, file], { encoding: 'utf8' })) as {
      readonly classes: readonly {
        readonly name: string;
        readonly params: readonly {
          readonly name: string;
          readonly default_literal?: unknown;
          readonly default_source?: string;
        }[];
      }[];
    };

    const { classes, unreadable } = await readClasses([file], workerUrl);
    if (!('classes' in real)) throw new Error(JSON.stringify(real));
    const expected = real.classes.map(({ name, params }) => ({
      name,
      parameters: Object.fromEntries(
        params.map((each) => [each.name, each.default_literal ?? each.default_source ?? null]),
      ),
    }));
    expect(unreadable).toEqual([]);
    expect(classes.map(({ name, parameters }) => ({ name, parameters }))).toEqual(
      expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
    expect(classes.map(({ name }) => name)).toEqual(['shapes', 'shapes::inner', 'shapes::params']);
  });

  test('come from all manifests below a directory, without those that are wrong', async () => {
    write('some/manifests/init.pp', 'class some($a = 1) { }');
    write('some/manifests/deep/er.pp', 'class some::deep::er { }');
    write('some/manifests/wrong.pp', 'class some::wrong {');
    write('some/manifests/README', 'class no { }');

    const found = await readClasses([join(root, 'some/manifests'), join(root, 'none')], workerUrl);

    expect(found.classes).toMatchObject([
      { name: 'some', parameters: { a: 1 } },
      { name: 'some::deep::er', parameters: {} },
    ]);
    expect(found.unreadable).toEqual([expect.stringContaining('wrong.pp')]);
  });
});

test('the comment above a class documents it and its parameters', async () => {
  const file = write(
    'described/manifests/init.pp',
    `# Not this.

# Keeps the time.
#
# @param servers [Array] Where it asks,
#   in this order.
# @example
#   include ntp
class ntp(Array[String[1]] $servers, Integer $port = 100 + 23) { }
`,
  );

  const { classes } = await readClasses([file], workerUrl);

  expect(classes[0]?.details).toEqual({
    description: 'Keeps the time.',
    parameters: {
      servers: {
        type: 'Array[String[1]]',
        is_required: true,
        default_text: null,
        description: 'Where it asks, in this order.',
      },
      port: { type: 'Integer', is_required: false, default_text: '100 + 23', description: null },
    },
  });
});

describe('The API of classes', () => {
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  test('has those of the versions that are served', async () => {
    let live: readonly ServedManifests[] = [
      served('production', '1', 'class web($port = 80) { }'),
      served('testing', '1', 'class web($port = 8080) { } class broken {'),
    ];
    const read: (readonly string[])[] = [];
    const list = new ClassList({
      live: () => live,
      read: (places) => {
        read.push(places);
        return readClasses(places, workerUrl);
      },
      log: silentLogger,
      now: () => new Date('2026-01-02T03:04:05.678Z'),
    });
    const ask = await serve(list);

    expect(await ask('last-class-update')).toEqual([200, { last_update: null }]);
    expect(await ask('classes')).toEqual([
      200,
      [{ name: 'web', environment: 'production', parameters: { port: 80 } }],
    ]);
    expect(await ask('last-class-update')).toEqual([200, { last_update: '2026-01-02T03:04:05.678Z' }]);
    expect(await ask('environments')).toEqual([
      200,
      [
        { name: 'production', sync_succeeded: true },
        { name: 'testing', sync_succeeded: false },
      ],
    ]);
    expect(await ask('environments/testing')).toEqual([200, { name: 'testing', sync_succeeded: false }]);
    expect(await ask('environments/none')).toEqual([404, undefined]);
    expect(await ask('environments/none/classes')).toEqual([200, []]);
    expect(await ask('environments/production/classes/web')).toEqual([
      200,
      { name: 'web', environment: 'production', parameters: { port: 80 } },
    ]);
    expect(await ask('environments/production/classes/none')).toEqual([404, undefined]);
    expect(read).toHaveLength(2);

    live = [served('testing', '2', 'class db { }')];
    expect(await ask('update-classes', 'POST')).toEqual([201, undefined]);

    expect(await ask('classes')).toEqual([200, [{ name: 'db', environment: 'testing', parameters: {} }]]);
    expect(read).toHaveLength(3);
  });

  test('an environment that nobody has deployed yet may be named', async () => {
    const list = new ClassList({
      live: () => [served('production', 'named', 'class web { }')],
      read: (places) => readClasses(places, workerUrl),
      log: silentLogger,
      now: () => new Date('2026-01-02T03:04:05.678Z'),
    });
    const ask = await serve(list);

    expect(await ask('environments/planned')).toEqual([404, undefined]);
    expect(await ask('environments/planned', 'PUT')).toEqual([
      201,
      { name: 'planned', sync_succeeded: false },
    ]);
    expect(await ask('environments/planned', 'PUT')).toEqual([
      200,
      { name: 'planned', sync_succeeded: false },
    ]);
    expect(await ask('environments/production', 'PUT')).toEqual([
      200,
      { name: 'production', sync_succeeded: true },
    ]);
    expect(await ask('environments/no%20name', 'PUT')).toMatchObject([400, { kind: 'schema-violation' }]);

    expect(await ask('environments')).toEqual([
      200,
      [
        { name: 'planned', sync_succeeded: false },
        { name: 'production', sync_succeeded: true },
      ],
    ]);
    expect(await ask('environments/planned/classes')).toEqual([200, []]);
  });

  function served(environment: string, version: string, content: string): ServedManifests {
    return { environment, version, places: [write(`${environment}-${version}/site.pp`, content)] };
  }

  /** @returns asks; the status and the body */
  async function serve(list: ClassList) {
    const declared: string[] = [];
    const server = createHttpServer({
      routes: classRoutes(
        list,
        { view: { kind: 'anyone' }, modify: { kind: 'anyone' } },
        { environments: async () => declared, declareEnvironment: async (name) => void declared.push(name) },
      ),
      authorization: { rules: [], allowHeaderCertInfo: false },
      log: silentLogger,
    });
    const port = await server.listen(0, '127.0.0.1');
    stops.push(() => server.drain(0));
    return async (path: string, method = 'GET'): Promise<readonly [number, unknown]> => {
      const response = await fetch(`http://127.0.0.1:${port}/classifier-api/v1/${path}`, { method });
      const text = await response.text();
      return [response.status, text === '' ? undefined : JSON.parse(text)];
    };
  }
});
