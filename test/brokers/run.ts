/**
 * `node test/brokers/run.ts [ROUNDS [AGENTS]]`: three brokers, AGENTS simulated PXP agents (500), and ROUNDS times (5, or
 * BUNRAKU_BROKER_ROUNDS) all that can happen to them while jobs run; ends with 1 when an action ran twice, or ended otherwise than
 * its agent says. Needs root.
 */

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildIfChanged } from '../../scripts/bundle.ts';
import { nameHosts, runAsOperator } from '../cluster/hosts.ts';
import { Network } from '../e2e/support/network.ts';

const [rounds = Number(process.env['BUNRAKU_BROKER_ROUNDS'] ?? 5), agents = 500] = process.argv
  .slice(2)
  .map(Number);
const [servers, crowds] = [2, 3];
const obstacle = Network.obstacle();
if (obstacle !== '') {
  console.log(`not run: ${obstacle}`);
  process.exit(2);
}
await buildIfChanged();
const directory = mkdtempSync(join(tmpdir(), 'bunraku-brokers-'));
// A build beside a long run must not change what is tested.
const project = dirname(dirname(import.meta.dirname));
cpSync(join(project, 'dist'), join(directory, 'program', 'dist'), { recursive: true });
const job = { directory, rounds, agents, servers, crowds };
const script = join(import.meta.dirname, 'operator.ts');
process.exitCode = await runAsOperator(nameHosts(servers, crowds), script, [JSON.stringify(job)]);
if (process.exitCode === 0) rmSync(directory, { recursive: true, force: true });
else console.log(`see ${directory}`);
