/** What commands carry, in the newest version of each; older versions are lifted to it. */

import { z } from 'zod';
import { readTimestamp } from '../timestamp.ts';
import { decodeWith } from './bad-command.ts';
import { quickEdges, quickReportResources, quickResources } from './quick-decode.ts';

const text = z.string();
const optionalText = z.string().nullish().transform(absentIsNull);
const timestamp = z.string().transform((value, context) => {
  const time = readTimestamp(value);
  if (time === undefined)
    context.addIssue({ code: 'custom', message: `'${value}' is not a valid timestamp` });
  return time ?? '';
});
const optionalBoolean = z.boolean().nullish().transform(absentIsNull);
const integer = z.number().int();

function absentIsNull<T>(value: T | null | undefined): T | null {
  return value ?? null;
}

export const FactsWire = z.object({
  certname: text,
  environment: optionalText,
  producer: optionalText,
  producer_timestamp: timestamp,
  values: z.record(z.string(), z.unknown()),
  package_inventory: z
    .array(z.tuple([text, text, text]))
    .nullish()
    .transform(absentIsNull),
});
export type Facts = z.infer<typeof FactsWire>;

const ReferenceWire = z.object({ type: text, title: text });
const ResourceWire = z.object({
  type: text,
  title: text,
  tags: z.array(text).default([]),
  exported: z.boolean(),
  file: optionalText,
  line: integer.nullish().transform(absentIsNull),
  parameters: z.record(z.string(), z.unknown()).default({}),
});
export type CatalogResource = z.infer<typeof ResourceWire>;
const EdgeWire = z.object({ source: ReferenceWire, target: ReferenceWire, relationship: text });
export type CatalogEdge = z.infer<typeof EdgeWire>;

export const CatalogEnvelopeWire = z.object({
  certname: text,
  version: z.union([text, z.number()]).transform(String),
  environment: optionalText,
  transaction_uuid: optionalText,
  catalog_uuid: optionalText,
  code_id: optionalText,
  job_id: optionalText,
  producer: optionalText,
  producer_timestamp: timestamp,
});
/** A catalog without what is in it. */
export type CatalogEnvelope = z.infer<typeof CatalogEnvelopeWire>;

const CatalogWire = CatalogEnvelopeWire.extend({
  resources: z.array(ResourceWire),
  edges: z.array(EdgeWire),
});
export interface Catalog extends CatalogEnvelope {
  readonly resources: readonly CatalogResource[];
  readonly edges: readonly CatalogEdge[];
}

/** @throws BadCommand when it is no catalog */
export function decodeCatalog(value: unknown): Catalog {
  const { resources: sent, edges: sentEdges } = Object(value) as Readonly<Record<string, unknown>>;
  const resources = quickResources(sent);
  const edges = quickEdges(sentEdges);
  if (resources === undefined || edges === undefined) return decodeWith(CatalogWire, value);
  return { ...decodeWith(CatalogEnvelopeWire, value), resources, edges };
}

const EventWire = z.object({
  status: text,
  timestamp,
  property: optionalText,
  name: optionalText,
  new_value: z.unknown(),
  old_value: z.unknown(),
  message: optionalText,
  corrective_change: optionalBoolean.catch(null),
});
const place = {
  resource_type: text,
  resource_title: text,
  file: optionalText,
  line: integer.nullish().transform(absentIsNull),
  containment_path: z.array(text).nullish().transform(absentIsNull),
};
const ReportResourceWire = z.object({
  ...place,
  skipped: z.boolean().default(false),
  timestamp,
  events: z.array(EventWire).default([]),
});
export type ReportResource = z.infer<typeof ReportResourceWire>;
const FlatEventWire = z.object({ ...place, ...EventWire.shape });

const ReportEnvelopeWire = z.object({
  certname: text,
  environment: optionalText,
  status: optionalText,
  noop: optionalBoolean,
  noop_pending: optionalBoolean,
  corrective_change: optionalBoolean.catch(null),
  puppet_version: text,
  report_format: integer,
  configuration_version: z.union([text, z.number()]).transform(String),
  start_time: timestamp,
  end_time: timestamp,
  producer_timestamp: timestamp,
  producer: optionalText,
  transaction_uuid: optionalText,
  catalog_uuid: optionalText,
  code_id: optionalText,
  job_id: optionalText,
  cached_catalog_status: optionalText,
  type: text.default('agent'),
  /** Before version 6 the events were one list. */
  resource_events: z.array(FlatEventWire).default([]),
});
const ReportWire = ReportEnvelopeWire.extend({ resources: z.array(ReportResourceWire).default([]) });
/** A report without its logs and metrics. */
export interface Report extends z.infer<typeof ReportEnvelopeWire> {
  readonly resources: readonly ReportResource[];
}

/** @throws BadCommand when it is no report */
export function decodeReport(value: unknown): Report {
  const { resources: sent } = Object(value) as Readonly<Record<string, unknown>>;
  const resources = quickReportResources(sent);
  if (resources === undefined) return decodeWith(ReportWire, value);
  return { ...decodeWith(ReportEnvelopeWire, value), resources };
}

export const DeactivateWire = z.object({ certname: text, producer_timestamp: timestamp });
export type Deactivation = z.infer<typeof DeactivateWire>;

export const ExpirationWire = z.object({
  certname: text,
  producer_timestamp: timestamp,
  expire: z.object({ facts: z.boolean().optional() }),
});
export type Expiration = z.infer<typeof ExpirationWire>;

export const CatalogInputsWire = z.object({
  certname: text,
  producer_timestamp: timestamp,
  catalog_uuid: text,
  inputs: z.array(z.tuple([text, text])),
});
export type CatalogInputs = z.infer<typeof CatalogInputsWire>;
