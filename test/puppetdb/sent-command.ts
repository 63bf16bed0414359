/** Small commands that say which they are. */

export interface SentCommand {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly body: string;
}

const start = Date.parse('2026-11-21T00:00:00Z');

/** Facts, a catalog and a report in turn. @param number - of all that this sender sends, from 0 */
export function sentCommand(sender: number, number: number, events: number): SentCommand {
  const certname = `sender${sender}.example.test`;
  const time = new Date(start + number * 1000).toISOString();
  const head = { certname, environment: 'production', producer: 'p', producer_timestamp: time };
  switch (number % 3) {
    case 0:
      return {
        command: 'replace_facts',
        version: 5,
        certname,
        body: JSON.stringify({ ...head, values: { number, some: 'x'.repeat(500) } }),
      };
    case 1:
      return {
        command: 'replace_catalog',
        version: 9,
        certname,
        body: JSON.stringify(catalog(head, number)),
      };
    default:
      return {
        command: 'store_report',
        version: 8,
        certname,
        body: JSON.stringify(report(head, time, number, events)),
      };
  }
}

function catalog(head: object, number: number): object {
  const resources = Array.from({ length: 20 }, (_, index) => ({
    type: 'File',
    title: `/file${index + (number % 7)}`,
    tags: ['file'],
    exported: false,
    file: '/site.pp',
    line: index,
    parameters: { content: `${number}-${index}` },
  }));
  return { ...head, version: String(number), resources, edges: [] };
}

function report(head: object, time: string, number: number, events: number): object {
  return {
    ...head,
    puppet_version: '8.0.0',
    report_format: 12,
    configuration_version: String(number),
    start_time: time,
    end_time: time,
    transaction_uuid: `uuid-${number}`,
    status: 'changed',
    noop: false,
    metrics: [],
    logs: [{ message: 'x'.repeat(500) }],
    resources: Array.from({ length: events }, (_, index) => ({
      timestamp: time,
      resource_type: 'File',
      resource_title: `/file${index}`,
      skipped: false,
      events: [
        { status: 'success', timestamp: time, property: 'ensure', new_value: number, old_value: null },
      ],
    })),
  };
}
