/** `/pdb/cmd/v1`: takes commands; the answer comes when they are durable. */

import {
  type Access,
  clientKey,
  type HttpRequest,
  type HttpResponse,
  type Identity,
  type Route,
  route,
} from '../../../platform/http/index.ts';
import { ClientTurns } from '../client-turns.ts';
import { type Observe, observed } from './observe.ts';
import { jsonAnswer, textAnswer } from './text-answer.ts';

/** Reports of first runs of large nodes. */
const maxBodyBytes = 128 * 1024 * 1024;

/** Commands in memory at a time; the others wait in their connections. */
const commandsAtOnce = 16;
/** A client that sends slowly leaves places to others. */
const commandsPerClient = 8;
/** A Puppet Server of the reference sends the commands of many agents at the same time. */
const maxOpenPerClient = 1000;

/** Carries commands out somewhere else than in the thread that serves HTTP. */
export interface CommandTaker {
  takeCommand(
    search: string,
    body: Uint8Array,
    onlyCertname?: string,
  ): Promise<{
    readonly status: number;
    readonly body: string;
    readonly fields: Readonly<Record<string, unknown>>;
  }>;
}

const path = '/pdb/cmd/v1';

export interface CommandAccess {
  readonly allow: Access;
  /** The only node whose commands a client may send; any node's when absent or undefined. */
  readonly restrictedCertname: ((identity: Identity) => string | undefined) | undefined;
}

export function commandRoutes(
  taker: CommandTaker,
  { allow, restrictedCertname }: CommandAccess,
  observe: Observe,
): readonly Route[] {
  const turns = new ClientTurns({
    places: commandsAtOnce,
    placesPerClient: commandsPerClient,
    maxOpenPerClient,
  });
  const take = async (request: HttpRequest): Promise<HttpResponse> => {
    const client = clientKey(request.identity);
    const leave = turns.enter(client);
    try {
      return await turns.run(client, request.signal, () =>
        observed(observe, path, () => submit(taker, request, restrictedCertname?.(request.identity))),
      );
    } finally {
      leave();
    }
  };
  return [
    route({
      method: 'POST',
      path,
      allow,
      maxBodyBytes,
      // On loopback without TLS no client has an identity, and PuppetDB's clients compress.
      takesCodedFromAnonymous: true,
      handle: take,
    }),
  ];
}

async function submit(
  taker: CommandTaker,
  request: HttpRequest,
  onlyCertname: string | undefined,
): Promise<HttpResponse> {
  const type = (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim() ?? '';
  if (type.toLowerCase() !== 'application/json') return textAnswer(`content type ${type} not supported`, 415);
  const { status, body, fields } = await taker.takeCommand(
    request.query.toString(),
    await request.body(),
    onlyCertname,
  );
  const answer = jsonAnswer(body, {}, status);
  return status === 200 ? { ...answer, logged: { message: 'received command', fields } } : answer;
}
