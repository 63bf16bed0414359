/** `--puppetdb-query empty|FILE`: what `puppetdb_query()` gives where no PuppetDB is to be asked. */

import type { OfflineCompile } from '../../server/compiler/offline-compile.ts';
import { UsageError } from '../command.ts';
import { type CommandLine, lastOf } from '../own-options.ts';
import { readDataFile } from './facts-file.ts';

export const puppetDbQueryOption = '--puppetdb-query';

/** For the help of commands that compile. */
export const puppetDbQueryUsage = `
The FILE of --puppetdb-query is JSON or YAML, a hash of queries and their rows: {"nodes[certname] { }": [{"certname": "a"}]}.
A query is PQL, in which white space does not count, or the JSON of an array. The key "default" has the rows of all others.
`;

/** @throws UsageError for a file that cannot be read, or whose values are no lists */
export function readQueryAnswers(line: CommandLine): OfflineCompile['answerQuery'] {
  const given = lastOf(line, puppetDbQueryOption);
  if (given === undefined) return undefined;
  if (given === 'empty') return () => Promise.resolve('[]');
  const answers = new Map<string, string>();
  for (const [query, rows] of Object.entries(readDataFile(given))) {
    if (!Array.isArray(rows)) throw new UsageError(`${given} has no list of rows for the query '${query}'`);
    answers.set(normalized(query), JSON.stringify(rows));
  }
  return (query) => {
    const text = textOf(query);
    const rows = answers.get(normalized(text)) ?? answers.get('default');
    return rows === undefined
      ? Promise.reject(new Error(`${given} has no rows for the query '${text}', and no 'default'`))
      : Promise.resolve(rows);
  };
}

/** @param query - JSON: a string in PQL, or an array */
function textOf(query: string): string {
  const parsed: unknown = JSON.parse(query);
  return typeof parsed === 'string' ? parsed : query;
}

function normalized(query: string): string {
  const plain = query.trim().replace(/\s+/g, ' ');
  try {
    return plain.startsWith('[') ? JSON.stringify(JSON.parse(plain)) : plain;
  } catch {
    // PQL that begins with a bracket is wrong anyway; PuppetDB would say so.
    return plain;
  }
}
