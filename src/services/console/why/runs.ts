/** Runs and their events, as PuppetDB has them. */

import { z } from 'zod';
import { ServiceError } from '../../../lib/service-error.ts';
import type { WhySource } from './why-source.ts';

export interface RunRow {
  readonly hash: string;
  readonly certname: string;
  readonly environment: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly codeId: string | null;
  readonly transactionUuid: string | null;
  /** Whether it undid something that was right after an earlier run. */
  readonly isCorrective: boolean;
}

export interface EventOfRun {
  readonly status: string;
  readonly timestamp: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly isCorrective: boolean;
  readonly report: string;
}

type Rows = Pick<WhySource, 'rows'>;

/** @throws ServiceError `not-found` when the report is not kept */
export async function readRun(source: Rows, hash: string, signal: AbortSignal): Promise<RunRow> {
  const query = ['from', 'reports', ['extract', [...runFields], ['=', 'hash', hash]]];
  const [run] = RunsWire.parse(await source.rows(query, signal));
  if (run !== undefined) return run;
  throw new ServiceError('not-found', `There is no report ${hash}`, {
    kind: 'bunraku.console/unknown-report',
    details: { report: hash },
  });
}

/** The run of the node before a run. */
export async function runBefore(
  source: Rows,
  { certname, startTime }: RunRow,
  signal: AbortSignal,
): Promise<RunRow | undefined> {
  const earlier = ['and', ['=', 'certname', certname], ['<', 'end_time', startTime]];
  const query = [
    'from',
    'reports',
    ['extract', [...runFields], earlier],
    ['order_by', [['end_time', 'desc']]],
    ['limit', 1],
  ];
  return RunsWire.parse(await source.rows(query, signal))[0];
}

interface Resource {
  readonly report: string;
  readonly type: string;
  readonly title: string;
}

/** What happened to a resource in a run, failures first. */
export async function readEvents(
  source: Rows,
  { report, title, type }: Resource,
  signal: AbortSignal,
): Promise<readonly EventOfRun[]> {
  const isOfResource = [
    'and',
    ['=', 'report', report],
    ['=', 'resource_type', type],
    ['=', 'resource_title', title],
  ];
  const query = ['from', 'events', ['extract', [...eventFields], isOfResource]];
  const events = EventsWire.parse(await source.rows(query, signal));
  return events.toSorted((a, b) => Number(b.status === 'failure') - Number(a.status === 'failure'));
}

/** Whether a run changed this resource and no other. */
export async function changedAlone(
  source: Rows,
  { report, title, type }: Resource,
  signal: AbortSignal,
): Promise<boolean> {
  const changed = ['and', ['=', 'report', report], ['=', 'status', 'success']];
  const query = ['from', 'events', ['extract', ['resource_type', 'resource_title'], changed]];
  const rows = await source.rows(query, signal);
  return rows.every((row) => row['resource_type'] === type && row['resource_title'] === title);
}

/** The last event of the resource on the node before a run. */
export async function lastEventBefore(
  source: Rows,
  { certname, startTime }: RunRow,
  { title, type }: Pick<Resource, 'type' | 'title'>,
  signal: AbortSignal,
): Promise<EventOfRun | undefined> {
  const isOfResource = [
    'and',
    ['=', 'certname', certname],
    ['=', 'resource_type', type],
    ['=', 'resource_title', title],
    ['<', 'timestamp', startTime],
  ];
  const query = [
    'from',
    'events',
    ['extract', [...eventFields], isOfResource],
    ['order_by', [['timestamp', 'desc']]],
    ['limit', 1],
  ];
  return EventsWire.parse(await source.rows(query, signal))[0];
}

const runFields = [
  'hash',
  'certname',
  'environment',
  'start_time',
  'end_time',
  'code_id',
  'transaction_uuid',
  'corrective_change',
] as const;

const RunsWire = z.array(
  z
    .object({
      hash: z.string(),
      certname: z.string(),
      environment: z.string(),
      start_time: z.string(),
      end_time: z.string(),
      code_id: z.string().nullable(),
      transaction_uuid: z.string().nullable(),
      corrective_change: z.boolean().nullable(),
    })
    .transform((row) => ({
      hash: row.hash,
      certname: row.certname,
      environment: row.environment,
      startTime: row.start_time,
      endTime: row.end_time,
      codeId: row.code_id,
      transactionUuid: row.transaction_uuid,
      isCorrective: row.corrective_change === true,
    })),
);

const eventFields = ['status', 'timestamp', 'file', 'line', 'corrective_change', 'report'] as const;

const EventsWire = z.array(
  z
    .object({
      status: z.string(),
      timestamp: z.string(),
      file: z.string().nullable(),
      line: z.number().nullable(),
      corrective_change: z.boolean().nullable(),
      report: z.string(),
    })
    .transform(({ corrective_change: isCorrective, ...event }) => ({
      ...event,
      isCorrective: isCorrective === true,
    })),
);
