import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codecV1 } from './codec-v1.ts';
import { codecV2 } from './codec-v2.ts';
import type { Message } from './message.ts';

const directory = new URL('../../../../test/recorded/pcp/', import.meta.url);

interface Entry {
  readonly dir?: string;
  readonly opcode?: string;
  readonly message?: unknown;
  readonly text?: string;
  readonly length?: number;
  readonly payload_hex?: string;
  readonly decoded?: {
    readonly chunks: readonly { readonly descriptor: number; readonly content: unknown }[];
  };
}

function entries(prefix: string): readonly Entry[] {
  const files = readdirSync(directory).filter((file) => file.startsWith(prefix));
  return files.flatMap((file) => {
    const { steps } = JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as {
      readonly steps: readonly { readonly entries: readonly Entry[] }[];
    };
    return steps.flatMap((step) => step.entries);
  });
}

describe('Version 2', () => {
  test('reads and writes every message of the recorded agents without a change', () => {
    const texts = entries('v2-')
      .filter(({ dir, opcode }) => dir === 'agent->broker' && opcode === 'text')
      // Long ones were cut when they were recorded.
      .filter(({ length, text }) => text === undefined || Buffer.byteLength(text) === length)
      .map(({ message, text }) => text ?? JSON.stringify(message));

    const written = texts.map((text) => codecV2.encode(codecV2.decode(text) as Message));

    expect(texts.length).toBeGreaterThan(100);
    // The order of members is ours: compared as values.
    expect(written.map((text) => JSON.parse(String(text)))).toEqual(texts.map((text) => JSON.parse(text)));
  });

  const valid = { id: '98681863-25fc-47f5-8bb6-a55f6bf39635', message_type: 'x' };

  test.each([
    ['text that is not JSON', '{'],
    ['a list', '[]'],
    ['no id', { message_type: 'x' }],
    ['an id that is not a UUID', { ...valid, id: 'one' }],
    ['no type', { id: valid.id }],
    ['another member', { ...valid, expires: '1970-01-01T00:00:00Z' }],
    ['a target that is not a URI', { ...valid, target: 'pcp://a' }],
    ['a sender that is null', { ...valid, sender: null }],
    ['an in_reply_to that is a number', { ...valid, in_reply_to: 1 }],
  ])('refuses %s', (_case, value) => {
    expect(codecV2.decode(typeof value === 'string' ? value : JSON.stringify(value))).toBeUndefined();
  });

  test('takes JSON in a binary frame', () => {
    expect(codecV2.decode(Buffer.from(JSON.stringify(valid)))).toMatchObject({ id: valid.id });
  });

  test('passes integers on that a double cannot hold', () => {
    const text = `{"id":"${valid.id}","message_type":"x","data":{"n":12345678901234567891,"s":"1234567890123456"}}`;

    expect(codecV2.encode(codecV2.decode(text) as Message)).toBe(text);
  });

  test('never fails on any text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void codecV2.decode(text)));
    expect(codecV2.decode('['.repeat(1_000_000))).toBeUndefined();
  });
});

describe('Version 1', () => {
  const recorded = entries('v1-').filter(({ dir, opcode }) => dir === 'agent->broker' && opcode === 'binary');
  const frames = recorded.map(({ payload_hex: hex = '' }) => Buffer.from(hex, 'hex'));

  test('reads every message of the recorded agents', () => {
    const read = frames.map((frame) => codecV1.decode(frame));

    expect(frames.length).toBeGreaterThan(10);
    for (const [index, message] of read.entries()) {
      const chunks = recorded[index]?.decoded?.chunks ?? [];
      const envelope = chunks[0]?.content as Readonly<Record<string, unknown>>;
      expect(message).toMatchObject({
        id: envelope['id'],
        messageType: envelope['message_type'],
        sender: envelope['sender'],
        targets: envelope['targets'],
      });
    }
  });

  test('writes what it reads again', () => {
    const message: Message = {
      id: 'a',
      messageType: 'http://puppetlabs.com/rpc_blocking_request',
      targets: ['pcp://a/agent'],
      sender: 'pcp://b:8143/server',
      data: { module: 'ping' },
    };

    expect(codecV1.decode(codecV1.encode(message) as Buffer)).toEqual(message);
  });

  test('has errors of the other form, and replies for inventories alone', () => {
    const error = {
      id: 'a',
      messageType: 'http://puppetlabs.com/error_message',
      targets: [],
      inReplyTo: 'b',
    };
    const frame = codecV1.encode({ ...error, data: 'Not connected.' }) as Buffer;
    const response = { ...error, messageType: 'http://puppetlabs.com/rpc_blocking_response', data: 1 };

    expect(frame.toString('latin1')).toContain('{"id":"b","description":"Not connected."}');
    expect(codecV1.decode(frame)).toEqual({ ...error, data: 'Not connected.', sender: 'pcp:///server' });
    expect((codecV1.encode(response) as Buffer).toString('latin1')).not.toContain('in-reply-to');
  });

  test('refuses frames that are cut off, have two envelopes or end in the middle of a chunk', () => {
    const [frame = Buffer.alloc(0)] = frames;

    expect(codecV1.decode(frame)).toBeDefined();
    for (let length = 0; length < frame.length; length += 1)
      expect(codecV1.decode(frame.subarray(0, length))).toBeUndefined();
    expect(codecV1.decode(Buffer.concat([frame, frame.subarray(1)]))).toBeUndefined();
    expect(codecV1.decode('text')).toBeUndefined();
  });

  test('never fails on any bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(fc.property(bytes, (tail) => void codecV1.decode(Buffer.concat([Buffer.from([1, 1]), tail]))));
  });
});
