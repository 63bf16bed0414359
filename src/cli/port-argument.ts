/** Ports on the command line. */

import { UsageError } from './command.ts';

/** @throws UsageError unless it is a number from 1 to 65535 */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new UsageError(`'${text}' is not a port`);
}
