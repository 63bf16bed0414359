/** Reports on their way to PuppetDB. */

import { compareCodePoints } from '../../lib/code-point-order.ts';
import type { Json } from '../../lib/json.ts';
import type { PuppetDbCommand, Sender } from './command.ts';
import { rubyText } from './ruby-text.ts';
import { wireTime, wireTimeAfter } from './wire-time.ts';

type Members = Readonly<Record<string, Json>>;

export interface ReportToSend {
  /** Whose report it is, as proved. */
  readonly certname: string;
  /** The report as the agent sent it, of any format. */
  readonly sent: Readonly<Record<string, unknown>>;
}

export interface ReportSender extends Sender {
  /** Whether resources are told of that nothing happened to. */
  readonly hasUnchangedResources?: boolean;
}

interface EventToSend {
  readonly status: Json;
  readonly [member: string]: Json;
}

interface ResourceToSend {
  readonly skipped: boolean;
  readonly events: readonly EventToSend[];
  readonly [member: string]: Json;
}

/**
 * The command for a report: of its resources those that something happened to.
 *
 * @throws Error in the reference's words when the report names no environment or no time
 * @see puppet-terminus-puppetdb, Puppet::Reports puppetdb#report_to_hash
 */
export function reportCommand({ certname, sent }: ReportToSend, sender: ReportSender): PuppetDbCommand {
  const report = sent as Members;
  const { environment } = report;
  if (absent(environment)) {
    throw new Error(
      'Environment is nil, unable to submit report. This may be due a bug with Puppet. Ensure you are running the ' +
        'latest revision, see PUP-2508 for more details.',
    );
  }
  const producerTimestamp = sender.now.toISOString();
  const resources = resourcesOf(report, sender.hasUnchangedResources === true);
  const startedAt = textOf(report['time']);
  const payload = {
    certname,
    job_id: report['job_id'] ?? null,
    puppet_version: report['puppet_version'] ?? null,
    report_format: report['report_format'] ?? null,
    configuration_version: rubyText(report['configuration_version'] ?? null),
    producer_timestamp: producerTimestamp,
    start_time: wireTime(startedAt),
    end_time: wireTimeAfter(startedAt, durationOf(report)),
    environment,
    transaction_uuid: report['transaction_uuid'] ?? null,
    status: report['status'] ?? null,
    noop: report['noop'] ?? isNoop(resources),
    noop_pending: report['noop_pending'] ?? null,
    corrective_change: report['corrective_change'] ?? null,
    logs: listOf(report['logs']).map(logToSend),
    metrics: metricsOf(report),
    resources,
    catalog_uuid: report['catalog_uuid'] ?? null,
    code_id: report['code_id'] ?? null,
    cached_catalog_status: report['cached_catalog_status'] ?? null,
    producer: sender.producer,
  };
  return {
    command: 'store_report',
    version: 8,
    certname,
    producerTimestamp,
    payload: JSON.stringify(payload),
  };
}

function resourcesOf(report: Members, hasUnchanged: boolean): readonly ResourceToSend[] {
  const statuses = Object.values(membersOf(report['resource_statuses'])).map(membersOf);
  const wanted = statuses.filter(
    (status) =>
      status['resource_type'] !== undefined &&
      (hasUnchanged || status['skipped'] === true || listOf(status['events']).length > 0),
  );
  return wanted.map(resourceToSend);
}

function resourceToSend(status: Members): ResourceToSend {
  return {
    skipped: status['skipped'] === true,
    timestamp: wireTime(textOf(status['time'])),
    resource_type: status['resource_type'] ?? null,
    resource_title: rubyText(status['title'] ?? null),
    file: status['file'] ?? null,
    line: status['line'] ?? null,
    containment_path: status['containment_path'] ?? null,
    corrective_change: status['corrective_change'] ?? null,
    events: listOf(status['events']).map(membersOf).map(eventToSend),
  };
}

function eventToSend(event: Members): EventToSend {
  return {
    status: event['status'] ?? null,
    timestamp: wireTime(textOf(event['time'])),
    name: event['name'] ?? null,
    property: event['property'] ?? null,
    new_value: rubyText(event['desired_value'] ?? null),
    old_value: rubyText(event['previous_value'] ?? null),
    corrective_change: event['corrective_change'] ?? null,
    message: event['message'] ?? null,
  };
}

function logToSend(log: Json): Members {
  const {
    file = null,
    level = null,
    line = null,
    message = null,
    source = null,
    tags,
    time,
  } = membersOf(log);
  return { file, line, level, message, source, tags: listOf(tags), time: wireTime(textOf(time)) };
}

/** Name, label, number: in the order of the labels. */
function metricsOf(report: Members): readonly Members[] {
  return Object.values(membersOf(report['metrics'])).flatMap((metric) => {
    const { name: category = null, values } = membersOf(metric);
    const triples = listOf(values).map(listOf);
    const sorted = triples.toSorted((a, b) => compareCodePoints(String(a[1]), String(b[1])));
    return sorted.map((triple) => ({ category, name: triple[0] ?? null, value: triple.at(-1) ?? null }));
  });
}

/** Of a failed run nothing is known: none. */
function durationOf(report: Members): number {
  const { values } = membersOf(membersOf(report['metrics'])['time']);
  const total = listOf(values)
    .map(listOf)
    .find(([name]) => name === 'total')?.[2];
  return typeof total === 'number' ? total : 0;
}

/** Agents that do not say it were in noop mode when something would have been done, and nothing was. */
function isNoop(resources: readonly ResourceToSend[]): boolean {
  const events = resources.flatMap((resource) => resource.events);
  return events.length > 0 && events.every(({ status }) => status === 'noop');
}

function absent(value: Json | undefined): value is null | undefined {
  return value === null || value === undefined;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function membersOf(value: Json | undefined): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
