/** A thread that reads: answers queries, in parts as fast as they are read. */

import { randomBytes } from 'node:crypto';
import type { DirectDatabase } from '../../../platform/storage/index.ts';
import { exportArchive } from '../admin/export-archive.ts';
import { readPopulation } from '../admin/population.ts';
import { summaryStats } from '../admin/summary-stats.ts';
import { Anonymizer } from '../anonymization/anonymizer.ts';
import { findProfile } from '../anonymization/profile.ts';
import { Replacements } from '../anonymization/replacements.ts';
import { answerQuery } from '../http/answer-query.ts';
import { puppetDbVersion } from '../http/meta-routes.ts';
import type { QueryCall } from '../http/query-call.ts';
import { answerRows } from '../query/answer-rows.ts';
import type { Query } from '../query/query.ts';
import { QueryService } from '../query/query-service.ts';
import { encodeFailure } from './failure-message.ts';
import {
  partsInFlight,
  type ReadRequest,
  type ReplyHead,
  type WorkerReply,
  type WorkerRequest,
} from './protocol.ts';
import type { WorkerServer } from './puppetdb-worker.ts';

/** An answer that is being read. */
interface Reading {
  room: number;
  isCancelled: boolean;
  /** Called when there is room again, or nobody reads any more. */
  wake: () => void;
}

/** Parts are gathered until they are about this long. */
const partLength = 64 * 1024;

type Send = (reply: WorkerReply, transferred?: readonly ArrayBuffer[]) => void;

export function createQueryServer(database: DirectDatabase, send: Send): WorkerServer {
  const service = new QueryService(database);
  const readings = new Map<number, Reading>();
  return {
    handle(request: WorkerRequest): Promise<unknown> | undefined {
      switch (request.kind) {
        case 'query':
          return answer(request.id, request.query);
        case 'http-query':
          return answerHttp(request.id, request.call);
        case 'archive':
          return sendStream(request.id, undefined, readArchive(request));
        case 'stats':
          return summaryStats(database, puppetDbVersion);
        case 'population':
          return readPopulation(database);
        case 'more':
        case 'cancel': {
          const reading = readings.get(request.id);
          if (reading === undefined) return undefined;
          if (request.kind === 'cancel') reading.isCancelled = true;
          else reading.room++;
          reading.wake();
          return undefined;
        }
        default:
          return undefined;
      }
    },
    close: () => database.close(),
  };

  async function answer(id: number, query: Query): Promise<unknown> {
    const rows = await answerRows(service, query);
    return typeof rows === 'string' ? rows : await sendStream(id, undefined, rows);
  }

  async function answerHttp(id: number, call: QueryCall): Promise<unknown> {
    const { status, headers, body } = await answerQuery(service, call);
    if (typeof body === 'string') return { status, headers, body };
    return await sendStream(id, { status, headers }, body);
  }

  function readArchive({
    nowMs,
    profile: name,
  }: Extract<ReadRequest, { kind: 'archive' }>): AsyncIterable<Uint8Array> {
    const profile = findProfile(name);
    const anonymizer = profile && new Anonymizer(profile, new Replacements(randomBytes(32).toString('hex')));
    const now = new Date(nowMs);
    return exportArchive({ database, service, now, ...(anonymizer === undefined ? {} : { anonymizer }) });
  }

  async function sendStream(
    id: number,
    head: ReplyHead | undefined,
    body: AsyncIterable<string | Uint8Array>,
  ): Promise<null> {
    const reading: Reading = { room: partsInFlight, isCancelled: false, wake: ignore };
    readings.set(id, reading);
    send({ kind: 'stream', id, head });
    try {
      await sendParts(id, body, reading, send);
      send({ kind: 'end', id });
    } catch (error) {
      send({ kind: 'failure', id, failure: encodeFailure(error) });
    } finally {
      readings.delete(id);
    }
    return null;
  }
}

async function sendParts(
  id: number,
  body: AsyncIterable<string | Uint8Array>,
  reading: Reading,
  send: Send,
): Promise<void> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  let text = '';
  const encodeText = (): void => {
    if (text !== '') gathered.push(new TextEncoder().encode(text));
    text = '';
  };
  const flush = async (): Promise<void> => {
    encodeText();
    const bytes = joined(gathered);
    [gathered, length] = [[], 0];
    while (reading.room === 0 && !reading.isCancelled) await waitForRoom(reading);
    reading.room--;
    send({ kind: 'part', id, bytes }, [bytes.buffer]);
  };
  for await (const piece of body) {
    length += piece.length;
    if (typeof piece === 'string') text += piece;
    else {
      encodeText();
      gathered.push(piece);
    }
    if (length >= partLength) await flush();
    if (reading.isCancelled) return;
    // Others' queries have their turn between the parts of a long answer.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (length > 0) await flush();
}

/** Alone in its memory: it is handed over. */
function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && only.byteLength === only.buffer.byteLength) {
    return only as Uint8Array<ArrayBuffer>;
  }
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function waitForRoom(reading: Reading): Promise<void> {
  return new Promise((resolve) => {
    reading.wake = resolve;
  });
}

function ignore(): void {
  // nobody waits
}
