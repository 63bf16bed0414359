/**
 * How soon a server that is launched compiles, with a key that comes with the joining. BUNRAKU_DRILL_ROUNDS (5) says how many are
 * launched.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { askForCatalog } from './support/catalog-request.ts';
import {
  drillPorts,
  keyedMessage,
  numberFrom,
  printFigures,
  runningPool,
  seconds,
  spread,
} from './support/pool-drill.ts';
import { scenarios } from './support/requirements.ts';
import { until } from './support/until.ts';

const ports = await drillPorts();
const rounds = numberFrom('BUNRAKU_DRILL_ROUNDS', 5);
const node = 'first.e2e.test';

scenarios('The first catalog of a new server', () => {
  const { pool, site } = runningPool(ports, '', { autoscaler_local_grace: '20s' });

  test('comes with the value of the key, which only the primary had', async () => {
    await pool.bunraku('autoscaler', 'set', '--min', '2', '--max', '3');
    await pool.whenServing(2);
    const agent = site().agent(node);
    await agent.runsCleanly(2);
    const client = agent.client();
    const taken: number[] = [];
    const firstAnswers: number[] = [];

    for (let round = 0; round < rounds; round++) {
      const before = await pool.serving();
      // One leaves, and another comes in its place.
      await pool.bunraku('infrastructure', 'drain', before[0] ?? '', '--no-wait');
      const { certname, port } = await until('a process is there', () =>
        pool.processList().find((each) => !before.includes(each.certname)),
      );
      // The driver wrote its order, then started it.
      const launchedMs = statSync(join(pool.placeOf(certname), 'order.json')).mtimeMs;
      const statuses: number[] = [];
      let text = '';
      // Polled faster than `until` does, because the time is measured.
      while (text === '') {
        const answer = await askForCatalog(client, `https://localhost:${port}`, node).catch(() => undefined);
        if (answer !== undefined) statuses.push(answer.status);
        if (answer?.status === 200) ({ text } = answer);
        else await sleep(20);
        if (Date.now() - launchedMs > 300_000) throw new Error(`${certname} did not compile within 300 s`);
      }
      taken.push(Date.now() - launchedMs);
      firstAnswers.push(statuses.length - 1);

      expect(text).toContain(keyedMessage);
      await pool.whenServing(2);
    }
    client.close();

    printFigures('First catalogs', {
      'from the order to the first catalog': spread(taken),
      each: taken.map(seconds).join(', '),
      'requests that were answered otherwise before': firstAnswers.join(', '),
    });
  });
});
