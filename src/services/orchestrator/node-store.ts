/** Nodes of jobs as clients see them, some at a time: a job may have 50,000 nodes, and a node a result of many megabytes. */

import {
  type Database,
  decodeTimestamp,
  type Row,
  type Statement,
  sql,
} from '../../platform/storage/index.ts';
import type { JobNode, NodeKey, StoredEvent } from './job-store.ts';
import type { Outcome } from './jobs/action.ts';
import type { JobEvent } from './jobs/job-event.ts';
import type { NodeState } from './jobs/states.ts';

/** To take these rows from the database's thread takes some milliseconds. */
const keysAtOnce = 5000;
const nodesAtOnce = 200;
/** Of one answer to a client that asks for events; one event is more where it is larger. */
const mostEvents = 1000;
const mostEventCharacters = 512 * 1024;

export class NodeStore {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** All nodes of a job without what came of them, by level and name. */
  async keys(id: number): Promise<readonly NodeKey[]> {
    const keys: NodeKey[] = [];
    for (let last: string | undefined = ''; last !== undefined; ) {
      const rows: readonly Row[] = await this.database.read(
        sql`select certname, job_level, state, started_at, finished_at, length(cast(outcome as text)) as outcome_length
          from orchestrator_nodes where job_id = ${id} and certname > ${last} order by certname limit ${keysAtOnce}`,
      );
      for (const row of rows) keys.push(decodeKey(row));
      last = rows.length < keysAtOnce ? undefined : keys.at(-1)?.certname;
    }
    return keys.sort((one, other) => one.level - other.level);
  }

  /** The named nodes, by level and name. Large results are not among what came of them. */
  async read(id: number, certnames: readonly string[]): Promise<readonly JobNode[]> {
    const rows = await this.database.read(
      sql`select certname, job_level, state, started_at, finished_at, length(cast(outcome as text)) as outcome_length,
          outcome, length(large_result) as large_length
        from orchestrator_nodes where job_id = ${id} and certname in (${this.namesIn(certnames)})
        order by job_level, certname`,
    );
    return rows.map((row) => {
      const largeResultBytes = Number(row['large_length'] ?? 0);
      return {
        ...decodeKey(row),
        outcome: documentIn<Outcome>(row['outcome']),
        ...(largeResultBytes === 0 ? {} : { largeResultBytes }),
      };
    });
  }

  /** All nodes of a job with their large results. */
  async all(id: number): Promise<readonly JobNode[]> {
    const nodes: JobNode[] = [];
    const keys = await this.keys(id);
    for (let start = 0; start < keys.length; start += nodesAtOnce) {
      const names = keys.slice(start, start + nodesAtOnce).map(({ certname }) => certname);
      for (const node of await this.read(id, names)) nodes.push(await this.withLargeResult(id, node));
    }
    return nodes;
  }

  private async withLargeResult(id: number, node: JobNode): Promise<JobNode> {
    const { certname, largeResultBytes, outcome } = node;
    if (largeResultBytes === undefined || outcome === undefined) return node;
    const largeResult = await this.largeResult(id, certname);
    return largeResult === undefined ? node : { ...node, outcome: { ...outcome, largeResult } };
  }

  /** JSON in UTF-8; `undefined` where what came of the node has its result. */
  async largeResult(id: number, certname: string): Promise<Uint8Array | undefined> {
    const [row] = await this.database.read(
      sql`select large_result from orchestrator_nodes where job_id = ${id} and certname = ${certname}`,
    );
    const bytes = row?.['large_result'];
    return bytes instanceof Uint8Array ? bytes : undefined;
  }

  /** The last event of each of these nodes, without output. */
  async latestEvents(
    id: number,
    certnames: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<StoredEvent, 'id' | 'message'>>> {
    const rows = await this.database.read(
      sql`select e.id, e.certname, e.message from orchestrator_events e where e.id in (
          select max(l.id) from orchestrator_events l
          where l.job_id = ${id} and l.certname in (${this.namesIn(certnames)}) and l.type <> 'node_output'
          group by l.certname)`,
    );
    return new Map(
      rows.map((row) => [
        String(row['certname']),
        { id: Number(row['id']), message: String(row['message']) },
      ]),
    );
  }

  async lastEventId(id: number): Promise<number | undefined> {
    const [row] = await this.database.read(
      sql`select max(id) as last from orchestrator_events where job_id = ${id}`,
    );
    const last = row?.['last'];
    return last === null || last === undefined ? undefined : Number(last);
  }

  /** Some events, and more when asked for those after them. @param start - the lowest id of an event that is wanted */
  async events(id: number, start: number): Promise<readonly StoredEvent[]> {
    const rows = await this.database.read(
      sql`select id, type, at, certname, message, stream, stream_offset from (
          select e.id, e.type, e.at, e.certname, e.message, e.stream, e.stream_offset,
            sum(length(e.message)) over (order by e.id) - length(e.message) as before
          from (select id, type, at, certname, message, stream, stream_offset from orchestrator_events
            where job_id = ${id} and id >= ${start} order by id limit ${mostEvents}) e) counted
        where before < ${mostEventCharacters} order by id`,
    );
    return rows.map(decodeEvent);
  }

  private namesIn(certnames: readonly string[]): Statement {
    const rows = this.database.dialect.rows(JSON.stringify(certnames.map((name) => [name])), ['text']);
    return sql`select r.v0 from ${rows} r`;
  }
}

function decodeKey(row: Row): NodeKey {
  return {
    certname: String(row['certname']),
    level: Number(row['job_level'] ?? 0),
    state: row['state'] as NodeState,
    startedAt: timeIn(row['started_at']),
    finishedAt: timeIn(row['finished_at']),
    outcomeLength: Number(row['outcome_length'] ?? 0),
  };
}

function decodeEvent(row: Row): StoredEvent {
  const certname = row['certname'];
  const stream = row['stream'];
  const output =
    stream === 'stdout' || stream === 'stderr'
      ? { output: { stream, offset: Number(row['stream_offset']) } as const }
      : {};
  return {
    id: Number(row['id']),
    type: row['type'] as JobEvent['type'],
    at: decodeTimestamp(row['at']).getTime(),
    ...(typeof certname === 'string' ? { certname } : {}),
    message: String(row['message']),
    ...output,
  };
}

export function timeIn(value: unknown): Date | undefined {
  return value === null || value === undefined ? undefined : decodeTimestamp(value);
}

/** Only stores of the orchestrator write there. */
export function documentIn<T>(value: unknown): T | undefined {
  if (value === null || value === undefined) return undefined;
  return (typeof value === 'string' ? JSON.parse(value) : value) as T;
}
