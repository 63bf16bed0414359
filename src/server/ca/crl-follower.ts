/** Keeps a compile server's copy of the CRL as the primary has it: the primary answers when there is a new one. */

import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere } from '../../lib/if-there.ts';
import {
  type HttpClient,
  LongPoll,
  type LongPollRequest,
  usualPauseMs,
} from '../../platform/http-client/index.ts';
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

/** After a new list, so that revocations that come in a row share one. */
const gatheringMs = 200;

export class CrlFollower {
  private readonly options: CrlFollowerOptions;
  private readonly poll: LongPoll;
  /** Names the state of the list that we have applied. */
  private etag: string | undefined;

  constructor(options: CrlFollowerOptions) {
    this.options = options;
    const failed = 'could not ask for the CRL, keeping the one there is';
    this.poll = new LongPoll({ ask: (request) => this.ask(request), failed, log: options.log });
  }

  start(): void {
    this.poll.start();
  }

  stop(): Promise<void> {
    return this.poll.stop();
  }

  private async ask({ headers, ...request }: LongPollRequest): Promise<number> {
    const { client, primaryUrl } = this.options;
    const askedMs = performance.now();
    const answer = await client.send({
      ...request,
      method: 'GET',
      url: `${primaryUrl}/puppet-ca/v1/certificate_revocation_list/ca`,
      headers: {
        ...headers,
        accept: 'text/plain',
        ...(this.etag === undefined ? {} : { 'if-none-match': this.etag }),
      },
    });
    if (answer.status !== 200) return performance.now() - askedMs > usualPauseMs ? 0 : usualPauseMs;
    await this.apply(answer.body);
    const isNew = answer.headers.etag !== undefined && answer.headers.etag !== this.etag;
    // Only what was applied need not be asked for again.
    this.etag = answer.headers.etag;
    return isNew ? gatheringMs : usualPauseMs;
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
