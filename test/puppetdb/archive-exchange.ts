/**
 * Takes an archive of a real PuppetDB over to ours, and one of ours to another real one:
 * `node test/puppetdb/archive-exchange.ts [SQLite|PostgreSQL]`
 *
 * After each step both are asked everything of `differential-queries.ts`. The recorded fleet is sent without the node that is
 * deactivated: 7.12.1 exports nothing at all where a node is, because it refuses the time in its own answer.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { backends } from '../support/backends.ts';
import { ask, describe, isKnown, isSame } from './compare-answers.ts';
import { differentialQueries } from './differential-queries.ts';
import { startRealPuppetDb } from './real-puppetdb.ts';
import { recordedCommands } from './recorded-fleet.ts';
import { startPuppetDb } from './running-puppetdb.ts';

const [, , backendName = 'SQLite'] = process.argv;
const backend = backends.find(({ name }) => name === backendName);
if (backend === undefined) throw new Error(`there is no ${backendName}`);
const heapMb = 512;
const { location, stop } = await backend.start();
const ours = await startPuppetDb(location);
let differences = 0;

const first = await startRealPuppetDb(heapMb);
try {
  await load(first.url);
  await carryOver(first.url, ours.url, 'the real one to ours');
} finally {
  await first.stop();
}
const second = await startRealPuppetDb(heapMb);
try {
  await carryOver(ours.url, second.url, 'ours to the real one');
} finally {
  await second.stop();
}
await ours.stop();
await stop();
process.exitCode = differences === 0 ? 0 : 1;

async function load(url: string): Promise<void> {
  for (const { command, version, certname, producerTimestamp, body } of recordedCommands()) {
    if (command === 'deactivate_node') continue;
    const parameters = new URLSearchParams({
      command,
      version,
      certname,
      'producer-timestamp': producerTimestamp,
      secondsToWaitForCompletion: '60',
    });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/pdb/cmd/v1?${parameters}`, { method: 'POST', headers, body });
    if (!reply.ok) throw new Error(`${command} of ${certname}: ${await reply.text()}`);
  }
}

async function carryOver(from: string, to: string, what: string): Promise<void> {
  const exported = await fetch(`${from}/pdb/admin/v1/archive`);
  const archive = await exported.arrayBuffer();
  const form = new FormData();
  form.set('archive', new Blob([archive]), 'archive.tgz');
  const imported = await fetch(`${to}/pdb/admin/v1/archive`, { method: 'POST', body: form });
  const answer = await imported.text();
  if (!imported.ok) throw new Error(`${what}: ${answer}`);
  await settled(from, to);
  const counts = { equal: 0, different: 0, failing: 0, known: 0 };
  for (const path of differentialQueries()) {
    const [theirs, mine] = await Promise.all([ask(from, path), ask(to, path)]);
    const isOfReal = [theirs, mine].some(({ status }) => status === 500);
    if (isSame(theirs, mine, path)) counts.equal++;
    else if (isOfReal) counts.failing++;
    else if (isKnown(path)) counts.known++;
    else {
      counts.different++;
      console.log(`${decodeURIComponent(path)}\n${describe(theirs, mine)}`);
    }
  }
  differences += counts.different;
  console.log(
    `${what}: ${archive.byteLength} bytes; ${counts.equal} answers equal, ${counts.different} different, ` +
      `${counts.known} known to be different, ${counts.failing} where only the real one fails (500)`,
  );
}

/** The real one carries commands out after it has answered. */
async function settled(from: string, to: string): Promise<void> {
  const entities = ['nodes', 'facts', 'resources', 'reports', 'events'];
  for (let attempt = 0; attempt < 120; attempt++) {
    const sizes = async (url: string): Promise<string> => {
      const counted = entities.map((entity) =>
        ask(
          url,
          `/pdb/query/v4/${entity}?${new URLSearchParams({ query: '["extract",[["function","count"]]]' })}`,
        ),
      );
      return (await Promise.all(counted)).map(({ text }) => text).join();
    };
    if ((await sizes(from)) === (await sizes(to))) return;
    await sleep(1000);
  }
  console.log('not everything has arrived');
}
