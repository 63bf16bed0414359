import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { FrameReader, frameOf } from '../frames.ts';
import { ChannelEnd, GUEST, HOST, newChannelMemory } from './frame-channel.ts';

/** Another thread that sends everything back in upper case until it is told to go. */
const echo = `
const { workerData } = require('node:worker_threads');
import(workerData.channel).then(async ({ ChannelEnd, GUEST }) => {
  const { FrameReader, frameOf } = await import(workerData.frames);
  const end = new ChannelEnd(workerData.memory, GUEST);
  const reader = new FrameReader((target) => end.read(target));
  for (;;) {
    const text = reader.read();
    if (text === undefined || text === 'go') break;
    end.write([frameOf(text.toUpperCase())]);
  }
  end.close();
});
`;

function withEcho(): ChannelEnd {
  const memory = newChannelMemory();
  const worker = new Worker(echo, {
    eval: true,
    workerData: {
      memory,
      channel: new URL('./frame-channel.ts', import.meta.url).href,
      frames: new URL('../frames.ts', import.meta.url).href,
    },
  });
  worker.unref();
  return new ChannelEnd(memory, HOST);
}

it('carries messages of any size from thread to thread and back', () => {
  const end = withEcho();
  const reader = new FrameReader((target) => end.read(target));

  for (const text of ['a', '', 'ä'.repeat(200_000), 'b'.repeat(262_136), 'c'.repeat(1_000_000)]) {
    end.write([frameOf(text)]);

    expect(reader.read()).toBe(text.toUpperCase());
  }
});

it('tells who waits that the other side has gone', () => {
  const end = withEcho();

  end.write([frameOf('go')]);

  expect(end.read(new Uint8Array(1))).toBe(0);
  expect(end.write([frameOf('x')])).toBe(false);
});

it('gives up waiting when it is too late', () => {
  const memory = newChannelMemory();
  const guest = new ChannelEnd(memory, GUEST);

  expect(new ChannelEnd(memory, HOST).read(new Uint8Array(1), performance.now() + 10)).toBe(0);
  expect(guest.write([Uint8Array.of(1)])).toBe(true);
});
