import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtWorker } from '../../../test/support/built-worker.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { jobOf, environmentOf as manifestOnly } from './compile-job.testing.ts';
import { WorkerPool } from './pool/index.ts';
import type { PuppetDbTerminus } from './termini.ts';

const job = jobOf();

let directory = '';
let pool: WorkerPool | undefined;

beforeEach(() => {
  directory = mkdtempSync(`${tmpdir()}/bunraku-link-`);
});

afterEach(async () => {
  await pool?.close();
  pool = undefined;
  rmSync(directory, { recursive: true, force: true });
});

function startPool(puppetDb: PuppetDbTerminus): WorkerPool {
  pool = new WorkerPool({
    workers: 2,
    workerUrl: builtWorker(new URL('./compile-worker.ts', import.meta.url)),
    maxQueued: 10,
    maxHeapMiB: 256,
    timeoutMs: 300_000,
    puppetDb,
    log: silentLogger,
  });
  return pool;
}

function environmentOf(code: string) {
  return manifestOnly(code, directory, { globalHieraConfig: `${directory}/hiera.yaml` });
}

async function titlesOf(workers: WorkerPool, code: string): Promise<readonly string[]> {
  const { catalog } = await workers.compile(environmentOf(code), job);
  const parsed = JSON.parse(Buffer.from(catalog).toString('utf8')) as {
    readonly resources: readonly { readonly type: string; readonly title: string }[];
  };
  return parsed.resources.filter(({ type }) => type === 'Notify').map(({ title }) => title);
}

const rows = (text: string) => () => Promise.resolve(text);

describe('A compile that asks PuppetDB', () => {
  it('waits for the rows; their numbers keep their form', async () => {
    const query = rows('[{"a":1.0,"b":12345678901234567890}]');
    const workers = startPool({ query });

    const titles = await titlesOf(workers, 'notify { "${puppetdb_query(\'x\')}": }');

    expect(titles).toEqual(['[{a => 1.0, b => 12345678901234567890}]']);
  });

  it('asks once for each collector, however often it collects', async () => {
    const queries: unknown[] = [];
    const findResources = (query: string) => {
      queries.push(JSON.parse(query));
      const found = { certname: 'b', type: 'Notify', title: `of b ${queries.length}`, parameters: {} };
      return Promise.resolve(JSON.stringify([found]));
    };
    const workers = startPool({ findResources, query: rows('[]') });

    const titles = await titlesOf(
      workers,
      "define d { notify { $title: } } d { 'x': } Notify <<| |>> Notify <<| |>>",
    );

    expect(titles).toEqual(['of b 1', 'of b 2', 'x']);
    expect(queries).toEqual(
      Array.from({ length: 2 }, () => [
        'and',
        ['=', 'type', 'Notify'],
        ['=', 'exported', true],
        ['not', ['=', 'certname', 'a.example.com']],
      ]),
    );
  });

  it('fails in the words of the terminus, and the next goes on', async () => {
    const failures = [new ServiceError('unavailable', 'there is no answer')];
    const query = () => {
      const failure = failures.pop();
      return failure === undefined ? Promise.resolve('[]') : Promise.reject(failure);
    };
    const workers = startPool({ query });

    await expect(titlesOf(workers, "puppetdb_query('x')")).rejects.toThrow(
      'Evaluation Error: Error while evaluating a Function Call, there is no answer (line: 1, column: 1) on node a.example.com',
    );
    expect(await titlesOf(workers, "puppetdb_query('x') notify { 'after': }")).toEqual(['after']);
  });

  it('ends with its worker, and so does the query', async () => {
    const asked: AbortSignal[] = [];
    const query = (_query: string, signal: AbortSignal) => {
      asked.push(signal);
      return new Promise<string>(() => {});
    };
    const workers = startPool({ query });

    const compile = titlesOf(workers, "puppetdb_query('x')").catch((error: unknown) => error);
    await expect.poll(() => asked.length).toBe(1);
    await workers.close();

    expect(await compile).toMatchObject({ message: 'The server is shutting down' });
    await expect.poll(() => asked[0]?.aborted).toBe(true);
  });

  it('does not keep others from compiling', async () => {
    const waiting: ((text: string) => void)[] = [];
    const workers = startPool({ query: () => new Promise((resolve) => waiting.push(resolve)) });

    const slow = titlesOf(workers, "puppetdb_query('x') notify { 'slow': }");
    await expect.poll(() => waiting.length).toBe(1);
    const quick = await titlesOf(workers, "notify { 'quick': }");
    waiting[0]?.('[]');

    expect(quick).toEqual(['quick']);
    expect(await slow).toEqual(['slow']);
  });
});
