/** The primary's end of the outboxes. */

import { ServiceError } from '../../lib/service-error.ts';
import { type Route, route } from '../../platform/http/index.ts';
import { batchPath, type CommandAnswer, commandPath, decodeBatch, type SentCommand } from './batch.ts';

/** A command that a compile server delivers. */
export interface Delivery {
  /** `replace_facts` */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  /** ISO 8601. */
  readonly producerTimestamp: string;
  /** JSON, UTF-8; of a catalog it may only name the content. */
  readonly payload: Uint8Array;
}

/** Carries out what arrives. */
export interface DeliveryTerminus {
  /**
   * Durable when it resolves.
   *
   * @returns `content-wanted` when the name of a catalog's content does not do
   * @throws ServiceError `bad-request` when it will never be taken, `unavailable` when the sender must try again
   */
  take(delivery: Delivery): Promise<'taken' | 'content-wanted'>;
}

/** A report of a large node with all its logs. */
const maxMessageBytes = 128 * 1024 * 1024;

export function outboxRoutes(terminus: DeliveryTerminus): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: commandPath,
      allow: { kind: 'infrastructure' },
      maxBodyBytes: maxMessageBytes,
      handle: async (request) => {
        const { body, status } = await take(terminus, request.query, await request.body());
        if (status === 200) return { status: 204 };
        return { status, headers: { 'content-type': 'application/json' }, body };
      },
    }),
    route({
      method: 'POST',
      path: batchPath,
      allow: { kind: 'infrastructure' },
      maxBodyBytes: maxMessageBytes,
      handle: async (request) => {
        const answers = await takeAll(terminus, decodeBatch(await request.body()));
        const headers = { 'content-type': 'application/json' };
        return { status: 200, headers, body: JSON.stringify(answers) };
      },
    }),
  ];
}

/** Side by side: they share a sync. @throws the first failure, when all have ended: the sender tries all again */
async function takeAll(
  terminus: DeliveryTerminus,
  commands: readonly SentCommand[],
): Promise<readonly CommandAnswer[]> {
  const taken = commands.map(({ body, search }) => take(terminus, new URLSearchParams(search), body));
  const outcomes = await Promise.allSettled(taken);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

async function take(
  terminus: DeliveryTerminus,
  parameters: URLSearchParams,
  body: Buffer,
): Promise<CommandAnswer> {
  try {
    const taken = await terminus.take(decodeDelivery(parameters, body));
    return taken === 'taken' ? { status: 200, body: '' } : { status: 409, body: '{}' };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason !== 'bad-request') throw error;
    return { status: 400, body: JSON.stringify({ error: error.message }) };
  }
}

function decodeDelivery(parameters: URLSearchParams, payload: Buffer): Delivery {
  return {
    command: parameters.get('command') ?? '',
    version: Number(parameters.get('version')),
    certname: parameters.get('certname') ?? '',
    producerTimestamp: parameters.get('producer-timestamp') ?? new Date().toISOString(),
    payload,
  };
}
