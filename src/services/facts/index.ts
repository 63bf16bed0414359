/** What nodes say about themselves. */

export { factsRoutes } from './routes.ts';
export { type FactNode, FactStore, factMigrations, type StoredFacts } from './store.ts';
export type { EnvironmentTerminus, FactSink } from './termini.ts';
export {
  decodeFacts,
  decodeFactsField,
  decodeFactsText,
  encodeFacts,
  type FactSet,
  type Json,
} from './wire.ts';
