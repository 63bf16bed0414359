/** Everything that PuppetDB answers. */

import type { Access, Route } from '../../platform/http/index.ts';
import type { CommandProcessor } from './commands/command-processor.ts';
import { commandRoutes } from './http/command-routes.ts';
import { metaRoutes } from './http/meta-routes.ts';
import { queryRoutes } from './http/query-routes.ts';
import type { QueryService } from './query/query-service.ts';

export interface PuppetDbRouteOptions {
  readonly processor: CommandProcessor;
  readonly queries: QueryService;
  readonly allow: Access;
  readonly now: () => Date;
  /** A new UUID for each command. */
  readonly newId: () => string;
}

export function puppetDbRoutes(options: PuppetDbRouteOptions): readonly Route[] {
  const { processor, queries, allow, now, newId } = options;
  return [
    ...commandRoutes(processor, allow, newId),
    ...queryRoutes(queries, allow),
    ...metaRoutes(allow, now),
  ];
}
