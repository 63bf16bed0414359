/**
 * `node test/soak/run.ts [--minutes N] [--agents N] [--real N] [--seed N]`: a day of an installation in N minutes (20), with
 * simulated agents (500) and real ones (1); prints what happened, and ends with 1 when something did that should not have.
 * Needs root, HAProxy, the agent and libfaketime.
 */

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfChanged } from '../../scripts/bundle.ts';
import { nameHosts, runAsOperator } from '../cluster/hosts.ts';
import { canMount } from '../filesync/full-disk.ts';
import { MovedClock } from './moved-clock.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    agents: { type: 'string', default: '500' },
    real: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('Usage: node test/soak/run.ts [--minutes 20] [--agents 500] [--real 1] [--seed 1]');
  process.exit(0);
}
const [minutes = 20, agents = 500, real = 1, seed = 1] = [
  values.minutes,
  values.agents,
  values.real,
  values.seed,
].map(Number);
/** Four at first, and two that join. */
const [servers, most] = [4, 6];
const obstacle = canMount() ? MovedClock.obstacle() : 'only root may mount file systems';
if (obstacle !== '') {
  console.log(`not run: ${obstacle}`);
  process.exit(2);
}
await buildIfChanged();
const directory = mkdtempSync(join(tmpdir(), 'bunraku-soak-'));
// A build beside a long run must not change what is tested.
const project = dirname(dirname(import.meta.dirname));
cpSync(join(project, 'dist'), join(directory, 'program', 'dist'), { recursive: true });
const job = { directory, servers, most, minutes, agents, real, seed };
const script = join(import.meta.dirname, 'operator.ts');
process.exitCode = await runAsOperator(nameHosts(most, real), script, [JSON.stringify(job)]);
if (process.exitCode === 0) rmSync(directory, { recursive: true, force: true });
else console.log(`see ${directory}`);
