/** Carries commands out: those of one node in order, durable when it resolves. */

import { KeyedQueue } from '../../../lib/keyed-queue.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { type Database, encodeTimestamp } from '../../../platform/storage/index.ts';
import { replaceCatalog, replaceCatalogInputs } from '../store/catalogs.ts';
import { keepDeadLetter } from '../store/dead-letters.ts';
import { replaceFacts } from '../store/facts.ts';
import { configureExpiration, deactivateNode } from '../store/nodes.ts';
import { storeReport } from '../store/reports.ts';
import { BadCommand, type Command, decodeCommand } from './decode-command.ts';
import type { Submission } from './submission.ts';

export interface CommandProcessorOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly now: () => Date;
}

export class CommandProcessor {
  readonly #options: CommandProcessorOptions;
  readonly #queue = new KeyedQueue();
  #underWay = 0;

  constructor(options: CommandProcessorOptions) {
    this.#options = options;
  }

  /** How many commands have arrived and are not carried out yet. */
  get depth(): number {
    return this.#underWay;
  }

  /**
   * What can never be carried out is kept as a dead letter and logged; for the sender it has arrived.
   *
   * @throws ServiceError `unavailable` when the database cannot take it: the sender must try again
   */
  async process(submission: Submission): Promise<void> {
    this.#underWay++;
    try {
      await this.#queue.run([submission.certname], () => this.#process(submission));
    } finally {
      this.#underWay--;
    }
  }

  async #process(submission: Submission): Promise<void> {
    const { database, log, now } = this.#options;
    const received = encodeTimestamp(now());
    const { command, certname, id } = submission;
    try {
      const isCarriedOut = await this.#carryOut(decodeCommand(submission, received), received);
      if (!isCarriedOut) log.info({ command, certname, id }, 'ignored command, newer data is there');
    } catch (error) {
      if (!(error instanceof BadCommand)) throw error;
      log.warn({ command, certname, id, reason: error.message }, 'command cannot be carried out');
      await keepDeadLetter(database, submission, received, error.message);
    }
  }

  async #carryOut(command: Command, received: string): Promise<boolean> {
    const { database } = this.#options;
    switch (command.kind) {
      case 'replace facts':
        return await replaceFacts(database, command.data, received);
      case 'replace catalog':
        return await replaceCatalog(database, command.data, received);
      case 'store report':
        await storeReport(database, command.data, received);
        return true;
      case 'deactivate node':
        await database.write(deactivateNode(command.data.certname, command.data.producer_timestamp));
        return true;
      case 'configure expiration': {
        const { certname, expire, producer_timestamp: time } = command.data;
        if (expire.facts !== undefined)
          await database.write(configureExpiration(certname, expire.facts, time));
        return true;
      }
      case 'replace catalog inputs':
        await replaceCatalogInputs(database, command.data);
        return true;
      default:
        return command satisfies never;
    }
  }
}
