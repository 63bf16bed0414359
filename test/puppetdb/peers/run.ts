/**
 * `node test/puppetdb/peers/run.ts`: Debian's puppetserver on a PuppetDB of ours, and servers of ours on Debian's PuppetDB; two
 * real agents each, of which one exports what the other collects. The catalogs and what PuppetDB knows in the end are
 * the same, or the differences are printed. Takes minutes: two programs in Java start.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPresent, postgres, puppetAgent, puppetDbTerminus } from '../../../scripts/debian-packages.ts';
import { hasPuppetserver } from '../../ca/real-puppetserver.ts';
import { hasRealPuppetDb } from '../real-puppetdb.ts';
import { runOnRealPuppetDb } from './ours-on-puppetdb.ts';
import { comparePeerRuns, type PeerRuns } from './peer-runs.ts';
import { runOnPuppetserver } from './puppetserver-on-ours.ts';

/** Where the manifest puts what it manages. */
const managed = '/tmp/bunraku-puppetdb-peers';

const missing = [puppetAgent, puppetDbTerminus, postgres].filter((entry) => !isPresent(entry));
if (!hasPuppetserver || !hasRealPuppetDb || missing.length > 0) {
  console.error(
    'SKIPPED: Debian packages puppetserver, puppetdb, puppet-terminus-puppetdb, postgresql-15 are needed',
  );
  process.exit(process.env['CI'] === 'true' ? 1 : 0);
}

const real = await measured('puppetserver on our PuppetDB', runOnPuppetserver);
const ours = await measured('our servers on the real PuppetDB', runOnRealPuppetDb);
const found = comparePeerRuns(real, ours);
const rows = Object.entries(real.answers).map(([name, answer]) => `${(answer as unknown[]).length} ${name}`);
console.log(`${real.catalogs.length} catalogs and ${rows.join(', ')} compared: ${found.length} differences`);
for (const difference of found) console.log(difference);
process.exitCode = found.length === 0 ? 0 : 1;

async function measured(title: string, run: (base: string) => Promise<PeerRuns>): Promise<PeerRuns> {
  const base = mkdtempSync(join(tmpdir(), 'bunraku-peers-'));
  rmSync(managed, { recursive: true, force: true });
  const began = performance.now();
  try {
    const runs = await run(base);
    console.log(
      `${title}: ${runs.catalogs.length} runs in ${Math.round((performance.now() - began) / 1000)} s`,
    );
    return runs;
  } finally {
    rmSync(base, { recursive: true, force: true });
    rmSync(managed, { recursive: true, force: true });
  }
}
