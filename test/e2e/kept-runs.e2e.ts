/** What PuppetDB knows of agents' runs, whatever is killed meanwhile. */

import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';
import { until } from './support/until.ts';

const place = '/tmp/bunraku-e2e-kept';
const certname = 'kept.e2e.test';
const direct = 'direct.e2e.test';
/** The version of the reports that are sent while servers are killed. */
const killed = '1';

const manifest = `
node '${certname}' {
  file { '${place}': ensure => directory, alias => 'place' }
  file { 'secret': path => '${place}/secret', content => Sensitive('hidden'), require => File['place'] }
  exec { 'fails': command => '/bin/false', subscribe => File['${place}'] }
  notify { 'never': require => Exec['fails'] }
  @@notify { 'exported': message => 'for others' }
  @notify { 'virtual': }
}
node default { notify { 'direct': } }
`;

scenarios('Runs that are kept', () => {
  const site = runningSite({ compileServers: 1 }, (prepared) => {
    prepared.stage({ 'manifests/site.pp': manifest });
  });
  const clear = () => rmSync(place, { recursive: true, force: true });
  beforeAll(clear);
  afterAll(clear);

  test('are in PuppetDB with facts, catalog, resources, edges and events', async () => {
    const { exitCode } = await site().agent(certname).run();
    const [report] = await reports(site(), certname, 1);

    expect(exitCode).toBe(6);
    expect(report).toMatchObject({ status: 'failed', noop: false, producer: 'compile1.bunraku.test' });
    expect(await site().puppetDb(`inventory[environment, trusted] { certname = "${certname}" }`)).toEqual([
      {
        environment: 'production',
        trusted: {
          authenticated: 'remote',
          certname,
          hostname: 'kept',
          domain: 'e2e.test',
          extensions: {},
          external: {},
        },
      },
    ]);
    expect(await catalog(site(), report?.['catalog_uuid'])).toMatchObject({
      environment: 'production',
      producer: 'compile1.bunraku.test',
      catalog_uuid: report?.['catalog_uuid'],
      transaction_uuid: report?.['transaction_uuid'],
      code_id: report?.['code_id'],
    });
    const columns = 'title, exported, parameters';
    expect(
      await site().puppetDb(
        `resources[${columns}] { certname = "${certname}" and type in ["File", "Notify", "Exec"] order by title }`,
      ),
    ).toEqual([
      { title: place, exported: false, parameters: { ensure: 'directory', alias: ['place'] } },
      { title: 'exported', exported: true, parameters: { message: 'for others' } },
      {
        title: 'fails',
        exported: false,
        parameters: { command: '/bin/false', subscribe: `File[${place}]` },
      },
      { title: 'never', exported: false, parameters: { require: 'Exec[fails]' } },
      {
        title: 'secret',
        exported: false,
        parameters: { path: `${place}/secret`, alias: [`${place}/secret`], require: 'File[place]' },
      },
    ]);
    expect(
      await site().puppetDb(
        `edges[source_title, target_title, relationship]
          { certname = "${certname}" and relationship != "contains" order by relationship, target_title }`,
      ),
    ).toEqual([
      { source_title: 'fails', target_title: 'never', relationship: 'required-by' },
      { source_title: place, target_title: 'secret', relationship: 'required-by' },
      { source_title: place, target_title: 'fails', relationship: 'subscription-of' },
    ]);
    const events = await site().puppetDb(
      `events[resource_title, property, status, new_value] { certname = "${certname}" order by resource_title }`,
    );
    expect(events.toSorted((a, b) => text(a).localeCompare(text(b)))).toEqual([
      { resource_title: place, property: 'ensure', status: 'success', new_value: 'directory' },
      // Once more because of its subscription: such events have no value, which the terminus sends as a text.
      { resource_title: 'fails', property: null, status: 'failure', new_value: '' },
      { resource_title: 'fails', property: 'returns', status: 'failure', new_value: '["0"]' },
      { resource_title: 'never', property: null, status: 'skipped', new_value: null },
      { resource_title: 'secret', property: 'ensure', status: 'success', new_value: '[redacted]' },
    ]);
  });

  test('are all there once, although first the primary and then the compile server was killed', async () => {
    const { installation } = site();
    await installation.primary?.kill();
    await site().agent(certname).run();
    await installation.compileServers[0]?.kill();
    await installation.startCompileServer(0);
    await site().agent(certname).run();
    await installation.startPrimary();

    const kept = await reports(site(), certname, 3);

    expect(kept.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect(new Set(kept.map((report) => report['transaction_uuid'])).size).toBe(3);
    await until('the outbox is empty', () => site().outboxSizes()[0] === 0);
    expect(await catalog(site(), kept.at(-1)?.['catalog_uuid'])).toMatchObject({
      code_id: expect.any(String),
    });
    expect(await reports(site(), certname, 3)).toEqual(kept);
  });

  test('are neither lost nor doubled once acknowledged, while servers are killed again and again', async () => {
    const { installation } = site();
    const sender = sendReports(site());
    const victims = ['compile server', 'primary', 'compile server', 'primary'] as const;
    for (const victim of victims) {
      const enough = sender.acknowledged.length + 10;
      await until('reports are acknowledged', () => sender.acknowledged.length >= enough);
      if (victim === 'primary') {
        await installation.primary?.kill();
        await installation.startPrimary();
      } else {
        await installation.compileServers[0]?.kill();
        await installation.startCompileServer(0);
      }
    }
    await sender.stop();

    const query = `reports[transaction_uuid] { certname = "${certname}" and configuration_version = "${killed}" }`;
    const arrived = await until('all acknowledged reports have arrived', async () => {
      const found = (await site().puppetDb(query)).map((report) => String(report['transaction_uuid']));
      const known = new Set(found);
      return sender.acknowledged.every((uuid) => known.has(uuid)) && found;
    });
    await until('the outbox is empty', () => site().outboxSizes()[0] === 0);
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(await site().puppetDb(query)).toHaveLength(arrived.length);
  });

  test('of agents of the primary itself are there as well', async () => {
    const { ports } = site().installation.options;
    await site().agent(direct, ports.primary).runsCleanly(2);

    expect(await reports(site(), direct, 1)).toMatchObject([
      { status: 'changed', producer: 'primary.bunraku.test' },
    ]);
    await until('the catalog is kept', async () => {
      const found = await site().puppetDb(
        `resources[title] { certname = "${direct}" and type = "Notify" and title = "direct" }`,
      );
      return found.length === 1;
    });
  });

  test('are no longer shown of a node whose certificate was cleaned', async () => {
    await site().installation.bunraku(['ca', 'clean', '--certname', direct, ...site().online]);

    const node = await until('it is deactivated', async () => {
      return (await site().puppetDb(`nodes[certname, deactivated] { node_state = "inactive" }`))[0];
    });
    expect(node).toMatchObject({ certname: direct, deactivated: expect.any(String) });
    expect(await site().puppetDb(`nodes[certname] {}`)).toEqual([{ certname }]);
  });
});

function text({ property, resource_title: title }: Readonly<Record<string, unknown>>): string {
  return `${title} ${property ?? ''}`;
}

/** Sends reports one after another, to any server that takes them. */
function sendReports(site: Site) {
  const client = site.agent(certname).client();
  const recorded = new URL('../../src/services/reports/recorded/report.json', import.meta.url);
  const report: object = JSON.parse(readFileSync(recorded, 'utf8'));
  const url = `${site.installation.compileServerUrl(0)}/puppet/v3/report/${certname}?environment=production`;
  const acknowledged: string[] = [];
  const ending = new AbortController();
  const send = async () => {
    const uuid = randomUUID();
    const sent = { ...report, host: certname, transaction_uuid: uuid, configuration_version: killed };
    const request = { method: 'PUT', url, body: JSON.stringify(sent), timeoutMs: 5000 };
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await client.send({ ...request, headers }).catch(() => undefined);
    if (answer?.status === 200) acknowledged.push(uuid);
    await sleep(answer === undefined ? 50 : 10);
  };
  const sending = (async () => {
    while (!ending.signal.aborted) await send();
  })();
  return {
    acknowledged,
    async stop() {
      ending.abort();
      await sending;
      client.close();
    },
  };
}

/** The one of a run. No agent waits for what is kept of it: it may come after the report. */
async function catalog(site: Site, uuid: unknown): Promise<Readonly<Record<string, unknown>>> {
  const columns = 'environment, producer, catalog_uuid, transaction_uuid, code_id';
  return await until(`the catalog ${String(uuid)} is kept`, async () => {
    const [found] = await site.puppetDb(`catalogs[${columns}] { certname = "${certname}" }`);
    return found?.['catalog_uuid'] === uuid && found;
  });
}

async function reports(site: Site, name: string, count: number) {
  const columns =
    'status, noop, producer, catalog_uuid, transaction_uuid, code_id, start_time, producer_timestamp';
  return await until(`${count} reports of ${name} have arrived`, async () => {
    const found = await site.puppetDb(
      `reports[${columns}] { certname = "${name}" order by producer_timestamp }`,
    );
    return found.length >= count && found;
  });
}
