/** The two places that commits come from: this process's own storage, or the primary's over the network. */

import { Readable } from 'node:stream';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import { Silence } from './silence.ts';
import type { FileSyncStorage } from './storage.ts';
import type { CommitSource, FetchRequest } from './termini.ts';
import { CommitsAnswerWire } from './wire.ts';

/** The primary's own client: nothing to transport. */
export function localSource(storage: FileSyncStorage, certname: string): CommitSource {
  return {
    repository: storage.repository,
    async latestCommits(checkIn, known, waitMs, signal) {
      storage.checkIn(certname, { ...checkIn, isLocal: true });
      return await storage.waitForCommits(known, waitMs, signal);
    },
    fetch: ({ have, isSuspect, want }) => storage.pack(want, have, isSuspect),
  };
}

export interface RemoteSourceOptions {
  /** `https://primary.example.com:8140` */
  readonly primaryUrl: string;
  readonly client: HttpClient;
}

/** How long the primary may take to answer when it has no reason to wait. */
const answerMs = 10_000;
/** The first fetch of a large installation over a slow line. */
const packMs = 60 * 60 * 1000;
/** Until the first byte: the primary may have to read everything, or to mend its repository. */
const firstByteMs = 10 * 60 * 1000;
/** No byte for so long is a line that is cut. */
const silenceMs = 30_000;

export function remoteSource(options: RemoteSourceOptions): CommitSource {
  const { client, primaryUrl } = options;
  return {
    async latestCommits({ failures, serving }, { coming, commits }, waitMs, signal) {
      const url = `${primaryUrl}/file-sync/v1/latest-commits`;
      const answer = await client.send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ serving, known: commits, coming, failures, wait_ms: waitMs }),
        signal,
        timeoutMs: waitMs + answerMs,
      });
      if (answer.status !== 200) throw refusal(`Unable to get latest-commits from server (${url})`, answer);
      return CommitsAnswerWire.parse(JSON.parse(answer.body.toString('utf8')));
    },

    async fetch({ have, isSuspect, signal, want }: FetchRequest) {
      const url = `${primaryUrl}/file-sync/v1/packs`;
      const silence = new Silence(firstByteMs);
      const request = client.stream({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ want, have, suspect: isSuspect }),
        signal: AbortSignal.any([signal, silence.signal]),
        timeoutMs: packMs,
      });
      request.catch(() => silence.end()); // its awaiter gets the error
      const answer = await request;
      if (answer.status === 200) {
        const pack = Readable.from(silence.watch(answer.body, silenceMs), { objectMode: false });
        // Also when its reading has not begun.
        return pack.once('close', () => {
          silence.end();
          answer.body.destroy();
        });
      }
      silence.end();
      const chunks: Buffer[] = [];
      for await (const chunk of answer.body) chunks.push(chunk as Buffer);
      throw refusal(`Unable to fetch code from server (${url})`, { ...answer, body: Buffer.concat(chunks) });
    },
  };
}

function refusal(
  what: string,
  { body, status }: { readonly status: number; readonly body: Buffer },
): ServiceError {
  const text = body.toString('utf8').slice(0, 500);
  return new ServiceError(reasons[status] ?? 'bad-gateway', `${what}: status ${status} ${text}`);
}

/** By status, what the caller tells apart. */
const reasons: Readonly<Record<number, 'forbidden' | 'not-found'>> = { 403: 'forbidden', 404: 'not-found' };
