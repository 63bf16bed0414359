import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtWorker } from '../../../test/support/built-worker.ts';
import { compileSnippet } from '../../../test/support/compile-snippet.ts';
import { refuseOutside } from '../../../test/support/outside.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { jobOf, environmentOf as manifestOnly } from './compile-job.testing.ts';
import { keptCatalog } from './kept-catalog.ts';
import { WorkerPool } from './pool/index.ts';
import { renderedCatalog } from './rendered-catalog.ts';

/** As a compile with `storeconfigs` has it. */
function keep(code: string, known?: string) {
  const { catalog } = compileSnippet(code, {
    settings: { visible: { storeconfigs: true } },
    request: { termini: { outside: refuseOutside, exportedResources: () => [] } },
  });
  return keptCatalog(
    catalog,
    renderedCatalog(catalog, 'rich_data_json', { strict: 'off', log: () => undefined }),
    known,
  );
}

describe('the content of a catalog', () => {
  test('has the same name when nothing has changed, and is not made again', () => {
    const first = keep('file { "/a": ensure => file }');
    const second = keep('file { "/a": ensure => file }', first.contentId);

    expect(second.contentId).toBe(first.contentId);
    expect(second.catalogUuid).not.toBe(first.catalogUuid);
    expect(second.content).toBeUndefined();
    expect(JSON.parse(`{${first.content}}`).resources).toContainEqual(
      expect.objectContaining({ type: 'File', title: '/a', parameters: { ensure: 'file' } }),
    );
  });

  test.each([
    ['a value', 'notify { "n": message => "a" }', 'notify { "n": message => "b" }'],
    ['a line', 'notify { "n": }', '\nnotify { "n": }'],
    ['what is exported', 'notify { "n": }', 'notify { "n": } @@notify { "e": }'],
    ['a value of an exported resource', '@@notify { "e": message => 1 }', '@@notify { "e": message => "1" }'],
    ['a tag of an exported resource', '@@notify { "e": }', '@@notify { "e": tag => "t" }'],
  ])('has another name with %s', (_what, before, after) => {
    expect(keep(before).contentId).not.toBe(keep(after).contentId);
  });
});

describe('a worker', () => {
  let directory = '';
  let pool: WorkerPool;
  beforeAll(() => {
    directory = mkdtempSync(`${tmpdir()}/bunraku-kept-`);
    pool = new WorkerPool({
      workers: 1,
      workerUrl: builtWorker(new URL('./compile-worker.ts', import.meta.url)),
      maxQueued: 10,
      timeoutMs: 300_000,
      maxHeapMiB: 200,
      log: silentLogger,
    });
  });
  afterAll(async () => {
    await pool.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const job = jobOf();
  const keeping = { ...job, keeping: { knownContent: undefined } };
  const environmentOf = (code: string) => manifestOnly(code, directory, { codeId: 'code-1' });

  test('gives what is kept after the catalog, when that is wanted', async () => {
    const source = environmentOf('notify { "n": }');

    const kept = await (await pool.compile(source, keeping)).kept;
    const unwanted = await (await pool.compile(source, job)).kept;

    expect(kept).toMatchObject({ version: 1, codeId: 'code-1' });
    expect(kept?.content).toContain('"title":"n"');
    expect(unwanted).toBeUndefined();
  });

  test('fails a compile whose relationships PuppetDB would not have, in the words of its terminus', async () => {
    const source = environmentOf('notify { "n": alias => "other" } notify { "m": require => "notify[n]" }');
    const failed =
      "Invalid relationship: Notify[m] { require => notify[n] }, because notify[n] doesn't seem to be";

    await expect(pool.compile(source, keeping)).rejects.toThrow(failed);
    expect((await pool.compile(source, job)).resources).toBeGreaterThan(0);
  });
});
