import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BufferedOutput } from './buffered-output.ts';

/** More than a pipe takes. */
const lotsOfBytes = 256 * 1024;

test('lines that come while a reader is slow are written when it reads again', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'held-'));
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY);
  const output = new BufferedOutput({ fd: writer, bytes: lotsOfBytes, intervalMs: 5 });

  output.write(`${'x'.repeat(lotsOfBytes)}\n`);
  output.write('the last line\n');
  // Its moment passes while the first is still on its way.
  await sleep(50);
  const text = await readUntil(reader, 'the last line\n');

  expect(text.endsWith('x\nthe last line\n')).toBe(true);
  closeSync(writer);
  closeSync(reader);
  rmSync(directory, { recursive: true });
});

async function readUntil(fd: number, end: string): Promise<string> {
  const buffer = Buffer.alloc(64 * 1024);
  let text = '';
  while (!text.endsWith(end)) {
    try {
      text += buffer.toString('utf8', 0, readSync(fd, buffer));
    } catch {
      // Nothing there at this moment.
      await sleep(10);
    }
  }
  return text;
}
