/**
 * What happened in a report, kept once for all reports that say the same: nodes of one role that run for the first time, or
 * the runs of a node in noop mode. What mentions the name of the node would make each set a node's own: it is a set by itself.
 */

import { type Statement, sql, type Transaction } from '../../../platform/storage/index.ts';
import { compareText, identityHash } from '../canonical-json.ts';
import { rowPieces } from './row-pieces.ts';
import { holdSharedRows } from './shared-rows.ts';

export interface HappenedEvent {
  readonly status: string;
  readonly type: string;
  readonly title: string;
  readonly containingClass: string | null;
}

/** Digests of sets; empty where nothing happened. */
export interface EventSets {
  readonly common: string;
  readonly own: string;
}

export async function storeEventSets(
  transaction: Transaction,
  certname: string,
  events: readonly HappenedEvent[],
): Promise<EventSets> {
  const [host = ''] = certname.split('.');
  const isOwn = ({ title }: HappenedEvent): boolean => title.includes(host);
  const common = events.filter((event) => !isOwn(event));
  const classes = new Set(common.map(classKey));
  return {
    common: await storeSet(transaction, countedRows(common, new Set())),
    own: await storeSet(transaction, countedRows(events.filter(isOwn), classes)),
  };
}

/** @returns the digest */
async function storeSet(transaction: Transaction, rows: readonly CountedRow[]): Promise<string> {
  if (rows.length === 0) return '';
  const digest = identityHash(JSON.stringify(rows));
  await holdSharedRows(transaction);
  const [known] = await transaction.read(
    sql`select 1 from pdb_event_sets where event_set = ${digest} and position = 0`,
  );
  if (known !== undefined) return digest;
  for (const { start, json } of rowPieces(rows)) {
    await transaction.run(insertRows(transaction, { digest, start, json }));
  }
  return digest;
}

/** Status, type, title, class, whether the class repeats, how many events. */
type CountedRow = readonly [string, string, string, string | null, boolean, number];

/**
 * Sorted: whatever the order in which things happened, it is the same set.
 *
 * @param classes - of the report's other set: who counts nodes by class must not count them twice
 */
function countedRows(events: readonly HappenedEvent[], classes: ReadonlySet<string>): readonly CountedRow[] {
  const counts = new Map<string, { readonly event: HappenedEvent; count: number }>();
  for (const event of events) {
    const key = `${event.type}\0${event.title}\0${classKey(event)}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { event, count: 1 });
    else known.count++;
  }
  return [...counts]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, { event, count }]) => {
      const { status, type, title, containingClass } = event;
      return [status, type, title, containingClass, classes.has(classKey(event)), count];
    });
}

function classKey({ status, containingClass }: HappenedEvent): string {
  return JSON.stringify([status, containingClass]);
}

interface SetPiece {
  readonly digest: string;
  readonly start: number;
  readonly json: string;
}

/** Another report that says the same may be on its way at the same time. */
function insertRows({ dialect }: Transaction, { digest, start, json }: SetPiece): Statement {
  return sql`insert into pdb_event_sets
      (event_set, position, status, resource_type, resource_title, containing_class, repeats_class, events)
    select ${digest}, cast(${start} as bigint) + sent.position, sent.v0, sent.v1, sent.v2, sent.v3, sent.v4, sent.v5
    from ${dialect.rows(json, ['text', 'text', 'text', 'text', 'boolean', 'integer'])} sent where true
    on conflict do nothing`;
}
