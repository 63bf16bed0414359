/** Requests and answers of `/console-api/v1`, whose types the pages use, too. It imports nothing but zod. */

import { z } from 'zod';

const mostRows = 500;
const mostSearchCharacters = 2000;

/** How the last run of a node went, in the words of Puppet Enterprise's overview; the worst first. */
export const nodeStatuses = [
  'failed',
  'corrective',
  'intentional',
  'unchanged',
  'noop-failed',
  'noop-corrective',
  'noop-intentional',
  'noop-unchanged',
  'unresponsive',
  'unreported',
] as const;

export type NodeStatus = (typeof nodeStatuses)[number];

const Search = z.string().max(mostSearchCharacters).default('');
const Limit = z.int().min(1).max(mostRows).default(100);
const After = z.string().max(2000).optional();
const Time = z.iso.datetime({ offset: true });
const StatusCounts = z.record(z.enum(nodeStatuses), z.int());

export const NodeQueryWire = z.strictObject({
  q: Search,
  columns: z
    .array(z.string().regex(/^fact\.[\w-]+(\.[\w-]+)*$/, 'must be fact.NAME'))
    .max(20)
    .default([]),
  order_by: z
    .strictObject({
      field: z.enum(['certname', 'environment', 'report_time', 'status']),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .default({ field: 'certname', order: 'asc' }),
  limit: Limit,
  after: After,
});

export const NodePageWire = z.strictObject({
  rows: z.array(
    z.strictObject({
      certname: z.string(),
      status: z.enum(nodeStatuses),
      environment: z.string().nullable(),
      report_time: Time.nullable(),
      report_hash: z.string().nullable(),
      noop: z.boolean(),
      cached_catalog_status: z.string().nullable(),
      job_id: z.string().nullable(),
      /** By `fact.PATH`, as asked. */
      facts: z.record(z.string(), z.unknown()),
    }),
  ),
  /** What the next page begins after; null on the last. */
  next: z.string().nullable(),
  total: z.int(),
  counts: StatusCounts,
  as_of: Time,
  /** The same nodes as a query of PuppetDB. */
  pql: z.string(),
});

export const OverviewWire = z.strictObject({ total: z.int(), counts: StatusCounts, as_of: Time });

/** How many nodes have which value. */
export const FacetQueryWire = z.strictObject({
  field: z
    .string()
    .max(500)
    .regex(
      /^(?:status|environment|(?:fact|trusted)\.[\w-]+(?:\.[\w-]+)*)$/,
      'must be status, environment, fact.PATH or trusted.PATH',
    ),
  /** A filter of nodes. */
  q: Search,
  limit: Limit,
});

export const FacetsWire = z.strictObject({
  /** The most frequent first. */
  values: z.array(z.strictObject({ value: z.unknown(), count: z.int() })),
  /** How many different values there are. */
  distinct: z.int(),
  /** How many nodes match the filter. */
  total: z.int(),
  /** How many of them have no value. */
  without: z.int(),
  /** The same for PuppetDB; of fields in the index of nodes, the nodes that are counted. */
  pql: z.string(),
  as_of: Time,
});

export const eventSubjects = ['class', 'node', 'resource', 'message'] as const;
export const eventOutcomes = ['failed', 'corrective', 'intentional', 'noop', 'skipped'] as const;

/** What happened to resources, summed up. */
export const EventQueryWire = z.strictObject({
  by: z.enum(eventSubjects).default('class'),
  /** Of any kind when absent. */
  status: z.enum(eventOutcomes).optional(),
  /** From then on. */
  from: Time.optional(),
  /** Before then. */
  to: Time.optional(),
  /** Of the last run of each node alone. */
  latest: z.boolean().default(false),
  environment: z.string().max(500).optional(),
  /** A part of the subject. */
  q: Search,
  limit: Limit,
});

export const EventSumsWire = z.strictObject({
  rows: z.array(
    z.strictObject({
      /** The name of the class or node, `Type[title]`, the message; null where events have none. */
      subject: z.string().nullable(),
      events: z.int(),
      nodes: z.int(),
      first: Time,
      last: Time,
    }),
  ),
  /** How many subjects there are. */
  total: z.int(),
  /** There are more than can be counted at once: the numbers are too low. */
  is_partial: z.boolean(),
});

/** Packages, each version and provider by itself. */
export const PackageQueryWire = z.strictObject({
  /** A part of the name. */
  q: Search,
  order_by: z.enum(['name', 'nodes']).default('name'),
  limit: Limit,
  after: After,
});

export const PackagePageWire = z.strictObject({
  rows: z.array(
    z.strictObject({ name: z.string(), version: z.string(), provider: z.string(), nodes: z.int() }),
  ),
  next: z.string().nullable(),
  total: z.int(),
  /** Whether any node tells of its packages. */
  is_collected: z.boolean(),
  as_of: Time,
});

const CatalogSide = z.strictObject({
  certname: z.string().min(1).max(500),
  /** The catalog that PuppetDB has, or one that is compiled for the comparison. */
  source: z.enum(['stored', 'compile']).default('stored'),
  /** Of a catalog that is compiled; that of the stored one when absent. */
  environment: z.string().max(500).optional(),
});

export const CatalogDiffQueryWire = z.strictObject({ left: CatalogSide, right: CatalogSide });

const ParameterChange = z.strictObject({
  name: z.string(),
  /** Absent when the left has none. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  /** They differ in the names of the nodes alone. */
  is_noise: z.boolean(),
});
const WholeResource = z.strictObject({
  reference: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  is_noise: z.boolean(),
});
/** `Class[A] -> File[b] (contains)` */
const DifferingEdge = z.strictObject({ edge: z.string(), is_noise: z.boolean() });
const CatalogOrigin = z.strictObject({
  certname: z.string(),
  environment: z.string(),
  version: z.string(),
  code_id: z.string().nullable(),
  time: Time,
  resources: z.int(),
});

export const CatalogDiffWire = z.strictObject({
  left: CatalogOrigin,
  right: CatalogOrigin,
  is_same: z.boolean(),
  resources: z.strictObject({
    added: z.array(WholeResource),
    removed: z.array(WholeResource),
    changed: z.array(z.strictObject({ reference: z.string(), changes: z.array(ParameterChange) })),
  }),
  edges: z.strictObject({ added: z.array(DifferingEdge), removed: z.array(DifferingEdge) }),
});

export const viewKinds = ['nodes', 'query'] as const;

/** A filter of nodes or a query that is kept under a name. */
export const SavedViewQueryWire = z.strictObject({
  kind: z.enum(viewKinds),
  name: z.string().trim().min(1).max(200),
  /** The part of the address behind the question mark, or the query. */
  content: z.string().min(1).max(10_000),
  /** Whether others who may see nodes see it, too. */
  is_shared: z.boolean().default(false),
});

export const SavedViewWire = z.strictObject({
  id: z.string(),
  kind: z.enum(viewKinds),
  name: z.string(),
  content: z.string(),
  is_shared: z.boolean(),
  is_own: z.boolean(),
  /** The login of the user whose it is. */
  owner: z.string(),
  changed_at: Time,
});

/** An answer can't be changed by those who read it. */
type Answer<T> = T extends readonly (infer Item)[]
  ? readonly Answer<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Answer<T[Name]> }
    : T;

export type NodeQuery = z.input<typeof NodeQueryWire>;
export type NodePage = Answer<z.infer<typeof NodePageWire>>;
export type Overview = Answer<z.infer<typeof OverviewWire>>;
export type FacetQuery = z.input<typeof FacetQueryWire>;
export type Facets = Answer<z.infer<typeof FacetsWire>>;
export type EventQuery = z.input<typeof EventQueryWire>;
export type EventSums = Answer<z.infer<typeof EventSumsWire>>;
export type PackageQuery = z.input<typeof PackageQueryWire>;
export type PackagePage = Answer<z.infer<typeof PackagePageWire>>;
export type CatalogDiffQuery = z.input<typeof CatalogDiffQueryWire>;
export type CatalogDiff = Answer<z.infer<typeof CatalogDiffWire>>;
export type SavedViewQuery = z.output<typeof SavedViewQueryWire>;
export type SavedViewAnswer = Answer<z.infer<typeof SavedViewWire>>;
