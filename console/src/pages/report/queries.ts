/** What the page of a report asks for. What a report says never changes. */

import type { UseQueryOptions } from '@tanstack/react-query';
import {
  type EventRow,
  type LogRow,
  type MetricRow,
  query,
  type ReportRow,
  readEvents,
  readLogs,
  readMetrics,
  reportColumns,
} from '../../api/puppetdb.ts';
import { quoted } from '../../lib/pql.ts';

const staleTime = Number.POSITIVE_INFINITY;

/** `null` for a report that is gone, or never was. */
export function reportByHash(hash: string): UseQueryOptions<ReportRow | null> {
  return {
    queryKey: ['pdb', 'report', hash],
    async queryFn({ signal }) {
      const rows = await query<ReportRow>(
        { entity: 'reports', columns: reportColumns, conditions: [`hash = ${quoted(hash)}`] },
        signal,
      );
      return rows[0] ?? null;
    },
    staleTime,
  };
}

export function reportEvents(hash: string): UseQueryOptions<readonly EventRow[]> {
  return {
    queryKey: ['pdb', 'report-events', hash],
    queryFn: ({ signal }) => readEvents(hash, signal),
    staleTime,
  };
}

export function reportLogs(hash: string): UseQueryOptions<readonly LogRow[]> {
  return {
    queryKey: ['pdb', 'report-logs', hash],
    queryFn: ({ signal }) => readLogs(hash, signal),
    staleTime,
  };
}

export function reportMetrics(hash: string): UseQueryOptions<readonly MetricRow[]> {
  return {
    queryKey: ['pdb', 'report-metrics', hash],
    queryFn: ({ signal }) => readMetrics(hash, signal),
    staleTime,
  };
}

/** The run of the same node just before or after this one. */
export function neighbour(
  { certname, end_time }: ReportRow,
  side: 'before' | 'after',
): UseQueryOptions<ReportRow | null> {
  return {
    queryKey: ['pdb', 'report-neighbour', certname, end_time, side],
    async queryFn({ signal }) {
      const [operator, order] = side === 'before' ? ['<', 'end_time desc'] : ['>', 'end_time'];
      const rows = await query<ReportRow>(
        {
          entity: 'reports',
          columns: reportColumns,
          conditions: [`certname = ${quoted(certname)}`, `end_time ${operator} ${quoted(end_time)}`],
          orderBy: [order ?? ''],
          limit: 1,
        },
        signal,
      );
      return rows[0] ?? null;
    },
  };
}
