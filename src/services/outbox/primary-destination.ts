/** The primary, over mutual TLS. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BatchQueue } from '../../lib/batch-queue.ts';
import { checkShape } from '../../lib/check-shape.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import {
  BatchAnswerWire,
  batchPath,
  type CommandAnswer,
  commandPath,
  encodeBatch,
  type SentCommand,
} from './batch.ts';
import { type Destination, namedPayload } from './message.ts';

const compress = promisify(gzip);

/** From here on a command goes alone: packing it costs less than the network. */
const smallestPackedBytes = 100_000;
const compression = { level: 1 } as const;
/** A primary that is busy with a large catalog is not away. */
const timeoutMs = 60_000;
/** Of small commands: those that come while a request is under way share the next one. */
const batchSize = 24;
const differentVersion = 'it seems to be of another version than this server';

type Client = Pick<HttpClient, 'send'>;

interface CommandToSend extends SentCommand {
  readonly signal: AbortSignal;
}

/** @param primaryUrl - `https://primary.example.com:8140` */
export function primaryDestination(client: Client, primaryUrl: string): Destination {
  const small = new BatchQueue<CommandToSend, CommandAnswer>(
    (commands) => sendBatch(client, primaryUrl, commands),
    batchSize,
  );
  return {
    nodesAtOnce: batchSize,
    async send(message, content, signal) {
      const { certname, command, producerTimestamp, version } = message;
      const parameters = {
        command,
        version: String(version),
        certname,
        'producer-timestamp': producerTimestamp,
      };
      const search = new URLSearchParams(parameters).toString();
      const body = Buffer.from(namedPayload(message, content));
      const answer = await (body.length >= smallestPackedBytes
        ? sendAlone(client, primaryUrl, { search, body, signal })
        : small.add({ search, body, signal }));
      if (answer.status < 300) return 'taken';
      if (answer.status === 409) return 'content-wanted';
      if (answer.status === 400) throw new ServiceError('bad-request', answer.body);
      throw refused(commandPath, answer.status);
    },
  };
}

async function sendAlone(
  client: Client,
  primaryUrl: string,
  { body, search, signal }: CommandToSend,
): Promise<CommandAnswer> {
  const isPacked = body.length >= smallestPackedBytes;
  const answer = await client.send({
    method: 'POST',
    url: `${primaryUrl}${commandPath}?${search}`,
    headers: { 'content-type': 'application/json', ...(isPacked ? { 'content-encoding': 'gzip' } : {}) },
    body: isPacked ? await compress(body, compression) : body,
    signal,
    timeoutMs,
  });
  return { status: answer.status, body: answer.body.toString('utf8') };
}

async function sendBatch(
  client: Client,
  primaryUrl: string,
  commands: readonly CommandToSend[],
): Promise<readonly CommandAnswer[]> {
  const { body, status } = await client.send({
    method: 'POST',
    url: primaryUrl + batchPath,
    headers: { 'content-type': 'application/octet-stream' },
    body: encodeBatch(commands),
    signal: AbortSignal.any(commands.map(({ signal }) => signal)),
    timeoutMs,
  });
  // One that the primary stumbles over must not hold up the others.
  if (status === 500) return await Promise.all(commands.map((each) => sendAlone(client, primaryUrl, each)));
  if (status !== 200) throw refused(batchPath, status);
  return decodeAnswers(body, commands.length);
}

/** @throws ServiceError `unavailable` when it is not one answer for each command: all are sent again */
function decodeAnswers(body: Buffer, count: number): readonly CommandAnswer[] {
  const { data } = checkShape(BatchAnswerWire, parsed(body.toString('utf8')));
  if (data?.length === count) return data;
  throw new ServiceError(
    'unavailable',
    `The primary's answer of ${batchPath} is not understood: ${differentVersion}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema says that it is none
  }
}

function refused(path: string, status: number): ServiceError {
  const isUnknown = status === 404 || status === 405;
  return new ServiceError(
    'unavailable',
    isUnknown
      ? `The primary does not know ${path} (status ${status}): ${differentVersion}`
      : `The primary answered ${path} with status ${status}`,
  );
}
