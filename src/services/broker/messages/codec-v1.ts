/**
 * PCP 1: a version byte, then chunks. A chunk is a byte whose low four bits say what it is, a length of 32 bits, and that many
 * bytes. The first chunk is the envelope; at most one has the data; the others are notes for debugging, which no broker keeps.
 *
 * The meaning is that of version 2: `targets[0]` is the target, an `error_message` with id and description is one with
 * `in_reply_to` and a text, and what version 2 has no words for (`expires`, `destination_report`) says nothing.
 */

import { parseJson, parseValue } from './json.ts';
import { brokerUri, type Codec, type Message, messageTypes } from './message.ts';
import { parseUri } from './uri.ts';

const versionByte = 1;
const headerBytes = 5;
const envelopeChunk = 1;
const dataChunk = 2;
const debugChunk = 3;
/** Version 2 knows no end of a message's life; agents of version 1 do not look at it. */
const expires = '1970-01-01T00:00:00.000Z';
const envelopeMembers = new Set([
  'id',
  'message_type',
  'expires',
  'targets',
  'sender',
  'destination_report',
  'in-reply-to',
]);

export const codecV1: Codec = {
  decode(frame) {
    if (typeof frame === 'string' || frame[0] !== versionByte) return undefined;
    const chunks = readChunks(frame);
    const [first, ...others] = chunks ?? [];
    if (first?.kind !== envelopeChunk || others.some(({ kind }) => kind === envelopeChunk)) return undefined;
    const withData = others.filter(({ kind }) => kind === dataChunk);
    const [data] = withData;
    if (withData.length > 1) return undefined;
    if (data === undefined) return readEnvelope(first.content);
    const held = parseValue(data.content);
    return held && withV2Error(readEnvelope(first.content), held.value);
  },
  encode(message) {
    const { data, id, inReplyTo, messageType, sender, targets } = message;
    const hasReplyTo = messageType === messageTypes.inventoryResponse && inReplyTo !== undefined;
    const envelope = {
      id,
      message_type: messageType,
      targets,
      expires,
      sender: sender ?? brokerUri,
      ...(hasReplyTo ? { 'in-reply-to': inReplyTo } : {}),
    };
    const chunks = [chunkOf(envelopeChunk, envelope)];
    if (messageType === messageTypes.error)
      chunks.push(chunkOf(dataChunk, { id: inReplyTo, description: data }));
    else if (data !== undefined) chunks.push(chunkOf(dataChunk, data));
    return Buffer.concat([Buffer.from([versionByte]), ...chunks]);
  },
};

interface Chunk {
  readonly kind: number;
  readonly content: Buffer;
}

function readChunks(frame: Buffer): readonly Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = 1; at < frame.length; ) {
    if (at + headerBytes > frame.length) return undefined;
    const kind = frame.readUInt8(at) & 0x0f;
    const length = frame.readInt32BE(at + 1);
    const begin = at + headerBytes;
    if (kind < envelopeChunk || kind > debugChunk || length < 0 || begin + length > frame.length)
      return undefined;
    if (kind !== debugChunk) chunks.push({ kind, content: frame.subarray(begin, begin + length) });
    at = begin + length;
  }
  return chunks;
}

function readEnvelope(content: Buffer): Message | undefined {
  const object = parseJson(content);
  if (object === undefined || !Object.keys(object).every((name) => envelopeMembers.has(name)))
    return undefined;
  const { destination_report: report, expires: end, id, message_type: messageType, sender, targets } = object;
  if (typeof id !== 'string' || typeof messageType !== 'string' || typeof end !== 'string') return undefined;
  if (report !== undefined && typeof report !== 'boolean') return undefined;
  if (!isUri(sender) || !Array.isArray(targets) || !targets.every(isUri)) return undefined;
  const inReplyTo = object['in-reply-to'];
  if (inReplyTo !== undefined && typeof inReplyTo !== 'string') return undefined;
  return { id, messageType, targets, sender, ...(inReplyTo === undefined ? {} : { inReplyTo }) };
}

function isUri(value: unknown): value is string {
  return typeof value === 'string' && parseUri(value) !== undefined;
}

function withV2Error(message: Message | undefined, data: unknown): Message | undefined {
  if (message?.messageType !== messageTypes.error) return message && { ...message, data };
  const { description, id } = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof description !== 'string') return undefined;
  return { ...message, data: description, ...(typeof id === 'string' ? { inReplyTo: id } : {}) };
}

function chunkOf(kind: number, value: unknown): Buffer {
  const content = Buffer.from(JSON.stringify(value));
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(kind, 0);
  header.writeInt32BE(content.length, 1);
  return Buffer.concat([header, content]);
}
