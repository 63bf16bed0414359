/** `bunraku activity` */

import { z } from 'zod';
import { csvLines } from '../../lib/csv.ts';
import { parseSeconds } from '../../lib/duration.ts';
import { type Command, UsageError } from '../command.ts';
import { type CommandLine, lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { apiUrl, askService, consoleServices, serviceOptions, tokenUsage } from '../service-connection.ts';
import { tableLines } from '../text-table.ts';

export const activityCommand: Command = {
  name: 'activity',
  summary: 'Show who changed what, when and from where',
  usage: `
Usage: bunraku activity [OPTIONS]

  bunraku activity --service classifier --since 1d
  bunraku activity --object users --format csv --limit 10000 > users.csv

  --service NAME       ca, classifier, code-manager, infrastructure, orchestrator or rbac (default: all that you may see)
  --object TYPE[:ID]   Changes of one kind of object (node_groups, users, roles, tokens), or of one object
  --user ID            Changes that a user made
  --address ADDRESS    Changes that came from an address
  --since DURATION     Changes of the last 30m, 12h, 7d (default: from the beginning)
  --limit N            How many changes, the last ones (default: 50)
  --format FORMAT      table (default), json, or csv
  --service-url URL    The activity API (default: on the primary, https://PRIMARY:4433/activity-api)
${tokenUsage}`,
  async run(args, io) {
    const own = ['--service', '--object', '--user', '--address', '--since', '--limit', '--format'];
    const line = readCommandLine(args, { withValue: [...serviceOptions, ...own], flags: [] });
    refuseWords(line.positional);
    const format = lastOf(line, '--format') ?? 'table';
    if (!['table', 'json', 'csv'].includes(format))
      throw new UsageError(`--format is table, json or csv, not '${format}'`);
    const path = `/v2/events?${activityQuery(line, Date.now()).toString()}`;
    const answer = await askService(line, apiUrl(line, consoleServices, '/activity-api'), {
      method: 'GET',
      path,
    });
    if (format === 'json') {
      io.stdout(`${JSON.stringify(answer, undefined, 2)}\n`);
      return 0;
    }
    const { commits, 'total-rows': total } = AnswerWire.parse(answer);
    const rows = commits.flatMap(rowsOf);
    for (const text of format === 'csv' ? csvLines(rows) : tableLines(rows)) io.stdout(`${text}\n`);
    if (format === 'table' && total > commits.length)
      io.stdout(`\nThe last ${commits.length} of ${total} changes; --limit shows more.\n`);
    return 0;
  },
};

const AnswerWire = z.object({
  commits: z.array(
    z.object({
      service_id: z.string(),
      objects: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
      subject: z.object({ name: z.string() }),
      timestamp: z.string(),
      ip_address: z.string().nullable(),
      events: z.array(z.object({ message: z.string() })),
    }),
  ),
  'total-rows': z.number(),
});

type Commit = z.infer<typeof AnswerWire>['commits'][number];

function rowsOf({ events, ip_address: from, objects, subject, timestamp }: Commit) {
  const object = objects.map(({ name, type }) => `${type} ${name}`).join(', ');
  return events.map(({ message: change }) => ({ time: timestamp, who: subject.name, from, object, change }));
}

/** @throws UsageError naming the option */
export function activityQuery(line: CommandLine, nowMs: number): URLSearchParams {
  const query = new URLSearchParams({ limit: limitOf(lastOf(line, '--limit') ?? '50') });
  const service = lastOf(line, '--service');
  if (service !== undefined) query.set('service_id', service);
  const items: Readonly<Record<string, string>>[] = [];
  const object = lastOf(line, '--object');
  if (object !== undefined) {
    const [type = '', ...id] = object.split(':');
    items.push({ object_type: type, ...(id.length === 0 ? {} : { object_id: id.join(':') }) });
  }
  const user = lastOf(line, '--user');
  if (user !== undefined) items.push({ subject_type: 'users', subject_id: user });
  const address = lastOf(line, '--address');
  if (address !== undefined) items.push({ ip_address: address });
  const since = lastOf(line, '--since');
  if (since !== undefined) items.push({ start: new Date(nowMs - durationMs(since)).toISOString() });
  if (items.length > 0) query.set('query', JSON.stringify(items));
  return query;
}

function limitOf(text: string): string {
  if (/^[1-9]\d{0,8}$/.test(text)) return text;
  throw new UsageError(`--limit is a number above 0, not '${text}'`);
}

function durationMs(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds === undefined) throw new UsageError(`--since is a duration like 30m, 12h or 7d, not '${text}'`);
  return seconds * 1000;
}
