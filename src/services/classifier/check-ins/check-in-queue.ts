/** Check-ins that are to be stored: some at a time, so that a storm of agents is few transactions. */

import { ServiceError } from '../../../lib/service-error.ts';
import type { Logger } from '../../../platform/log/index.ts';
import type { ClassifiedNode } from '../condition.ts';
import type { Hierarchy } from '../hierarchy.ts';
import { type CheckIn, type CheckInSink, checkInOf } from './check-in.ts';

export interface CheckInQueueOptions {
  /** Nothing is made of a classification while this is false. */
  readonly isStoring: () => boolean;
  /** Stores them, here or on the primary. */
  readonly save: (checkIns: readonly CheckIn[]) => Promise<void>;
  readonly log: Logger;
  readonly intervalMs: number;
  readonly now: () => Date;
}

/** Of one transaction, or of one request. */
const mostAtOnce = 20;
/** What more has to wait is dropped: check-ins are for people who look, and nothing else depends on them. */
const mostWaiting = 2000;

export class CheckInQueue implements CheckInSink {
  private readonly options: CheckInQueueOptions;
  private waiting: CheckIn[] = [];
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;
  private saving: Promise<void> = Promise.resolve();
  /** Told once while the primary is away. */
  private isFailing = false;

  constructor(options: CheckInQueueOptions) {
    this.options = options;
  }

  note(hierarchy: Hierarchy, node: ClassifiedNode, transactionUuid: string | undefined): void {
    const { intervalMs, isStoring } = this.options;
    if (!isStoring()) return;
    const checkIn = this.explain(hierarchy, node, transactionUuid);
    if (checkIn === undefined) return;
    this.waiting.push(checkIn);
    if (this.waiting.length > mostWaiting) {
      this.waiting.shift();
      this.dropped += 1;
    }
    this.timer ??= setTimeout(() => void this.flush(), intervalMs).unref();
  }

  /** Stores what waits. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.saving = this.saving.then(() => this.saveAll());
    return this.saving;
  }

  /** @returns `undefined` where a rule takes too long: all parts of it are looked at here, more than a catalog needs */
  private explain(
    hierarchy: Hierarchy,
    node: ClassifiedNode,
    transactionUuid: string | undefined,
  ): CheckIn | undefined {
    const { log, now } = this.options;
    try {
      return checkInOf(hierarchy, node, { time: now(), transactionUuid });
    } catch (err) {
      if (!(err instanceof ServiceError)) throw err;
      log.warn({ err, certname: node.name }, 'could not explain a classification, it has no check-in');
      return undefined;
    }
  }

  private async saveAll(): Promise<void> {
    const { log, save } = this.options;
    if (this.dropped > 0) log.warn({ checkIns: this.dropped }, 'dropped check-ins of nodes, too many waited');
    this.dropped = 0;
    while (this.waiting.length > 0) {
      const some = this.waiting.splice(0, mostAtOnce);
      try {
        await save(some);
        this.isFailing = false;
      } catch (err) {
        log[this.isFailing ? 'debug' : 'warn']({ err }, 'could not store check-ins of nodes, dropping them');
        this.isFailing = true;
        return;
      }
    }
  }
}
