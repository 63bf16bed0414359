import { addAbortSignal, PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Silence } from './silence.ts';

test('what arrives is passed on', async () => {
  const silence = new Silence(60_000);

  const content = await buffer(
    Readable.from(silence.watch(Readable.from([Buffer.from('a'), Buffer.from('b')]), 60_000)),
  );

  expect(content.toString()).toBe('ab');
});

test('a line that falls silent is as one that breaks', async () => {
  const silence = new Silence(60_000);
  const body = addAbortSignal(silence.signal, new PassThrough());
  body.write('a');

  await expect(buffer(Readable.from(silence.watch(body, 50)))).rejects.toThrow('nothing arrived for 0.05 s');
});

test('a connection that breaks says why', async () => {
  const body = new PassThrough();
  body.write('a');
  setImmediate(() => body.destroy(new Error('aborted')));

  await expect(buffer(Readable.from(new Silence(60_000).watch(body, 60_000)))).rejects.toThrow(
    'The connection to the primary broke: aborted',
  );
});
