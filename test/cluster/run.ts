/**
 * `node test/cluster/run.ts [SERVERS [AGENTS [DEPLOYS [REAL [SECONDS]]]]]`: a cluster of SERVERS compile servers (10) behind
 * HAProxy, AGENTS simulated agents (200) that run every SECONDS (60) and REAL real ones (3), DEPLOYS deploys (20); prints what
 * happened, and ends with 1 when something did that should not have. Needs root, HAProxy and the agent.
 */

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildIfChanged } from '../../scripts/bundle.ts';
import { nameHosts, runAsOperator } from './hosts.ts';

const [servers = 10, agents = 200, deploys = 20, real = 3, seconds = 60] = process.argv.slice(2).map(Number);
// Of few servers there have to be some left in the end.
const changing = servers < 5 ? 1 : 2;
await buildIfChanged();
const directory = mkdtempSync(join(tmpdir(), 'bunraku-cluster-'));
// A build beside a long run must not change what is tested.
const program = dirname(dirname(import.meta.dirname));
cpSync(join(program, 'dist'), join(directory, 'program', 'dist'), { recursive: true });
const hosts = nameHosts(servers + changing, real);
const job = { directory, servers, agents, deploys, real, changing, intervalMs: seconds * 1000 };
const script = join(import.meta.dirname, 'operator.ts');
process.exitCode = await runAsOperator(hosts, script, [JSON.stringify(job)]);
if (process.exitCode === 0) rmSync(directory, { recursive: true, force: true });
else console.log(`see ${directory}`);
