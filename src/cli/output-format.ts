/** `--format text|json` of commands that print something for people and for programs. */

import { UsageError } from './command.ts';
import { type CommandLine, lastOf } from './own-options.ts';

export type OutputFormat = 'json' | 'text';

/** To be asked before anything is done. @throws UsageError for any other format */
export function outputFormat(line: CommandLine): OutputFormat {
  const format = lastOf(line, '--format') ?? lastOf(line, '-F') ?? 'text';
  if (format === 'json' || format === 'text') return format;
  throw new UsageError(`--format is text or json, not '${format}'`);
}

export function renderJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
