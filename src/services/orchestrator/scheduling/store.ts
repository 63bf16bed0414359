/** The store of scheduled jobs. */

import { type Change, insertChange } from '../../../platform/changes/index.ts';
import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  fixedSql,
  type Row,
  sql,
} from '../../../platform/storage/index.ts';
import { recordNumbered, type Seal } from '../store.ts';
import type { Schedule } from './schedule.ts';
import type {
  LastRun,
  NewScheduledJob,
  ScheduledJob,
  ScheduledOrder,
  ScheduledType,
  ScheduleStore,
} from './scheduled-job.ts';

const columns = fixedSql(
  'id, owner_id, owner_login, scheduled_at, shown, task_order, type, schedule, is_enabled, last_run',
);

/** Of each scheduled job. */
const keptRuns = 100;

export class ScheduledJobStore implements ScheduleStore {
  private readonly database: Database;
  private readonly seal: Seal;

  constructor(database: Database, seal: Seal) {
    this.database = database;
    this.seal = seal;
  }

  async add(
    { order, owner, schedule, scheduledAt, shown }: NewScheduledJob,
    change: Change,
  ): Promise<number> {
    // Different each time, also of the same order.
    const closed = this.seal.close(JSON.stringify(order));
    const [result] = await this.database.write([
      sql`insert into orchestrator_scheduled (owner_id, owner_login, scheduled_at, shown, task_order, type, schedule,
          is_enabled)
        values (${owner.id}, ${owner.login}, ${encodeTimestamp(scheduledAt)}, ${JSON.stringify(shown)}, ${closed},
          ${order.type}, ${JSON.stringify(schedule)}, ${true})
        returning id`,
      ...recordNumbered(change, sql`select id from orchestrator_scheduled where task_order = ${closed}`),
    ]);
    return Number(result?.rows[0]?.['id']);
  }

  async all(): Promise<readonly ScheduledJob[]> {
    const rows = await this.database.read(
      sql`select ${columns} from orchestrator_scheduled order by scheduled_at, id`,
    );
    return rows.map((row) => this.decode(row));
  }

  async runs(id: number): Promise<readonly LastRun[]> {
    const rows = await this.database.read(
      sql`select run from orchestrator_scheduled_runs where scheduled_id = ${id} order by at desc`,
    );
    return rows.flatMap((row) => documentIn<LastRun>(row['run']) ?? []);
  }

  async remove(id: number, change: Change): Promise<boolean> {
    const [, removed] = await this.database.write([
      sql`delete from orchestrator_scheduled_runs where scheduled_id = ${id}`,
      sql`delete from orchestrator_scheduled where id = ${id}`,
      insertChange(change),
    ]);
    return (removed?.changes ?? 0) > 0;
  }

  async update(
    id: number,
    { isEnabled, schedule, scheduledAt }: Pick<ScheduledJob, 'schedule' | 'scheduledAt' | 'isEnabled'>,
    change: Change,
  ): Promise<boolean> {
    const [result] = await this.database.write([
      sql`update orchestrator_scheduled set schedule = ${JSON.stringify(schedule)},
          scheduled_at = ${encodeTimestamp(scheduledAt)}, is_enabled = ${isEnabled}
        where id = ${id}`,
      insertChange(change),
    ]);
    return (result?.changes ?? 0) > 0;
  }

  async pass(
    { id, scheduledAt }: Pick<ScheduledJob, 'id' | 'scheduledAt'>,
    next: Date | undefined,
    lastRun: LastRun,
  ): Promise<void> {
    const isSame = sql`id = ${id} and scheduled_at = ${encodeTimestamp(scheduledAt)}`;
    if (next === undefined) {
      await this.database.write([
        sql`delete from orchestrator_scheduled_runs
          where scheduled_id in (select id from orchestrator_scheduled where ${isSame})`,
        sql`delete from orchestrator_scheduled where ${isSame}`,
      ]);
      return;
    }
    const run = JSON.stringify(lastRun);
    await this.database.write([
      sql`insert into orchestrator_scheduled_runs (scheduled_id, at, run)
        select id, ${encodeTimestamp(new Date(lastRun.at))}, ${run} from orchestrator_scheduled where ${isSame}`,
      sql`update orchestrator_scheduled set scheduled_at = ${encodeTimestamp(next)}, last_run = ${run} where ${isSame}`,
      sql`delete from orchestrator_scheduled_runs where scheduled_id = ${id} and at not in (
        select at from orchestrator_scheduled_runs where scheduled_id = ${id} order by at desc limit ${keptRuns})`,
    ]);
  }

  private decode(row: Row): ScheduledJob {
    const type = (row['type'] ?? 'task') as ScheduledType;
    const scheduledAt = decodeTimestamp(row['scheduled_at']);
    // Earlier versions stored tasks that run once, and nothing else.
    const schedule = documentIn<Schedule>(row['schedule']) ?? { kind: 'once', at: scheduledAt.getTime() };
    return {
      id: Number(row['id']),
      type,
      owner: { id: String(row['owner_id']), login: String(row['owner_login']) },
      schedule,
      scheduledAt,
      isEnabled: row['is_enabled'] === null || Boolean(row['is_enabled']),
      lastRun: documentIn<LastRun>(row['last_run']),
      order: this.orderIn(row),
      shown: documentIn<ScheduledJob['shown']>(row['shown']) ?? {},
    };
  }

  private orderIn({ task_order: closed, type }: Row): ScheduledOrder | undefined {
    try {
      const order = JSON.parse(this.seal.open(String(closed))) as unknown;
      return (type === null ? { type: 'task', order } : order) as ScheduledOrder;
    } catch {
      // The database was restored without the key: the job cannot be started, and says so.
      return undefined;
    }
  }
}

/** Only this store writes there. */
function documentIn<T>(value: unknown): T | undefined {
  if (value === null || value === undefined) return undefined;
  return (typeof value === 'string' ? JSON.parse(value) : value) as T;
}
