/** `npm run bench -- NAME`: measurements that print their figures. */

import { compareBroker, measureBroker } from '../bench/broker/broker.ts';
import { measureStorm } from '../bench/broker/storm.ts';
import { measureTask } from '../bench/broker/task.ts';
import { measureCa } from '../bench/ca.ts';
import { measureClassify } from '../bench/classify.ts';
import { measureCodeManager } from '../bench/code-manager/deploys.ts';
import { measureCompile } from '../bench/compile.ts';
import { measureServers } from '../bench/compile-servers.ts';
import { measureConsole } from '../bench/console/console.ts';
import { measureIndex } from '../bench/console/index-cost.ts';
import { measureLists } from '../bench/console/lists.ts';
import { compareQueryPlans } from '../bench/console/query-plans.ts';
import { measureRunCounts } from '../bench/console/run-counts.ts';
import { measureFileSync } from '../bench/filesync/deploys.ts';
import { measureFileSyncOnHosts } from '../bench/filesync/hosts.ts';
import { measureHandshakes } from '../bench/handshakes.ts';
import { measureHostile } from '../bench/hostile.ts';
import { measureKeptRuns } from '../bench/kept-runs.ts';
import { measureOverload } from '../bench/overload.ts';
import { measurePool } from '../bench/pool.ts';
import { measurePrograms } from '../bench/programs.ts';
import { measurePuppetDb } from '../bench/puppetdb.ts';
import { measureRuby } from '../bench/ruby.ts';
import { measureStartup } from '../bench/startup.ts';
import { buildIfChanged } from './bundle.ts';

const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  broker: () => measureBroker(sizes.map(Number)),
  'broker-floor': () => compareBroker(sizes.map(Number)),
  'broker-storm': async () => {
    await buildIfChanged();
    await measureStorm(sizes.map(Number));
  },
  'broker-task': async () => {
    await buildIfChanged();
    await measureTask(sizes.map(Number));
  },
  ca: async () => {
    await buildIfChanged();
    await measureCa();
  },
  classify: () => measureClassify(sizes.map(Number)),
  console: async () => {
    await buildIfChanged();
    await measureConsole(sizes);
  },
  'console-index': () => measureIndex(sizes.map(Number)),
  'console-lists': () => measureLists(sizes.map(Number)),
  'console-plans': () => compareQueryPlans(sizes.map(Number)),
  'console-runs': () => measureRunCounts(sizes.map(Number)),
  'code-manager': async () => {
    await buildIfChanged();
    await measureCodeManager(...sizes.map(Number));
  },
  compile: async () => {
    if (!sizes.includes('--puppetserver')) return await measureCompile();
    await buildIfChanged();
    await measureServers(sizes);
  },
  filesync: async () => {
    await buildIfChanged();
    await measureFileSync(...sizes.map(Number));
  },
  'filesync-hosts': async () => {
    await buildIfChanged();
    await measureFileSyncOnHosts(...sizes.map(Number));
  },
  handshakes: async () => {
    await buildIfChanged();
    await measureHandshakes(sizes);
  },
  hostile: () => measureHostile(...sizes.map(Number)),
  'kept-runs': async () => {
    await buildIfChanged();
    await measureKeptRuns(...sizes.map(Number));
  },
  overload: async () => {
    await buildIfChanged();
    await measureOverload(sizes);
  },
  pool: async () => measurePool(sizes[0] === undefined ? undefined : Number(sizes[0])),
  programs: measurePrograms,
  ruby: measureRuby,
  puppetdb: () => measurePuppetDb(sizes),
  startup: async () => {
    await buildIfChanged();
    await measureStartup();
  },
};

const [name = '', ...sizes] = process.argv.slice(2);
const measure = benchmarks[name];
if (measure === undefined) {
  console.error(`Usage: npm run bench -- ${Object.keys(benchmarks).join('|')}`);
  process.exitCode = 2;
} else {
  await measure();
}
