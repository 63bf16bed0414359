/** PuppetDB: the fleet's facts, catalogs and reports, and queries of them. */

export { type CommandSubmission, openPuppetDb, type PuppetDb, type PuppetDbOptions } from './puppetdb.ts';
export type { Clause } from './query/ast.ts';
export { puppetDbRoutes } from './routes.ts';
export { puppetDbMigrations } from './schema.ts';
export { listDeadLetters } from './store/dead-letters.ts';
export type { Lifetimes } from './store/garbage.ts';
