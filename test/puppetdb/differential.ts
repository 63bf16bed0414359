/**
 * Compares ours with a real PuppetDB:
 *
 *   node test/puppetdb/differential.ts [SQLite|PostgreSQL|both] [FILTER] [URL] [--real] [--record]
 *
 * All get the recorded commands and then every query of `differential-queries.ts`. The answers of the real one are those that
 * were recorded, unless it is given (URL, empty) or started for this (`--real`, Debian's). `--record` does that too and
 * keeps what it answers: after a change of the queries.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type Backend, backends } from '../support/backends.ts';
import { ask, describe, isKnown, isSame, type Reply } from './compare-answers.ts';
import { differentialQueries } from './differential-queries.ts';
import { probeCommands } from './probe-node.ts';
import { hasRealPuppetDb, startRealPuppetDb } from './real-puppetdb.ts';
import { recordedCommands } from './recorded-fleet.ts';
import { startPuppetDb } from './running-puppetdb.ts';

/** Path -> what the real one answers. */
type Answers = ReadonlyMap<string, Reply>;

const recording = join(import.meta.dirname, '..', 'recorded', 'puppetdb', 'differential.json.br');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { real: { type: 'boolean' }, record: { type: 'boolean' } },
});
const [backendName = 'both', filter = '', given = ''] = positionals;
const chosen = backends.filter(({ name }) => backendName === 'both' || name === backendName);
if (chosen.length === 0) throw new Error(`there is no ${backendName}`);
const paths = differentialQueries().filter((path) => decodeURIComponent(path).includes(filter));
const answers = await answersOfReal();
let differing = 0;
for (const backend of chosen) differing += await compareWith(backend);
process.exitCode = differing === 0 ? 0 : 1;

async function answersOfReal(): Promise<Answers> {
  if (given !== '') return await askAll(given);
  if (values.real !== true && values.record !== true) return readRecording();
  if (!hasRealPuppetDb) throw new Error('the Debian package puppetdb is not installed');
  const real = await startRealPuppetDb(512);
  try {
    const found = await askAll(real.url);
    if (values.record === true) writeFileSync(recording, packed(found));
    return found;
  } finally {
    await real.stop();
  }
}

/** With the largest window: the same rows come again and again, and without it the file has twenty times the size. */
function packed(found: Answers): Buffer {
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  return brotliCompressSync(JSON.stringify(Array.from(found)), { params });
}

function readRecording(): Answers {
  const found: Answers = new Map(
    JSON.parse(brotliDecompressSync(readFileSync(recording)).toString('utf8')) as readonly (readonly [
      string,
      Reply,
    ])[],
  );
  const missing = paths.filter((path) => !found.has(path));
  if (missing.length > 0)
    throw new Error(`${missing.length} queries are not recorded (--record does that), such as ${missing[0]}`);
  return found;
}

async function askAll(url: string): Promise<Answers> {
  if (!(await isLoaded(url))) await load(url);
  const found = new Map<string, Reply>();
  for (const path of paths) found.set(path, await ask(url, path));
  return found;
}

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
  for (const path of paths) {
    const theirs = answers.get(path);
    if (theirs === undefined) throw new Error(`nothing is known of ${path}`);
    const mine = await ask(ours.url, path);
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
