import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPresent, puppetAgent, puppetDbTerminus } from '../../../scripts/debian-packages.ts';
import {
  collectingExporters,
  collectors,
  exporters,
  queries,
  rubyQueries,
  withoutStore,
} from './exported-cases.ts';
import { type SecurePuppetDb, startSecurePuppetDb } from './secure-puppetdb.ts';
import {
  type CompileOutcome,
  type CompileSetting,
  compareOutcomes,
  compileOurselves,
  compileWithPuppet,
  type TerminusCase,
} from './two-compilers.ts';

const missing = [puppetAgent, puppetDbTerminus].filter((entry) => !isPresent(entry));
if (missing.length > 0) {
  const names = missing.map(({ name }) => name).join(', ');
  if (process.env['CI'] === 'true') throw new Error(`${names} missing; in CI nothing is skipped`);
  console.warn(`SKIPPED: compiling beside the real Puppet: Debian packages missing: ${names}`);
}

/** The real Puppet with the real terminus and ours compile the same with one PuppetDB. */
describe.skipIf(missing.length > 0)('Beside the real Puppet with its PuppetDB terminus', () => {
  const started: { puppetDb?: SecurePuppetDb } = {};
  const puppetDb = (): SecurePuppetDb => {
    if (started.puppetDb === undefined) throw new Error('PuppetDB does not run yet');
    return started.puppetDb;
  };

  beforeAll(async () => {
    started.puppetDb = await startSecurePuppetDb();
    const saved = await compileWithPuppet(puppetDb(), exporters, { storeconfigs: true });
    expect(saved.filter(({ catalog }) => catalog.includes('"error"'))).toEqual([]);
  });
  afterAll(async () => {
    await started.puppetDb?.stop();
  });

  async function compareAll(cases: readonly TerminusCase[], setting: CompileSetting): Promise<void> {
    const [real, ours] = await Promise.all([
      compileWithPuppet(puppetDb(), cases, setting),
      compileOurselves(puppetDb(), cases, setting),
    ]);
    const differences = cases.flatMap(({ code }, index) =>
      compareOutcomes(outcomeAt(real, index), outcomeAt(ours, index)).map((text) => `${code}\n  ${text}`),
    );
    expect(differences).toEqual([]);
    expect(real).toHaveLength(cases.length);
  }

  test('collectors find the same resources and make the same of them', async () => {
    await compareAll([...collectors, ...collectingExporters], { storeconfigs: true });
  });

  test('puppetdb_query gives the same rows and the same errors', async () => {
    await compareAll([...queries, ...rubyQueries], { storeconfigs: true });
  });

  test('nothing is exported or collected without storeconfigs, with the same warnings', async () => {
    await compareAll(withoutStore, { storeconfigs: false });
  });

  test('a PuppetDB that is away fails the compile in the same words', async () => {
    const serverUrls = 'https://localhost:1, https://localhost:2';
    await compareAll([...collectors.slice(0, 1), ...queries.slice(0, 1)], { storeconfigs: true, serverUrls });
  });

  test('the next of several is asked when the first is away', async () => {
    const serverUrls = `https://localhost:1, ${puppetDb().secureUrl}`;
    await compareAll([...collectors.slice(0, 1), ...queries.slice(0, 1)], { storeconfigs: true, serverUrls });
  });
});

function outcomeAt(outcomes: readonly CompileOutcome[], index: number): CompileOutcome {
  const outcome = outcomes[index];
  if (outcome === undefined) throw new Error(`no outcome ${index}`);
  return outcome;
}
