import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runOnce } from './one-shot.ts';

/** The file of a thread. @param work - an expression of its function */
function threadFile(work: string): URL {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-once-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'thread.mts');
  const module = new URL('./one-shot.ts', import.meta.url).href;
  writeFileSync(file, `import { answerOnce } from ${JSON.stringify(module)};\nanswerOnce(${work});\n`);
  return pathToFileURL(file);
}

const onEnded = () => new Error('it ended early');

test('the thread gets its data and answers', async () => {
  const workerUrl = threadFile('({ a, b }) => ({ sum: a + b })');

  expect(await runOnce({ workerUrl, data: { a: 1, b: 2 }, onEnded })).toEqual({ sum: 3 });
});

test('an error of the thread is the error of the call', async () => {
  const workerUrl = threadFile(`() => { throw new RangeError('too much'); }`);

  await expect(runOnce({ workerUrl, data: null, onEnded })).rejects.toThrow(new RangeError('too much'));
});

test('a thread that ends without an answer is an error', async () => {
  const workerUrl = threadFile('() => process.exit(0)');

  await expect(runOnce({ workerUrl, data: null, onEnded })).rejects.toThrow('it ended early');
});

test('the signal ends a thread that does not stop', async () => {
  const workerUrl = threadFile('() => { for (;;); }');
  const stop = new AbortController();
  const running = runOnce({ workerUrl, data: null, onEnded, signal: stop.signal });

  stop.abort();

  await expect(running).rejects.toThrow('it ended early');
});

test('no thread is started for a signal that is aborted already', async () => {
  const data = new SharedArrayBuffer(1);
  const workerUrl = threadFile('(data) => { new Uint8Array(data)[0] = 1; }');
  const signal = AbortSignal.abort(new Error('gone'));

  await expect(runOnce({ workerUrl, data, onEnded, signal })).rejects.toThrow('gone');
  expect(new Uint8Array(data)[0]).toBe(0);
});
