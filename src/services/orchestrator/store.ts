/** The store of jobs, their nodes and events. */

import { type Change, insertChange } from '../../platform/changes/index.ts';
import {
  type Database,
  encodeTimestamp,
  fixedSql,
  type Row,
  type Statement,
  sql,
} from '../../platform/storage/index.ts';
import type {
  JobChange,
  JobOrder,
  JobOrderKey,
  JobOverview,
  JobPage,
  OpenJob,
  RunnerStore,
} from './job-store.ts';
import type { Action, Outcome } from './jobs/action.ts';
import {
  type AgentRequest,
  type Job,
  type JobDefinition,
  type JobStatus,
  type NodeCounts,
  newStatuses,
  stateOf,
} from './jobs/job.ts';
import type { JobEvent } from './jobs/job-event.ts';
import { noOutput, type OutputOffsets } from './jobs/node-output.ts';
import { isJobOver, type NodeState, nodeStates } from './jobs/states.ts';
import { documentIn, NodeStore, timeIn } from './node-store.ts';

/** Keeps requests from being read by others: they hold sensitive parameters. */
export interface Seal {
  close(text: string): string;
  /** @throws Error when it was closed with another key */
  open(text: string): string;
}

const jobColumns = fixedSql('j.id, j.definition, j.statuses');
const nodeColumns = fixedSql(
  'n.job_id, n.certname, n.job_level, n.state, n.transaction_id, n.transport, n.deliveries, n.is_acknowledged, n.started_at, n.finished_at, ' +
    'n.pending, n.outcome',
);
/** Fails the transaction unless the hold is the last that was taken. The row stays locked, so no other process takes hold meanwhile. */
function requireHold(hold: number): readonly Statement[] {
  return [
    sql`update orchestrator_hold set number = number where name = 'jobs'`,
    // There is such a row: it violates the primary key.
    sql`insert into orchestrator_hold (name, number)
      select name, number from orchestrator_hold where name = 'jobs' and number <> ${hold}`,
  ];
}

const orderColumns: Readonly<Record<JobOrderKey, string>> = {
  owner: 'j.owner_login',
  timestamp: 'j.changed_at',
  environment: 'j.environment',
  name: 'j.id',
  state: 'j.state',
};

export class JobStore implements RunnerStore {
  /** Of jobs that are kept here. */
  readonly nodes: NodeStore;
  private readonly database: Database;
  private readonly seal: Seal;

  constructor(database: Database, seal: Seal) {
    this.database = database;
    this.nodes = new NodeStore(database);
    this.seal = seal;
  }

  async takeHold(): Promise<number> {
    const [result] = await this.database.write([
      sql`update orchestrator_hold set number = number + 1 where name = 'jobs' returning number`,
    ]);
    return Number(result?.rows[0]?.['number']);
  }

  async add(order: JobOrder): Promise<{ readonly id: number; readonly isNew: boolean }> {
    const { change, createdAt, definition, levels, request, token } = order;
    const { environment, idempotencyKey, options, owner, type } = definition;
    const { action, module, params } = request;
    const at = encodeTimestamp(new Date(createdAt));
    const task = type === 'task' || type === 'plan_task' ? String(options['task']) : null;
    const nodes = levels.flatMap((names, level) => names.map((name) => [name, level] as const));
    const rows = this.database.dialect.rows(JSON.stringify(nodes), ['text', 'integer']);
    const [added] = await this.database.write([
      sql`insert into orchestrator_jobs (token, owner_id, owner_login, idempotency_key, type, task, environment, state,
          is_over, changed_at, definition, statuses, request)
        values (${token}, ${owner.id}, ${owner.login}, ${idempotencyKey ?? null}, ${type}, ${task}, ${environment}, 'new',
          ${false}, ${at}, ${JSON.stringify(definition)}, ${JSON.stringify(newStatuses(createdAt))},
          ${this.seal.close(JSON.stringify({ module, action, params }))})
        on conflict (owner_id, idempotency_key) do nothing
        returning id`,
      sql`insert into orchestrator_nodes (job_id, certname, job_level, state, deliveries, is_acknowledged)
        select j.id, r.v0, r.v1, 'new', 0, ${false} from ${rows} r, orchestrator_jobs j where j.token = ${token}`,
      ...recordNumbered(change, sql`select id from orchestrator_jobs where token = ${token}`),
    ]);
    const id = added?.rows[0]?.['id'];
    if (id !== undefined) return { id: Number(id), isNew: true };
    const [found] = await this.database.read(
      sql`select id from orchestrator_jobs where owner_id = ${owner.id} and idempotency_key = ${idempotencyKey ?? ''}`,
    );
    return { id: Number(found?.['id']), isNew: false };
  }

