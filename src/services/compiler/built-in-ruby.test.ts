import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { defaultLanguageSettings } from '../../language/environment/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { WorkerPool } from './worker-pool.ts';
import type { CompileJob, EnvironmentSource } from './worker-protocol.ts';

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

function source(): EnvironmentSource {
  const file = path.join(directory, 'modules/m/lib/puppet/functions/m/f.rb');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, fragile);
  const manifests = path.join(directory, 'manifests');
  mkdirSync(manifests);
  writeFileSync(path.join(manifests, 'site.pp'), "notify { m::f($trusted['certname']): }");
  return {
    key: 'one',
    physicalDirectory: directory,
    config: {
      name: 'production',
      directory: '/code/environments/production',
      modulepath: ['/code/environments/production/modules'],
      manifest: '/code/environments/production/manifests',
      configVersion: 1,
      codeId: null,
      settings: defaultLanguageSettings,
    },
  };
}

function job(certname: string): CompileJob {
  return {
    certname,
    facts: {},
    trusted: { authenticated: 'local', certname, extensions: {}, external: {} },
    serverFacts: {},
    node: { classes: {}, parameters: {} },
    format: 'rich_data_json',
  };
}

it('runs code of modules in all workers, with one image for all; what ends it costs one compile', async () => {
  const layers: unknown[] = [];
  const ignore = () => {};
  const log = {
    debug: ignore,
    warn: ignore,
    error: ignore,
    info: (fields: { readonly layer?: string }) => layers.push(fields.layer),
  } as unknown as Logger;
  const pool = new WorkerPool({
    workers: 2,
    workerUrl: new URL('./compile-worker.ts', import.meta.url),
    timeoutMs: 60_000,
    maxQueued: 10,
    maxHeapMiB: 200,
    ruby: 'wasm',
    log,
  });
  pools.push(pool);
  const environment = source();

  const compiled = await Promise.all(['a', 'b'].map((name) => pool.compile(environment, job(name))));
  for (const { catalog } of compiled)
    expect(new TextDecoder().decode(catalog)).toContain('"title":"wasm32-wasi"');
  expect(pool.rubies).toBe(2);
  await expect(pool.compile(environment, job('ends'))).rejects.toThrow(
    "Ruby ended unexpectedly while it was running the function 'm::f' (/code/environments/production/modules/m/lib",
  );
  await pool.compile(environment, job('a'));
  expect(layers).toContain('L3');

  pool.forget('one');
  await expect.poll(() => pool.rubies).toBe(0);
}, 60_000);
