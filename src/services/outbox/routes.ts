/** The primary's end of the outboxes. */

import { z } from 'zod';
import { ServiceError } from '../../lib/service-error.ts';
import { type Route, route } from '../../platform/http/index.ts';
import type { MessageSink } from './message.ts';

const MessageWire = z.object({
  kind: z.enum(['facts', 'report']),
  certname: z.string(),
  environment: z.string(),
  payload: z.string(),
});

/** A report of a large node with all its logs. */
const maxMessageBytes = 128 * 1024 * 1024;

export function outboxRoutes(sink: MessageSink): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/outbox/v1/messages',
      allow: { kind: 'infrastructure' },
      maxBodyBytes: maxMessageBytes,
      handle: async (request) => {
        const decoded = MessageWire.safeParse(parse(await request.body()));
        if (!decoded.success) throw new ServiceError('bad-request', decoded.error.message);
        await sink.accept(decoded.data);
        return { status: 204 };
      },
    }),
  ];
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new ServiceError('bad-request', 'The body is not valid JSON', { cause: error });
  }
}
