/** PuppetDB: the fleet's facts, catalogs and reports, and queries of them. */

export { CommandProcessor, type CommandProcessorOptions } from './commands/command-processor.ts';
export type { Submission } from './commands/submission.ts';
export { puppetDbVersion } from './http/meta-routes.ts';
export { QueryError } from './query/query-error.ts';
export { type Answer, QueryService } from './query/query-service.ts';
export { type PuppetDbRouteOptions, puppetDbRoutes } from './routes.ts';
export { puppetDbMigrations } from './schema.ts';
export { type DeadLetter, listDeadLetters } from './store/dead-letters.ts';
export { collectGarbage, type Lifetimes } from './store/garbage.ts';
