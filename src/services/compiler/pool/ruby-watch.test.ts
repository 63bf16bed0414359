import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { builtWorker } from '../../../../test/support/built-worker.ts';
import { type Logger, silentLogger } from '../../../platform/log/index.ts';
import { environmentWith, jobOf, untilCompiled } from '../compile-job.testing.ts';
import { WorkerPool } from './worker-pool.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'bunraku-test-'));
const pools: WorkerPool[] = [];

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  rmSync(directory, { recursive: true, force: true });
});

/** Waits within Ruby, longer than a compile may take. */
const hanging = `Puppet::Functions.create_function(:'m::f') do
  def f(seconds)
    seconds.zero? ? 'done' : sleep(seconds)
  end
end
`;

function source() {
  return environmentWith(
    {
      'modules/m/lib/puppet/functions/m/f.rb': hanging,
      'manifests/site.pp':
        'node hangs { notify { String(m::f(600)): } } node default { notify { m::f(0): } }',
    },
    directory,
  );
}

function hasRuby(): boolean {
  try {
    execFileSync('ruby', ['-e', '']);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasRuby())('the Ruby of a worker', () => {
  it('ends with a compile that takes too long, and with its version', async () => {
    const versions: unknown[] = [];
    const log: Logger = { ...silentLogger, info: (fields) => versions.push(fields['rubyVersion']) };
    const pool = new WorkerPool({
      workers: 1,
      workerUrl: builtWorker(new URL('../compile-worker.ts', import.meta.url)),
      timeoutMs: 20_000,
      maxQueued: 10,
      maxHeapMiB: 200,
      log,
    });
    pools.push(pool);
    const environment = source();

    await untilCompiled(pool, environment, jobOf('a.example.net'));
    expect(pool.rubies).toBe(1);
    const before = versions.length;
    await expect(pool.compile(environment, jobOf('hangs'))).rejects.toThrow(
      'Compiling the catalog of hangs took longer than 20 seconds',
    );
    expect(pool.rubies).toBe(0);
    const { resources } = await untilCompiled(pool, environment, jobOf('a.example.net'));
    expect(resources).toBeGreaterThan(1);
    expect(versions[0]).toMatch(/^\d+\.\d+/);
    expect(versions.length).toBeGreaterThan(before);
    expect(new Set(versions).size).toBe(1);

    pool.forget('one');
    await expect.poll(() => pool.rubies).toBe(0);
  });
});
