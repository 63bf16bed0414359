/**
 * Compares ours with a real PuppetDB: `node test/puppetdb/differential.ts [SQLite|PostgreSQL|both] [FILTER] [URL]`
 *
 * The real one is Debian's, started for this, unless an empty one is given. Both get the recorded commands and then every query of `differential-queries.ts`.
 */

import { type Backend, backends } from '../support/backends.ts';
import { ask, describe, isKnown, isSame } from './compare-answers.ts';
import { differentialQueries } from './differential-queries.ts';
import { probeCommands } from './probe-node.ts';
import { hasRealPuppetDb, startRealPuppetDb } from './real-puppetdb.ts';
import { recordedCommands } from './recorded-fleet.ts';
import { startPuppetDb } from './running-puppetdb.ts';

const [, , backendName = 'both', filter = '', given = ''] = process.argv;
const chosen = backends.filter(({ name }) => backendName === 'both' || name === backendName);
if (chosen.length === 0) throw new Error(`there is no ${backendName}`);
if (given === '' && !hasRealPuppetDb) {
  console.log('SKIPPED: the Debian package puppetdb is not installed, there is nothing to compare with');
  process.exit(0);
}
const started = given === '' ? await startRealPuppetDb(512) : undefined;
const real = started?.url ?? given;
if (!(await isLoaded(real))) await load(real);
let differing = 0;
for (const backend of chosen) differing += await compareWith(backend);
await started?.stop();
process.exitCode = differing === 0 ? 0 : 1;

/** @returns how many answers differ */
async function compareWith(backend: Backend): Promise<number> {
  if (!backend.isInstalled) {
    console.log(`SKIPPED: ${backend.name}`);
    return 0;
  }
  const { location, stop } = await backend.start();
  const ours = await startPuppetDb(location);
  await load(ours.url);
  let equal = 0;
  let known = 0;
  const different: string[] = [];
  const failing: string[] = [];
  for (const path of differentialQueries()) {
    if (!decodeURIComponent(path).includes(filter)) continue;
    const [theirs, mine] = await Promise.all([ask(real, path), ask(ours.url, path)]);
    const difference = () => `${decodeURIComponent(path)}\n${describe(theirs, mine)}`;
    if (isSame(theirs, mine, path)) equal++;
    else if (theirs.status === 500) failing.push(difference());
    else if (isKnown(path)) known++;
    else different.push(difference());
  }
  await ours.stop();
  await stop();
  for (const text of filter === '' ? different : [...different, ...failing]) console.log(text);
  console.log(
    `${backend.name}: ${equal} equal, ${different.length} different, ${known} known to be different, ` +
      `${failing.length} where only the real one fails or says so otherwise (500)`,
  );
  return different.length;
}

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
      secondsToWaitForCompletion: '300',
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
