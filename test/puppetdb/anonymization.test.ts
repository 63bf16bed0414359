/** Anonymised archives: values that a profile replaces are gone, and relations stay. */

import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

let first: RunningPuppetDb;
let second: RunningPuppetDb;

// Names have digits, which replacements never have: none is there by chance.
const time = '2026-11-21T10:00:00.000Z';
const uuid = 'b3bbd3d4-2f9b-4b5c-8c33-2d1f4b9e8a01';
const nodes = ['web1.example.com', 'db1.example.com'];

/** Everything that a file of an archive may hold, as it would be sent. */
function commandsOf(
  certname: string,
): readonly (readonly [command: string, version: number, payload: object])[] {
  const common = {
    certname,
    producer: 'puppet.example.com',
    producer_timestamp: time,
    environment: 'internal8',
  };
  const at = { file: '/etc/puppetlabs/code/modules/inside7/manifests/init.pp', line: 7 };
  const resource = (type: string, title: string, parameters: object, tags: readonly string[]) => ({
    type,
    title,
    parameters,
    tags,
    exported: false,
    ...at,
  });
  return [
    ['configure_expiration', 1, { certname, producer_timestamp: time, expire: { facts: false } }],
    [
      'replace_facts',
      5,
      {
        ...common,
        values: {
          kernel: 'Linux',
          datacentre2: { room: 'cellar5', racks: [41, 4_294_967_296, true, null, { unit: 'top' }] },
          api_key: 'hunter2',
        },
        package_inventory: [['insidertool6', '1.2.3', 'apt']],
      },
    ],
    [
      'replace_catalog',
      9,
      {
        ...common,
        version: '1',
        transaction_uuid: uuid,
        catalog_uuid: uuid,
        code_id: null,
        job_id: null,
        edges: [
          {
            source: { type: 'Class', title: 'Inside7' },
            target: { type: 'Inside7::Vault9', title: 'treasure1' },
            relationship: 'contains',
          },
        ],
        resources: [
          resource('Class', 'Inside7', {}, ['class', 'inside7']),
          resource(
            'Inside7::Vault9',
            'treasure1',
            {
              password: 'hunter2',
              require: ['Class[Inside7]', 'File[/etc/vault9]'],
              alias: 'gold3',
              depth: 12,
            },
            ['inside7::vault9', 'treasure1'],
          ),
          resource('File', '/etc/vault9', { ensure: 'present', tag: 'hoard4' }, ['file']),
        ],
      },
    ],
    [
      'store_report',
      8,
      {
        ...common,
        puppet_version: '7.23.0',
        report_format: 12,
        configuration_version: '1',
        start_time: time,
        end_time: time,
        transaction_uuid: uuid,
        status: 'changed',
        noop: false,
        noop_pending: false,
        corrective_change: false,
        cached_catalog_status: 'not_used',
        catalog_uuid: null,
        code_id: null,
        job_id: null,
        type: 'agent',
        metrics: [
          { category: 'time', name: 'inside7::vault9', value: 1.5 },
          { category: 'resources', name: 'total', value: 3 },
        ],
        logs: [
          {
            ...at,
            level: 'notice',
            message: 'opened the treasure1',
            source: '/Stage[main]/Inside7/Inside7::Vault9[treasure1]/password',
            tags: ['inside7::vault9'],
            time,
          },
        ],
        resources: [
          {
            ...at,
            resource_type: 'Inside7::Vault9',
            resource_title: 'treasure1',
            containment_path: ['Stage[main]', 'Inside7', 'Inside7::Vault9[treasure1]'],
            timestamp: time,
            skipped: false,
            corrective_change: false,
            events: [
              {
                name: 'changed',
                property: 'password',
                old_value: 'hunter1',
                new_value: 'hunter2',
                message: 'changed hunter1 to hunter2',
                status: 'success',
                timestamp: time,
                corrective_change: false,
              },
            ],
          },
        ],
      },
    ],
    [
      'replace_catalog_inputs',
      1,
      { certname, producer_timestamp: time, catalog_uuid: uuid, inputs: [['hiera', 'inside7::secret']] },
    ],
  ];
}

beforeAll(async () => {
  first = await startPuppetDb();
  second = await startPuppetDb();
  for (const certname of nodes)
    for (const [command, version, payload] of commandsOf(certname))
      await first.puppetDb.submit({
        command,
        version,
        certname,
        payload: Buffer.from(JSON.stringify(payload)),
      });
});

afterAll(async () => {
  await first.stop();
  await second.stop();
});

const everywhere = ['example.com', 'hunter2', 'opened the treasure1', '41', '4294967296'];
const names = [
  'Inside7',
  'inside7',
  'treasure1',
  'vault9',
  'cellar5',
  'gold3',
  'hoard4',
  'insidertool6',
  'internal8',
];

