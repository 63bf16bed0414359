/** What the console's index of nodes asks of PuppetDB. */

import { z } from 'zod';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';
import type { NodeSource } from '../../services/console/index.ts';
import { consoleRuns } from './console-runs.ts';

type Clause = readonly unknown[];

const fields = [
  'certname',
  'report_environment',
  'report_timestamp',
  'latest_report_hash',
  'latest_report_status',
  'latest_report_noop',
  'latest_report_noop_pending',
  'latest_report_corrective_change',
  'cached_catalog_status',
  'latest_report_job_id',
];

export function consoleNodes(puppetDb: PuppetDbTerminus, onStored: NodeSource['onStored']): NodeSource {
  const ask = async <T>(shape: z.ZodType<T>, query: Clause, signal: AbortSignal) =>
    shape.parse(JSON.parse(await puppetDb.query(JSON.stringify(query), signal)));
  const names = async (condition: readonly Clause[], signal: AbortSignal) => {
    const rows = await ask(NamesWire, ['from', 'nodes', ['extract', ['certname'], ...condition]], signal);
    return rows.map(({ certname }) => certname);
  };
  return {
    onStored,
    names: (signal) => names([], signal),
    find: (condition, signal) => names([condition], signal),
    async read(certnames, signal) {
      const query = ['from', 'nodes', ['extract', fields, among(certnames)]];
      return (await ask(EntriesWire, query, signal)).map((row) => ({
        certname: row.certname,
        environment: row.report_environment ?? undefined,
        reportTimeMs: row.report_timestamp === null ? undefined : Date.parse(row.report_timestamp),
        reportHash: row.latest_report_hash ?? undefined,
        reportStatus: row.latest_report_status ?? undefined,
        isNoop: row.latest_report_noop === true,
        isNoopPending: row.latest_report_noop_pending === true,
        isCorrective: row.latest_report_corrective_change === true,
        cachedCatalogStatus: row.cached_catalog_status ?? undefined,
        jobId: row.latest_report_job_id ?? undefined,
      }));
    },
    runs: consoleRuns(ask),
    async facts(certnames, paths, signal) {
      const columns = ['certname', ...paths.map((path) => `facts.${path}`)];
      const rows = await ask(RowsWire, ['from', 'inventory', ['extract', columns, among(certnames)]], signal);
      return Object.fromEntries(
        rows.map((row) => [
          String(row['certname']),
          Object.fromEntries(
            paths.flatMap((path) => {
              const value = row[`facts.${path}`];
              return value === undefined || value === null ? [] : [[path, value]];
            }),
          ),
        ]),
      );
    },
  };
}

function among(certnames: readonly string[]): Clause {
  return ['in', 'certname', ['array', certnames]];
}

const NamesWire = z.array(z.object({ certname: z.string() }));

/** What JSON gave is JSON: values of facts may be large, and are passed on as they are. */
const RowsWire = z.array(z.record(z.string(), z.unknown()));

const EntriesWire = z.array(
  z.object({
    certname: z.string(),
    report_environment: z.string().nullable(),
    report_timestamp: z.string().nullable(),
    latest_report_hash: z.string().nullable(),
    latest_report_status: z.string().nullable(),
    latest_report_noop: z.boolean().nullable(),
    latest_report_noop_pending: z.boolean().nullable(),
    latest_report_corrective_change: z.boolean().nullable(),
    cached_catalog_status: z.string().nullable(),
    latest_report_job_id: z.string().nullable(),
  }),
);
