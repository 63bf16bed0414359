/** Carries commands out: those of one node in order, durable when it resolves. */

import { isUtf8 } from 'node:buffer';
import { exhaustionOf } from '../../../lib/exhaustion.ts';
import { KeyedQueue } from '../../../lib/keyed-queue.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import type { LogFields } from '../../../platform/log/index.ts';
import { type DirectDatabase, StatementRefused, type Transaction } from '../../../platform/storage/index.ts';
import { replaceCatalog, replaceCatalogInputs } from '../store/catalogs.ts';
import { keepDeadLetter } from '../store/dead-letters.ts';
import { replaceFacts } from '../store/facts.ts';
import { configureExpiration, deactivateNode } from '../store/nodes.ts';
import { storeReport } from '../store/reports.ts';
import { BadCommand } from './bad-command.ts';
import type { CommandOutcome, Stored } from './command-outcome.ts';
import { type Command, decodeCommand } from './decode-command.ts';
import type { Submission } from './submission.ts';

export interface CommandLog {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
}

export interface CommandProcessorOptions {
  readonly database: DirectDatabase;
  readonly log: CommandLog;
  /** How long a command is tried again while the database is not there. */
  readonly retryMs?: number;
}

const defaultRetryMs = 15_000;
const longestPauseMs = 1000;

export class CommandProcessor {
  private readonly options: CommandProcessorOptions;
  private readonly queue = new KeyedQueue();

  constructor(options: CommandProcessorOptions) {
    this.options = options;
  }

  /**
   * What can never be carried out is kept as a dead letter and logged; for the sender it has arrived.
   *
   * @param received - a timestamp of the database
   * @param onlyCertname - the only node that the command may be of; nothing is kept of a forbidden one
   * @throws ServiceError `unavailable` when the database cannot take it: the sender must try again
   */
  async process(
    submission: Submission,
    received: string,
    onlyCertname?: string,
  ): Promise<CommandOutcome | 'forbidden'> {
    const { certname } = submission;
    if (onlyCertname !== undefined && onlyCertname !== certname) return 'forbidden';
    return await this.queue.run([certname], () => this.takeTurn(submission, received, onlyCertname));
  }

  private async takeTurn(
    submission: Submission,
    received: string,
    onlyCertname: string | undefined,
  ): Promise<CommandOutcome | 'forbidden'> {
    const { database, log } = this.options;
    const { command, certname, id } = submission;
    // As the reference reads them, which says nothing.
    if (!isUtf8(submission.payload))
      log.warn({ command, certname, id }, 'command has invalid UTF-8 byte sequences, kept as U+FFFD');
    let retries = -1;
    try {
      const decoded = decodeCommand(submission, received);
      // The payload decides which node is changed.
      if (onlyCertname !== undefined && onlyCertname !== certnameOf(decoded)) {
        return 'forbidden';
      }
      const kind = await this.persist(() => {
        retries++;
        return database.transaction((transaction) => carryOut(transaction, decoded, received));
      });
      if (kind === 'obsolete') log.info({ command, certname, id }, 'ignored command, newer data is there');
      return { kind, retries };
    } catch (error) {
      if (!isUnusable(error)) throw error;
      const { message } = error;
      log.warn({ command, certname, id, reason: message }, 'command cannot be carried out');
      await this.persist(() => keepDeadLetter(database, submission, received, message));
      return { kind: 'dead', retries: Math.max(retries, 0) };
    }
  }

  /** A database that restarts, or is replaced by its standby, is waited for. Commands may be carried out twice. */
  private async persist<T>(work: () => Promise<T>): Promise<T> {
    const end = performance.now() + (this.options.retryMs ?? defaultRetryMs);
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await work();
      } catch (error) {
        const isWorthIt = error instanceof ServiceError && error.reason === 'unavailable';
        if (!isWorthIt || performance.now() + pauseMs > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }
}

/**
 * Commands that can never be stored: JSON that is nested beyond the stack, and what the database refuses for what it
 * is (SQLSTATE class 22) or for its size (class 54: a title longer than an index takes). SQLite has a message.
 */
function isUnusable(error: unknown): error is Error {
  if (error instanceof BadCommand || (error instanceof RangeError && exhaustionOf(error) === 'stack')) {
    return true;
  }
  if (error instanceof Error && error.message === 'database: malformed JSON') return true;
  return error instanceof StatementRefused && /^(?:22|54)/.test(error.sqlState);
}

function certnameOf({ kind, data }: Command): string {
  if (kind === 'replace catalog') return data.envelope.certname;
  return kind === 'store report' ? data.report.certname : data.certname;
}

async function carryOut(transaction: Transaction, command: Command, received: string): Promise<Stored> {
  switch (command.kind) {
    case 'replace facts':
      return await replaceFacts(transaction, command.data, received);
    case 'replace catalog':
      return await replaceCatalog(transaction, command.data, received);
    case 'store report':
      await storeReport(transaction, command.data, received);
      return 'stored';
    case 'deactivate node':
      await deactivateNode(transaction, command.data.certname, command.data.producer_timestamp);
      return 'stored';
    case 'configure expiration': {
      const { certname, expire, producer_timestamp: time } = command.data;
      if (expire.facts !== undefined) await configureExpiration(transaction, certname, expire.facts, time);
      return 'stored';
    }
    case 'replace catalog inputs':
      await replaceCatalogInputs(transaction, command.data);
      return 'stored';
    default:
      return command satisfies never;
  }
}