test.each([
  [
    'full',
    [...everywhere.slice(0, 3), ...names, 'datacentre2', 'api_key', 'kernel"', '"Linux"', uuid.slice(0, 8)],
    [],
  ],
  [
    'moderate',
    [...everywhere.slice(0, 3), 'Inside7', 'treasure1', 'cellar5', 'datacentre2'],
    ['"Linux"', 'File"', uuid],
  ],
  [
    'low',
    everywhere.slice(0, 3),
    ['Inside7', 'treasure1"', 'cellar5', 'datacentre2', 'Linux', 'internal8', '/etc/vault9'],
  ],
  ['none', [], [...everywhere, ...names]],
])('%s', async (profile, absent, present) => {
  const text = (await filesOf(await exported(profile))).map(({ name, content }) => name + content).join('\n');
  // What the reference leaves as it is in all profiles.
  const shown = text.replaceAll(/"(catalog_uuid|producer_timestamp)":"[^"]*"/g, '');

  for (const secret of absent) expect(shown).not.toContain(secret);
  for (const kept of present) expect(shown).toContain(kept);
});

test('an import has the same relations, under other names', async () => {
  const form = new FormData();
  form.set('archive', new Blob([await exported('full')]), 'archive.tgz');
  const reply = await fetch(`${second.url}/pdb/admin/v1/archive`, { method: 'POST', body: form });
  expect(await reply.text()).toBe('{"ok":true}');

  const count = async (query: string) => {
    const [mine, theirs] = await Promise.all([first.puppetDb.query(query), second.puppetDb.query(query)]);
    expect(theirs.length, query).toBe(mine.length);
    return theirs as readonly Record<string, unknown>[];
  };
  const found = await count('nodes[certname]{}');
  const resources = await count('resources[certname, type, title, parameters]{}');
  const edges = await count('edges[certname, source_type, source_title, target_type, target_title]{}');
  const events = await count('events[certname, resource_type, resource_title, containment_path]{}');
  await count('facts[certname, name]{}');
  await count('package_inventory[certname, package_name]{}');
  await count('reports[certname, transaction_uuid]{}');

  const certnames = new Set(found.map(({ certname }) => certname));
  const known = new Set(
    resources.map(({ certname, title, type }) => JSON.stringify([certname, type, title])),
  );
  const references = new Set(resources.map(({ title, type }) => `${String(type)}[${String(title)}]`));
  for (const edge of edges) {
    expect(certnames).toContain(edge['certname']);
    expect(known).toContain(JSON.stringify([edge['certname'], edge['source_type'], edge['source_title']]));
    expect(known).toContain(JSON.stringify([edge['certname'], edge['target_type'], edge['target_title']]));
  }
  for (const { certname, containment_path: path, resource_title: title, resource_type: type } of events) {
    expect(known).toContain(JSON.stringify([certname, type, title]));
    expect((path as readonly string[]).at(-1)).toBe(`${String(type)}[${String(title)}]`);
  }
  const required = resources.flatMap(
    ({ parameters }) => (parameters as { require?: string[] }).require ?? [],
  );
  expect(required).toHaveLength(4);
  for (const reference of required) expect(references).toContain(reference);
});

test('two exports have different names for the same', async () => {
  const [one, two] = [await filesOf(await exported('full')), await filesOf(await exported('full'))];

  const certnames = (files: typeof one) =>
    files.filter(({ name }) => name.includes('/facts/')).map(({ name }) => name);
  expect(certnames(one)).toHaveLength(2);
  expect(certnames(one)).not.toEqual(certnames(two));
});

test('a profile that there is not is refused', async () => {
  const reply = await fetch(`${first.url}/pdb/admin/v1/archive?anonymization_profile=fully`);

  expect(reply.status).toBe(400);
  expect(await reply.json()).toEqual({
    error: "There is no anonymization profile 'fully'; there are full, moderate, low, none",
  });
});

async function exported(profile: string): Promise<Uint8Array<ArrayBuffer>> {
  const reply = await fetch(`${first.url}/pdb/admin/v1/archive?anonymization_profile=${profile}`);
  return new Uint8Array(await reply.arrayBuffer());
}

async function filesOf(
  archive: Uint8Array,
): Promise<readonly { readonly name: string; readonly content: string }[]> {
  const files: { name: string; content: string }[] = [];
  const tar = extract();
  tar.end(gunzipSync(archive));
  for await (const entry of tar) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk as Uint8Array);
    files.push({ name: entry.header.name, content: Buffer.concat(chunks).toString('utf8') });
  }
  return files;
}
