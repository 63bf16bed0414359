/** PuppetDB: the fleet's facts, catalogs and reports, and queries of them. */

export { CommandProcessor } from './commands/command-processor.ts';
export { QueryService } from './query/query-service.ts';
export { puppetDbRoutes } from './routes.ts';
export { puppetDbMigrations } from './schema.ts';
export { listDeadLetters } from './store/dead-letters.ts';
export { collectGarbage, type Lifetimes } from './store/garbage.ts';