  async openJobs(): Promise<readonly OpenJob[]> {
    const jobs = await this.database.read(
      sql`select ${jobColumns}, j.request from orchestrator_jobs j where j.is_over = ${false} order by j.id`,
    );
    const nodes = await this.database.read(
      sql`select ${nodeColumns} from orchestrator_nodes n join orchestrator_jobs j on j.id = n.job_id
        where j.is_over = ${false} and n.finished_at is null order by n.job_id, n.certname`,
    );
    const actions = Map.groupBy(nodes, (row) => Number(row['job_id']));
    return await Promise.all(
      jobs.map(async (row) => {
        const job = decodeJob(row);
        const request = this.opened<AgentRequest>(row['request']);
        const counts = (await this.countsOf([job.id])).get(job.id) ?? noCounts;
        return { job, request, actions: (actions.get(job.id) ?? []).map(decodeAction), counts };
      }),
    );
  }

  /** Jobs of a plan that have not ended. */
  async openJobsOf(planJob: string): Promise<readonly number[]> {
    const rows = await this.database.read(
      sql`select ${jobColumns} from orchestrator_jobs j where j.is_over = ${false} order by j.id`,
    );
    const jobs = rows.map(decodeJob);
    return jobs.filter(({ definition }) => definition.options['plan_job'] === planJob).map(({ id }) => id);
  }

  async save(hold: number, changes: readonly JobChange[]): Promise<void> {
    await this.database.write([...requireHold(hold), ...changes.flatMap(statementsOf)]);
  }

  async find(id: number): Promise<JobOverview | undefined> {
    const rows = await this.database.read(
      sql`select ${jobColumns} from orchestrator_jobs j where j.id = ${id}`,
    );
    return (await this.withCounts(rows))[0];
  }

  async list(page: JobPage): Promise<{ readonly jobs: readonly JobOverview[]; readonly total: number }> {
    const ofType = page.type === undefined ? fixedSql('') : sql`and j.type = ${page.type}`;
    const ofTask = page.task === undefined ? fixedSql('') : sql`and j.task = ${page.task}`;
    const inState = page.state === undefined ? fixedSql('') : sql`and j.state = ${page.state}`;
    const after = boundOf('>=', page.finishedFrom);
    const before = boundOf('<=', page.finishedUntil);
    const filter = sql`j.id > 0 ${ofType} ${ofTask} ${inState} ${after} ${before}`;
    const direction = page.isDescending ? 'desc' : 'asc';
    const order = fixedSql(`${orderColumns[page.orderBy]} ${direction}, j.id ${direction}`);
    const rows = await this.database.read(
      sql`select ${jobColumns} from orchestrator_jobs j where ${filter} order by ${order}
        limit ${page.limit ?? Number.MAX_SAFE_INTEGER} offset ${page.offset}`,
    );
    const [count] = await this.database.read(
      sql`select count(*) as total from orchestrator_jobs j where ${filter}`,
    );
    return { jobs: await this.withCounts(rows), total: Number(count?.['total']) };
  }

  async outputOffsets(id: number, certname: string): Promise<OutputOffsets> {
    const rows = await this.database.read(
      sql`select message, stream, stream_offset from orchestrator_events
        where job_id = ${id} and certname = ${certname} and type = 'node_output' order by id`,
    );
    const known = { ...noOutput };
    for (const row of rows) {
      const end = Number(row['stream_offset']) + Buffer.byteLength(String(row['message']));
      const stream = row['stream'] === 'stderr' ? 'stderr' : 'stdout';
      known[stream] = Math.max(known[stream], end);
    }
    return known;
  }

  /** Forgets jobs that ended before that. @returns how many */
  async prune(before: Date): Promise<number> {
    const old = sql`select id from orchestrator_jobs where is_over = ${true} and changed_at < ${encodeTimestamp(before)}`;
    const results = await this.database.write([
      sql`delete from orchestrator_events where job_id in (${old})`,
      sql`delete from orchestrator_nodes where job_id in (${old})`,
      sql`delete from orchestrator_jobs where id in (${old})`,
    ]);
    return results.at(-1)?.changes ?? 0;
  }

  /** @returns `undefined` when the database was restored without the key */
  private opened<T>(closed: unknown): T | undefined {
    try {
      return JSON.parse(this.seal.open(String(closed))) as T;
    } catch {
      // Its users end what they cannot read, and say so.
      return undefined;
    }
  }

  private async withCounts(rows: readonly Row[]): Promise<readonly JobOverview[]> {
    const jobs = rows.map(decodeJob);
    const counts = await this.countsOf(jobs.map(({ id }) => id));
    return jobs.map((job) => ({ job, counts: counts.get(job.id) ?? noCounts }));
  }

