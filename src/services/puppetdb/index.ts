/** PuppetDB: the fleet's facts, catalogs and reports, and queries of them. */

export { type CopiedCount, copyPuppetDb } from './copy/copy-database.ts';
export { puppetDbVersion } from './http/meta-routes.ts';
export { memberQueryRoutes } from './http/query-routes.ts';
export { type PuppetDbRouteOptions, puppetDbRoutes } from './http/routes.ts';
export { openPuppetDb, type PuppetDb } from './puppetdb.ts';
export { puppetDbMigrations } from './schema.ts';
export { listDeadLetters } from './store/dead-letters.ts';
export { cleanTasks, type Lifetimes } from './store/garbage.ts';
