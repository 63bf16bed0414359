import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtWorker } from '../../../../test/support/built-worker.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { jobOf, environmentOf as manifestOnly, untilCompiled } from '../compile-job.testing.ts';
import type { CompileLogLine } from '../worker-protocol.ts';
import { WorkerPool } from './worker-pool.ts';

const job = jobOf();

let directory = '';
let pool: WorkerPool | undefined;
/** What the pool has reported as errors: the deaths of its workers. */
let errors: string[] = [];

beforeEach(() => {
  errors = [];
  directory = mkdtempSync(`${tmpdir()}/bunraku-pool-`);
});

afterEach(async () => {
  await pool?.close();
  rmSync(directory, { recursive: true, force: true });
});

function startPool(limits: {
  readonly workers?: number;
  readonly timeoutMs: number;
  readonly maxHeapMiB: number;
}): WorkerPool {
  pool = new WorkerPool({
    workers: 1,
    workerUrl: builtWorker(new URL('../compile-worker.ts', import.meta.url)),
    maxQueued: 10,
    log: { ...silentLogger, error: (...args: readonly unknown[]) => errors.push(String(args.at(-1))) },
    ...limits,
  });
  return pool;
}

function environmentOf(code: string) {
  return manifestOnly(code, directory);
}

const harmless = environmentOf("notify { 'well': }");

describe('a pool whose worker is at its end', () => {
  it('fails a compile that wants too much memory, and lives', async () => {
    const compiles = startPool({ timeoutMs: 300_000, maxHeapMiB: 64 });
    const greedy = [
      '$a = Integer[1, 1000000000000].map |$x| { { $x => [$x, "a${x}"] } }',
      '$a = Integer[1, 1000000000000].reduce([]) |$m, $x| { [$m, [$x], "text ${x}"] }',
      '$a = Array(Integer[1, 1000000000000])',
    ];

    for (const code of greedy)
      await expect(compiles.compile(environmentOf(code), job)).rejects.toThrow(/failed to allocate memory/);

    expect((await compiles.compile(harmless, job)).resources).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });

  it('ends compiles that do not end by themselves', async () => {
    const compiles = startPool({ workers: 3, timeoutMs: 2000, maxHeapMiB: 256 });
    const endless = [
      'Integer[1, 1000000000000].each |$x| { }',
      `$a = '${'a'.repeat(60)}!' =~ /^(a|a)+$/`,
      '$a = Integer[1, 1000000000000].reduce("") |$m, $x| { "a${x}" }',
    ];
    const hung = endless.map((code) => compiles.compile(environmentOf(code), job));
    const next = untilCompiled(compiles, harmless, job);

    for (const compile of await Promise.allSettled(hung))
      expect(String(compile.status === 'rejected' && compile.reason)).toMatch(/took longer than 2 seconds/);

    expect((await next).resources).toBeGreaterThan(0);
  });

  it('answers with an error, and lives, when calls do not end', async () => {
    const compiles = startPool({ timeoutMs: 300_000, maxHeapMiB: 256 });
    const endless = environmentOf('function f($x) { f([$x]) } f(1)');
    const nested = environmentOf(
      "$n = Integer[1, 50000].reduce([]) |$m, $x| { [$m] } notify { 'a': message => $n }",
    );

    for (const source of [endless, nested])
      await expect(compiles.compile(source, job)).rejects.toThrow(/stack level too deep/);

    expect((await compiles.compile(harmless, job)).resources).toBeGreaterThan(0);
  });

  it('takes compiles to be as long as elsewhere until it has measured one', async () => {
    const compiles = startPool({ timeoutMs: 300_000, maxHeapMiB: 256 });
    compiles.expectCompileMs(40_000);
    expect(compiles.meanCompileMs).toBe(40_000);

    await compiles.compile(harmless, job);
    const measured = compiles.meanCompileMs;
    compiles.expectCompileMs(40_000);

    expect(measured).toBeLessThan(40_000);
    expect(compiles.meanCompileMs).toBe(measured);
  });

  it('compiles nothing for a client that has gone away while its request waited', async () => {
    const compiles = startPool({ timeoutMs: 1000, maxHeapMiB: 256 });
    const leaving = new AbortController();
    const running = compiles.compile(environmentOf('Integer[1, 1000000000000].each |$x| { }'), job);
    const waiting = compiles.compile(harmless, job, leaving.signal);

    leaving.abort(new Error('gone'));

    await expect(waiting).rejects.toThrow('gone');
    expect(compiles.queued).toBe(0);
    await expect(running).rejects.toThrow(/took longer/);
    await expect(compiles.compile(harmless, job, leaving.signal)).rejects.toThrow('gone');
  });
});

describe('messages of manifests', () => {
  const talkative = environmentOf("debug('d') info('i') notice('n') warning('w') err('e')");
  const ofManifest = (lines: readonly CompileLogLine[]) => lines.map(({ message }) => message.at(-1));

  it.each([
    { leastLevel: undefined, found: ['d', 'i', 'n', 'w', 'e'] },
    { leastLevel: 'info', found: ['i', 'n', 'w', 'e'] },
    { leastLevel: 'warning', found: ['w', 'e'] },
  ] as const)('come from the worker if they are wanted ($leastLevel)', async ({ found, leastLevel }) => {
    const compiles = startPool({ timeoutMs: 300_000, maxHeapMiB: 256 });
    const wanting = leastLevel === undefined ? job : { ...job, leastLevel };

    expect(ofManifest((await compiles.compile(talkative, wanting)).logs)).toEqual(found);
  });
});
