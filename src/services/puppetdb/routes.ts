/** Everything that PuppetDB answers. */

import type { Access, Identity, Route } from '../../platform/http/index.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { commandRoutes } from './http/command-routes.ts';
import { metaRoutes } from './http/meta-routes.ts';
import type { Observe } from './http/observe.ts';
import { queryRoutes } from './http/query-routes.ts';
import { metricsRoutes } from './metrics/metrics-routes.ts';
import type { PuppetDb } from './puppetdb.ts';

export interface PuppetDbRouteOptions {
  readonly puppetDb: PuppetDb;
  /** Who may ask. */
  readonly allow: Access;
  /** Who may send; whoever may ask when absent. */
  readonly allowCommands?: Access;
  /** The only node whose commands a client may send; any node's when absent or undefined. */
  readonly restrictedCertname?: (identity: Identity) => string | undefined;
  /** Who may export, import, clean and delete. */
  readonly allowAdmin: Access;
  readonly now: () => Date;
}

export function puppetDbRoutes(options: PuppetDbRouteOptions): readonly Route[] {
  const { allow, allowAdmin, allowCommands = allow, now, puppetDb, restrictedCertname } = options;
  const { http, beans } = puppetDb.metrics;
  const observe: Observe = (path, status, durationMs) => http.observe(path, status, durationMs);
  return [
    ...commandRoutes(puppetDb, { allow: allowCommands, restrictedCertname }, observe),
    ...queryRoutes(puppetDb, allow, observe),
    ...metaRoutes(allow, now),
    ...adminRoutes(puppetDb.admin, allowAdmin, now),
    ...metricsRoutes(beans, allow, now),
  ];
}
