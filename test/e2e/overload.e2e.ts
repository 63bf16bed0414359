/** More agents than a server can serve at the same time. */

import { expect, test } from 'vitest';
import { isReady } from '../../demo/installation.ts';
import { freePort } from '../../demo/ports.ts';
import type { HttpClient } from '../../src/platform/http-client/index.ts';
import { heldManifest, holdCompiles, releaseCompiles, untilHeld } from './support/held-compile.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite } from './support/site.ts';
import { until } from './support/until.ts';

/** Each asks for a catalog that takes a second; one is compiled, and one waits. */
const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.crowd.e2e.test`);
const healthPort = await freePort();

scenarios('A crowd of agents', () => {
  const site = runningSite(
    { compileServers: 0, settings: { compile_workers: 1, max_queued_requests: 1, health_port: healthPort } },
    (prepared) => {
      const manifest = "$waited = generate('/bin/sleep', '1')\nnotify { 'served': }\n";
      prepared.stage({ 'manifests/site.pp': manifest });
      prepared.stage({ 'manifests/site.pp': heldManifest(prepared) }, 'held');
    },
  );
  const agents = () => names.map((name) => site().agent(name, site().installation.options.ports.primary));

  test('whose version can not be put off waits in line, and is served whole', async () => {
    const runs = await Promise.all(agents().map((agent) => agent.run()));

    for (const { complaints, exitCode, output } of runs) {
      expect(exitCode, output).toBe(2);
      expect(complaints).toEqual([]);
    }
  });

  test('whose version can be put off comes back when it is told to', async () => {
    const clients = agents().map((agent) => ({ name: agent.certname, client: agent.client() }));

    // Nothing is compiled before somebody has been put off.
    const attempts = await Promise.all(
      clients.map(({ name, client }) =>
        askAgain(client, site().installation.primaryUrl, name, () => releaseCompiles(site())),
      ),
    );

    for (const { client } of clients) client.close();
    holdCompiles(site());
    expect(Math.max(...attempts)).toBeGreaterThan(1);
    await until('the log says so', () =>
      site()
        .logOf('primary')
        .some((line) => line.msg === 'asked to come back later' && line['status'] === 503),
    );
  });

  test('does not keep health checks waiting', async () => {
    const clients = agents().map((agent) => ({ name: agent.certname, client: agent.client() }));
    const url = site().installation.primaryUrl;
    const running = Promise.all(clients.map(({ name, client }) => askAgain(client, url, name)));
    await untilHeld(site());

    const answers: boolean[] = [];
    for (let round = 0; round < 10; round += 1) {
      answers.push(await isReady(url));
      answers.push((await fetch(`http://127.0.0.1:${healthPort}/status/v1/simple`)).ok);
    }
    releaseCompiles(site());
    const attempts = await running;
    for (const { client } of clients) client.close();

    // All of them while no catalog could be compiled.
    expect(answers).toEqual(Array.from({ length: 20 }, () => true));
    expect(attempts).toHaveLength(names.length);
  });
});

/** As agents from 7.26 and 8.2 on do, for a catalog that is held. @returns how often it has asked */
async function askAgain(
  client: HttpClient,
  serverUrl: string,
  certname: string,
  onPutOff = () => {},
): Promise<number> {
  for (let attempts = 1; ; attempts += 1) {
    const { headers, status } = await client.send({
      method: 'GET',
      url: `${serverUrl}/puppet/v3/catalog/${certname}?environment=held`,
      headers: { accept: 'application/json', 'x-puppet-version': '8.10.0' },
    });
    if (status === 200) return attempts;
    onPutOff();
    expect(status).toBe(503);
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    await new Promise((resolve) => setTimeout(resolve, Number(headers['retry-after']) * 1000));
  }
}
