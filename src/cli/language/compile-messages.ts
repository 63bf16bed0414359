/** What manifests logged, and why they did not compile, on standard error. */

import { ServiceError } from '../../lib/service-error.ts';
import type { CompileLogLine } from '../../services/compiler/index.ts';
import type { CommandIo } from '../command.ts';

const LABELS: Readonly<Record<CompileLogLine['level'], string>> = {
  debug: 'Debug',
  info: 'Info',
  notice: 'Notice',
  warning: 'Warning',
  err: 'Error',
  alert: 'Alert',
  emerg: 'Emergency',
  crit: 'Critical',
};

/** As `puppet apply` prints them. */
export function printMessages(lines: readonly CompileLogLine[], io: CommandIo): void {
  for (const { level, message } of lines)
    if (level !== 'debug' && level !== 'info') io.stderr(`${LABELS[level]}: ${message}\n`);
}

/**
 * Prints why code did not compile, after what it had logged.
 *
 * @returns the exit code
 * @throws whatever else went wrong
 */
export function refuseCompile(error: unknown, io: CommandIo): number {
  if (!(error instanceof ServiceError) || error.reason !== 'compile-failed') throw error;
  printMessages((error.details['logs'] ?? []) as readonly CompileLogLine[], io);
  io.stderr(`Error: ${error.message}\n`);
  return 1;
}
