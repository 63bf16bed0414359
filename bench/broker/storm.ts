/**
 * All agents of a lost broker at once.
 *
 * `npm run bench -- broker-storm [AGENTS [RATE]]`: a primary with a broker; that many agents connect at the same time, each with
 * its certificate and a full handshake, and try again as pxp-agents do. Until all are in, health checks are asked for on 8140. The
 * agents run at low priority: elsewhere they have processors of their own.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../demo/ports.ts';
import { spread } from '../figures.ts';
import { withLonePrimary } from '../lone-primary.ts';
import { checkHealthElsewhere } from '../overload.ts';
import { BenchAuthority } from './bench-authority.ts';
import { Fleet, issueFleet } from './fleet.ts';

export async function measureStorm([agents = 5000, rate]: readonly number[]): Promise<void> {
  const port = await freePort();
  const settings = {
    pcp_broker_port: port,
    ...(rate === undefined ? {} : { pcp_broker_connection_rate: rate }),
  };
  await withLonePrimary(settings, async ({ healthUrl, installation }) => {
    await installation.startPrimary();
    const ca = join(installation.primaryDirectory, 'ca');
    const read = (name: string): string => readFileSync(join(ca, name), 'utf8');
    const authority = BenchAuthority.of(read('ca_crt.pem'), read('ca_key.pem'));
    const fleet = new Fleet({ standsForOtherMachines: true });
    const order = {
      port,
      ca: authority.certificate,
      agents: await issueFleet(authority, agents),
      atOnce: agents,
      tries: 10,
    };
    const endChecks = checkHealthElsewhere([installation.primaryUrl, healthUrl]);
    const beganMs = performance.now();
    const outcome = await fleet.connect(order);
    const seconds = (performance.now() - beganMs) / 1000;
    const [health = [], plainHealth = []] = await endChecks();
    fleet.end();
    console.log(
      [
        `${agents} agents at once, ${rate ?? 'the usual number of'} new connections a second`,
        `all connected after ${seconds.toFixed(1)} s, ${Math.round(agents / seconds)} a second; ${outcome.failed} failed, ${outcome.again} tried again`,
        `health check over TLS: ${spread(health)}`,
        `health check at health_port: ${spread(plainHealth)}`,
      ].join('\n  '),
    );
  });
}
