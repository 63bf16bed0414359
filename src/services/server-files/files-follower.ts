/** Keeps a compile server's files as the primary has them. */

import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../lib/service-error.ts';
import { type HttpClient, LongPoll, type LongPollRequest } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { ReceivedFiles } from './received-files.ts';
import { filesPath } from './routes.ts';
import { open } from './seal.ts';
import { decodeAnswer, decodePayload } from './wire.ts';

export interface FilesFollowerOptions {
  readonly client: Pick<HttpClient, 'send'>;
  readonly primaryUrl: string;
  /** Of this server's certificate; read each time, since it is renewed. */
  readonly privateKeyFile: string;
  readonly received: ReceivedFiles;
  /** Told when readers are to use other files than before. */
  readonly onChange: () => Promise<void>;
  readonly log: Logger;
}

/** A primary of an earlier version has no files; it may be updated. */
const nonePauseMs = 5000;

export class FilesFollower {
  private readonly options: FilesFollowerOptions;
  private readonly poll: LongPoll;
  private readonly first = Promise.withResolvers<void>();
  private hasAnswer = false;

  constructor(options: FilesFollowerOptions) {
    this.options = options;
    const failed = 'could not ask for the files of this server, keeping those that are here';
    this.poll = new LongPoll({ ask: (request) => this.ask(request), failed, log: options.log });
  }

  /** Whether the primary has said what this server needs, now or to an earlier process. */
  get isInformed(): boolean {
    return this.hasAnswer || this.options.received.current.digest !== undefined;
  }

  start(): void {
    this.poll.start();
  }

  stop(): Promise<void> {
    return this.poll.stop();
  }

  /** Resolves when the primary has answered for the first time, or when patience ends. */
  async firstAnswer(patienceMs: number): Promise<void> {
    const ended = new AbortController();
    const patience = sleep(patienceMs, undefined, { signal: ended.signal }).catch(() => {}); // not needed any more
    await Promise.race([this.first.promise, patience]);
    ended.abort();
  }

  private async ask({ headers, ...request }: LongPollRequest): Promise<number> {
    const { client, onChange, primaryUrl, received } = this.options;
    const { digest } = received.current;
    const answer = await client.send({
      ...request,
      method: 'GET',
      url: `${primaryUrl}${filesPath}`,
      headers: { ...headers, ...(digest === undefined ? {} : { 'if-none-match': `"${digest}"` }) },
    });
    const hasChanged = await this.take(answer.status, answer.body);
    this.hasAnswer = answer.status !== 403;
    if (hasChanged) await onChange();
    this.first.resolve();
    return answer.status === 200 || answer.status === 304 ? 0 : nonePauseMs;
  }

  /** @returns whether readers are to use other files than before */
  private async take(status: number, body: Buffer): Promise<boolean> {
    const { log, privateKeyFile, received } = this.options;
    switch (status) {
      case 200: {
        const { digest, sealed } = decodeAnswer(body);
        const payload = decodePayload(open(createPrivateKey(await readFile(privateKeyFile)), sealed));
        const hasChanged = await received.apply(digest, payload);
        const { count, different, missing } = received.current;
        log.info({ files: count, missing: missing.length, different }, 'has the files of the primary');
        return hasChanged;
      }
      case 304:
        return await received.review();
      case 404:
        return false;
      case 403:
        // It is no compile server any more: it keeps no secrets.
        if (await received.clear()) log.warn({}, 'may have no files of the primary any more: removed them');
        return true;
      default:
        throw new ServiceError('unavailable', `The primary answered with status ${status}`);
    }
  }
}
