/** `/pdb/cmd/v1`: takes commands; the answer comes when they are durable. */

import { ServiceError, type ServiceErrorReason } from '../../../lib/service-error.ts';
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
import type { CommandReceipt } from '../commands/command-outcome.ts';
import type { SentCommand } from '../commands/submission.ts';
import { readCommandParameters } from './command-forms.ts';
import { type Observe, observed } from './observe.ts';
import { errorJson, jsonAnswer, textAnswer } from './text-answer.ts';

/** Reports of first runs of large nodes. */
const maxBodyBytes = 128 * 1024 * 1024;

/** Commands in memory at a time; the others wait in their connections. */
const commandsAtOnce = 16;
/** A client that sends slowly leaves places to others. */
const commandsPerClient = 8;
/** A Puppet Server of the reference sends the commands of many agents at the same time. */
const maxOpenPerClient = 1000;

/** Carries commands out. */
export interface CommandTerminus {
  submit(command: SentCommand, onlyCertname?: string): Promise<CommandReceipt>;
  submitOldForm(body: Uint8Array, onlyCertname?: string): Promise<CommandReceipt>;
}

const path = '/pdb/cmd/v1';

export interface CommandAccess {
  readonly allow: Access;
  /** The only node whose commands a client may send; any node's when absent or undefined. */
  readonly restrictedCertname: ((identity: Identity) => string | undefined) | undefined;
  /** Told of each command that was carried out, and of its sender. */
  readonly onTaken: OnTaken | undefined;
}

export type OnTaken = (receipt: CommandReceipt, identity: Identity) => Promise<void>;

export function commandRoutes(
  terminus: CommandTerminus,
  { allow, onTaken, restrictedCertname }: CommandAccess,
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
        observed(observe, path, () =>
          submit(terminus, request, restrictedCertname?.(request.identity), onTaken),
        ),
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
  terminus: CommandTerminus,
  request: HttpRequest,
  onlyCertname: string | undefined,
  onTaken: OnTaken | undefined,
): Promise<HttpResponse> {
  const type = (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim() ?? '';
  if (type.toLowerCase() !== 'application/json') return textAnswer(`content type ${type} not supported`, 415);
  const { query } = request;
  const body = await request.body();
  try {
    const receipt = await (query.has('command')
      ? terminus.submit({ ...readCommandParameters(query), payload: body }, onlyCertname)
      : terminus.submitOldForm(body, onlyCertname));
    await onTaken?.(receipt, request.identity);
    return answerOf(receipt, query.has('secondsToWaitForCompletion'));
  } catch (error) {
    const status = error instanceof ServiceError ? refusals[error.reason] : undefined;
    if (status === undefined) throw error;
    return errorJson((error as ServiceError).message, status);
  }
}

/** Others are answered as everywhere. */
const refusals: Partial<Record<ServiceErrorReason, number>> = { 'bad-request': 400, forbidden: 403 };

/** @param isWaiting - whether the client wants to know when the command is carried out, which it is already */
function answerOf({ outcome, id: uuid, ...fields }: CommandReceipt, isWaiting: boolean): HttpResponse {
  if (outcome.kind === 'wanted') {
    return errorJson('The resources and edges of this catalog are not known under this name: send them', 409);
  }
  const answer = isWaiting ? { uuid, processed: true, timed_out: false } : { uuid };
  return { ...jsonAnswer(JSON.stringify(answer)), logged: { message: 'received command', fields } };
}
