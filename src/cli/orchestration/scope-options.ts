/** Options that say on which nodes something is run. */

import { readFileSync } from 'node:fs';
import { UsageError } from '../command.ts';
import type { CommandLine } from '../own-options.ts';

export const scopeOptions = ['--nodes', '-n', '--query', '-q', '--node-group'] as const;

export const scopeUsage = `  --nodes, -n NODE,... The nodes, with commas between them; @FILE reads them from a file, one a line
  --query, -q QUERY    The nodes that a PQL query finds
  --node-group ID      The nodes of a group
`;

/** @throws UsageError for none, and for several at once */
export function scopeOf(line: CommandLine): object | undefined {
  const given = (...names: readonly string[]) => names.flatMap((name) => line.values.get(name) ?? []);
  const [nodes, queries, groups] = [given('--nodes', '-n'), given('--query', '-q'), given('--node-group')];
  if ([nodes, queries, groups].filter((each) => each.length > 0).length > 1)
    throw new UsageError('give one of --nodes, --query and --node-group');
  if (queries.length > 1 || groups.length > 1) throw new UsageError('give one query, or one group');
  if (nodes.length > 0) return { nodes: nodes.flatMap(namesIn) };
  if (queries.length > 0) return { query: queries[0] };
  return groups.length > 0 ? { node_group: groups[0] } : undefined;
}

/** @throws UsageError when there is none */
export function requiredScope(line: CommandLine): object {
  const scope = scopeOf(line);
  if (scope === undefined) throw new UsageError('say on which nodes: --nodes, --query or --node-group');
  return scope;
}

function namesIn(text: string): readonly string[] {
  const names = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8').split('\n') : text.split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '');
}
