/** PuppetDB's queries, in PQL. */

import { type PqlQuery, pqlText, quoted } from '../lib/pql.ts';
import { get, post } from './client.ts';

/** A row of the entity `nodes`. */
export interface NodeRow {
  readonly certname: string;
  readonly deactivated: string | null;
  readonly expired: string | null;
  readonly catalog_environment: string | null;
  readonly report_environment: string | null;
  readonly facts_timestamp: string | null;
  readonly catalog_timestamp: string | null;
  readonly report_timestamp: string | null;
  readonly latest_report_status: 'failed' | 'changed' | 'unchanged' | null;
  readonly latest_report_noop: boolean | null;
  readonly latest_report_noop_pending: boolean | null;
  readonly latest_report_corrective_change: boolean | null;
  readonly latest_report_hash: string | null;
  readonly cached_catalog_status: string | null;
}

/** A row of the entity `reports`, without its parts. */
export interface ReportRow {
  readonly hash: string;
  readonly certname: string;
  readonly environment: string;
  readonly status: 'failed' | 'changed' | 'unchanged';
  readonly noop: boolean | null;
  readonly noop_pending: boolean | null;
  readonly corrective_change: boolean | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly receive_time: string;
  readonly puppet_version: string;
  readonly configuration_version: string;
  readonly code_id: string | null;
  readonly producer: string | null;
  readonly job_id: string | null;
  readonly cached_catalog_status: string | null;
  readonly transaction_uuid: string | null;
}

export interface EventRow {
  readonly status: string;
  readonly timestamp: string;
  readonly resource_type: string;
  readonly resource_title: string;
  readonly property: string | null;
  readonly old_value: unknown;
  readonly new_value: unknown;
  readonly message: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly containment_path: readonly string[] | null;
  readonly containing_class: string | null;
  readonly corrective_change: boolean | null;
}

export interface LogRow {
  readonly level: string;
  readonly message: string;
  readonly source: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly time: string;
}

export interface MetricRow {
  readonly category: string;
  readonly name: string;
  readonly value: number;
}

export interface ResourceRow {
  readonly type: string;
  readonly title: string;
  readonly exported: boolean;
  readonly file: string | null;
  readonly line: number | null;
  readonly tags: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface EdgeRow {
  readonly relationship: string;
  readonly source_type: string;
  readonly source_title: string;
  readonly target_type: string;
  readonly target_title: string;
}

export interface CatalogDocument {
  readonly certname: string;
  readonly version: string;
  readonly environment: string | null;
  readonly code_id: string | null;
  readonly producer_timestamp: string;
  readonly resources: { readonly data: readonly ResourceRow[] | null };
  readonly edges: { readonly data: readonly EdgeRow[] | null };
}

/** A row of the entity `events`. */
export interface FleetEventRow {
  readonly certname: string;
  readonly timestamp: string;
  readonly status: string;
  readonly resource_type: string;
  readonly resource_title: string;
  readonly property: string | null;
  readonly old_value: unknown;
  readonly new_value: unknown;
  readonly message: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly corrective_change: boolean | null;
  readonly report: string;
}

export interface PackageRow {
  readonly package_name: string;
  readonly version: string;
  readonly provider: string;
}

export interface FactRow {
  readonly name: string;
  readonly value: unknown;
}

const root = '/pdb/query/v4';

export const nodeColumns: readonly (keyof NodeRow)[] = [
  'certname',
  'deactivated',
  'expired',
  'catalog_environment',
  'report_environment',
  'facts_timestamp',
  'catalog_timestamp',
  'report_timestamp',
  'latest_report_status',
  'latest_report_noop',
  'latest_report_noop_pending',
  'latest_report_corrective_change',
  'latest_report_hash',
  'cached_catalog_status',
];

export const reportColumns: readonly (keyof ReportRow)[] = [
  'hash',
  'certname',
  'environment',
  'status',
  'noop',
  'noop_pending',
  'corrective_change',
  'start_time',
  'end_time',
  'receive_time',
  'puppet_version',
  'configuration_version',
  'code_id',
  'producer',
  'job_id',
  'cached_catalog_status',
  'transaction_uuid',
];

/** The rows that match. */
export async function query<T>(asked: PqlQuery, signal: AbortSignal): Promise<readonly T[]> {
  return await get(root, { query: pqlText(asked) }, signal);
}

/** @returns `undefined` for a node that PuppetDB doesn't know */
export async function readNode(certname: string, signal: AbortSignal): Promise<NodeRow | undefined> {
  const conditions = ['node_state = "any"', `certname = ${quoted(certname)}`];
  const rows = await query<NodeRow>({ entity: 'nodes', columns: nodeColumns, conditions }, signal);
  return rows[0];
}

export async function readFacts(certname: string, signal: AbortSignal): Promise<readonly FactRow[]> {
  return await get(`${root}/facts`, { query: JSON.stringify(['=', 'certname', certname]) }, signal);
}

/** @throws ApiError 404 for a node without one */
export async function readCatalog(certname: string, signal: AbortSignal): Promise<CatalogDocument> {
  return await get(`${root}/catalogs/${encodeURIComponent(certname)}`, {}, signal);
}

export async function readEvents(hash: string, signal: AbortSignal): Promise<readonly EventRow[]> {
  return await get(`${root}/reports/${encodeURIComponent(hash)}/events`, {}, signal);
}

export async function readLogs(hash: string, signal: AbortSignal): Promise<readonly LogRow[]> {
  return await get(`${root}/reports/${encodeURIComponent(hash)}/logs`, {}, signal);
}

export async function readMetrics(hash: string, signal: AbortSignal): Promise<readonly MetricRow[]> {
  return await get(`${root}/reports/${encodeURIComponent(hash)}/metrics`, {}, signal);
}

/** The names of all facts. */
export async function readFactNames(signal: AbortSignal): Promise<readonly string[]> {
  return await get(`${root}/fact-names`, {}, signal);
}

/** The packages of a node; none when it does not tell of them. */
export async function readPackages(certname: string, signal: AbortSignal): Promise<readonly PackageRow[]> {
  const conditions = [`certname = ${quoted(certname)}`];
  return await query(
    {
      entity: 'package_inventory',
      columns: ['package_name', 'version', 'provider'],
      conditions,
      orderBy: ['package_name'],
    },
    signal,
  );
}

/**
 * Takes a node out of queries until it sends something again.
 *
 * @param time - ISO 8601; later than everything that the node has sent, or it stays
 */
export async function deactivateNode(certname: string, time: string): Promise<void> {
  const parameters = new URLSearchParams({ command: 'deactivate_node', version: '3', certname });
  const body = { certname, producer_timestamp: time };
  await post(`/pdb/cmd/v1?${parameters}`, body);
}

export interface PqlAnswer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** There are more than were asked for. */
  readonly hasMore: boolean;
}

/** @throws ApiError whose message names the place of a mistake */
export async function queryPql(pql: string, limit: number, signal: AbortSignal): Promise<PqlAnswer> {
  const rows = await get<PqlAnswer['rows']>(root, { query: pql, limit: limit + 1 }, signal);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
