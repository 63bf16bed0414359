/** What one node exports, another collects, whichever server compiles. */

import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const place = '/tmp/bunraku-e2e-exported';
const exporter = 'exporter.e2e.test';
const collector = 'collector.e2e.test';
const bystander = 'bystander.e2e.test';

const manifest = `
define member_of($port, $options = {}) {
  notify { "member \${title}": message => "\${port} \${options}" }
}
node '${exporter}' {
  @@file { '${place}/shared': ensure => file, content => "exported by \${trusted['certname']}\\n", tag => 'Shared' }
  @@member_of { $trusted['certname']: port => 80, options => { 'flags' => [true, 'x'], 'weight' => 1.5 } }
}
node '${collector}' {
  file { '${place}': ensure => directory }
  File <<| tag == 'shared' |>> { mode => '0600' }
  Member_of <<| port != 81 |>>
  $known = puppetdb_query('nodes[certname] { certname ~ "porter" }').map |$node| { $node['certname'] }
  notify { 'known': message => $known }
}
node default { notify { 'bystander': } }
`;

scenarios('Exported resources', () => {
  const site = runningSite({ compileServers: 1 }, (prepared) => {
    prepared.stage({ 'manifests/site.pp': manifest });
  });
  const clear = () => rmSync(place, { recursive: true, force: true });
  beforeAll(clear);
  afterAll(clear);

  test('of an unknown node are none', async () => {
    const { output } = await site().agent(collector).runsCleanly(2);

    expect(output).not.toContain('member ');
    expect(existsSync(join(place, 'shared'))).toBe(false);
  });

  test('of another node are collected, with what the collector overrides', async () => {
    await site().agent(exporter).runsCleanly(0);
    await exported(site());

    const { output } = await site().agent(collector).runsCleanly(2);

    expect(readFileSync(join(place, 'shared'), 'utf8')).toBe(`exported by ${exporter}\n`);
    expect(statSync(join(place, 'shared')).mode & 0o777).toBe(0o600);
    expect(output).toContain(`defined 'message' as '80 {flags => [true, x], weight => 1.5}'`);
    expect(output).toContain(`defined 'message' as '${exporter}'`);
  });

  test('that are no longer exported are no longer collected', async () => {
    site().stage({ 'manifests/site.pp': manifest.replace(/^ {2}@@file .*$/m, '') });
    await site().installation.deploy();
    await site().agent(exporter).runsCleanly(0);
    await until('the file is not exported any more', async () => (await resourcesOf(site())).length === 1);
    rmSync(join(place, 'shared'));

    await site().agent(collector).runsCleanly(2);

    expect(existsSync(join(place, 'shared'))).toBe(false);
  });

  test('that cannot be had fail the catalogs that need them, and no others', async () => {
    await site().agent(bystander).runsCleanly(2);
    await site().installation.primary?.stop();

    const failed = await site().agent(collector).run();
    const { output } = await site().agent(bystander).run();

    await site().installation.startPrimary();
    expect(failed.output).toContain(
      `Failed to execute '/pdb/query/v4' on at least 1 of the following 'server_urls': ` +
        `https://localhost:${site().installation.options.ports.primary} (file: `,
    );
    expect(output).toContain("defined 'message' as 'bystander'");
  });

  test('are collected by the primary for its own agents, too', async () => {
    const { primary } = site().installation.options.ports;

    const { output } = await site().agent(collector, primary).runsCleanly(2);

    expect(output).toContain("defined 'message' as '80 {flags => [true, x], weight => 1.5}'");
    expect(output).toContain(`defined 'message' as '${exporter}'`);
  });

  test('of the installation are what commands on a server compile with', async () => {
    const { installation } = site();
    const data = ['--data', installation.primaryDirectory];
    const code = ['--code', installation.stagedEnvironment];

    const catalog = JSON.parse(
      await installation.bunraku(['catalog', 'compile', collector, ...code, ...data]),
    ) as { readonly resources: readonly { readonly type: string; readonly title: string }[] };
    const found = await installation.bunraku([
      'lookup',
      'nothing',
      '--node',
      exporter,
      '--default',
      'found nothing',
      ...code,
      ...data,
    ]);

    expect(catalog.resources).toContainEqual(
      expect.objectContaining({ type: 'Member_of', title: exporter, parameters: expect.anything() }),
    );
    expect(found).toContain('found nothing');
  });
});

interface ExportedResource {
  readonly type: string;
  readonly title: string;
}

/** What the primary's PuppetDB has been told. */
async function resourcesOf(site: Site): Promise<readonly ExportedResource[]> {
  const client = site.installation.operator();
  try {
    const query = encodeURIComponent('["=", "exported", true]');
    const url = `${site.installation.primaryUrl}/pdb/query/v4/resources?query=${query}`;
    const { body, status } = await client.send({ method: 'GET', url });
    return status === 200 ? (JSON.parse(body.toString('utf8')) as readonly ExportedResource[]) : [];
  } finally {
    client.close();
  }
}

async function exported(site: Site): Promise<void> {
  await until('PuppetDB knows what is exported', async () => (await resourcesOf(site)).length === 2);
}
