/** Keeps a compile server's copy of the CRL as the primary has it: the primary answers when there is a new one. */

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere } from '../../lib/if-there.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { decodeRevocationListsInSlices, type RevocationList } from '../../platform/x509/index.ts';

export interface CrlFollowerOptions {
  readonly client: HttpClient;
  readonly primaryUrl: string;
  readonly file: string;
  readonly log: Logger;
  /** Gets the new lists when they are on disk. */
  readonly onChange: (lists: readonly RevocationList[]) => void | Promise<void>;
}

/** The primary holds the answer back for so long; below what load balancers and firewalls cut off. */
const waitSeconds = 25;
const timeoutMs = (waitSeconds + 10) * 1000;
/** After a failure, and when a primary does not make us wait, so that it is not asked in a loop. */
const pauseMs = 500;
/** After a new list, so that revocations that come in a row share one. */
const gatheringMs = 200;

export class CrlFollower {
  private readonly options: CrlFollowerOptions;
  private readonly stopping = new AbortController();
  private following: Promise<void> | undefined;
  /** Names the state of the list that we have applied. */
  private etag: string | undefined;

  constructor(options: CrlFollowerOptions) {
    this.options = options;
  }

  start(): void {
    this.following ??= this.follow();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopping;
    let isReachable = true;
    while (!signal.aborted) {
      let pause = pauseMs;
      try {
        pause = await this.ask(signal);
        isReachable = true;
      } catch (error) {
        if (signal.aborted) return;
        if (isReachable)
          this.options.log.warn({ err: error }, 'could not ask for the CRL, keeping the one there is');
        isReachable = false;
      }
      await sleep(pause, undefined, { signal }).catch(() => {
        // stopped: the loop sees that
      });
    }
  }

  /** @returns how long to rest before the next time, in milliseconds */
  private async ask(signal: AbortSignal): Promise<number> {
    const { client, primaryUrl } = this.options;
    const askedMs = performance.now();
    const answer = await client.send({
      method: 'GET',
      url: `${primaryUrl}/puppet-ca/v1/certificate_revocation_list/ca`,
      headers: {
        accept: 'text/plain',
        prefer: `wait=${waitSeconds}`,
        ...(this.etag === undefined ? {} : { 'if-none-match': this.etag }),
      },
      signal,
      timeoutMs,
    });
    if (answer.status !== 200) return performance.now() - askedMs > pauseMs ? 0 : pauseMs;
    await this.apply(answer.body);
    const isNew = answer.headers.etag !== undefined && answer.headers.etag !== this.etag;
    // Only what was applied need not be asked for again.
    this.etag = answer.headers.etag;
    return isNew ? gatheringMs : pauseMs;
  }

  private async apply(list: Buffer): Promise<void> {
    const { file, log, onChange } = this.options;
    if ((await ifThere(readFile(file)))?.equals(list) === true) return;
    const lists = await decodeRevocationListsInSlices(list.toString('latin1'));
    await writeFileAtomically(file, list);
    await onChange(lists);
    log.info({}, 'applied a new CRL');
  }
}