  private async countsOf(ids: readonly number[]): Promise<ReadonlyMap<number, NodeCounts>> {
    const wanted = this.database.dialect.rows(JSON.stringify(ids.map((id) => [id])), ['integer']);
    const rows = await this.database.read(
      sql`select n.job_id, n.state, count(*) as number from orchestrator_nodes n
        where n.job_id in (select r.v0 from ${wanted} r) group by n.job_id, n.state`,
    );
    const found = new Map<number, NodeCounts>();
    for (const row of rows) {
      const id = Number(row['job_id']);
      found.set(id, { ...(found.get(id) ?? noCounts), [String(row['state'])]: Number(row['number']) });
    }
    return found;
  }
}

/** Of the time when jobs ended. */
function boundOf(operator: '>=' | '<=', time: Date | undefined): Statement {
  if (time === undefined) return fixedSql('');
  return sql`and j.is_over = ${true} and j.changed_at ${fixedSql(operator)} ${encodeTimestamp(time)}`;
}

const noCounts = Object.fromEntries(nodeStates.map((state) => [state, 0])) as NodeCounts;

/**
 * Records a change of an object whose number the database gives in the same transaction; nothing where it gave none.
 *
 * @param found - selects the number; until then the object has a token for an id
 */
export function recordNumbered(change: Change, found: Statement): readonly Statement[] {
  const { id: token } = change.object;
  return [
    insertChange(change),
    sql`update changes set object_id = (select cast(f.id as text) from (${found}) f)
      where object_id = ${token} and exists (${found})`,
    sql`delete from changes where object_id = ${token}`,
  ];
}

function statementsOf({ actions, events, job, recorded }: JobChange): readonly Statement[] {
  const state = stateOf(job);
  const isOver = isJobOver(state);
  const at = encodeTimestamp(new Date(job.statuses.at(-1)?.enteredAt ?? 0));
  return [
    // The request is kept no longer than somebody may have to send it.
    sql`update orchestrator_jobs set state = ${state}, is_over = ${isOver}, changed_at = ${at},
        statuses = ${JSON.stringify(job.statuses)}, request = case when ${isOver} then null else request end
      where id = ${job.id}`,
    ...actions.map((action) => saveAction(job.id, action)),
    ...events.map((event) => addEvent(job.id, event)),
    ...recorded.map(insertChange),
  ];
}

function saveAction(jobId: number, action: Action): Statement {
  const { certname, deliveries, finishedAt, isAcknowledged, pending, startedAt, state } = action;
  const { largeResult = null, ...outcome } = action.outcome ?? {};
  return sql`update orchestrator_nodes set state = ${state}, transaction_id = ${action.transactionId ?? null},
      transport = ${action.transport ?? null}, deliveries = ${deliveries}, is_acknowledged = ${isAcknowledged}, started_at = ${textOf(startedAt)},
      finished_at = ${textOf(finishedAt)}, pending = ${jsonOf(pending)}, outcome = ${jsonOf(action.outcome && outcome)},
      large_result = ${largeResult}
    where job_id = ${jobId} and certname = ${certname}`;
}

function addEvent(jobId: number, { at, certname, message, output, type }: JobEvent): Statement {
  return sql`insert into orchestrator_events (job_id, type, at, certname, message, stream, stream_offset)
    values (${jobId}, ${type}, ${encodeTimestamp(new Date(at))}, ${certname ?? null}, ${message},
      ${output?.stream ?? null}, ${output?.offset ?? null})`;
}

function textOf(time: number | undefined): string | null {
  return time === undefined ? null : encodeTimestamp(new Date(time));
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function decodeJob(row: Row): Job {
  const definition = documentIn<JobDefinition>(row['definition']);
  if (definition === undefined) throw new Error('a job without a definition');
  const statuses = documentIn<readonly JobStatus[]>(row['statuses']) ?? [];
  return { id: Number(row['id']), definition, statuses };
}

function decodeAction(row: Row): Action {
  const [startedAt, finishedAt] = [timeIn(row['started_at']), timeIn(row['finished_at'])];
  const pending = documentIn<Outcome>(row['pending']);
  const outcome = documentIn<Outcome>(row['outcome']);
  const transactionId = row['transaction_id'];
  const transport = row['transport'];
  return {
    certname: String(row['certname']),
    level: Number(row['job_level'] ?? 0),
    state: row['state'] as NodeState,
    deliveries: Number(row['deliveries']),
    isAcknowledged: Boolean(row['is_acknowledged']),
    ...(typeof transactionId === 'string' ? { transactionId } : {}),
    ...(transport === 'pcp' || transport === 'ssh' ? { transport } : {}),
    ...(startedAt === undefined ? {} : { startedAt: startedAt.getTime() }),
    ...(finishedAt === undefined ? {} : { finishedAt: finishedAt.getTime() }),
    ...(pending === undefined ? {} : { pending }),
    ...(outcome === undefined ? {} : { outcome }),
    watch: {},
  };
}
