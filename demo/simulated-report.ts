/** What a simulated agent reports of a run: nothing was applied, but the report looks as if it had been. */

import type { WireCatalog, WireResource } from './simulated-agent.ts';

/** `noop` says what would have been changed. */
export type SimulatedOutcome = 'unchanged' | 'intentional' | 'corrective' | 'failed' | 'noop';

export interface SimulatedRun {
  readonly certname: string;
  readonly catalog: WireCatalog;
  readonly transactionUuid: string;
  readonly durationMs: number;
  readonly outcome: SimulatedOutcome;
}

/** How many files of the catalog a run changes that changes something. */
const changedFiles = 2;

export function renderReport({ catalog, certname, durationMs, outcome, transactionUuid }: SimulatedRun) {
  // When the run began: PuppetDB adds the total time to find out when it ended.
  const time = new Date(Date.now() - durationMs).toISOString();
  const files = catalog.resources.filter(({ parameters, type }) => type === 'File' && isContent(parameters));
  const touched = new Map(
    outcome === 'unchanged'
      ? []
      : files.slice(0, changedFiles).map((each, index) => [each, index === 0 ? outcome : quieter(outcome)]),
  );
  const statuses = catalog.resources.map((resource) => renderStatus(resource, time, touched.get(resource)));
  const changes = Array.from(touched.values()).filter(
    (each) => each === 'intentional' || each === 'corrective',
  );
  const isNoop = outcome === 'noop';
  return {
    host: certname,
    time,
    configuration_version: catalog.version,
    transaction_uuid: transactionUuid,
    report_format: 12,
    puppet_version: '8.10.0',
    status: outcome === 'failed' ? 'failed' : changes.length > 0 ? 'changed' : 'unchanged',
    transaction_completed: true,
    noop: isNoop,
    noop_pending: isNoop,
    environment: catalog.environment,
    logs: renderLogs(touched, catalog, time, durationMs),
    metrics: renderMetrics(catalog, durationMs, {
      changes: changes.length,
      failed: Number(outcome === 'failed'),
    }),
    resource_statuses: Object.fromEntries(statuses),
    corrective_change: outcome === 'corrective',
    catalog_uuid: catalog.catalog_uuid,
    code_id: catalog.code_id,
    cached_catalog_status: 'not_used',
  };
}

function isContent(parameters: WireResource['parameters']): boolean {
  return parameters?.['ensure'] !== 'directory';
}

/** A run that fails at one resource still changes others. */
function quieter(outcome: SimulatedOutcome): SimulatedOutcome {
  return outcome === 'failed' ? 'intentional' : outcome;
}

function referenceOf({ title, type }: WireResource): string {
  return `${type}[${title}]`;
}

const messages: Readonly<Record<Exclude<SimulatedOutcome, 'unchanged'>, string>> = {
  intentional: "content changed '{sha256}4f1b0e' to '{sha256}9c27aa'",
  corrective: "content changed '{sha256}d41d8c' to '{sha256}9c27aa' (corrective)",
  failed:
    "change from 'absent' to 'file' failed: Could not set 'file' on ensure: No space left on device @ rb_sysopen",
  noop: "current_value '{sha256}4f1b0e', should be '{sha256}9c27aa' (noop)",
};

function renderStatus(resource: WireResource, time: string, outcome: SimulatedOutcome = 'unchanged') {
  const reference = referenceOf(resource);
  const isChanged = outcome === 'intentional' || outcome === 'corrective';
  const status = {
    title: resource.title,
    file: resource.file ?? null,
    line: resource.line ?? null,
    resource: reference,
    resource_type: resource.type,
    provider_used: null,
    containment_path: ['Stage[main]', reference],
    evaluation_time: 0.0001,
    tags: resource.tags ?? [],
    time,
    failed: outcome === 'failed',
    failed_to_restart: false,
    changed: isChanged,
    out_of_sync: outcome !== 'unchanged',
    skipped: false,
    change_count: Number(isChanged),
    out_of_sync_count: Number(outcome !== 'unchanged'),
    events: outcome === 'unchanged' ? [] : [renderEvent(outcome, time)],
    corrective_change: outcome === 'corrective',
  };
  return [reference, status] as const;
}

function renderEvent(outcome: Exclude<SimulatedOutcome, 'unchanged'>, time: string) {
  const isFailure = outcome === 'failed';
  return {
    audited: false,
    property: isFailure ? 'ensure' : 'content',
    previous_value: isFailure ? 'absent' : '{sha256}4f1b0e',
    desired_value: isFailure ? 'file' : '{sha256}9c27aa',
    historical_value: null,
    message: messages[outcome],
    name: isFailure ? 'ensure_changed' : 'content_changed',
    status: isFailure ? 'failure' : outcome === 'noop' ? 'noop' : 'success',
    time,
    redacted: null,
    corrective_change: outcome === 'corrective',
  };
}

function renderLogs(
  touched: ReadonlyMap<WireResource, SimulatedOutcome>,
  catalog: WireCatalog,
  time: string,
  durationMs: number,
) {
  const line = (level: string, source: string, message: string, resource?: WireResource) => ({
    level,
    message,
    source,
    tags: [level],
    time,
    file: resource?.file ?? null,
    line: resource?.line ?? null,
  });
  const events = Array.from(touched).flatMap(([resource, outcome]) => {
    if (outcome === 'unchanged') return [];
    const source = `/Stage[main]/${referenceOf(resource)}`;
    return [line(outcome === 'failed' ? 'err' : 'notice', source, messages[outcome], resource)];
  });
  return [
    line('info', 'Puppet', `Applying configuration version '${String(catalog.version)}'`),
    ...events,
    line('notice', 'Puppet', `Applied catalog in ${(durationMs / 1000).toFixed(2)} seconds`),
  ];
}

function renderMetrics(
  { resources: { length: total } }: WireCatalog,
  durationMs: number,
  { changes, failed }: { readonly changes: number; readonly failed: number },
) {
  const seconds = durationMs / 1000;
  return {
    resources: {
      name: 'resources',
      label: 'Resources',
      values: [
        ['changed', 'Changed', changes],
        ['failed', 'Failed', failed],
        ['total', 'Total', total],
      ],
    },
    time: {
      name: 'time',
      label: 'Time',
      values: [
        ['config_retrieval', 'Config retrieval', seconds * 0.7],
        ['file', 'File', seconds * 0.1],
        ['total', 'Total', seconds],
      ],
    },
    changes: { name: 'changes', label: 'Changes', values: [['total', 'Total', changes]] },
    events: {
      name: 'events',
      label: 'Events',
      values: [
        ['failure', 'Failure', failed],
        ['success', 'Success', changes],
        ['total', 'Total', changes + failed],
      ],
    },
  };
}
