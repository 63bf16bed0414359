/** What the commands share that list and show the tasks and plans of an environment. */

import { UsageError } from '../command.ts';
import { type CommandLine, lastOf } from '../own-options.ts';
import { connectionOptions, connectionUsage } from './connection.ts';

type Kind = 'task' | 'plan';

export const listingOptions = {
  withValue: [...connectionOptions, '--environment', '-e', '--format', '-F'],
  flags: [],
};

export function listingUsage(kind: Kind): string {
  return `  --environment, -e ENVIRONMENT
                       Whose ${kind}s (default: production)
  --format json        Print what the orchestrator answers
${connectionUsage}`;
}

export function listPath(kind: Kind, line: CommandLine): string {
  return `/${kind}s?${environmentIn(line)}`;
}

/** @throws UsageError unless the command line names one */
export function itemPath(kind: Kind, line: CommandLine): string {
  const [name, ...more] = line.positional;
  if (name === undefined || more.length > 0) throw new UsageError(`name one ${kind}`);
  const [module = '', item = 'init'] = name.split(/::(.*)/s);
  return `/${kind}s/${encodeURIComponent(module)}/${encodeURIComponent(item)}?${environmentIn(line)}`;
}

function environmentIn(line: CommandLine): string {
  const environment = lastOf(line, '--environment') ?? lastOf(line, '-e') ?? 'production';
  return new URLSearchParams({ environment }).toString();
}
