/** What nodes say about themselves. */

export { factsRoutes } from './routes.ts';
export { FactStore, factMigrations } from './store.ts';
export type { FactSink } from './termini.ts';
export { decodeFactsField, decodeFactsText, encodeFacts } from './wire.ts';
