import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let base: string;
let directory: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'bunraku-compiled-'));
  directory = join(base, 'state', 'compiled-program');
  writeFileSync(join(base, 'of-process.mjs'), 'export const name = 1;\n');
  writeFileSync(join(base, 'of-thread.mjs'), 'export const name = 2;\n');
});

afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

/** A process with a thread, each with a file of its own. */
function run(): void {
  const module = JSON.stringify(new URL('compiled-program.ts', import.meta.url));
  const script = `
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    import { keepCompiledProgram } from ${module};
    keepCompiledProgram(${JSON.stringify(directory)});
    await import(${JSON.stringify(join(base, 'of-process.mjs'))});
    await once(new Worker(${JSON.stringify(join(base, 'of-thread.mjs'))}, { execArgv: [] }), 'exit');`;
  // The tests themselves may run with a cache of their own, which a process that is started would take.
  const { NODE_COMPILE_CACHE: _ofTests, ...env } = process.env;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env });
}

const files = (): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

test('what a process and its threads load is kept', () => {
  run();

  expect(files()).toBe(2);
});

test('what earlier versions have left does not grow without end', () => {
  const old = join(directory, 'old');
  mkdirSync(old, { recursive: true });
  for (let index = 0; index < 600; index++) writeFileSync(join(old, String(index)), '');

  run();

  expect(files()).toBe(2);
});

test('a place that can not be written to is no obstacle', () => {
  writeFileSync(join(base, 'state'), 'a file');

  expect(run).not.toThrow();
});
