/** PuppetDB: the fleet's facts, catalogs and reports, and queries of them. */

export { openPuppetDb, type PuppetDb } from './puppetdb.ts';
export { puppetDbRoutes } from './routes.ts';
export { listDeadLetters } from './store/dead-letters.ts';
export type { Lifetimes } from './store/garbage.ts';
