/** PCP 2: a message is one JSON object. */

import { parseJson } from './json.ts';
import type { Codec, Message } from './message.ts';
import { parseUri } from './uri.ts';

const members = new Set(['id', 'message_type', 'target', 'sender', 'in_reply_to', 'data']);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `pcp://<broker>/pcp2/<type>`; agents send text, and take the same in a binary frame. */
export const codecV2: Codec = {
  decode(frame) {
    const object = parseJson(frame);
    if (object === undefined || !Object.keys(object).every((name) => members.has(name))) return undefined;
    const { data, id, in_reply_to: inReplyTo, message_type: messageType, sender, target } = object;
    if (typeof id !== 'string' || !uuid.test(id) || typeof messageType !== 'string') return undefined;
    if (!isAbsentOrUri(target) || !isAbsentOrUri(sender) || !isAbsentOrText(inReplyTo)) return undefined;
    return {
      id,
      messageType,
      targets: target === undefined ? [] : [target],
      ...(sender === undefined ? {} : { sender }),
      ...(inReplyTo === undefined ? {} : { inReplyTo }),
      ...(data === undefined ? {} : { data }),
    };
  },
  encode: ({ data, id, inReplyTo, messageType, sender, targets }: Message) =>
    JSON.stringify({
      id,
      message_type: messageType,
      target: targets[0],
      sender,
      in_reply_to: inReplyTo,
      data,
    }),
};

function isAbsentOrText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isAbsentOrUri(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && parseUri(value) !== undefined);
}
