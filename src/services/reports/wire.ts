/** Reports as agents send them. */

import { z } from 'zod';
import { checkShape } from '../../lib/check-shape.ts';

const text = z.string().nullish();
const flag = z.boolean().nullish();

const LogWire = z.looseObject({
  level: z.string(),
  message: z.string().nullish(),
  source: text,
  tags: z.array(z.string()).nullish(),
  time: text,
  file: text,
  line: z.number().nullish(),
});

const MetricWire = z.looseObject({
  name: text,
  label: text,
  /** Name, label, number. */
  values: z.array(z.tuple([z.string(), z.string(), z.number().nullable()])).nullish(),
});

const ReportWire = z.looseObject({
  host: text,
  time: text,
  configuration_version: z.union([z.string(), z.number()]).nullish(),
  transaction_uuid: text,
  report_format: z.number().int().nullish(),
  puppet_version: text,
  status: text,
  transaction_completed: flag,
  noop: flag,
  noop_pending: flag,
  environment: text,
  logs: z.array(LogWire),
  metrics: z.record(z.string(), MetricWire),
  /** Thousands: looked at one by one by those who want one. */
  resource_statuses: z.custom<Readonly<Record<string, unknown>>>(isObject),
  corrective_change: flag,
  server_used: text,
  master_used: text,
  catalog_uuid: text,
  code_id: text,
  job_id: text,
  cached_catalog_status: text,
});

type LogEntry = z.infer<typeof LogWire>;

/** Who sent a report and how the run ended. */
export interface ReportHead {
  /** Whose report it is, as proved; decided by the caller of `decodeReport`. */
  readonly certname: string;
  /** Whose report it says it is. */
  readonly host: string | undefined;
  readonly environment: string | undefined;
  /** `changed`, `unchanged` or `failed`; formats before 2 have none. */
  readonly status: string | undefined;
}

export interface Report extends ReportHead {
  readonly logs: readonly LogEntry[];
  /** The whole, as it was parsed. */
  readonly sent: Readonly<Record<string, unknown>>;
}

/**
 * Decodes parsed JSON.
 *
 * @throws Error naming the field; in the reference's words where agents or people may know them
 */
export function decodeReport(value: unknown, certname: string): Report {
  assertShape(value);
  const parsed = checkShape(ReportWire, value);
  if (!parsed.success) throw new Error(describe(parsed.error));
  const wire = parsed.data;
  assertTime(wire.time);
  return {
    certname,
    host: wire.host ?? undefined,
    environment: wire.environment ?? undefined,
    status: wire.status ?? undefined,
    logs: wire.logs,
    sent: value,
  };
}

/** The mistakes for which the reference's answers are on record. */
function assertShape(value: unknown): asserts value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('no implicit conversion of String into Integer');
  }
  const report: { metrics?: unknown; logs?: unknown; resource_statuses?: unknown } = value;
  if (isAbsent(report.metrics)) throw new Error("undefined method `each' for nil:NilClass");
  if (isAbsent(report.logs) || isAbsent(report.resource_statuses)) {
    throw new Error("undefined method `map' for nil:NilClass");
  }
}

function assertTime(value: string | null | undefined): void {
  if (!isAbsent(value) && Number.isNaN(Date.parse(value)))
    throw new Error(`no time information in ${JSON.stringify(value)}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function describe(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? error.message : `${issue.path.join('.')}: ${issue.message}`;
}
