/** Servers that use the PuppetDB that their `puppetdb.conf` names, and none of their own. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { createHttpServer, type HttpServer } from '../../src/platform/http/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { puppetDbRoutes } from '../../src/services/puppetdb/index.ts';
import { type RunningPuppetDb, startPuppetDb } from '../puppetdb/running-puppetdb.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite } from './support/site.ts';
import { until } from './support/until.ts';

const port = await freePort();
const exporter = 'exports.e2e.test';
const collector = 'collects.e2e.test';

const manifest = `
node '${exporter}' { @@notify { 'exported': message => 'from elsewhere' } }
node '${collector}' {
  Notify <<| |>>
  $known = puppetdb_query('nodes[certname] { certname ~ "^exports" }').map |$node| { $node['certname'] }
  notify { 'known': message => $known }
}
`;

scenarios('With a puppetdb.conf', () => {
  const site = runningSite({ compileServers: 1 }, (prepared) => {
    prepared.stage({ 'manifests/site.pp': manifest });
    for (const server of ['primary', 'compile1']) {
      const confdir = join(prepared.directory, server, 'puppet');
      mkdirSync(confdir, { recursive: true });
      const urls = `https://localhost:1,https://localhost:${port}`;
      writeFileSync(join(confdir, 'puppetdb.conf'), `[main]\nserver_urls = ${urls}\n`);
    }
  });
  const elsewhere: { puppetDb?: RunningPuppetDb; http?: HttpServer } = {};
  const known = async (pql: string) => (await elsewhere.puppetDb?.puppetDb.query(pql)) ?? [];

  async function serve(): Promise<void> {
    const ssl = join(site().installation.primaryDirectory, 'puppet', 'ssl');
    const { ca, certificate, privateKey } = site().installation.operatorCredentials();
    const puppetDb = elsewhere.puppetDb ?? (await startPuppetDb());
    puppetDb.setTime(new Date());
    const everybody = { kind: 'certname', allows: () => true } as const;
    const http = createHttpServer({
      routes: puppetDbRoutes({
        puppetDb: puppetDb.puppetDb,
        allow: everybody,
        allowAdmin: everybody,
        now: () => new Date(),
      }),
      authorization: { rules: [], allowHeaderCertInfo: false },
      tls: { ca, crl: readFileSync(join(ssl, 'crl.pem'), 'utf8'), certificate, privateKey },
      log: silentLogger,
    });
    await http.listen(port, '127.0.0.1');
    Object.assign(elsewhere, { http, puppetDb });
  }

  // Its certificate is of the primary's CA.
  beforeAll(serve);
  afterAll(async () => {
    await elsewhere.http?.drain(0);
    await elsewhere.puppetDb?.stop();
  });

  test('what agents send goes there', async () => {
    await site().agent(exporter).runsCleanly(0);

    // The kept catalog is not waited for: it may come after the report.
    for (const entity of ['reports', 'catalogs'])
      await until(
        `there is one of ${entity}`,
        async () => (await known(`${entity}[certname] { }`)).length === 1,
      );

    expect(await known('facts[value] { name = "clientcert" or name = "kernel" }')).toContainEqual({
      value: 'Linux',
    });
    expect(await known('resources[title] { exported = true }')).toEqual([{ title: 'exported' }]);
  });

  test('code asks there', async () => {
    const { output } = await site().agent(collector).runsCleanly(2);

    expect(output).toContain("defined 'message' as 'from elsewhere'");
    expect(output).toContain(`defined 'message' as '${exporter}'`);
  });

  test('what agents send while it is away waits for it', async () => {
    await elsewhere.http?.drain(0);
    await site().agent(exporter).runsCleanly(0);
    await serve();

    await until('both reports of the node are there', async () => {
      const reports = await known(`reports[certname] { certname = "${exporter}" }`);
      return reports.length === 2;
    });
  });

  test('nodes that leave are deactivated there', async () => {
    await site().installation.bunraku(['ca', 'clean', '--certname', collector, ...site().online]);

    await until('the node is gone', async () => {
      const nodes = await known(`nodes[certname] { node_state = "inactive" }`);
      return nodes.length === 1;
    });
  });

  test('the primary keeps nothing itself', () => {
    expect(existsSync(join(site().installation.primaryDirectory, 'state', 'puppetdb.sqlite'))).toBe(false);
  });
});
