/** Facts and reports from before they went to PuppetDB: brought there once, at the start. */

import type { Logger } from '../../platform/log/index.ts';
import { type Database, sql } from '../../platform/storage/index.ts';
import { decodeFactsText, readOldFacts } from '../../services/facts/index.ts';
import type { OldMessage, OutboxStore } from '../../services/outbox/index.ts';
import { factsCommand, type PuppetDbCommand, reportCommand } from '../../services/puppetdb-terminus/index.ts';
import { decodeReport, readOldReports } from '../../services/reports/index.ts';
import type { CommandSink } from './node-data.ts';

const batchSize = 50;

export interface OldNodeDataOptions {
  readonly database: Database;
  readonly sink: CommandSink;
  readonly producer: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Brings what the primary's own tables have to PuppetDB, then empties them in one transaction. Where it is interrupted it
 * begins anew: the commands are the same again, and what is there already stays as it is.
 */
export async function moveOldNodeData(options: OldNodeDataOptions): Promise<void> {
  const { database, log } = options;
  const facts = await moveFacts(options);
  const reports = await moveReports(options);
  if (facts + reports === 0) return;
  await database.write([sql`delete from facts`, sql`delete from reports`]);
  log.info({ facts, reports }, 'moved facts and reports to PuppetDB');
}

async function moveFacts({ database, producer, signal, sink }: OldNodeDataOptions): Promise<number> {
  let moved = 0;
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const batch = await readOldFacts(database, after, batchSize);
    const last = batch.at(-1);
    if (last === undefined) return moved;
    for (const { environment, facts, producedAt } of batch) {
      await sink.submit(factsCommand({ ...facts, environment }, { producer, now: producedAt }));
    }
    moved += batch.length;
    after = last.facts.certname;
  }
}

async function moveReports(options: OldNodeDataOptions): Promise<number> {
  let moved = 0;
  for (let after = 0; ; ) {
    options.signal.throwIfAborted();
    const batch = await readOldReports(options.database, after, batchSize);
    const last = batch.at(-1);
    if (last === undefined) return moved;
    for (const { receivedAt, report } of batch) {
      const command = oldReport(report, { producer: options.producer, now: receivedAt }, options.log);
      if (command !== undefined) await options.sink.submit(command);
    }
    moved += batch.length;
    after = last.id;
  }
}

/** What compile servers of the release before have accepted. @returns `undefined` when it makes no sense */
export function commandOf(
  { certname, environment, kind, payload }: Omit<OldMessage, 'id'>,
  sender: { readonly producer: string; readonly now: Date },
  log: Logger,
): PuppetDbCommand | undefined {
  if (kind === 'report') return oldReport(decodeReport(JSON.parse(payload), certname), sender, log);
  const facts = decodeFactsText(payload);
  return factsCommand({ ...facts, environment }, { ...sender, now: facts.producedAt ?? sender.now });
}

/** Makes commands of what an earlier release has left in a compile server's outbox. */
export async function convertOldMessages(
  store: OutboxStore,
  sender: { readonly producer: string; readonly now: Date },
  log: Logger,
): Promise<void> {
  for (;;) {
    const batch = await store.oldMessages(batchSize);
    if (batch.length === 0) return;
    for (const { id, ...message } of batch) await store.replaceOld(id, commandOf(message, sender, log));
  }
}

/** Reports of very old formats say too little. */
function oldReport(
  report: ReturnType<typeof decodeReport>,
  sender: { readonly producer: string; readonly now: Date },
  log: Logger,
): PuppetDbCommand | undefined {
  try {
    return reportCommand(report, sender);
  } catch (err) {
    log.warn({ certname: report.certname, err }, 'old report cannot be moved to PuppetDB');
    return undefined;
  }
}
