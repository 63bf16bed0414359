/** A message of an agent, as a broker passes it on; for a thread that reads large ones. */

import type { Json } from '../../../lib/json.ts';
import { codecV2 } from '../messages/codec-v2.ts';
import { parseUri } from '../messages/uri.ts';
import type { ReceivedMessage } from './agent-controller.ts';

/** @returns `undefined` for what is not a message of an agent */
export function decodeAgentMessage(
  bytes: Uint8Array,
): { readonly certname: string; readonly message: ReceivedMessage } | undefined {
  const found = codecV2.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const sender = parseUri(found?.sender ?? '');
  if (found === undefined || sender === undefined || sender.name === '') return undefined;
  const { data = null, id, inReplyTo, messageType } = found;
  const reply = inReplyTo === undefined ? {} : { inReplyTo };
  return { certname: sender.name, message: { id, messageType, data: data as Json, ...reply } };
}
