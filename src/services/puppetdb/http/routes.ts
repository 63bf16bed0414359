/** Everything that PuppetDB answers. */

import type { Access, Identity, Route } from '../../../platform/http/index.ts';
import type { ServerMetrics } from '../metrics/server-metrics.ts';
import { type AdminTerminus, adminRoutes } from './admin-routes.ts';
import { type CommandTerminus, commandRoutes, type OnTaken } from './command-routes.ts';
import { metaRoutes } from './meta-routes.ts';
import { metricsRoutes } from './metrics-routes.ts';
import type { Observe } from './observe.ts';
import { type QueryAnswerer, queryRoutes } from './query-routes.ts';

export interface PuppetDbRouteOptions {
  readonly puppetDb: CommandTerminus &
    QueryAnswerer & { readonly admin: AdminTerminus; readonly metrics: ServerMetrics };
  /** Who may ask. */
  readonly allow: Access;
  /** Who may send commands; the same as those who may query when absent. */
  readonly allowCommands?: Access;
  /** The only node whose commands a client may send; any node's when absent or undefined. */
  readonly restrictedCertname?: (identity: Identity) => string | undefined;
  /** Told of each command that was carried out, and of its sender. */
  readonly onTaken?: OnTaken | undefined;
  /** Who may export, import, clean and delete. */
  readonly allowAdmin: Access;
  readonly now: () => Date;
}

export function puppetDbRoutes(options: PuppetDbRouteOptions): readonly Route[] {
  const { allow, allowAdmin, allowCommands = allow, now, onTaken, puppetDb, restrictedCertname } = options;
  const { http, beans } = puppetDb.metrics;
  const observe: Observe = (path, status, durationMs) => http.observe(path, status, durationMs);
  return [
    ...commandRoutes(puppetDb, { allow: allowCommands, onTaken, restrictedCertname }, observe),
    ...queryRoutes(puppetDb, allow, observe),
    ...metaRoutes(allow, now),
    ...adminRoutes(puppetDb.admin, allowAdmin, now),
    ...metricsRoutes(beans, allow, now),
  ];
}
