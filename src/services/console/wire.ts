/** Requests and answers of `/console-api/v1`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../lib/read-only-answer.ts';

const mostRows = 500;
const mostSearchCharacters = 2000;

/** How a run ended, in the words of Puppet Enterprise's overview; the worst first. */
export const runOutcomes = [
  'failed',
  'corrective',
  'intentional',
  'unchanged',
  'noop-failed',
  'noop-corrective',
  'noop-intentional',
  'noop-unchanged',
] as const;

/** The status of a node: how its last run ended, or why there is none. */
export const nodeStatuses = [...runOutcomes, 'unresponsive', 'unreported'] as const;

export type NodeStatus = (typeof nodeStatuses)[number];

export type RunOutcome = (typeof runOutcomes)[number];

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

/** How many runs ended in which quarter of an hour, the oldest first. */
export const RunsWire = z.strictObject({
  quarters: z.array(z.strictObject({ from: Time, to: Time, counts: z.record(z.enum(runOutcomes), z.int()) })),
});

/** The last runs that failed or changed something, the latest first. */
export const LastRunsWire = z.strictObject({
  runs: z.array(
    z.strictObject({
      hash: z.string(),
      certname: z.string(),
      status: z.enum(['failed', 'changed', 'unchanged']),
      noop: z.boolean().nullable(),
      noop_pending: z.boolean().nullable(),
      corrective_change: z.boolean().nullable(),
      end_time: Time,
    }),
  ),
});

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
  /** The whole name of one package. */
  name: z.string().max(500).optional(),
  /** Of nodes whose last run was in this environment; of all nodes when absent. */
  environment: z.string().max(500).optional(),
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
  /** Whether any node, of the environment that was asked for, tells of its packages. */
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

/** Why a run changed a resource, or failed on it. */
export const WhyQueryWire = z.strictObject({
  /** The hash of a report. */
  report: z.string().min(1).max(100),
  /** `File` */
  type: z.string().min(1).max(500),
  title: z.string().min(1).max(10_000),
});

/** `sure`: Puppet says so; `likely`: it concerns this node or resource; `possible`: it changed as well. */
const Certainty = z.enum(['sure', 'likely', 'possible']);

const ChangeCauseWire = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('first-run'), certainty: Certainty }),
  /** The resource was right, and something other than Puppet changed it. */
  z.strictObject({
    kind: z.literal('drift'),
    certainty: Certainty,
    /** The end of the last run that found it right. */
    right_at: Time.nullable(),
    wrong_at: Time,
    last_changed: z.strictObject({ report: z.string(), time: Time }).nullable(),
  }),
  z.strictObject({
    kind: z.literal('environment'),
    certainty: Certainty,
    before: z.string(),
    after: z.string(),
  }),
  /** Files of the environment that differ between the two runs. */
  z.strictObject({
    kind: z.enum(['code', 'data']),
    certainty: Certainty,
    /** Whether it is the file that declares the resource. */
    is_declaration: z.boolean(),
    before: z.string(),
    after: z.string(),
    files: z.array(
      z.strictObject({
        path: z.string(),
        change: z.enum(['added', 'removed', 'changed']),
        /** The differing lines, for those who may deploy the environment. */
        lines: z.string(),
      }),
    ),
    /** How many files there are, also those that are not listed. */
    count: z.int(),
  }),
  /** Somebody changed a group. */
  z.strictObject({
    kind: z.literal('classification'),
    certainty: Certainty,
    change: z.strictObject({
      id: z.int(),
      group: z.string(),
      by: z.string(),
      message: z.string(),
      time: Time,
    }),
  }),
  /** The node matches other groups: their ids. */
  z.strictObject({
    kind: z.literal('groups'),
    certainty: Certainty,
    gained: z.array(z.string()),
    lost: z.array(z.string()),
  }),
  /** A fact that rules of groups look at has another value. */
  z.strictObject({
    kind: z.literal('fact'),
    certainty: Certainty,
    fact: z.string(),
    before: z.unknown(),
    after: z.unknown(),
  }),
]);

