/**
 * Compares anonymised archives of a real PuppetDB and of ours, which have the same data: `node test/puppetdb/anonymized-archives.ts`
 *
 * What is random differs. What is compared is which leaves are replaced, and by what kind of thing.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { knownTexts, shapeOf } from './anonymized-shape.ts';
import { startRealPuppetDb } from './real-puppetdb.ts';
import { recordedCommands } from './recorded-fleet.ts';
import { startPuppetDb } from './running-puppetdb.ts';

const heapMb = 512;
const ours = await startPuppetDb();
const real = await startRealPuppetDb(heapMb);
let differences = 0;
try {
  for (const { command, version, certname, producerTimestamp, body: recorded } of recordedCommands()) {
    // Nothing is exported by 7.12.1 where a node is deactivated.
    if (command === 'deactivate_node') continue;
    // 7.12.1 exports no facts with an integer above 2^31 when it has to replace it.
    const body = command === 'replace_facts' ? recorded.replaceAll(/\d{10,}/g, '1234') : recorded;
    await ours.puppetDb.submit({ command, version: Number(version), certname, payload: Buffer.from(body) });
    const parameters = { command, version, certname, 'producer-timestamp': producerTimestamp };
    const query = new URLSearchParams({ ...parameters, secondsToWaitForCompletion: '60' });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${real.url}/pdb/cmd/v1?${query}`, { method: 'POST', headers, body });
    if (!reply.ok) throw new Error(`${command} of ${certname}: ${await reply.text()}`);
  }
  await sleep(5000);
  const plain = await documentsOf(real.url, 'none');
  const known = knownTexts([...plain.values()].flat());
  for (const profile of ['low', 'moderate', 'full']) {
    const [theirs, mine] = [await documentsOf(real.url, profile), await documentsOf(ours.url, profile)];
    for (const [directory, documents] of theirs) {
      const shapes = (each: readonly unknown[] = []) =>
        each.map((document) => shapeOf(document, known)).sort();
      const [expected, found] = [shapes(documents), shapes(mine.get(directory))];
      const missing = expected.filter((shape, index) => shape !== found[index]);
      differences += missing.length + Math.abs(expected.length - found.length);
      console.log(`${profile} ${directory}: ${expected.length} of the real one, ${missing.length} different`);
      const at = expected.findIndex((shape, index) => shape !== found[index]);
      if (at >= 0) console.log(firstDifference(expected[at] ?? '', found[at] ?? ''));
    }
  }
} finally {
  await real.stop();
  await ours.stop();
}
process.exitCode = differences === 0 ? 0 : 1;

/** By directory of the archive. */
async function documentsOf(url: string, profile: string): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const reply = await fetch(`${url}/pdb/admin/v1/archive?anonymization_profile=${profile}`);
  const documents = new Map<string, unknown[]>();
  const tar = extract();
  tar.end(gunzipSync(new Uint8Array(await reply.arrayBuffer())));
  for await (const entry of tar) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk as Uint8Array);
    const [, directory = '', file] = entry.header.name.split('/');
    if (file === undefined) continue;
    const list = documents.get(directory) ?? [];
    documents.set(directory, [...list, JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown]);
  }
  return documents;
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 300);
  return `  real: ...${a.slice(from, at + 200)}\n  ours: ...${b.slice(from, at + 200)}`;
}
