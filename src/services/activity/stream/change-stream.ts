/** Sends recorded changes on, each at least once and in order, also those that were made while the other side was away. */

import type { Logger } from '../../../platform/log/index.ts';
import type { ActivityStore } from '../store.ts';
import type { ChangeSink } from './sink.ts';

const atOnce = 500;

export class ChangeStream {
  private readonly store: ActivityStore;
  private readonly sink: ChangeSink;
  private readonly log: Logger;
  private lastId: number | undefined;
  private hasFailed = false;

  constructor(store: ActivityStore, sink: ChangeSink, log: Logger) {
    this.store = store;
    this.sink = sink;
    this.log = log;
  }

  /** Sends what is new. What can't be sent is tried again the next time; it is logged once until it works again. */
  async sendNew(): Promise<void> {
    const { name } = this.sink;
    try {
      while (await this.sendSome());
      if (this.hasFailed) this.log.info({ sink: name }, 'changes are sent on again');
      this.hasFailed = false;
    } catch (err) {
      if (!this.hasFailed) this.log.warn({ err, sink: name }, 'changes cannot be sent on, trying again');
      this.hasFailed = true;
    }
  }

  close(): void {
    this.sink.close();
  }

  /** @returns whether there may be more */
  private async sendSome(): Promise<boolean> {
    // A sink that is new begins with what happens from now on.
    this.lastId ??= (await this.store.streamPosition(this.sink.name)) ?? (await this.begin());
    const changes = await this.store.after(this.lastId, atOnce);
    const last = changes.at(-1)?.id;
    if (last === undefined) return false;
    await this.sink.send(changes);
    await this.store.noteStreamPosition(this.sink.name, last);
    this.lastId = last;
    return changes.length === atOnce;
  }

  private async begin(): Promise<number> {
    const last = await this.store.lastId();
    await this.store.noteStreamPosition(this.sink.name, last);
    return last;
  }
}
