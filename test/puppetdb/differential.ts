/**
 * Compares ours with a real PuppetDB: `node test/puppetdb/differential.ts [SQLite|PostgreSQL] [FILTER] [URL]`
 *
 * The real one is Debian's, started for this, unless an empty one is given. Both get the recorded commands and then every query of `differential-queries.ts`.
 */

import { backends } from './backends.ts';
import { ask, describe, isKnown, isSame } from './compare-answers.ts';
import { differentialQueries } from './differential-queries.ts';
import { probeCommands } from './probe-node.ts';
import { startRealPuppetDb } from './real-puppetdb.ts';
import { recordedCommands } from './recorded-fleet.ts';
import { startPuppetDb } from './running-puppetdb.ts';

const [, , backendName = 'SQLite', filter = '', given = ''] = process.argv;
const backend = backends.find(({ name }) => name === backendName);
if (backend === undefined) throw new Error(`there is no ${backendName}`);
const started = given === '' ? await startRealPuppetDb(512) : undefined;
const real = started?.url ?? given;
const { location, stop } = await backend.start();
const ours = await startPuppetDb(location);
await load(ours.url);
if (!(await isLoaded(real))) await load(real);
let equal = 0;
let broken = 0;
let known = 0;
const different: string[] = [];
const failing: string[] = [];
for (const path of differentialQueries()) {
  if (!decodeURIComponent(path).includes(filter)) continue;
  const [theirs, mine] = await Promise.all([ask(real, path), ask(ours.url, path)]);
  if (isSame(theirs, mine, path)) equal++;
  else if (theirs.status === 500) {
    broken++;
    failing.push(`${decodeURIComponent(path)}\n${describe(theirs, mine)}`);
  } else if (isKnown(path)) known++;
  else different.push(`${decodeURIComponent(path)}\n${describe(theirs, mine)}`);
}
console.log(different.join('\n'));
console.log(
  `${equal} equal, ${different.length} different, ${known} known to be different, ${broken} where only the real one fails or says so otherwise (500)`,
);
if (filter !== '') console.log(failing.join('\n'));
await ours.stop();
await stop();
await started?.stop();
process.exitCode = different.length === 0 ? 0 : 1;

async function load(url: string): Promise<void> {
  for (const { command, version, certname, producerTimestamp, body } of [
    ...recordedCommands(),
    ...probeCommands(),
  ]) {
    const parameters = new URLSearchParams({
      command,
      version,
      certname,
      'producer-timestamp': producerTimestamp,
      secondsToWaitForCompletion: '30',
    });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/pdb/cmd/v1?${parameters}`, { method: 'POST', headers, body });
    if (!reply.ok) throw new Error(`${command} of ${certname}: ${await reply.text()}`);
  }
}

async function isLoaded(url: string): Promise<boolean> {
  const reply = await fetch(`${url}/pdb/query/v4/nodes`);
  const nodes: unknown = await reply.json();
  return Array.isArray(nodes) && nodes.length > 0;
}
