/** Keeps a compile server's copy of the CRL as the primary has it. */

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../lib/atomic-file.ts';
import type { HttpClient } from '../platform/http-client/index.ts';
import type { Logger } from '../platform/log/index.ts';

export interface CrlFollowerOptions {
  readonly client: HttpClient;
  readonly primaryUrl: string;
  readonly file: string;
  readonly log: Logger;
  readonly onChange: () => Promise<void>;
}

const pollIntervalMs = 2000;

export class CrlFollower {
  private readonly options: CrlFollowerOptions;
  private readonly stopping = new AbortController();
  private following: Promise<void> | undefined;
  /** When the primary gave us the list that we have, by its own clock. */
  private receivedAt: string | undefined;

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
      try {
        await this.poll(signal);
        isReachable = true;
      } catch (error) {
        if (signal.aborted) return;
        if (isReachable)
          this.options.log.warn({ err: error }, 'could not ask for the CRL, keeping the one there is');
        isReachable = false;
      }
      await sleep(pollIntervalMs, undefined, { signal }).catch(() => {
        // stopped: the loop sees that
      });
    }
  }

  private async poll(signal: AbortSignal): Promise<void> {
    const { client, file, log, onChange, primaryUrl } = this.options;
    const answer = await client.send({
      method: 'GET',
      url: `${primaryUrl}/puppet-ca/v1/certificate_revocation_list/ca`,
      headers: {
        accept: 'text/plain',
        ...(this.receivedAt === undefined ? {} : { 'if-modified-since': this.receivedAt }),
      },
      signal,
    });
    if (answer.status !== 200) return;
    const known = await readFile(file);
    if (!known.equals(answer.body)) {
      await writeFileAtomically(file, answer.body);
      await onChange();
      log.info({}, 'applied a new CRL');
    }
    // Only what was applied need not be asked for again.
    this.receivedAt = answer.headers.date;
  }
}
