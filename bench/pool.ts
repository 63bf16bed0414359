/**
 * `npm run bench -- pool [COUNT]`: reboots, departures and kills of compile servers in virtual time, against the controller of the primary. Prints
 * the mistakes, and fails when there is one.
 */

import { killAtRandom } from '../src/services/autoscaler/pool/random-kills.testing.ts';
import { rebootsAndDepartures } from '../src/services/autoscaler/pool/reboots-and-departures.testing.ts';

export function measurePool(count = 10_000): void {
  const startedMs = process.cpuUsage();

  const { departures, mistakes, reboots } = rebootsAndDepartures(1, count);
  console.log(`${reboots} reboots and ${departures} departures: ${mistakes} mistakes`);

  let kills = 0;
  let histories = 0;
  const found: string[] = [];
  while (kills < count) {
    histories += 1;
    const outcome = killAtRandom(histories);
    kills += outcome.kills;
    found.push(...outcome.found.map((what) => `history ${histories}: ${what}`));
  }
  console.log(
    `${kills} kills in ${histories} histories: ${found.length} things left behind after two minutes`,
  );
  for (const line of found.slice(0, 20)) console.log(`  ${line}`);

  const { system, user } = process.cpuUsage(startedMs);
  console.log(`${((system + user) / 1e6).toFixed(1)} s of processor time`);
  if (mistakes + found.length > 0) process.exitCode = 1;
}
