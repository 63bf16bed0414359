/** Everything that PuppetDB answers. */

import type { Access, Route } from '../../platform/http/index.ts';
import { commandRoutes } from './http/command-routes.ts';
import { metaRoutes } from './http/meta-routes.ts';
import { queryRoutes } from './http/query-routes.ts';
import type { PuppetDb } from './puppetdb.ts';

export interface PuppetDbRouteOptions {
  readonly puppetDb: PuppetDb;
  readonly allow: Access;
  readonly now: () => Date;
}

export function puppetDbRoutes({ puppetDb, allow, now }: PuppetDbRouteOptions): readonly Route[] {
  return [...commandRoutes(puppetDb, allow), ...queryRoutes(puppetDb, allow), ...metaRoutes(allow, now)];
}