export const WhyAnswerWire = z.strictObject({
  certname: z.string(),
  report: z.string(),
  resource: z.string(),
  /** The status of the event: `success`, `failure`, `noop`, `skipped`. */
  outcome: z.string(),
  /** The end of the run. */
  time: Time,
  file: z.string().nullable(),
  line: z.int().nullable(),
  /** The run that it is compared with. */
  previous: z.strictObject({ report: z.string(), time: Time }).nullable(),
  /** The most certain first; empty when nothing is known to have changed. */
  causes: z.array(ChangeCauseWire),
  /** Whether both versions of code are kept, so that their files were compared. */
  is_code_known: z.boolean(),
});

/** A directory or file of a version of an environment. */
export const CodePathWire = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('directory'),
    commit: z.string(),
    path: z.string(),
    entries: z.array(
      z.strictObject({
        name: z.string(),
        kind: z.enum(['file', 'directory', 'link']),
        bytes: z.int().nullable(),
      }),
    ),
  }),
  z.strictObject({
    kind: z.literal('file'),
    commit: z.string(),
    path: z.string(),
    bytes: z.int(),
    /** Null for a file that is not text, or too large to be shown. */
    text: z.string().nullable(),
  }),
]);

/** How a user wants the pages to be. */
export const PreferencesWire = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** The height of rows. */
  density: z.enum(['compact', 'usual', 'wide']).default('usual'),
  /** Whether single letters are shortcuts. */
  letter_keys: z.boolean().default(true),
  /** As in `Europe/Berlin`; that of the browser when empty. */
  time_zone: z
    .string()
    .max(64)
    .regex(/^[\w+/-]*$/, 'must be the name of a time zone')
    .default(''),
});

export const exportFormats = ['csv', 'ndjson', 'text'] as const;
export type ExportFormat = (typeof exportFormats)[number];
const exportFormat = z.enum(exportFormats).default('csv');

/** A whole list, as its page shows it; or all rows of a query. */
export const ExportRequestWire = z.discriminatedUnion('list', [
  NodeQueryWire.omit({ limit: true, after: true }).extend({ list: z.literal('nodes'), format: exportFormat }),
  PackageQueryWire.omit({ limit: true, after: true }).extend({
    list: z.literal('packages'),
    format: exportFormat,
  }),
  FacetQueryWire.omit({ limit: true }).extend({ list: z.literal('facts'), format: exportFormat }),
  EventQueryWire.omit({ limit: true }).extend({ list: z.literal('events'), format: exportFormat }),
  z.strictObject({ list: z.literal('query'), format: exportFormat, pql: z.string().min(1).max(100_000) }),
]);

/** Where a browser fetches an export. */
export const ExportDownloadWire = z.strictObject({
  /** Works once, for the same user, within half a minute. */
  path: z.string(),
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

export type NodeQuery = z.input<typeof NodeQueryWire>;
export type NodePage = Answer<z.infer<typeof NodePageWire>>;
export type Overview = Answer<z.infer<typeof OverviewWire>>;
export type Runs = Answer<z.infer<typeof RunsWire>>;
export type LastRuns = Answer<z.infer<typeof LastRunsWire>>;
export type FacetQuery = z.input<typeof FacetQueryWire>;
export type Facets = Answer<z.infer<typeof FacetsWire>>;
export type EventQuery = z.input<typeof EventQueryWire>;
export type EventSums = Answer<z.infer<typeof EventSumsWire>>;
export type PackageQuery = z.input<typeof PackageQueryWire>;
export type PackagePage = Answer<z.infer<typeof PackagePageWire>>;
export type CatalogDiffQuery = z.input<typeof CatalogDiffQueryWire>;
export type CatalogDiff = Answer<z.infer<typeof CatalogDiffWire>>;
export type ExportRequest = z.output<typeof ExportRequestWire>;
export type ExportDownload = Answer<z.infer<typeof ExportDownloadWire>>;
export type ExportQuery = z.input<typeof ExportRequestWire>;
export type Preferences = Answer<z.output<typeof PreferencesWire>>;
export type WhyQuery = z.input<typeof WhyQueryWire>;
export type WhyAnswer = Answer<z.infer<typeof WhyAnswerWire>>;
export type ChangeCause = WhyAnswer['causes'][number];
export type CodePath = Answer<z.infer<typeof CodePathWire>>;
export type SavedViewQuery = z.output<typeof SavedViewQueryWire>;
export type SavedViewAnswer = Answer<z.infer<typeof SavedViewWire>>;
