/** `bunraku query` */

import { csvLines } from '../../lib/csv.ts';
import { type Command, UsageError } from '../command.ts';
import { lastOf, readCommandLine } from '../own-options.ts';
import { tableLines } from '../text-table.ts';
import { askPuppetDb, puppetDbOptions, puppetDbUsage, textOf } from './connection.ts';

export const queryCommand: Command = {
  name: 'query',
  summary: 'Ask PuppetDB, in PQL or in the AST language',
  usage: `
Usage: bunraku query QUERY [--format table|json|csv] [OPTIONS] [--SETTING VALUE ...]

  bunraku query 'nodes[certname, report_timestamp]{ latest_report_status = "failed" }'
  bunraku query '["from", "nodes", ["extract", "certname"]]' --format json

  --format FORMAT  table (default), json: as PuppetDB answers it, or csv
${puppetDbUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...puppetDbOptions, '--format'], flags: [] });
    const [query, unexpected] = line.positional;
    if (query === undefined) throw new UsageError('give a query');
    if (unexpected !== undefined) throw new UsageError(`Unexpected argument ${unexpected}: quote the query`);
    const format = lastOf(line, '--format') ?? 'table';
    if (!['table', 'json', 'csv'].includes(format)) {
      throw new UsageError(`--format is table, json or csv, not '${format}'`);
    }
    const body = await askPuppetDb(line, {
      method: 'POST',
      path: '/pdb/query/v4',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query, ...(format === 'json' ? { pretty: true } : {}) }),
      signal: io.signal,
    });
    if (format === 'json') {
      // However long it is: as it arrives.
      const decoder = new TextDecoder();
      for await (const chunk of body) io.stdout(decoder.decode(chunk as Buffer, { stream: true }));
      io.stdout('\n');
      return 0;
    }
    const rows = rowsOf(JSON.parse(await textOf(body)));
    for (const text of format === 'csv' ? csvLines(rows) : tableLines(rows)) io.stdout(`${text}\n`);
    return 0;
  },
};

/** Some entities answer with bare values: names of facts. */
function rowsOf(answer: unknown): readonly Readonly<Record<string, unknown>>[] {
  const rows: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  return rows.map((row) =>
    typeof row === 'object' && row !== null && !Array.isArray(row)
      ? (row as Readonly<Record<string, unknown>>)
      : { value: row },
  );
}
