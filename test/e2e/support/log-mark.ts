/** Logs are written a moment after what they tell of: a mark says that what came before it is there. */

import { randomUUID } from 'node:crypto';
import { sendRaw } from './raw-request.ts';
import type { Site } from './site.ts';
import { until } from './until.ts';

/**
 * Leaves a mark in the log of the first compile server; whatever happened before it is above it.
 *
 * @returns the `path` of its line
 */
export async function markLog(site: Site): Promise<string> {
  const path = `/mark/${randomUUID()}`;
  const [port = 0] = site.installation.options.ports.compileServers;
  await sendRaw(port, {}, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await until('the mark is in the log', () => site.logOf('compile1').some((line) => line['path'] === path));
  return path;
}
