import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { builtWorker } from '../../../test/support/built-worker.ts';
import { type Logger, silentLogger } from '../../platform/log/index.ts';
import { environmentWith, jobOf } from './compile-job.testing.ts';
import { WorkerPool } from './pool/index.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'bunraku-test-'));
const pools: WorkerPool[] = [];

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  rmSync(directory, { recursive: true, force: true });
});

/** Ends Ruby where it is told to. */
const fragile = `Puppet::Functions.create_function(:'m::f') do
  def f(node)
    exit!(1) if node == 'ends'
    RUBY_PLATFORM
  end
end
`;

function source() {
  return environmentWith(
    {
      'modules/m/lib/puppet/functions/m/f.rb': fragile,
      'manifests/site.pp': "notify { m::f($trusted['certname']): }",
    },
    directory,
  );
}

it('runs code of modules in all workers, with one image for all; what ends it costs one compile', async () => {
  const layers: unknown[] = [];
  const log: Logger = { ...silentLogger, info: (fields) => layers.push(fields['layer']) };
  const pool = new WorkerPool({
    workers: 2,
    workerUrl: builtWorker(new URL('./compile-worker.ts', import.meta.url)),
    timeoutMs: 300_000,
    maxQueued: 10,
    maxHeapMiB: 200,
    ruby: 'wasm',
    log,
  });
  pools.push(pool);
  const environment = source();

  const compiled = await Promise.all(['a', 'b'].map((name) => pool.compile(environment, jobOf(name))));
  for (const { catalog } of compiled)
    expect(new TextDecoder().decode(catalog)).toContain('"title":"wasm32-wasi"');
  expect(pool.rubies).toBe(2);
  await expect(pool.compile(environment, jobOf('ends'))).rejects.toThrow(
    "Ruby ended unexpectedly while it was running the function 'm::f' (/code/environments/production/modules/m/lib",
  );
  await pool.compile(environment, jobOf('a'));
  expect(layers).toContain('L3');

  pool.forget('one');
  await expect.poll(() => pool.rubies).toBe(0);
});
