/** Plan jobs in the database. */

import type { Json, JsonObject } from '../../../lib/json.ts';
import { type Author, type Change, insertChange } from '../../../platform/changes/index.ts';
import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  fixedSql,
  type Row,
  sql,
} from '../../../platform/storage/index.ts';
import type {
  NewPlanEvent,
  NewPlanJob,
  PlanEventType,
  PlanJob,
  PlanJobState,
  StoredPlanEvent,
} from './plan-job.ts';

const columns = fixedSql(
  'id, owner_id, owner_login, plan, environment, description, parameters, state, result, created_at, finished_at',
);

interface PlanChange extends Pick<Change, 'after' | 'author' | 'time'> {
  readonly id: number;
  readonly plan: string;
  readonly action: 'start' | 'stop';
  readonly message: string;
}

export class PlanJobStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** @returns the plan job of an earlier request with the same key of the same owner, if any */
  async add(job: NewPlanJob, author: Author): Promise<{ readonly id: number; readonly isNew: boolean }> {
    const { createdAt, description, environment, owner, parameters, plan, startKey } = job;
    const [added] = await this.database.write([
      sql`insert into plan_jobs (owner_id, owner_login, plan, environment, description, parameters, state, created_at,
          start_key)
        values (${owner.id}, ${owner.login}, ${plan}, ${environment}, ${description}, ${JSON.stringify(parameters)},
          'running', ${encodeTimestamp(createdAt)}, ${startKey ?? null})
        on conflict (owner_id, start_key) do nothing
        returning id`,
    ]);
    const found = added?.rows[0]?.['id'];
    if (found === undefined) return { id: await this.idOf(owner.id, startKey ?? ''), isNew: false };
    const id = Number(found);
    const message = `Started plan job ${id}, plan ${plan}`;
    await this.record({ id, plan, action: 'start', message, author, time: createdAt, after: { parameters } });
    return { id, isNew: true };
  }

  private async idOf(ownerId: string, startKey: string): Promise<number> {
    const [row] = await this.database.read(
      sql`select id from plan_jobs where owner_id = ${ownerId} and start_key = ${startKey}`,
    );
    return Number(row?.['id']);
  }

  /** Records that somebody stopped a plan. */
  async recordStop(id: number, plan: string, author: Author, time: Date): Promise<void> {
    await this.record({
      id,
      plan,
      action: 'stop',
      message: `Stopped plan job ${id}, plan ${plan}`,
      author,
      time,
    });
  }

  private async record({ action, id, message, plan, ...change }: PlanChange): Promise<void> {
    const object = { service: 'orchestrator', type: 'plan_jobs', id: String(id), name: plan };
    await this.database.write([
      insertChange({ ...change, object, events: [{ action, what: 'plan_job', message }] }),
    ]);
  }

  async addEvent(id: number, { at, details, type }: NewPlanEvent): Promise<void> {
    await this.database.write([
      sql`insert into plan_job_events (plan_job_id, type, at, details)
        values (${id}, ${type}, ${encodeTimestamp(at)}, ${JSON.stringify(details)})`,
    ]);
  }

  async finish(id: number, state: PlanJobState, result: Json, at: Date): Promise<void> {
    const type: PlanEventType = state === 'success' ? 'plan_finished' : 'plan_failed';
    const details = { 'plan-id': String(id), result };
    const time = encodeTimestamp(at);
    await this.database.write([
      sql`insert into plan_job_events (plan_job_id, type, at, details)
        select id, ${type}, ${time}, ${JSON.stringify(details)} from plan_jobs where id = ${id} and state = 'running'`,
      sql`update plan_jobs set state = ${state}, result = ${JSON.stringify({ value: result })}, finished_at = ${time}
        where id = ${id} and state = 'running'`,
    ]);
  }

  async running(): Promise<readonly number[]> {
    const rows = await this.database.read(sql`select id from plan_jobs where state = 'running'`);
    return rows.map((row) => Number(row['id']));
  }

  async find(id: number): Promise<PlanJob | undefined> {
    const [row] = await this.database.read(sql`select ${columns} from plan_jobs where id = ${id}`);
    return row && decodeJob(row);
  }

  /** The newest first. */
  async list(
    limit: number,
    offset: number,
  ): Promise<{ readonly jobs: readonly PlanJob[]; readonly total: number }> {
    const rows = await this.database.read(
      sql`select ${columns} from plan_jobs order by id desc limit ${limit} offset ${offset}`,
    );
    const [count] = await this.database.read(sql`select count(*) as total from plan_jobs`);
    return { jobs: rows.map(decodeJob), total: Number(count?.['total']) };
  }

  /** @param start - the lowest id of an event that is wanted */
  async events(id: number, start: number): Promise<readonly StoredPlanEvent[]> {
    const rows = await this.database.read(
      sql`select id, type, at, details from plan_job_events where plan_job_id = ${id} and id >= ${start} order by id`,
    );
    return rows.map((row) => ({
      id: Number(row['id']),
      type: row['type'] as PlanEventType,
      at: decodeTimestamp(row['at']),
      details: documentIn<JsonObject>(row['details']) ?? {},
    }));
  }

  /** Forgets those that ended before that. @returns how many */
  async prune(before: Date): Promise<number> {
    const old = sql`select id from plan_jobs where state <> 'running' and finished_at < ${encodeTimestamp(before)}`;
    const results = await this.database.write([
      sql`delete from plan_job_events where plan_job_id in (${old})`,
      sql`delete from plan_jobs where id in (${old})`,
    ]);
    return results.at(-1)?.changes ?? 0;
  }
}

function decodeJob(row: Row): PlanJob {
  const text = (name: string): string => String(row[name]);
  const finished = row['finished_at'];
  return {
    id: Number(row['id']),
    owner: { id: text('owner_id'), login: text('owner_login') },
    plan: text('plan'),
    environment: text('environment'),
    description: text('description'),
    parameters: documentIn<JsonObject>(row['parameters']) ?? {},
    state: text('state') as PlanJobState,
    result: documentIn<{ readonly value: Json }>(row['result'])?.value,
    createdAt: decodeTimestamp(row['created_at']),
    finishedAt: finished === null || finished === undefined ? undefined : decodeTimestamp(finished),
  };
}

/** One engine gives documents as text, the other as values. */
function documentIn<T>(value: unknown): T | undefined {
  if (value === null || value === undefined) return undefined;
  return (typeof value === 'string' ? JSON.parse(value) : value) as T;
}
