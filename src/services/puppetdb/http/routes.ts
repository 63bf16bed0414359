/** Everything that PuppetDB answers. */

import type { Access, Identity, Route } from '../../../platform/http/index.ts';
import type { PuppetDb } from '../puppetdb.ts';
import { adminRoutes } from './admin-routes.ts';
import { commandRoutes } from './command-routes.ts';
import { metaRoutes } from './meta-routes.ts';
import { metricsRoutes } from './metrics-routes.ts';
import type { Observe } from './observe.ts';
import { queryRoutes } from './query-routes.ts';

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
